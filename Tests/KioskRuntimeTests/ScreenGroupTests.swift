import Displays
import EngineTestSupport
import FileSystem
import InteractionCore
import KioskCore
import KioskTestSupport
import Logging
import MainLoop
import MediaPipeline
import PlaybackCore
import PlaylistConfig
import TelemetryCore
import Testing
import VitrinePlayback

@testable import KioskRuntime

/// Several screens on fake displays.
private actor GroupBench: ScreenSessionOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private struct Parts {
    let group: ScreenGroup
    let displays: FakeDisplays
    let playback: FakePlayback
  }
  private var made: Parts?
  private(set) var told: [String] = []
  /// The plans to return to when settings fail.
  var rollsBackTo: [ScreenPlan]?

  init() throws { executor = try GLibExecutor.start(name: "group-bench") }

  private var parts: Parts {
    if let made { return made }
    let loop = EventLoop(executor: executor)
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let (playback, displays) = (FakePlayback(executor: executor), FakeDisplays())
    let group = ScreenGroup(on: loop, clock: playback.clock, cards: displays, owner: self, log: log)
    let parts = Parts(group: group, displays: displays, playback: playback)
    made = parts
    return parts
  }

  var group: ScreenGroup { parts.group }
  var displays: FakeDisplays { parts.displays }

  func run(_ body: @Sendable (isolated GroupBench) async throws -> Void) async throws { try await body(self) }

  func plan(_ name: String, _ change: (inout KioskOptions) -> Void = { _ in }) -> ScreenPlan {
    var options = KioskOptions(
      queue: [MediaItem(uri: "file:///\(name).mp4", kind: .file)], processStart: Instant(nanoseconds: 0))
    options.waitsForScreen = true
    options.settings.playback.loop = true
    options.play(on: parts.playback.stage, of: executor)
    change(&options)
    return ScreenPlan(name: name, options: options)
  }

  /// A plan with a projector at a port of this machine, where nobody listens.
  func plan(_ name: String, projector port: Int) -> ScreenPlan {
    plan(name) { $0.settings.display.projector = ProjectorAddress("pjlink://127.0.0.1:\(port)") }
  }

  /// Whether the projector of each screen is to be on; nil for a screen without one.
  var wantedProjectors: [Bool?] { group.status.map { $0.projector?.isWantedOn } }

  var playback: FakePlayback { parts.playback }

  /// A plan with two films whose place is kept.
  func keeping(_ name: String, _ path: String, _ change: (inout KioskOptions) -> Void = { _ in }) -> ScreenPlan {
    plan(name) { options in
      options.queue = (0..<2).map { MediaItem(uri: "file:///\(name)\($0).mp4", kind: .file) }
      options.listName = "main"
      options.settings.playback.resume = .position
      options.placesPath = path
      change(&options)
    }
  }

  /// A plan with two films, and playlists for clips and for alerts.
  func alerted(_ name: String, _ change: (inout KioskOptions) -> Void = { _ in }) -> ScreenPlan {
    func films(_ names: String...) -> [MediaItem] {
      names.map { MediaItem(uri: "file:///\(name)\($0).mp4", kind: .file) }
    }
    return plan(name) { options in
      options.queue = films("0", "1")
      options.clips = ["clips": films("-clip"), "out": films("-out"), "empty": []]
      options.settings.playback.resume = .position
      change(&options)
    }
  }

  /// Asks for an alert with a playlist on all screens.
  func alert(_ playlist: String) -> KioskReply {
    group.perform(.alert(AlertRequest(text: "Out", until: .after(.seconds(600)), playlist: playlist)), on: nil)
  }

  /// A tap in the middle of the only screen.
  func touch() async {
    for kind in [FingerChange.Kind.down(ScreenPoint(x: 500, y: 300)), .up] {
      let frame = TouchFrame(device: InputDeviceID(0), [FingerChange(finger: 1, kind)])
      displays.opened[0].onInput?([(.touch(frame), playback.clock.now)])
    }
    await advance(by: .seconds(1))
  }

  func show(_ screen: ScreenSession, at position: Duration) async {
    guard let id = screen.machine.current?.id,
      let place = group.all.firstIndex(where: { $0 === screen }),
      let deck = playback.stage.decks.last(where: {
        $0.ownRecipe.id == id && $0.ownRecipe.item.uri.contains(screen.key)
      })
    else { return }
    playback.stage.outputs[place].show(deck, at: position, now: playback.clock.now)
    await settle()
  }

  /// Waits for a worker's answer, which may come late.
  func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<2000 where !condition() {
      try await Task.sleep(for: .milliseconds(5))
      await settle()
    }
    return condition()
  }

  func follow(_ plans: [ScreenPlan]) async {
    group.follow(plans)
    await settle()
  }

  func settle() async { await parts.playback.settle() }

  func advance(by duration: Duration) async { await parts.playback.advance(by: duration) }

  func rollBack(to plans: [ScreenPlan]?) { rollsBackTo = plans }

  nonisolated func screen(_ name: String?, tells notice: ScreenNotice) {
    assumeIsolated { bench in
      guard case .settingsFailed = notice, let plans = bench.rollsBackTo else { return }
      bench.told.append("rolled back")
      bench.rollsBackTo = nil
      bench.group.follow(plans)
    }
  }
  nonisolated func screen(_ name: String?, asksFor command: Command) -> KioskReply { .done }
  nonisolated func screenAsksForRollBack() -> Bool { assumeIsolated { $0.rollsBackTo != nil } }
  nonisolated func screenAsksForStatus() -> KioskStatus { KioskStatus(version: "1", name: "b", uptimeSeconds: 0) }
}

