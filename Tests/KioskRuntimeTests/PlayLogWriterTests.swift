import EngineTestSupport
import FileModel
import FileSystem
import Foundation
import InteractionCore
import KioskCore
import KioskTestSupport
import MainLoop
import MediaPipeline
import PlaybackCore
import PlaylistConfig
import Testing

@testable import KioskRuntime
@testable import TelemetryCore

/// Proof of play from a screen to the file, in virtual time.
@Suite("Proof of play, written")
struct PlayLogWriterTests {
  private static func items(_ count: Int) -> [MediaItem] {
    (1...count).map { MediaItem(uri: "file:///\($0).mp4", title: "Film \($0)", kind: .file) }
  }

  private static func read(_ folder: PlayFolder) throws -> [PlayEntry] {
    var entries: [PlayEntry] = []
    _ = try folder.read { entries.append($0) }
    return entries
  }

  @Test("For a list in virtual time, the log has the plays that the sink composed")
  func listOfItems() async throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"), unwritten: directory.path("unwritten"))
    try await ScreenBench(Self.items(3), { $0.settings.playback.loop = true }).run { bench in
      let log = bench.session.log
      let keeper = PlayLogWriter(
        folder, earlier: [], on: bench.session.loop, clock: bench.clock, log: log,
        moment: { PlayMoment($0, milliseconds: $0.nanoseconds / 1_000_000, isSynchronised: true) })
      bench.session.observePlays { keeper.recordPlays($0) }
      bench.stage.medium = { _ in .film(.seconds(2)) }
      await bench.begin()
      // The frames that the sink composes, by deck.
      var composed: [(uri: String, frames: Int)] = []
      for _ in 0..<40 {
        let deck = try #require(bench.session.machine.current)
        composed.append((deck.media.uri, 0))
        for frame in 0..<50 {
          await bench.showFrame(at: .milliseconds(40 * frame))
          composed[composed.count - 1].frames += 1
          if frame == 49 {
            bench.stage.deck(deck.id)?.emit(
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
      #expect(entries.reduce(0) { $0 + ($1.frames ?? 0) } == bench.session.status.counters[.framesRendered])
      #expect(entries.dropLast().allSatisfy { $0.ending == .end && abs($0.seconds - 2) < 0.3 })
      #expect(entries.map(\.item.number).prefix(4) == [1, 2, 3, 1])
      #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.end <= $1.start })
    }
  }

  @Test(
    "A frame counts until the next one is due, whether that one comes before or after it is shown",
    arguments: [true, false])
  func variableRate(comesBefore: Bool) async throws {
    try await ScreenBench(Self.items(1)).run { bench in
      var plays: [FinishedPlay] = []
      bench.session.observePlays { plays += $0 }
      bench.stage.medium = { _ in .film(.seconds(60)) }
      await bench.begin()
      let deck = try #require(bench.session.machine.current?.id)
      for frame in 0..<3 {
        await bench.showFrame(at: .milliseconds(40 * frame))
        await bench.advance(by: .milliseconds(40))
      }
      if comesBefore { bench.stage.deck(deck)?.emit(.gapAhead(until: .seconds(10))) }
      await bench.settle()
      await bench.showFrame(at: .milliseconds(120))
      if !comesBefore { bench.stage.deck(deck)?.emit(.gapAhead(until: .seconds(10))) }
      await bench.advance(by: .seconds(9))
      bench.session.stopPlays()
      let shown = try #require(plays.first).shown.inSeconds
      #expect(plays.count == 1 && abs(shown - 9.12) < 0.1, "\(shown)")
    }
  }

  @Test("An alert is recorded as a play from the moment when a screen shows it")
  func alerts() async throws {
    try await ScreenBench(Self.items(1)).run { bench in
      var plays: [FinishedPlay] = []
      bench.session.observePlays { plays += $0 }
      bench.stage.medium = { _ in .film(.seconds(60)) }
      let fire = ShownAlert("Leave by stair B", id: "fire")
      // There is no display yet.
      bench.session.show([fire])
      await bench.advance(by: .seconds(3))
      bench.session.show([])
      await bench.begin()
      bench.session.show([fire])
      await bench.advance(by: .seconds(5))
      bench.session.show([ShownAlert("All out", id: "out"), fire])
      await bench.advance(by: .seconds(2))
      bench.session.show([ShownAlert("All out", id: "out")])
      #expect(plays.map(\.item) == [PlayedItem(uri: "alert:fire", title: "Leave by stair B")])
      #expect(plays.first?.shown == .seconds(7) && plays.first?.ending == .end)
      await bench.advance(by: .seconds(1))
      bench.session.stopPlays()
      let last = plays.first { $0.item.uri == "alert:out" }
      #expect(last?.shown == .seconds(3) && last?.ending == .stopped, "\(plays)")
    }
  }

  @Test("Plays of a visit have its number and what the visitor chose; those of the loop have neither")
  func visits() async throws {
    let films = (1...2).map { MediaItem(uri: "file:///visitors\($0).mp4", kind: .file) }
    try await ScreenBench(Self.items(1)) {
      $0.visitorsQueue = films
      $0.interaction.attract = AttractSettings(idleAfter: .seconds(20), returns: .atOnce)
      $0.settings.audio.isEnabled = false
    }.run { bench in
      var plays: [FinishedPlay] = []
      bench.session.observePlays { plays += $0 }
      bench.stage.medium = { _ in .film(.seconds(60)) }
      await bench.begin()
      for number in 1...2 {
        await bench.showFrame(at: .zero)
        await bench.key("KEY_1")
        await bench.showFrame(at: .zero)
        if number == 2 {
          _ = bench.session.perform(.captions(.language(try #require(LanguageTag("de")))))
          await bench.settle()
        }
        await bench.key("KEY_2")
        await bench.showFrame(at: .zero)
        await bench.advance(by: .seconds(21))
      }
      await bench.showFrame(at: .zero)
      bench.session.stopPlays()
      let uris = ["file:///1.mp4", "file:///visitors1.mp4", "file:///visitors2.mp4"]
      #expect(plays.map(\.item.uri) == uris + uris + [uris[0]])
      #expect(plays.map(\.item.visit?.number) == [nil, 1, 1, nil, 2, 2, nil])
      #expect(plays.map(\.item.visit?.captions) == [nil, nil, nil, nil, "de", "de", nil])
      #expect(bench.session.status.counters[.visits] == 2)
    }
  }

  @Test("Behind the tiles the loop's plays belong to no visit; the film that is chosen does")
  func tiles() async throws {
    let films = (1...2).map { MediaItem(uri: "file:///visitors\($0).mp4", kind: .file) }
    try await ScreenBench(Self.items(2)) {
      $0.visitorsQueue = films
      $0.interaction.attract = AttractSettings(idleAfter: .seconds(20), returns: .atOnce, layout: .tiles)
      $0.settings.audio.isEnabled = false
    }.run { bench in
      var plays: [FinishedPlay] = []
      bench.session.observePlays { plays += $0 }
      bench.stage.medium = { _ in .film(.seconds(60)) }
      await bench.begin()
      await bench.showFrame(at: .zero)
      await bench.key("KEY_RIGHT")
      #expect(bench.session.interaction.model.tiles?.sheet.tiles.count == 2)
      // The loop goes on meanwhile.
      #expect(bench.session.perform(.next) == .done)
      await bench.settle()
      await bench.showFrame(at: .zero)
      await bench.key("KEY_2")
      #expect(bench.session.interaction.model.tiles == nil)
      await bench.showFrame(at: .zero)
      #expect(bench.session.perform(.showTiles) == .done)
      await bench.settle()
      await bench.showFrame(at: .zero)
      #expect(bench.session.interaction.model.tiles != nil)
      await bench.advance(by: .seconds(21))
      #expect(bench.session.interaction.model.tiles == nil)
      bench.session.stopPlays()
      let uris = ["file:///1.mp4", "file:///2.mp4", "file:///visitors2.mp4", "file:///1.mp4"]
      #expect(plays.map(\.item.uri) == uris)
      #expect(plays.map(\.item.visit?.number) == [nil, nil, 1, nil])
      #expect(bench.visits == ["visit-started", "visit-ended"])
    }
  }

  private static func entry(_ number: Int) -> PlayEntry {
    var entry = PlayEntry(
      PlayedItem(uri: "file:///\(number).mp4"), start: 1_795_000_000_000 + Int64(number) * 1000,
      end: 1_795_000_001_000 + Int64(number) * 1000, seconds: 1, ending: .end, isClockGood: true)
    (entry.frames, entry.dropped) = (25, 0)
    return entry
  }

  @Test("New lines are added to the log, after an incomplete one from a power cut is removed")
  func heals() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"))
    try folder.append([Self.entry(1), Self.entry(2)])
    let url = URL(filePath: directory.path("plays/plays.jsonl"))
    for torn in ["{\"start\":\"2026-", "\0\0\0\0", "\0\0\0\n{\"st"] {
      let before = try Data(contentsOf: url)
      try (before + Data(torn.utf8)).write(to: url)
      try folder.append([Self.entry(3)])
      let text = try #require(String(data: try Data(contentsOf: url), encoding: .utf8))
      #expect(text == [1, 2, 3].map { Self.entry($0).line + "\n" }.joined())
      try before.write(to: url)
    }
  }

  @Test("Lines that a failed write has left, because they couldn't be removed, aren't logged twice")
  func writtenInPart() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"))
    let url = URL(filePath: directory.path("plays/plays.jsonl"))
    for (whole, torn) in [(0, 9), (1, 9), (2, 0), (3, 0)] {
      try folder.append([Self.entry(0)])
      let lines = (1...3).map { Self.entry($0).line + "\n" }
      let left = lines.prefix(whole).joined() + (whole < 3 ? lines[whole].prefix(torn) : "")
      try (try Data(contentsOf: url) + Data(left.utf8)).write(to: url)
      // With the plays that have come since.
      try folder.append((1...4).map(Self.entry))
      #expect(try Self.read(folder) == (0...4).map(Self.entry), "\(whole) lines")
      try FileManager.default.removeItem(at: url)
    }
  }

  @Test("An unreadable line, such as a later version's, stays in the log")
  func later() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"))
    try folder.append([Self.entry(1)])
    let path = directory.path("plays/plays.jsonl")
    let before = try String(contentsOfFile: path, encoding: .utf8) + "a note\n"
    try (before + "{\"st").write(toFile: path, atomically: false, encoding: .utf8)
    try folder.append([Self.entry(2)])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before + Self.entry(2).line + "\n")
  }

  @Test(
    "A write cut short by a full disk is undone: each play is written once",
    .enabled(if: geteuid() == 0, "mounts a file system"), arguments: [true, false])
  func fullDisk(hasLog: Bool) async throws {
    let directory = try TemporaryDirectory()
    let mount = directory.path("small")
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
    let mounted = try await Tool.run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", mount])
    try #require(mounted.status == 0, "\(mounted.errors)")
    let folder = PlayFolder(mount + "/plays")
    let (first, rest) = (hasLog ? [Self.entry(0)] : [], (1...1000).map(Self.entry))
    let outcome = Result {
      try folder.append(first)
      do {
        try folder.append(rest)
        return [PlayEntry]?.none
      } catch {
        return hasLog ? try Self.read(folder) : FileTree.isThere(mount + "/plays/plays.jsonl") ? nil : []
      }
    }
    let remounted = try await Tool.run("mount", ["-o", "remount,size=4m", mount])
    let later = Result {
      try folder.append(rest)
      return try Self.read(folder)
    }
    _ = try await Tool.run("umount", ["-l", mount])
    #expect(remounted.status == 0)
    #expect(try outcome.get() == first)
    #expect(try later.get() == first + rest)
  }

  @Test("After a change of the folder with pending plays, each play is in one of the folders, once")
  func otherFolder() async throws {
    let directory = try TemporaryDirectory()
    let unwritten = directory.path("unwritten")
    let folders = ["a", "b"].map { PlayFolder(directory.path($0), unwritten: unwritten) }
    // Plays that an earlier run has left.
    folders[0].keep([Self.entry(1)])
    try await ScreenBench(Self.items(1)).run { bench in
      let keeper = PlayLogWriter(
        folders[0], earlier: [], on: bench.session.loop, clock: bench.clock, log: bench.session.log,
        moment: { PlayMoment($0, milliseconds: $0.nanoseconds / 1_000_000, isSynchronised: true) })
      let now = bench.clock.now
      func play(_ uri: String) -> FinishedPlay {
        FinishedPlay(item: PlayedItem(uri: uri), start: now, end: now, shown: .seconds(1), ending: .end)
      }
      keeper.recordPlays([play("before")])
      keeper.follow(folders[1])
      keeper.recordPlays([play("after")])
      await withCheckedContinuation { done in keeper.end { done.resume() } }
      let first = try Self.read(folders[0])
      #expect(first.map(\.item.uri) == ["file:///1.mp4", "before"])
      // A play that ended during the first write may be kept for the next run; a worker does that some time later.
      func second() throws -> [String] {
        let written = FileTree.isThere(folders[1].path) ? try Self.read(folders[1]) : []
        return (written + folders[1].left()).map(\.item.uri)
      }
      try await eventually("the second play") { try second() == ["after"] }
    }
  }

  @Test("Log files stay within their size and number; the newest plays are kept")
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

  @Test("A foreign file under the log's name is moved aside, not cut")
  func foreign() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"))
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try Data("a letter\n".utf8).write(to: URL(filePath: directory.path("plays/plays.jsonl")))
    try folder.append([Self.entry(1)])
    #expect(try String(contentsOfFile: directory.path("plays/plays.1.jsonl"), encoding: .utf8) == "a letter\n")
    #expect(try Self.read(folder) == [Self.entry(1)])
  }

  @Test("Plays that a crashed process hadn't written are found, once")
  func left() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"), unwritten: directory.path("unwritten"))
    try folder.append([Self.entry(1)])
    folder.keep([Self.entry(1), Self.entry(2)])
    #expect(folder.left() == [Self.entry(2)])
    // Only lines that the last write may have added are compared.
    try folder.append((3...200).map(Self.entry))
    #expect(folder.left() == [Self.entry(1), Self.entry(2)])
    folder.keep((150...200).map(Self.entry) + [Self.entry(201)])
    #expect(folder.left() == [Self.entry(201)])
    folder.keep([])
    #expect(folder.left().isEmpty && !FileManager.default.fileExists(atPath: directory.path("unwritten")))
  }

  @Test(
    "If pending plays can't be kept, the ones kept before stay", .enabled(if: geteuid() == 0, "mounts a file system"))
  func keptBefore() async throws {
    let directory = try TemporaryDirectory()
    let mount = directory.path("small")
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
    let mounted = try await Tool.run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", mount])
    try #require(mounted.status == 0, "\(mounted.errors)")
    let folder = PlayFolder(directory.path("plays"), unwritten: mount + "/unwritten")
    folder.keep([Self.entry(1)])
    var large = Self.entry(2)
    large.item.title = String(repeating: "long ", count: 400)
    folder.keep([PlayEntry](repeating: large, count: 100))
    let left = folder.left()
    _ = try await Tool.run("umount", [mount])
    #expect(left == [Self.entry(1)])
  }

  @Test("The largest number of unwritten plays is found")
  func leftMuch() throws {
    let directory = try TemporaryDirectory()
    let folder = PlayFolder(directory.path("plays"), unwritten: directory.path("unwritten"))
    let entries = (0..<PlayLog.limit).map { number in
      var entry = Self.entry(number)
      entry.item.title = String(repeating: "long ", count: 400)
      return entry
    }
    folder.keep(entries)
    #expect(folder.left() == entries)
  }
}
