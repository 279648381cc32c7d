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
  var outlives = false
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

extension KioskOptions {
  /// In place of GStreamer. The stage outlives the sessions that it is for.
  mutating func play(on stage: FakeStage, of executor: GLibExecutor) {
    let reference = LoopReference(stage, of: executor)
    makeOutput = { request, post in
      reference.value?.makeOutput(request, post: post) ?? MediaOutput.make(request, post: post)
    }
  }
}

/// A screen session with a fake stage, fake displays and a time of its own, on a loop. A test runs inside of it (`run`).
actor ScreenBench: ScreenSessionOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private struct Parts {
    let session: ScreenSession
    let displays: FakeDisplays
    let playback: FakePlayback
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
    let (playback, displays) = (FakePlayback(executor: executor), FakeDisplays())
    var options = options
    options.play(on: playback.stage, of: executor)
    let session = ScreenSession(
      ScreenPlan(name: "", options: options), on: loop, clock: playback.clock, cards: displays,
      inputs: ScreenInputs(on: loop, log: log), log: log)
    session.owner = self
    let parts = Parts(session: session, displays: displays, playback: playback)
    made = parts
    return parts
  }

  var session: ScreenSession { parts.session }
  var stage: FakeStage { parts.playback.stage }
  var displays: FakeDisplays { parts.displays }
  var clock: ManualClock { parts.playback.clock }
  var display: FakeDisplay? { parts.displays.opened.last }

  func run(_ body: @Sendable (isolated ScreenBench) async throws -> Void) async throws { try await body(self) }

  /// Playback and display begin, up to what comes of that without time going on.
  func begin() async {
    session.startPlayback()
    session.tellScreen(.start)
    await settle()
  }

  func settle() async { await parts.playback.settle() }

  func advance(by duration: Duration) async { await parts.playback.advance(by: duration) }

  func showFrame(at position: Duration) async {
    await parts.playback.showFrame(of: session.machine.current?.id, at: position)
  }

  /// Of a deck that may have been left.
  func showFrame(of deck: DeckID?, at position: Duration) async {
    await parts.playback.showFrame(of: deck, at: position)
  }

  /// The newest sink has a frame and isn't done with it, for as long as it takes to be found.
  func blockOutput() async {
    stage.outputs.last?.activity = OutputActivity(deck: session.machine.current?.id, waitingSince: clock.now)
    await advance(by: .seconds(5))
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

  nonisolated func screen(_ name: String?, asksFor command: Command) -> KioskReply { .done }

  nonisolated func screenAsksForRollBack() -> Bool { assumeIsolated { $0.canRollBack } }

  nonisolated func screenAsksForStatus() -> KioskStatus {
    KioskStatus(version: "1", name: "bench", uptimeSeconds: 0)
  }
}