@Suite("Screens of a run together")
struct ScreenGroupTests {
  private let gone = VitrineError(5004, subject: "card0", message: "no screen", remedy: "plug one in")
  private let wrong = VitrineError(5005, subject: "card0", message: "no such connector", remedy: "see displays")

  @Test("Each projector follows its screen: the schedule, a switch, an alert; also where no display can be opened")
  func projectors() async throws {
    let gone = gone
    try await GroupBench().run { bench in
      bench.displays.problems["b"] = gone
      await bench.follow([bench.plan("a", projector: 1), bench.plan("b", projector: 2), bench.plan("c")])
      bench.group.handle(.scheduleWants(on: false))
      bench.group.openDisplays()
      await bench.settle()
      #expect(bench.wantedProjectors == [false, false, nil])
      bench.group.handle(.scheduleWants(on: true))
      #expect(bench.wantedProjectors == [true, true, nil])
      _ = bench.group.perform(.switchScreen(isOn: false), on: "b")
      #expect(bench.wantedProjectors == [true, false, nil])
      bench.group.all[1].show([ShownAlert("Out", id: "x", isInstead: false, isTest: false)])
      #expect(bench.wantedProjectors == [true, true, nil])
      bench.group.all[1].show([])
      #expect(bench.wantedProjectors == [true, false, nil])
      // Another projector gets the wish; without one there is none.
      await bench.follow([bench.plan("a"), bench.plan("b", projector: 3), bench.plan("c", projector: 4)])
      #expect(bench.wantedProjectors == [nil, false, true])
      bench.group.end {}
      #expect(bench.group.all.allSatisfy { $0.status.projector == nil })
      await bench.advance(by: .seconds(2))
    }
  }

  @Test("A session without a display is down at once; the end still waits for the others")
  func end() async throws {
    let gone = gone
    try await GroupBench().run { bench in
      bench.displays.problems["a"] = gone
      await bench.follow([bench.plan("a"), bench.plan("b")])
      bench.group.openDisplays()
      await bench.settle()
      #expect(bench.displays.names == ["b"])
      var ends = 0
      bench.group.end { ends += 1 }
      #expect(ends == 0)
      await bench.advance(by: .seconds(2))
      #expect(ends == 1 && bench.displays.left == ["a", "b", "all"])
      #expect(!bench.displays.opened.contains { !$0.isClosed })
    }
  }

