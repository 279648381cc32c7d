import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// `vitrine run` and `vitrine check` with a list on a server.
@Suite("A list from a server", .serialized)
struct ServerListTests {
  /// A server with two clips and a list of them, and a configuration that names the list alone.
  private struct Shop {
    var directory: TemporaryDirectory
    var server: ToolServer

    init(_ list: String, as name: String) async throws {
      directory = try TemporaryDirectory()
      let www = directory.url.appending(path: "www")
      try FileManager.default.createDirectory(at: www, withIntermediateDirectories: true)
      let clip = URL(filePath: try await Media.path("h264-640x360-30-2s.mp4"))
      for name in ["a.mp4", "b.mp4"] { try FileManager.default.copyItem(at: clip, to: www.appending(path: name)) }
      server = try ToolServer("fault-server", ["--rate", "0", www.path])
      try write(list, as: name)
      let settings = "version = 1\n[store]\nfree_space = \"64 kB\"\ncheck_interval = 10\n"
      try RunningPlayer.write(
        settings + "[[playlist.main.item]]\nuri = \"\(server.uri(name))\"\n", as: "vitrine.toml", in: directory)
    }

    /// - Parameter later: the modification date, in seconds from now. Two changes within a second have the same one.
    func write(_ list: String, as name: String, later: Double = 0) throws {
      let path = directory.path("www/\(name)")
      try Data(list.utf8).write(to: URL(filePath: path), options: .atomic)
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: later)], ofItemAtPath: path)
    }

    func start() throws -> RunningPlayer { try RunningPlayer(["-v", "--confirm-after", "1"], in: directory) }
  }

  private static let lists = [
    ("list.m3u", "#EXTM3U\n#EXTINF:2,First\na.mp4\n#EXTINF:2,Second\nb.mp4\n"),
    ("list.pls", "[playlist]\nFile1=a.mp4\nTitle1=First\nFile2=b.mp4\n"),
    (
      "list.xspf",
      "<?xml version=\"1.0\"?><playlist xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>a.mp4</location>"
        + "</track><track><location>b.mp4</location></track></trackList></playlist>"
    ),
  ]

  @Test("A stored list and its films play from the first item on, without their server", arguments: lists)
  func offline(name: String, list: String) async throws {
    let shop = try await Shop(list, as: name)
    let first = try shop.start()
    try await first.logged { log in
      ["\(name) (", "a.mp4 (", "b.mp4 ("].allSatisfy { part in
        log.split(separator: "\n").contains { $0.contains("stored: http") && $0.contains(part) }
      }
    }
    _ = try await first.stop()
    shop.server.stop()
    let second = try shop.start()
    try await second.logged { log in
      ["a.mp4", "b.mp4"].allSatisfy { name in
        log.split(separator: "\n").contains { $0.contains(": item ") && $0.hasSuffix(name) }
      }
    }
    let run = try await second.stop()
    #expect(run.report?.framesRendered ?? 0 > 0 && run.report?.items.contains { $0.status == "failed" } == false)
  }

  @Test("A changed list takes effect during playback; an empty one changes nothing")
  func changes() async throws {
    let shop = try await Shop(Self.lists[0].1, as: "list.m3u")
    let player = try shop.start()
    try await player.logged { $0.contains("stored: http") && $0.contains("list.m3u (") }
    try shop.write("#EXTM3U\nb.mp4\n", as: "list.m3u", later: 60)
    // The second film twice in a row: the first one is no longer listed.
    try await player.logged { Self.playedLast(2, "b.mp4", in: $0) }
    try shop.write("#EXTM3U\n# nothing yet\n", as: "list.m3u", later: 120)
    try await player.logged { $0.contains("(error 2613)") }
    let before = Self.items(in: player.log).count
    try await player.logged { Self.items(in: $0).count >= before + 2 && Self.playedLast(2, "b.mp4", in: $0) }
    _ = try await player.stop()
  }

  private static func items(in log: String) -> [Substring] {
    log.split(separator: "\n").filter { $0.contains(#/: item \d+: /#) }
  }

  /// Whether the newest `count` items all have this name.
  private static func playedLast(_ count: Int, _ name: String, in log: String) -> Bool {
    let newest = items(in: log).suffix(count)
    return newest.count == count && newest.allSatisfy { $0.hasSuffix(name) }
  }

  @Test("check --probe opens the list and its items")
  func probe() async throws {
    let shop = try await Shop(Self.lists[0].1, as: "list.m3u")
    let arguments = ["check", "--probe", "--config", shop.directory.path("etc/vitrine.toml")]
    let good = try await Tool.run(Player.path, arguments)
    #expect(good.status == 0 && good.output.contains("list of addresses, 2 entries"), "\(good)")
    #expect(good.output.contains("a.mp4") && good.output.contains("b.mp4"), "\(good)")
    try FileManager.default.removeItem(at: shop.directory.url.appending(path: "www/b.mp4"))
    let missing = try await Tool.run(Player.path, arguments)
    #expect(missing.status == 66 && (missing.output + missing.errors).contains("b.mp4"), "\(missing)")
    try shop.write("#EXTM3U\n", as: "list.m3u")
    let empty = try await Tool.run(Player.path, arguments)
    #expect(empty.status == 66 && (empty.output + empty.errors).contains("(error"), "\(empty)")
  }
}
