/// The addresses of this machine and the networks that it is attached to. They decide what an address alone can't: with
/// IPv6 the board and its neighbours have addresses of the internet. See decision 0179.
///
/// A value: `SystemNetworks` reads the kernel's state.
public struct AttachedNetworks: Hashable, Sendable {
  /// One address of an interface.
  public struct Interface: Hashable, Sendable {
    /// 4 or 16 bytes.
    public var address: [UInt8]
    /// Leading bits that all addresses of its network share.
    public var prefixLength: Int
    /// The other end of a point-to-point link; the prefix is then that of this address.
    public var peer: [UInt8]?
    /// Whether the interface is a loopback: all addresses of its prefix are this machine.
    public var isLoopback: Bool

    public init(address: [UInt8], prefixLength: Int, peer: [UInt8]? = nil, isLoopback: Bool = false) {
      self.address = address
      self.prefixLength = prefixLength
      self.peer = peer
      self.isLoopback = isLoopback
    }
  }

  private var own: Set<AddressPrefix> = []
  private var around: Set<AddressPrefix> = []

  /// A machine of which nothing is known.
  public init() {}

  /// - Parameters:
  ///   - interfaces: all of them, the loopback too.
  ///   - routes: the kernel's IPv4 table, in the format of /proc/net/route. It lists networks in which this machine has
  ///     an address without a prefix.
  ///   - routes6: the kernel's IPv6 table, in the format of /proc/net/ipv6_route.
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
    guard let prefix = AddressPrefix(address, length: length), prefix.isPlausible else { return }
    own.insert(prefix)
  }

  private mutating func addNetwork(_ address: [UInt8], length: Int) {
    guard let prefix = AddressPrefix(address, length: length), prefix.isPlausible else { return }
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
    // The number is in the machine's byte order, and its bytes in memory are in the network's.
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

  /// Parses the 32 hexadecimal digits of an address.
  private static func bytes(_ digits: Substring) -> [UInt8]? {
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.dropFirst(16), radix: 16)
    else { return nil }
    return [high, low].flatMap { half in (0..<8).reversed().map { UInt8(truncatingIfNeeded: half >> UInt64(8 * $0)) } }
  }

  /// How near an address is; nil for an address that is in none of these networks.
  func reach(of address: [UInt8]) -> NetworkReach? {
    if own.contains(where: { $0.contains(address) }) { return .loopback }
    return around.contains { $0.contains(address) } ? .local : nil
  }
}

extension AddressPrefix {
  /// Whether the prefix is long enough to be believed as a local network: a campus with public IPv4 addresses, and
  /// what a site is assigned of IPv6 (RFC 6177). A shorter one comes from a tunnel that takes half of the internet,
  /// or from a router that lies. If it were believed, servers of the internet would count as neighbours, and might
  /// redirect the player to real ones.
  fileprivate var isPlausible: Bool { length >= (bytes.count == 4 ? 16 : 48) }
}
