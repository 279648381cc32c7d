import Displays
import EngineTestSupport
import InteractionCore
import KioskCore
import Logging
import MainLoop
import MediaPipeline
import PlaybackCore
import PlaylistConfig
import ScreenModel
import VitrinePlayback

@testable import KioskRuntime

/// A screen that is imagined, and writes down what it is told.
final class FakeDisplay: Display, InputSource {
  let kind = OutputKind.headless
  let target = VideoTarget.memory(size: PixelSize(width: 1000, height: 600))
  var summary = "fake"
  var onEvent: ((DisplayEvent) -> Void)?
  var onInput: (([(event: InputEvent, time: Instant)]) -> Void)?
  private(set) var overlays: [OverlayImage?] = []
  private(set) var isLit = true
  private(set) var isClosed = false

  func showOverlay(_ image: OverlayImage?) { overlays.append(image) }
  var prepareColour: (@Sendable (VideoColour) -> Void)? { nil }
  func videoDidStart() {}
  func setPower(_ isOn: Bool) -> Bool {
    isLit = isOn
    return true
  }
  func keep(_ picture: [UInt32]) -> String? { nil }
  func close() { isClosed = true }
}

/// Gives fake displays, or errors.
final class FakeDisplays: DisplayOpener {
  var problem: VitrineError?
  /// Of the screens that are to have others than `problem`.
  var problems: [String: VitrineError] = [:]
  private(set) var opened: [FakeDisplay] = []
  /// For whom they were opened, in that order.
  private(set) var names: [String] = []
  private(set) var left: [String] = []
  let tellsChanges = false

  func open(_ options: KioskOptions, for session: ScreenSession, refresh: Int?) throws(VitrineError) -> OpenedDisplay {
    if let problem = problem ?? problems[session.key] { throw problem }
    names.append(session.key)
    let display = FakeDisplay()
    opened.append(display)
    return OpenedDisplay(display: display, reason: "for a test")
  }

  func setScreens(_ plans: [ScreenPlan]) {}
  func leave(_ name: String) { left.append(name) }
  func close() { left.append("all") }
}

/// A screen session with a fake stage, fake displays and a time of its own, on a loop. A test runs inside of it (`run`).
actor ScreenBench: ScreenSessionOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private struct Parts {
    let session: ScreenSession
    let stage: FakeStage
    let displays: FakeDisplays
    let clock: ManualClock
    let turns: LoopTurns
  }

  private let options: KioskOptions
  private var made: Parts?
  private(set) var told: [String] = []
  var canRollBack = false

  init(_ items: [MediaItem], _ change: (inout KioskOptions) -> Void = { _ in }) throws {
    executor = try GLibExecutor.start(name: "screen-bench")
    var options = KioskOptions(queue: items, processStart: Instant(nanoseconds: 1_000_000_000_000))
    options.waitsForScreen = true
    change(&options)
    self.options = options
  }

  private var parts: Parts {
    if let made { return made }
    let loop = EventLoop(executor: executor)
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let (stage, displays, clock) = (FakeStage(), FakeDisplays(), ManualClock())
    var options = options
    let reference = LoopReference(stage, of: executor)
    options.makeOutput = { request, post in
      // The stage outlives the session that it is for.
      reference.value?.makeOutput(request, post: post) ?? MediaOutput.make(request, post: post)
    }
    let session = ScreenSession(
      ScreenPlan(name: "", options: options), on: loop, clock: clock, cards: displays,
      inputs: ScreenInputs(on: loop, log: log), log: log)
    session.owner = self
    let parts = Parts(
      session: session, stage: stage, displays: displays, clock: clock, turns: LoopTurns(executor: executor))
    made = parts
    return parts
  }

  var session: ScreenSession { parts.session }
  var stage: FakeStage { parts.stage }
  var displays: FakeDisplays { parts.displays }
  var clock: ManualClock { parts.clock }
  var display: FakeDisplay? { parts.displays.opened.last }

  func run(_ body: @Sendable (isolated ScreenBench) async throws -> Void) async throws { try await body(self) }

  /// Playback and display begin, up to what comes of that without time going on.
  func begin() async {
    session.startPlayback()
    session.tellScreen(.start)
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
    let end = clock.now + duration
    while clock.step(until: end) { await settle() }
    await settle()
  }

  func showFrame(at position: Duration) async {
    guard let id = session.machine.current?.id, let deck = stage.deck(id), let output = stage.outputs.last else {
      return
    }
    output.show(deck, at: position, now: clock.now)
    await settle()
  }

  /// A frame of touches comes from the glass.
  func touch(_ kind: FingerChange.Kind) async {
    let frame = TouchFrame(device: InputDeviceID(1), [FingerChange(finger: 0, kind)])
    display?.onInput?([(.touch(frame), clock.now)])
    await settle()
  }

  func key(_ name: String) async {
    display?.onInput?([(.key(KeyChange(device: InputDeviceID(1), key: name, .down)), clock.now)])
    await settle()
  }

  func allowRollBack() { canRollBack = true }

  // MARK: What it tells

  nonisolated func screen(_ name: String?, tells notice: ScreenNotice) {
    let word = String("\(notice)".prefix { $0 != "(" })
    assumeIsolated { if word != "settled" { $0.told.append(word) } }
  }

  nonisolated func screen(_ name: String?, asksFor command: KioskCommand) -> KioskReply { .done }

  nonisolated func screenAsksForRollBack() -> Bool { assumeIsolated { $0.canRollBack } }

  nonisolated func screenAsksForStatus() -> KioskStatus {
    KioskStatus(version: "1", name: "bench", uptimeSeconds: 0)
  }
}
