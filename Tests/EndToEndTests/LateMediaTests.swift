import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@Suite("Media that arrive during playback", .serialized)
struct LateMediaTests {
  private func start(_ uris: [String], in directory: TemporaryDirectory) throws -> RunningPlayer {
    let items = uris.map { "[[playlist.main.item]]\nuri = \"\($0)\"\n" }.joined()
    try RunningPlayer.write("version = 1\n\(items)", as: "vitrine.toml", in: directory)
    return try RunningPlayer(["--confirm-after", "1", "-v"], in: directory)
  }

  private func copy(_ name: String, to path: String, in directory: TemporaryDirectory) async throws {
    let place = directory.url.appending(path: "etc/\(path)")
    try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: URL(filePath: try await Media.path(name)), to: place)
  }

  private let short = "h264-640x360-30-2s.mp4"

  @Test(
    "The player waits for media that are missing at the start, and plays them when they arrive",
    arguments: ["late/film.mp4", "folder"])
  func nothingThere(uri: String) async throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "etc/folder"), withIntermediateDirectories: true)
    let player = try start([uri], in: directory)
    try await player.state { $0.state == "none" }
    try await copy(short, to: uri == "folder" ? "folder/film.mp4" : uri, in: directory)
    try await player.state { $0.state == "confirmed" }
    let report = try #require(try await player.stop().report)
    #expect(report.items.map { $0.uri.hasSuffix("film.mp4") } == [true] && report.items[0].framesRendered > 0)
  }

  @Test(
    "A film copied into a folder plays from the next round on, never half of it, and without a new trial"
  )
  func folder() async throws {
    let directory = try TemporaryDirectory()
    try await copy(short, to: "folder/a.mp4", in: directory)
    let player = try start(["folder"], in: directory)
    let first = try await player.state { $0.state == "confirmed" }
    // A writer has written the first bytes of a film and holds the file open.
    let half = directory.url.appending(path: "etc/folder/half.mp4")
    try Data("ftyp".utf8).write(to: half)
    let handle = try FileHandle(forWritingTo: half)
    try handle.write(contentsOf: Data(count: 1000))
    try Data(count: 1000).write(to: directory.url.appending(path: "etc/folder/c.mp4.part"))
    try await copy(short, to: "folder/b.mp4", in: directory)
    try await player.logged { $0.contains("playlist main: 2 items") }
    let state = try await player.state { _ in true }
    #expect(state.state == "confirmed" && state.active == first.active)
    #expect(!player.log.contains("half.mp4: ") && !player.log.contains("c.mp4"))
    // The writer finishes, with another film.
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(contentsOf: URL(filePath: try await Media.path(short))))
    try handle.close()
    try await player.logged { $0.contains("playlist main: 3 items") }
    try FileManager.default.removeItem(at: half)
    try await player.logged { $0.components(separatedBy: "playlist main: 2 items").count > 2 }
    _ = try await player.stop()
  }
}
