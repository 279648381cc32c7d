import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// `vitrine run` with a read-only store, and with right and wrong checksums.
@Suite("The store, as the player sees it", .serialized)
struct StorePlayerTests {
  private let clip = "h264-640x360-30-2s.mp4"

  /// A folder with a clip, and a server for it.
  private func served() async throws -> (directory: TemporaryDirectory, server: ToolServer) {
    let directory = try TemporaryDirectory()
    let www = directory.url.appending(path: "www")
    try FileManager.default.createDirectory(at: www, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: URL(filePath: try await Media.path(clip)), to: www.appending(path: "a.mp4"))
    return (directory, try ToolServer("fault-server", ["--rate", "0", directory.path("www")]))
  }

  private func checksum(_ path: String) async throws -> String {
    String(try await Tool.run("sha256sum", [path]).output.prefix(64))
  }

  private func write(_ items: [(uri: String, sha256: String?)], in directory: TemporaryDirectory) throws {
    let tables = items.map { item in
      "[[playlist.main.item]]\nuri = \"\(item.uri)\"\n" + (item.sha256.map { "checksum = \"\($0)\"\n" } ?? "")
    }
    let settings = "version = 1\n[store]\nfree_space = \"64 kB\"\n"
    try RunningPlayer.write(settings + tables.joined(), as: "vitrine.toml", in: directory)
  }

  private func failed(_ run: Player.Run) -> [String] {
    run.report?.items.filter { $0.status == "failed" }.map(\.uri) ?? ["no report"]
  }

  @Test(
    "Stored files play from a read-only disk without a network",
    .enabled(if: geteuid() == 0, "mounts the folder so that it can only be read; rights don't hold root back"))
  func readOnly() async throws {
    let (directory, server) = try await served()
    try write([(server.uri("a.mp4"), nil)], in: directory)
    let first = try RunningPlayer(["-v", "--confirm-after", "1"], in: directory)
    try await first.logged { $0.contains("stored: http") }
    try await first.state { $0.state == "confirmed" }
    _ = try await first.stop()
    server.stop()
    let state = directory.path("state")
    let bound = try await Tool.run("mount", ["--bind", state, state])
    try #require(bound.status == 0, "\(bound.errors)")
    let remounted = try await Tool.run("mount", ["-o", "remount,bind,ro", state])
    let player = try RunningPlayer(["-v", "--confirm-after", "1"], in: directory)
    // A configuration confirmed before is reported at once, and an item is named before its first frame.
    let isPlaying = (try? await player.showedFrame()) != nil
    let run = try await player.stop()
    _ = try await Tool.run("umount", ["-l", state])
    let log = player.ownLog
    #expect(remounted.status == 0 && isPlaying && failed(run).isEmpty, "\(log)")
    #expect(run.report?.framesRendered ?? 0 > 0, "\(log)")
    #expect(log.contains("(error 7406)") && !log.contains("(error 2001)"), "\(log)")
  }

  @Test("A changed store folder is used during playback, and the old folder's files stay")
  func otherFolder() async throws {
    let (directory, server) = try await served()
    func write(_ folder: String) throws {
      let text = """
        version = 1
        [store]
        free_space = "64 kB"
        directory = "\(directory.path(folder))"
        [[playlist.main.item]]
        uri = "\(server.uri("a.mp4"))"

        """
      try RunningPlayer.write(text, as: "vitrine.toml", in: directory)
    }
    try write("first")
    let player = try RunningPlayer(["-v", "--confirm-after", "1"], in: directory)
    try await player.logged { $0.contains("stored: http") }
    try await player.state { $0.state == "confirmed" }
    try write("second")
    try await player.logged { $0.components(separatedBy: "stored: http").count == 3 }
    _ = try await player.stop()
    for folder in ["first", "second"] {
      #expect(FileManager.default.fileExists(atPath: directory.path("\(folder)/1.mp4")), "\(player.log)")
    }
  }

  @Test("A local file with a wrong checksum is never shown; one with the right checksum is")
  func local() async throws {
    let directory = try TemporaryDirectory()
    let path = try await Media.path(clip)
    let other = try await Media.path("h264-60s-640x360-30.mp4")
    try write([(other, String(repeating: "0", count: 64)), (path, try await checksum(path))], in: directory)
    let player = try RunningPlayer(["-v", "--confirm-after", "1"], in: directory)
    try await player.state { $0.state == "confirmed" }
    let run = try await player.stop()
    #expect(player.log.contains("(error 3006)") && run.report?.framesRendered ?? 0 > 0, "\(player.log)")
    #expect(failed(run).allSatisfy { $0.contains("60s") } && !failed(run).isEmpty, "\(failed(run))")
  }

  @Test("A remote item with a checksum plays from its checked copy alone, as soon as that is there")
  func remote() async throws {
    let (directory, server) = try await served()
    let (right, wrong) = (try await checksum(directory.path("www/a.mp4")), String(repeating: "0", count: 64))
    try write([(server.uri("a.mp4"), wrong)], in: directory)
    let player = try RunningPlayer(["-v", "--confirm-after", "1"], in: directory)
    try await player.logged { $0.contains("(error 2609)") && $0.contains("(error 2610)") }
    try write([(server.uri("a.mp4"), right)], in: directory)
    try await player.logged { $0.contains("stored: http") }
    try await player.state { $0.state == "confirmed" }
    let run = try await player.stop()
    #expect(run.report?.framesRendered ?? 0 > 0, "\(player.log)")
  }
}