  @Test("When another process takes over, the picture stays if cards outlive this one; else the displays are closed")
  func isReplaced() async throws {
    try await GroupBench().run { bench in
      await bench.follow([bench.plan("a")])
      bench.group.openDisplays()
      await bench.settle()
      bench.displays.outlives = true
      var ends = 0
      bench.group.end(isReplaced: true) { ends += 1 }
      #expect(ends == 1 && bench.displays.left == [])
      #expect(!bench.displays.opened[0].isClosed)
      // A clean end isn't a handover.
      bench.group.end { ends += 1 }
      await bench.advance(by: .seconds(2))
      #expect(ends == 2 && bench.displays.opened[0].isClosed)
    }
  }

  @Test("An alert is for all screens or for one, also on a screen that comes later, and a key's is for all")
  func alerts() async throws {
    try await GroupBench().run { bench in
      await bench.follow([bench.plan("a"), bench.plan("b")])
      let group = bench.group
      func shown() -> [[String]] { group.all.map { $0.content.alerts.map(\.text) } }
      let all = Command.alert(AlertRequest(text: "all", until: .after(.seconds(600))))
      let one = Command.alert(AlertRequest(id: "one", text: "one", until: .after(.seconds(600))))
      #expect(bench.group.perform(one, on: "c") == .refused(.noSuchScreen) && shown() == [[], []])
      #expect(bench.group.perform(all, on: nil) == .done && bench.group.perform(one, on: "b") == .done)
      #expect(shown() == [["all"], ["one", "all"]])
      // The screen hands it on to the player.
      #expect(bench.group.all[0].perform(one) == .done && shown() == [["all"], ["one", "all"]])
      bench.group.handle(.scheduleWants(on: false))
      await bench.follow([bench.plan("a"), bench.plan("b"), bench.plan("c")])
      #expect(shown() == [["all"], ["one", "all"], ["all"]])
      #expect(bench.group.all.allSatisfy { !$0.output.machine.isOff })
      #expect(bench.group.perform(.endAlert(id: "alert"), on: nil) == .done)
      #expect(shown() == [[], ["one"], []])
      #expect(bench.group.all.map(\.output.machine.isOff) == [true, false, true])
      #expect(bench.group.perform(.endAlert(id: "alert"), on: nil) == .refused(.noSuchAlert))
    }
  }

  @Test("An alert's playlist plays until the alert ends; then the list goes on where it was, or stays paused there")
  func alertPlaylist() async throws {
    try await GroupBench().run { bench in
      await bench.follow([bench.alerted("a")])
      bench.group.openDisplays()
      await bench.settle()
      let screen = bench.group.all[0]
      func plays(_ name: String) -> Bool { screen.machine.current?.media.uri == "file:///\(name).mp4" }
      await bench.show(screen, at: .seconds(3))
      _ = screen.perform(.select(number: 2))
      await bench.advance(by: .seconds(1))
      await bench.show(screen, at: .seconds(7))
      _ = screen.perform(.pause)
      // A clip that somebody asked for makes way, too.
      #expect(screen.perform(.playOnce(ClipRequest(list: "clips"))) == .done)
      await bench.settle()
      #expect(plays("a-clip"))
      await bench.show(screen, at: .zero)

      #expect(bench.alert("nowhere") == .refused(.noSuchPlaylist) && screen.content.alerts.isEmpty)
      #expect(bench.alert("out") == .done)
      await bench.settle()
      #expect(plays("a-out") && screen.machine.wantsToPlay && screen.machine.queue.count == 1)
      await bench.show(screen, at: .zero)
      #expect(screen.machine.queue.repeatMode == .all)
      // Its place isn't the list's.
      #expect(screen.place == .unchanged)
      _ = screen.perform(.next)
      await bench.advance(by: .seconds(1))
      #expect(plays("a-out"))
      #expect(bench.group.perform(.endAlert(id: "alert"), on: nil) == .done)
      await bench.settle()
      #expect(plays("a1") && !screen.machine.wantsToPlay)
      #expect(screen.machine.place?.position == .seconds(7))
      #expect(screen.machine.queue.entries.map(\.item.uri) == ["file:///a0.mp4", "file:///a1.mp4"])
    }
  }

