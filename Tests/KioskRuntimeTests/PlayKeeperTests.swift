import EngineTestSupport
import FileModel
import Foundation
import KioskCore
import KioskTestSupport
import MainLoop
import MediaPipeline
import PlaybackCore
import TelemetryCore
import Testing

@testable import KioskRuntime

/// Proof of play from a screen to the file, in a time that the test makes.
@Suite("Proof of play, written")
struct PlayKeeperTests {
  private static func items(_ count: Int) -> [MediaItem] {
    (1...count).map { MediaItem(uri: "file:///\($0).mp4", title: "Film \($0)", kind: .file) }
  }

  private static func read(_ folder: PlayFolder) throws -> [PlayEntry] {
    var entries: [PlayEntry] = []
    _ = try folder.read { entries.append($0) }
    return entries
  }

  @Test("A list in virtual time: what is logged is what the sink composed")
  func listOfItems() async throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"), unwritten: directory.path("unwritten"))
    try await ScreenBench(Self.items(3), { $0.loops = true }).run { bench in
      let log = bench.session.log
      let keeper = PlayKeeper(
        folder, earlier: [], on: bench.session.loop, clock: bench.clock, log: log,
        moment: { PlayMoment($0, milliseconds: $0.nanoseconds / 1_000_000, isSynchronised: true) })
      bench.session.tellPlays { keeper.take($0) }
      bench.stage.medium = { _ in .film(.seconds(2)) }
      await bench.begin()
      // What the sink composes, by deck.
      var composed: [(uri: String, frames: Int)] = []
      for _ in 0..<40 {
        let deck = try #require(bench.session.machine.current)
        composed.append((deck.media.uri, 0))
        for frame in 0..<50 {
          await bench.showFrame(at: .milliseconds(40 * frame))
          composed[composed.count - 1].frames += 1
          if frame == 49 {
            bench.stage.deck(deck.id)?.tell(
              .streamEnded(.video, at: .seconds(2), buffers: 50, lastDuration: .milliseconds(40)))
          }
          await bench.advance(by: .milliseconds(40))
        }
        if bench.session.machine.current?.id == deck.id { await bench.advance(by: .milliseconds(200)) }
      }
      bench.session.stopPlays()
      await withCheckedContinuation { done in keeper.end { done.resume() } }
      let entries = try Self.read(folder)
      #expect(entries.map(\.item.uri) == composed.map(\.uri))
      #expect(entries.map(\.frames) == composed.map(\.frames))
      #expect(entries.reduce(0) { $0 + ($1.frames ?? 0) } == bench.session.status.counters.framesRendered)
      #expect(entries.dropLast().allSatisfy { $0.ending == .end && abs($0.seconds - 2) < 0.3 })
      #expect(entries.map(\.item.number).prefix(4) == [1, 2, 3, 1])
      #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.end <= $1.start })
    }
  }

  private static func entry(_ number: Int) -> PlayEntry {
    var entry = PlayEntry(
      PlayedItem(uri: "file:///\(number).mp4"), start: 1_795_000_000_000 + Int64(number) * 1000,
      end: 1_795_000_001_000 + Int64(number) * 1000, seconds: 1, ending: .end, isClockGood: true)
    (entry.frames, entry.dropped) = (25, 0)
    return entry
  }

  @Test("Lines are added to what is there; what a power cut tore is cut away first")
  func heals() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"))
    try folder.append([Self.entry(1), Self.entry(2)])
    let url = URL(filePath: directory.path("plays/plays.jsonl"))
    for torn in ["{\"start\":\"2026-", "\0\0\0\0", "{\"start\":\"x\"}\n{\"st"] {
      let before = try Data(contentsOf: url)
      try (before + Data(torn.utf8)).write(to: url)
      try folder.append([Self.entry(3)])
      let text = try #require(String(data: try Data(contentsOf: url), encoding: .utf8))
      #expect(text == [1, 2, 3].map { Self.entry($0).line + "\n" }.joined())
      try before.write(to: url)
    }
  }

  @Test("Files are kept to their size and number; the newest plays stay")
  func rotates() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"))
    for number in 0..<200 { try folder.append([Self.entry(number)], limit: 1000) }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("plays"))
    #expect(names.count == PlayFolder.fileCount)
    let entries = try Self.read(folder)
    #expect(entries.last == Self.entry(199) && entries.count < 200)
    #expect(entries == entries.sorted { $0.start < $1.start })
    for name in names {
      let size = try Data(contentsOf: URL(filePath: directory.path("plays/\(name)"))).count
      #expect(size <= 1000)
    }
  }

  @Test("Somebody else's file under that name is moved aside, not cut")
  func foreign() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"))
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try Data("a letter\n".utf8).write(to: URL(filePath: directory.path("plays/plays.jsonl")))
    try folder.append([Self.entry(1)])
    #expect(try String(contentsOfFile: directory.path("plays/plays.1.jsonl"), encoding: .utf8) == "a letter\n")
    #expect(try Self.read(folder) == [Self.entry(1)])
  }

  @Test("What a dead process hadn't written yet is found, once")
  func left() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"), unwritten: directory.path("unwritten"))
    try folder.append([Self.entry(1)])
    folder.keep([Self.entry(1), Self.entry(2)])
    #expect(folder.left() == [Self.entry(2)])
    folder.keep([])
    #expect(folder.left().isEmpty && !FileManager.default.fileExists(atPath: directory.path("unwritten")))
  }
}
