import Foundation
import KioskTestSupport
import Testing

@Suite("The installed program")
struct InstallTests {
  @Test("make install puts the board profiles where the program finds them, wherever that is")
  func boardProfiles() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<2 {
      let made = try await Tool.run(
        "make", ["-s", "-C", Tool.root.path, "install", "PREFIX=\(directory.path("usr"))", "BINARY=\(Player.path)"])
      #expect(made.status == 0, "\(made.errors)")
    }
    let run = try await Tool.run(
      directory.path("usr/bin/vitrine"), ["displays", "--json"], environment: ["VITRINE_BOARD": "raspberry-pi-4"])
    let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let board = try #require(json["board"] as? [String: Any], "\(run.errors)")
    #expect(board["profiles"] as? [String] == ["raspberry-pi-4"])
    #expect(board["forbidden_seeks"] as? [String] == ["exact"])
    #expect(board["forbidden_seek_decoders"] as? [String] == ["v4l2slh265dec"])
  }
}
