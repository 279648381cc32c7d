import EngineTestSupport
import InteractionCore
import KioskCore
import Logging
import MainLoop
import MediaPipeline
import PlaybackCore
import Testing
import VitrinePlayback

@testable import KioskRuntime

/// Several screens on fake displays.
private actor GroupBench: ScreenSessionOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private struct Parts {
    let group: ScreenGroup
    let stage: FakeStage
    let displays: FakeDisplays
    let clock: ManualClock
    let turns: LoopTurns
  }
  private var made: Parts?
  private(set) var told: [String] = []
  /// What is done when settings fail: the plans of before.
  var rollsBackTo: [ScreenPlan]?

  init() throws { executor = try GLibExecutor.start(name: "group-bench") }

  private var parts: Parts {
    if let made { return made }
    let loop = EventLoop(executor: executor)
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let (stage, displays, clock) = (FakeStage(), FakeDisplays(), ManualClock())
    let group = ScreenGroup(on: loop, clock: clock, cards: displays, owner: self, log: log)
    let parts = Parts(
      group: group, stage: stage, displays: displays, clock: clock, turns: LoopTurns(executor: executor))
    made = parts
    return parts
  }

  var group: ScreenGroup { parts.group }
  var displays: FakeDisplays { parts.displays }
  var stage: FakeStage { parts.stage }

  func run(_ body: @Sendable (isolated GroupBench) async throws -> Void) async throws { try await body(self) }

  func plan(_ name: String, _ change: (inout KioskOptions) -> Void = { _ in }) -> ScreenPlan {
    var options = KioskOptions(
      queue: [MediaItem(uri: "file:///\(name).mp4", kind: .file)], processStart: Instant(nanoseconds: 0))
    options.waitsForScreen = true
    options.loops = true
    let reference = LoopReference(parts.stage, of: executor)
    options.makeOutput = { request, post in
      reference.value?.makeOutput(request, post: post) ?? MediaOutput.make(request, post: post)
    }
    change(&options)
    return ScreenPlan(name: name, options: options)
  }

  func follow(_ plans: [ScreenPlan]) async {
    group.follow(plans)
    await settle()
  }

  func settle() async {
    var heard = -1
    while heard != stage.toldCount {
      heard = stage.toldCount
      await parts.turns.pass()
    }
  }

  func advance(by duration: Duration) async {
    let end = parts.clock.now + duration
    while parts.clock.step(until: end) { await settle() }
    await settle()
  }

  func rollBack(to plans: [ScreenPlan]?) { rollsBackTo = plans }

  nonisolated func screen(_ name: String?, tells notice: ScreenNotice) {
    assumeIsolated { bench in
      guard case .settingsFailed = notice, let plans = bench.rollsBackTo else { return }
      bench.told.append("rolled back")
      bench.rollsBackTo = nil
      bench.group.follow(plans)
    }
  }
  nonisolated func screen(_ name: String?, asksFor command: KioskCommand) -> KioskReply { .done }
  nonisolated func screenAsksForRollBack() -> Bool { assumeIsolated { $0.rollsBackTo != nil } }
  nonisolated func screenAsksForStatus() -> KioskStatus { KioskStatus(version: "1", name: "b", uptimeSeconds: 0) }
}

@Suite("Screens of a run together")
struct ScreenGroupTests {
  private let gone = VitrineError(5004, subject: "card0", message: "no screen", remedy: "plug one in")
  private let wrong = VitrineError(5005, subject: "card0", message: "no such connector", remedy: "see displays")

  @Test("One that waits for its screen is down at once: the end waits for the others all the same")
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

  @Test("No screens: the end comes all the same")
  func nothing() async throws {
    try await GroupBench().run { bench in
      var ends = 0
      bench.group.end { ends += 1 }
      #expect(ends == 1)
    }
  }

  @Test("One that is new opens when those that are gone are down: they may hold its connector")
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

  @Test("What is taken back while it is put in place isn't put in place for the others")
  func rollBackWithin() async throws {
    let wrong = wrong
    try await GroupBench().run { bench in
      let before = [bench.plan("a"), bench.plan("b")]
      bench.displays.problems["a"] = wrong
      await bench.follow(before)
      bench.group.openDisplays()
      await bench.settle()
      bench.rollBack(to: before)
      // A's other settings are tried at once, since it has no display, and fail.
      await bench.follow([
        bench.plan("a") { $0.connector = "HDMI-A-7" }, bench.plan("b") { $0.keepsLastFrame = true },
      ])
      #expect(bench.told == ["rolled back"])
      #expect(bench.group.all.map(\.options.keepsLastFrame) == [false, false])
    }
  }

  @Test("A screen that comes later knows what the others were told")
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
