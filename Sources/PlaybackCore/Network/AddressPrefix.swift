/// A network: all addresses that begin with the same bits, such as 10.0.3.0/24. A single address is a network, too.
public struct AddressPrefix: Hashable, Sendable {
  /// 4 or 16 bytes, in the network's order.
  public let bytes: [UInt8]
  /// The number of leading bits that addresses have to share.
  public let length: Int

  /// Nil for a length that addresses of this family don't have.
  init?(_ bytes: [UInt8], length: Int) {
    guard bytes.count == 4 || bytes.count == 16, (0...bytes.count * 8).contains(length) else { return nil }
    self.bytes = bytes
    self.length = length
  }

  /// - Parameter text: `10.0.3.7`, `10.0.3.0/24` or `fd00:3::/64`. Names are refused, as is an address with bits behind
  ///   the length: one of the two is a slip.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), ListenAddress.isLiteral(parts[0]), let bytes = IPAddress.bytes(of: parts[0])
    else { return nil }
    var length = bytes.count * 8
    if parts.count == 2 {
      guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]) else { return nil }
      length = number
    }
    self.init(bytes, length: length)
    func isZero(_ bit: Int) -> Bool { bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) == 0 }
    guard (length..<max(length, bytes.count * 8)).allSatisfy(isZero) else { return nil }
  }

  /// Whether an address of 4 or 16 bytes is in this network.
  public func contains(_ address: [UInt8]) -> Bool {
    guard address.count == bytes.count else { return false }
    let whole = length / 8
    guard address.prefix(whole) == bytes.prefix(whole) else { return false }
    let rest = length % 8
    return rest == 0 || (address[whole] ^ bytes[whole]) >> UInt8(8 - rest) == 0
  }

  /// The 4 bytes of an IPv4 address that a socket of IPv6 reports (::ffff:10.0.3.7, RFC 4291); any other address as it
  /// is.
  public static func plain(_ address: [UInt8]) -> [UInt8] {
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    return address.count == 16 && address.starts(with: mapped) ? Array(address.suffix(4)) : address
  }
}

extension AddressPrefix: CustomStringConvertible {
  public var description: String {
    let isWhole = length == bytes.count * 8
    return Self.text(of: bytes) + (isWhole ? "" : "/\(length)")
  }

  /// The address in its usual form; groups of IPv6 aren't shortened but for their zeros in front.
  public static func text(of address: [UInt8]) -> String {
    if address.count == 4 { return address.map { "\($0)" }.joined(separator: ".") }
    let groups = stride(from: 0, to: address.count - 1, by: 2).map { at in
      address[at...at + 1].reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    }
    return groups.map { String($0, radix: 16) }.joined(separator: ":")
  }
}