  @Test("A visit ends with an alert's playlist, and the next touch afterwards begins one")
  func alertPlaylistVisit() async throws {
    try await GroupBench().run { bench in
      let visitors = [MediaItem(uri: "file:///a-visit.mp4", kind: .file)]
      await bench.follow([bench.alerted("a") { $0.visitorsQueue = visitors }])
      bench.group.openDisplays()
      await bench.settle()
      let screen = bench.group.all[0]
      func plays(_ name: String) -> Bool { screen.machine.current?.media.uri == "file:///\(name).mp4" }
      await bench.show(screen, at: .seconds(3))
      await bench.touch()
      #expect(plays("a-visit") && screen.interaction.isVisited)
      await bench.show(screen, at: .zero)
      #expect(bench.alert("out") == .done)
      await bench.advance(by: .seconds(1))
      #expect(plays("a-out") && !screen.interaction.isVisited)
      await bench.show(screen, at: .zero)
      await bench.touch()
      #expect(plays("a-out"))
      #expect(bench.group.perform(.endAlert(id: "alert"), on: nil) == .done)
      await bench.advance(by: .seconds(1))
      #expect(plays("a0") && !screen.interaction.isVisited)
      await bench.show(screen, at: .zero)
      await bench.touch()
      #expect(plays("a-visit"))
    }
  }

  @Test("Other settings leave an alert's playlist alone; without it the list plays, and it plays again when it is back")
  func alertPlaylistReload() async throws {
    try await GroupBench().run { bench in
      await bench.follow([bench.alerted("a"), bench.alerted("b")])
      let screen = bench.group.all[0]
      func list() -> [String] { screen.machine.queue.entries.map(\.item.uri) }
      let (usual, out) = (["file:///a0.mp4", "file:///a1.mp4"], ["file:///a-out.mp4"])
      let alert = AlertRequest(text: "a", until: .after(.seconds(60)), playlist: "out")
      #expect(bench.group.perform(.alert(alert), on: "a") == .done)
      #expect(list() == out && bench.group.all[1].machine.queue.count == 2)
      await bench.follow([bench.alerted("a") { $0.settings.audio.volume = 0.5 }, bench.alerted("b")])
      #expect(list() == out && screen.options.settings.audio.volume == 0.5)
      await bench.follow([bench.alerted("a") { $0.clips["out"] = nil }, bench.alerted("b")])
      #expect(list() == usual && screen.content.alerts.map(\.text) == ["a"])
      await bench.follow([bench.alerted("a"), bench.alerted("b")])
      #expect(list() == out)
      // A newer alert's playlist comes first, and the older one's after it.
      _ = bench.group.perform(
        .alert(.init(id: "b", text: "b", until: .after(.seconds(60)), playlist: "clips")), on: nil)
      #expect(list() == ["file:///a-clip.mp4"])
      _ = bench.group.perform(.endAlert(id: "b"), on: nil)
      #expect(list() == out)
      _ = bench.group.perform(.endAlert(id: "alert"), on: nil)
      #expect(list() == usual)
    }
  }

  @Test("Without screens the end comes, too")
  func nothing() async throws {
    try await GroupBench().run { bench in
      var ends = 0
      bench.group.end { ends += 1 }
      #expect(ends == 1)
    }
  }

