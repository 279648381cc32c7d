import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@Suite("Networks that this machine is attached to")
struct SystemNetworksTests {
  @Test("Each address in the kernel's list counts as this machine")
  func own() async throws {
    let listed = try await Tool.run("ip", ["-oneline", "address"])
    let addresses = listed.output.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard let kind = words.firstIndex(where: { $0 == "inet" || $0 == "inet6" }), kind + 1 < words.endIndex else {
        return nil
      }
      return words[kind + 1].split(separator: "/").first.map(String.init)
    }
    #expect(addresses.contains("127.0.0.1"))
    let networks = SystemNetworks.current
    for address in addresses { #expect(NetworkReach(host: address, in: networks) == .loopback, "\(address)") }
    // A test network that no machine is attached to.
    #expect(NetworkReach(host: "198.51.100.77", in: networks) == .everywhere)
  }
}
