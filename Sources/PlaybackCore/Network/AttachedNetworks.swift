/// The addresses of this machine, and the networks that it is attached to: what an address can't tell by itself. With IPv6 the board
/// and its neighbours have addresses of the internet. See docs/decisions/0179-near-by-route.md.
///
/// A value: `SystemNetworks` reads what the kernel says.
public struct AttachedNetworks: Hashable, Sendable {
  /// One address of an interface.
  public struct Interface: Hashable, Sendable {
    /// 4 or 16 bytes.
    public var address: [UInt8]
    /// Leading bits that all addresses of its network share.
    public var prefixLength: Int
    /// The other end of a line between two; it has the prefix then.
    public var peer: [UInt8]?
    /// Whoever has such an address is this machine, with all addresses of its prefix.
    public var isLoopback: Bool

    public init(address: [UInt8], prefixLength: Int, peer: [UInt8]? = nil, isLoopback: Bool = false) {
      self.address = address
      self.prefixLength = prefixLength
      self.peer = peer
      self.isLoopback = isLoopback
    }
  }

  private struct Prefix: Hashable, Sendable {
    let bytes: [UInt8]
    let length: Int

    /// Nil for a length that such addresses don't have.
    init?(_ bytes: [UInt8], length: Int) {
      guard bytes.count == 4 || bytes.count == 16, (0...bytes.count * 8).contains(length) else { return nil }
      self.bytes = bytes
      self.length = length
    }

    func contains(_ address: [UInt8]) -> Bool {
      guard address.count == bytes.count else { return false }
      let whole = length / 8
      guard address.prefix(whole) == bytes.prefix(whole) else { return false }
      let rest = length % 8
      return rest == 0 || (address[whole] ^ bytes[whole]) >> UInt8(8 - rest) == 0
    }

    /// The shortest prefixes that are taken for a network: a campus of IPv4 with addresses of the internet, and what a site is given of
    /// IPv6 (RFC 6177). What is shorter comes from a tunnel that takes half of the internet, or from a router that lies: were it believed,
    /// servers of the internet would count as neighbours, and might send us to real ones.
    var isPlausible: Bool { length >= (bytes.count == 4 ? 16 : 48) }
  }

  private var own: Set<Prefix> = []
  private var around: Set<Prefix> = []

  /// Of a machine of which nothing is known.
  public init() {}

  /// - Parameters:
  ///   - interfaces: all of them, the machine's own loop too.
  ///   - routes: the kernel's table of IPv4, as /proc/net/route has it. It knows networks in which this machine has an address without a
  ///     prefix.
  ///   - routes6: that of IPv6, as /proc/net/ipv6_route has it.
  public init(interfaces: [Interface], routes: String = "", routes6: String = "") {
    for interface in interfaces {
      let address = interface.address
      addOwn(address, length: interface.isLoopback ? interface.prefixLength : address.count * 8)
      addNetwork(interface.peer ?? address, length: interface.prefixLength)
    }
    for line in routes.split(separator: "\n") { addRoute(line) }
    for line in routes6.split(separator: "\n") { addRoute6(line) }
  }

  private mutating func addOwn(_ address: [UInt8], length: Int) {
    guard let prefix = Prefix(address, length: length), prefix.isPlausible else { return }
    own.insert(prefix)
  }

  private mutating func addNetwork(_ address: [UInt8], length: Int) {
    guard let prefix = Prefix(address, length: length), prefix.isPlausible else { return }
    around.insert(prefix)
  }

  /// Bits of a route's flags, as in Linux's `route.h` and `ipv6_route.h`.
  private enum Flag {
    static let isUp: UInt32 = 0x1
    static let hasGateway: UInt32 = 0x2
    static let rejects: UInt32 = 0x200
    static let isOwnAddress: UInt32 = 0x8000_0000
  }

  private mutating func addRoute(_ line: Substring) {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.count > 7, let flags = UInt32(words[3], radix: 16), let network = UInt32(words[1], radix: 16),
      let mask = UInt32(words[7], radix: 16), flags & Flag.isUp != 0, flags & (Flag.hasGateway | Flag.rejects) == 0
    else { return }
    // As they lie in memory: a number of the machine's own order, made of bytes in the network's.
    addNetwork(withUnsafeBytes(of: network) { Array($0) }, length: mask.nonzeroBitCount)
  }

  private mutating func addRoute6(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count > 9, let flags = UInt32(words[8], radix: 16), let length = Int(words[1], radix: 16),
      let network = Self.bytes(words[0]), flags & Flag.isUp != 0, flags & (Flag.hasGateway | Flag.rejects) == 0
    else { return }
    if flags & Flag.isOwnAddress != 0 {
      addOwn(network, length: length)
    } else {
      addNetwork(network, length: length)
    }
  }

  /// 32 digits.
  private static func bytes(_ digits: Substring) -> [UInt8]? {
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.dropFirst(16), radix: 16)
    else { return nil }
    return [high, low].flatMap { half in (0..<8).reversed().map { UInt8(truncatingIfNeeded: half >> UInt64(8 * $0)) } }
  }

  /// How near an address of these networks is; nil for one of none of them.
  func reach(of address: [UInt8]) -> NetworkReach? {
    if own.contains(where: { $0.contains(address) }) { return .loopback }
    return around.contains { $0.contains(address) } ? .local : nil
  }
}
