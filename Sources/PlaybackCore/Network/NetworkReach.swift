/// The distance from which an address can be reached. The nearer that is, the less of what answers there was meant for
/// strangers: a router's pages, a board's own services.
public enum NetworkReach: Int, Hashable, Sendable, Codable, Comparable, CaseIterable {
  /// This machine only.
  case loopback = 1
  /// The local network: private and link-local addresses.
  case local
  /// The internet.
  case everywhere

  public static func < (a: NetworkReach, b: NetworkReach) -> Bool { a.rawValue < b.rawValue }

  /// - Parameters:
  ///   - address: the 4 bytes of an IPv4 address or the 16 of IPv6; nil for any other count.
  ///   - networks: what this machine is attached to now.
  public init?(address: [UInt8], in networks: AttachedNetworks) {
    switch address.count {
    case 4: self = Self.of(address, networks)
    case 16:
      // An IPv6 address that embeds an IPv4 address is as near as that one; of several readings the nearest counts.
      let inner = IPAddress.embedded(in: address).map { Self.of($0, networks) }
      self = ([Self.of(address, networks)] + inner).min() ?? .everywhere
    default: return nil
    }
  }

  /// The reach that a host's name tells by itself, without a query to a resolver; nil for a name that has to be
  /// resolved.
  ///
  /// - Parameters:
  ///   - host: as in an address, with or without brackets.
  ///   - networks: what this machine is attached to now; without them only the rules that hold for every machine apply.
  public init?(host: String, in networks: AttachedNetworks = AttachedNetworks()) {
    var name = host.lowercased()[...]
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    if name.hasSuffix(".") { name = name.dropLast() }
    if name == "localhost" || name.hasSuffix(".localhost") {
      self = .loopback
      return
    }
    guard let bytes = IPAddress.bytes(of: String(name)), let reach = NetworkReach(address: bytes, in: networks)
    else { return nil }
    self = reach
  }

  private static func of(_ address: [UInt8], _ networks: AttachedNetworks) -> NetworkReach {
    min(address.count == 4 ? ofIPv4(address) : ofIPv6(address), networks.reach(of: address) ?? .everywhere)
  }

  private static func ofIPv4(_ bytes: [UInt8]) -> NetworkReach {
    switch (bytes[0], bytes[1]) {
    // A connection to 0.0.0.0 leads to this machine.
    case (127, _), (0, _): .loopback
    // RFC 1918, RFC 3927, and the addresses between a provider and its customers (RFC 6598), which mesh networks use
    // too.
    case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): .local
    default: .everywhere
    }
  }

  private static func ofIPv6(_ bytes: [UInt8]) -> NetworkReach {
    // :: and ::1.
    if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] <= 1 { return .loopback }
    // fc00::/7 is private, fe80::/10 link-local, fec0::/10 the former site-local range.
    if bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80) { return .local }
    return .everywhere
  }
}

/// IP addresses as bytes.
enum IPAddress {
  /// The 4 or 16 bytes of a literal address; nil for any other text.
  static func bytes(of text: String) -> [UInt8]? { text.contains(":") ? ipv6(text) : ipv4(text) }

  /// The IPv4 addresses that packets to an IPv6 address may reach in the end; empty for most addresses.
  static func embedded(in bytes: [UInt8]) -> [[UInt8]] {
    func at(_ places: Int...) -> [UInt8] { places.map { bytes[$0] } }
    func begins(_ start: [UInt8]) -> Bool { bytes.starts(with: start) }
    let zeros = [UInt8](repeating: 0, count: 8)
    let last = at(12, 13, 14, 15)
    // Compatible (::a.b.c.d, obsolete), mapped (::ffff:a.b.c.d, RFC 4291), translated (::ffff:0:a.b.c.d, RFC 2765).
    for middle in [[0, 0, 0, 0], [0, 0, 0xFF, 0xFF], [0xFF, 0xFF, 0, 0]] as [[UInt8]] where begins(zeros + middle) {
      return [last]
    }
    // Translated on the way (NAT64, RFC 6052). The second prefix is for a network's own use (RFC 8215), which may put
    // the address at any of four places. A reading that begins with a zero byte is of padding beside the address.
    if begins([0, 0x64, 0xFF, 0x9B] + zeros) { return [last] }
    if begins([0, 0x64, 0xFF, 0x9B, 0, 1]) {
      let all = [at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12), last]
      let used = all.filter { $0[0] != 0 }
      return used.isEmpty ? [last] : used
    }
    // 6to4 (RFC 3056).
    if begins([0x20, 0x02]) { return [at(2, 3, 4, 5)] }
    // Teredo (RFC 4380): its server, and the client's address with all bits inverted.
    if begins([0x20, 0x01, 0, 0]) { return [at(4, 5, 6, 7), last.map { ~$0 }] }
    return []
  }

  /// Reads an address as the system's resolver does: one to four parts, each decimal, octal (0...) or hexadecimal
  /// (0x...), the last of which fills the remaining bytes. `127.1` and `0x7f000001` are this machine too.
  private static func ipv4(_ text: String) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count) else { return nil }
    var numbers: [UInt64] = []
    for part in parts {
      let lower = part.lowercased()
      let number: UInt64? =
        if lower.hasPrefix("0x") {
          UInt64(lower.dropFirst(2), radix: 16)
        } else if lower.count > 1, lower.hasPrefix("0") {
          UInt64(lower, radix: 8)
        } else {
          lower.first.map { $0.isNumber } == true ? UInt64(lower) : nil
        }
      guard let number else { return nil }
      numbers.append(number)
    }
    let last = numbers.removeLast()
    let room = 4 - numbers.count
    guard numbers.allSatisfy({ $0 <= 255 }), last < UInt64(1) << UInt64(8 * room) else { return nil }
    return numbers.map { UInt8($0) } + (0..<room).reversed().map { UInt8(truncatingIfNeeded: last >> UInt64(8 * $0)) }
  }

  private static func ipv6(_ text: String) -> [UInt8]? {
    // The text after a percent sign names an interface.
    var text = String(text.prefix { $0 != "%" })
    if text.contains("."), let colon = text.lastIndex(of: ":") {
      guard let tail = ipv4(String(text[text.index(after: colon)...])) else { return nil }
      func group(_ a: UInt8, _ b: UInt8) -> String { String(UInt16(a) << 8 | UInt16(b), radix: 16) }
      text = text[...colon] + group(tail[0], tail[1]) + ":" + group(tail[2], tail[3])
    }
    func groups(_ half: Substring) -> [UInt16]? {
      guard !half.isEmpty else { return [] }
      let parts = half.split(separator: ":", omittingEmptySubsequences: false).map { part in
        part.count <= 4 ? UInt16(part, radix: 16) : nil
      }
      return parts.contains(nil) ? nil : parts.compactMap(\.self)
    }
    var all: [UInt16]
    if let gap = doubleColon(in: text) {
      guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
        head.count + tail.count < 8
      else { return nil }
      all = head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
    } else {
      guard let plain = groups(text[...]) else { return nil }
      all = plain
    }
    guard all.count == 8 else { return nil }
    return all.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private static func doubleColon(in text: String) -> Range<String.Index>? {
    var index = text.startIndex
    while let colon = text[index...].firstIndex(of: ":") {
      let next = text.index(after: colon)
      if next < text.endIndex, text[next] == ":" { return colon..<text.index(after: next) }
      index = next
    }
    return nil
  }
}