  @Test("A new screen opens after removed ones are down: they may hold its connector")
  func replaced() async throws {
    try await GroupBench().run { bench in
      await bench.follow([bench.plan("a")])
      bench.group.openDisplays()
      await bench.settle()
      bench.group.follow([bench.plan("b")])
      #expect(bench.displays.names == ["a"])
      await bench.advance(by: .seconds(2))
      #expect(bench.displays.names == ["a", "b"] && bench.displays.left == ["a"])
      #expect(bench.displays.opened[0].isClosed && !bench.displays.opened[1].isClosed)
    }
  }

  @Test("Settings rolled back while they are applied aren't applied to the other screens")
  func rollBackWithin() async throws {
    let wrong = wrong
    try await GroupBench().run { bench in
      let before = [bench.plan("a"), bench.plan("b")]
      bench.displays.problems["a"] = wrong
      await bench.follow(before)
      bench.group.openDisplays()
      await bench.settle()
      bench.rollBack(to: before)
      // The new settings of screen a are tried at once, since it has no display, and fail.
      await bench.follow([
        bench.plan("a") { $0.settings.display.connector = "HDMI-A-7" },
        bench.plan("b") { $0.settings.display.keepsLastFrame = true },
      ])
      #expect(bench.told == ["rolled back"])
      #expect(bench.group.all.map(\.options.settings.display.keepsLastFrame) == [false, false])
    }
  }

  @Test("Deck numbers are unique among all screens of a run, including replaced ones")
  func deckNumbers() async throws {
    try await GroupBench().run { bench in
      await bench.follow([bench.plan("a"), bench.plan("b")])
      bench.group.openDisplays()
      await bench.settle()
      var numbers = bench.group.all.compactMap { $0.machine.current?.id }
      await bench.follow([bench.plan("a"), bench.plan("c")])
      await bench.advance(by: .seconds(2))
      numbers += bench.group.all.compactMap { $0.machine.current?.id }.suffix(1)
      #expect(numbers.count == 3 && Set(numbers).count == 3, "\(numbers)")
      #expect(numbers.first?.generation == 1)
    }
  }

  @Test("A later screen gets the states that the others have")
  func later() async throws {
    try await GroupBench().run { bench in
      await bench.follow([bench.plan("a")])
      bench.group.openDisplays()
      await bench.settle()
      #expect(bench.group.perform(.switchScreen(isOn: false), on: nil) == .done)
      await bench.follow([bench.plan("a"), bench.plan("b")])
      await bench.advance(by: .seconds(4))
      #expect(bench.group.all.map(\.presence) == [.asleep, .asleep])
      #expect(bench.group.perform(.play, on: "c") == .refused(.noSuchScreen))
    }
  }
}

extension ScreenGroupTests {
  @Test("A removed screen keeps its display's place until its former sink is down, and then leaves nothing")
  func takenAwayWhileSinkGoes() async throws {
    let gone = VitrineError(5004, subject: "card0", message: "the screen was unplugged", remedy: "plug it in")
    try await GroupBench().run { bench in
      bench.playback.stage.outputHangs = true
      await bench.follow([bench.plan("a"), bench.plan("b")])
      bench.group.openDisplays()
      await bench.settle()
      let display = try #require(bench.displays.opened.last)
      bench.displays.problem = gone
      display.onEvent?(.unplugged(gone))
      await bench.settle()
      await bench.follow([bench.plan("a")])
      await bench.advance(by: .milliseconds(900))
      #expect(bench.displays.left == [] && !display.isClosed, "its sink may still use it")
      for output in bench.playback.stage.outputs.dropFirst() { output.emit(.closed) }
      await bench.settle()
      #expect(bench.displays.left == ["b"] && display.isClosed)
    }
  }

