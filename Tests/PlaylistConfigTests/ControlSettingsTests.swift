import PlaybackCore
import Testing

@testable import PlaylistConfig

@Suite("Settings of the doors for other programs and machines")
struct ControlSettingsTests {
  private func load(_ text: String) -> LoadedConfiguration {
    let text = "version = 1\n[[playlist.main.item]]\nuri = \"a.mp4\"\n[control]\n\(text)\n"
    return Configuration.check([ConfigurationSource(path: "/etc/v.toml", text: Array(text.utf8))])
  }

  @Test("An address to listen at, and who is let in")
  func listen() throws {
    let loaded = load("listen = \"0.0.0.0:4010\"\nfrom = [\"10.0.3.7\", \"10.0.4.0/24\", \"fd00:3::/64\"]")
    #expect(loaded.diagnostics == [])
    let control = try loaded.get().control
    #expect(control.listen == ListenAddress("0.0.0.0:4010"))
    #expect(control.from.map { $0.contains([10, 0, 4, 9]) } == [false, true, false])
  }

  @Test("An address that other machines reach, and that lets none in, is a warning; this machine alone isn't")
  func nobody() {
    #expect(load("listen = \"0.0.0.0:4010\"").diagnostics.map(\.severity) == [.warning])
    #expect(load("listen = \"127.0.0.1:4010\"").diagnostics == [])
    #expect(load("from = [\"10.0.3.7\"]").diagnostics == [])
  }

  @Test(
    "A text that is no address is an error at its place",
    arguments: [
      "from = [\"hall\"]", "from = [\"10.0.3.7/24\"]", "from = \"10.0.3.7\"", "from = [4]", "listen = \":4010\"",
    ])
  func refused(text: String) {
    #expect(load(text).diagnostics.contains { $0.severity == .error && $0.position?.line == 5 })
  }
}
