import Testing

@testable import PlaybackCore

@Suite("Networks that a machine is attached to")
struct AttachedNetworksTests {
  private typealias Interface = AttachedNetworks.Interface

  private func bytes(_ text: String) throws -> [UInt8] { try #require(IPAddress.bytes(of: text)) }

  private func interface(
    _ address: String, _ length: Int, peer: String? = nil, isLoopback: Bool = false
  ) throws -> Interface {
    Interface(
      address: try bytes(address), prefixLength: length, peer: try peer.map(bytes), isLoopback: isLoopback)
  }

  /// A board with public IPv4 and IPv6 addresses, a mobile modem, and a table with each kind of route.
  private func board() throws -> AttachedNetworks {
    // In the byte order of memory: 198.51.100.0/24 without a gateway, 198.51.101.0/24 with one, 198.18.0.0/15 in a
    // tunnel, half of the internet in another one, the default route without a gateway, 198.51.102.0/24 refused,
    // 198.51.103.0/24 down.
    let routes = """
      Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
      eth0	006433C6	00000000	0001	0	0	0	00FFFFFF	0	0	0
      eth0	006533C6	014DA8C0	0003	0	0	0	00FFFFFF	0	0	0
      tun0	000012C6	00000000	0001	0	0	0	0000FEFF	0	0	0
      tun0	00000080	00000000	0001	0	0	0	00000080	0	0	0
      ppp0	00000000	00000000	0001	0	0	0	00000000	0	0	0
      lo	006633C6	00000000	0201	0	0	0	00FFFFFF	0	0	0
      eth0	006733C6	00000000	0000	0	0	0	00FFFFFF	0	0	0
      """
    let none = String(repeating: "0", count: 32)
    func route(_ network: String, _ length: String, via: String? = nil, flags: String, _ device: String) -> String {
      "\(network) \(length) \(none) 00 \(via ?? none) 00000100 00000001 00000000 \(flags)     \(device)"
    }
    // A prefix without an address of the board, one behind a router, one that a false router announces, the default
    // routes, and an address of this machine.
    let routes6 = [
      route("20010db8000300000000000000000000", "40", flags: "00000001", "eth0"),
      route(
        "20010db8000400000000000000000000", "40", via: "fe800000000000000000000000000001", flags: "00000003", "eth0"),
      route("20000000000000000000000000000000", "03", flags: "00000001", "eth0"),
      route("2a000000000000000000000000000000", "10", flags: "00000001", "eth0"),
      route(none, "00", flags: "00000001", "ppp0"),
      route(none, "00", flags: "00200200", "lo"),
      route("20010db8000500000000000000000009", "80", flags: "80200001", "lo"),
      "nonsense", "20010db8 40",
    ].joined(separator: "\n")
    return AttachedNetworks(
      interfaces: [
        try interface("127.0.0.1", 8, isLoopback: true), try interface("::1", 128, isLoopback: true),
        try interface("192.168.77.2", 24), try interface("203.0.113.9", 28), try interface("2001:db8:2::1", 64),
        try interface("198.51.100.200", 32, peer: "198.51.200.1"), try interface("2a00:1::1", 16),
        try interface("192.0.2.1", 25, isLoopback: true),
      ], routes: routes, routes6: routes6)
  }

  @Test(
    "An own address is loopback, and an address in an attached network is local",
    arguments: [
      ("2001:db8:2::1", NetworkReach.loopback), ("192.168.77.2", .loopback), ("203.0.113.9", .loopback),
      ("198.51.100.200", .loopback), ("2a00:1::1", .loopback), ("2001:db8:5::9", .loopback),
      ("192.0.2.100", .loopback), ("192.0.2.200", .everywhere),
      ("2001:db8:2::2", .local), ("2001:db8:2:0:ffff::", .local), ("203.0.113.1", .local), ("203.0.113.14", .local),
      ("198.51.200.1", .local), ("198.51.100.1", .local), ("2001:db8:3::77", .local), ("192.168.77.1", .local),
      ("10.0.0.1", .local), ("127.0.0.2", .loopback),
      ("2001:db8:2:1::1", .everywhere), ("203.0.113.16", .everywhere), ("198.51.101.1", .everywhere),
      ("198.51.102.1", .everywhere), ("198.51.103.1", .everywhere), ("2001:db8:4::1", .everywhere),
      ("2001:db8:5::8", .everywhere),
      // Neither a default route nor half of the internet counts as an attached network.
      ("8.8.8.8", .everywhere), ("198.18.0.1", .everywhere), ("130.0.0.1", .everywhere), ("2600::1", .everywhere),
      ("2a00:2::1", .everywhere),
      // The same addresses in other notations.
      ("::ffff:203.0.113.9", .loopback), ("::ffff:203.0.113.1", .local), ("64:ff9b::203.0.113.1", .local),
      ("2002:cb00:7109::1", .loopback), ("::ffff:0:203.0.113.1", .local),
    ])
  func reaches(address: String, reach: NetworkReach) throws {
    let board = try board()
    #expect(NetworkReach(address: try bytes(address), in: board) == reach)
    let host = address.contains(":") ? "[\(address)]" : address
    #expect(NetworkReach(host: host, in: board) == reach)
  }

  @Test("A machine without networks knows only the ranges that hold for every machine")
  func nothing() throws {
    for networks in [AttachedNetworks(), AttachedNetworks(interfaces: [], routes: "x\n\n", routes6: "\n x")] {
      #expect(NetworkReach(address: try bytes("2001:db8:2::1"), in: networks) == .everywhere)
      #expect(NetworkReach(address: try bytes("192.168.77.2"), in: networks) == .local)
    }
    let broken = AttachedNetworks(interfaces: [
      Interface(address: [], prefixLength: 0), Interface(address: [1, 2, 3, 4], prefixLength: 33),
      Interface(address: [1, 2, 3, 4], prefixLength: -1, peer: [1]),
    ])
    #expect(NetworkReach(address: [1, 2, 3, 4], in: broken) == .loopback)
    #expect(NetworkReach(address: [1, 2, 3, 5], in: broken) == .everywhere)
  }
}