  @Test("Places are written after ten minutes and at the end, each screen's own, and the next run begins there (0141)")
  func places() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("places")
    let names = ["left", "right"]
    try await GroupBench().run { bench in
      bench.playback.stage.medium = { _ in .film(.seconds(7200)) }
      await bench.follow(names.map { bench.keeping($0, path) })
      bench.group.openDisplays()
      await bench.settle()
      for screen in bench.group.all {
        if screen.name == "right" { screen.engine.feed(.nextRequested) }
        await bench.settle()
      }
      #expect(PlacesFile.read(path)?.isEmpty == true)
      // Frames each half minute: a film without frames for a minute counts as stuck.
      for second in 0..<20 {
        for screen in bench.group.all { await bench.show(screen, at: .seconds(2981 + second)) }
        await bench.advance(by: ResumeMachine.interval / 20)
      }
      #expect(try await bench.eventually { PlacesFile.read(path)?.isEmpty == false })
      let saved = try #require(PlacesFile.read(path))
      #expect(
        saved["left"] == ResumePoint(list: "main", address: "file:///left0.mp4", index: 0, position: .seconds(3000)))
      #expect(
        saved["right"] == ResumePoint(list: "main", address: "file:///right1.mp4", index: 1, position: .seconds(3000)))
      for screen in bench.group.all { await bench.show(screen, at: .seconds(3100)) }
      let ends = Locked(0)
      bench.group.end { ends.withLock { $0 += 1 } }
      #expect(try await bench.eventually { ends.withLock { $0 } == 1 })
      #expect(PlacesFile.read(path)?["left"]?.position == .seconds(3100))
    }
    try await GroupBench().run { bench in
      await bench.follow(names.map { bench.keeping($0, path) })
      bench.group.openDisplays()
      await bench.settle()
      let recipes = bench.playback.stage.decks.map(\.ownRecipe)
      #expect(recipes.map(\.item.uri) == ["file:///left0.mp4", "file:///right1.mp4"])
      #expect(recipes.map(\.from) == [.seconds(3100), .seconds(3100)])
    }
    // With another list, other settings or a damaged file, playback begins with the list.
    for change in [
      { $0.listName = "night" }, { $0.settings.playback.resume = .off }, { $0.startAt = .milliseconds(1) },
      { _ in _ = ReplacedFile.writeOwn(Array("vitrine-places".utf8), to: path) },
    ] as [@Sendable (inout KioskOptions) -> Void] {
      try await GroupBench().run { bench in
        await bench.follow([bench.keeping("right", path, change)])
        bench.group.openDisplays()
        await bench.settle()
        #expect(bench.playback.stage.decks.map(\.ownRecipe.item.uri) == ["file:///right0.mp4"])
      }
    }
  }

  @Test("After a change of the play folder, pending plays are written once")
  func playFolders() async throws {
    let directory = try TemporaryDirectory()
    let left = PlayEntry(
      PlayedItem(uri: "file:///left.mp4"), start: 1000, end: 2000, seconds: 1, ending: .end, isClockGood: true)
    PlayFolder(directory.path("none"), unwritten: directory.path("plays.unwritten")).keep([left])
    let reader = ConfigurationReader(
      set: ConfigurationSet(main: directory.path("vitrine.toml")), overrides: ConfigurationOverrides())
    let setup = ConfigurationSetup(
      reader: reader, boot: ConfigurationBoot(reader: reader, store: nil),
      directories: ConfigurationDirectories(
        environment: ["RUNTIME_DIRECTORY": directory.path("")], isOurs: false))
    let folders = ["a", "b", "c"].map { directory.path($0) }
    try await GroupBench().run { bench in
      for folder in folders {
        let plan = bench.plan("a") {
          $0.configuration = setup
          $0.settings.telemetry.playLog = true
          $0.settings.telemetry.playLogDirectory = folder
        }
        #expect(plan.options.playFolder?.unwritten != nil)
        await bench.follow([plan])
      }
      func written() -> Int {
        folders.reduce(0) { count, folder in
          var count = count
          _ = try? PlayFolder(folder).read { _ in count += 1 }
          return count
        }
      }
      _ = try await bench.eventually { written() > 0 }
      var ends = 0
      bench.group.end { ends += 1 }
      for _ in 0..<10 where ends == 0 { await bench.advance(by: .seconds(1)) }
      #expect(ends == 1 && written() == 1)
    }
  }
}
