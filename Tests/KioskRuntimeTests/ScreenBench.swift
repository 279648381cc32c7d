import ControlProtocol
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

/// A fake display that records its calls.
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

/// Opens fake displays, or gives errors.
final class FakeDisplays: DisplayOpener {
  var outlives = false
  var problem: VitrineError?
  /// The errors of screens that have other ones than `problem`.
  var problems: [String: VitrineError] = [:]
  private(set) var opened: [FakeDisplay] = []
  /// The screens that they were opened for, in the same order.
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
  /// Replaces GStreamer by a stage, which outlives its sessions.
  mutating func play(on stage: FakeStage, of executor: GLibExecutor) {
    let reference = LoopReference(stage, of: executor)
    makeOutput = { request, post in
      reference.value?.makeOutput(request, post: post) ?? MediaOutput.make(request, post: post)
    }
  }
}

/// A screen session with a fake stage, fake displays and a virtual time, on a loop. A test runs inside of it (`run`).
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
  /// The events of visits that it has told.
  var visits: [String] { told.filter { $0.hasPrefix("visit-") } }
  var canRollBack = false
  /// The texts of the cues that it has told.
  private(set) var cues: [String] = []

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
  /// The number of displays that it has had.
  var opened: Int { parts.displays.opened.count }

  func run(_ body: @Sendable (isolated ScreenBench) async throws -> Void) async throws { try await body(self) }

  /// Starts playback and display, up to the first actions that need time.
  func begin() async {
    session.startPlayback()
    session.handleScreenEvent(.start)
    await settle()
  }

  /// Follows these cues from now on; each text is told to the bench.
  func follow(_ cues: [(moment: CueMoment, at: Duration?, text: String)]) {
    var options = session.options
    options.settings.cues = cues.map { moment, at, text in
      var table = CueTable()
      (table.cue.moment, table.cue.at, table.cue.text) = (moment, at, text)
      table.cue.address = CueAddress("mqtt:a")
      return table
    }
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    if session.cues == nil {
      session.cues = CueSession(on: EventLoop(executor: executor), clock: clock, owner: self, log: log)
    }
    session.cues?.follow(options)
  }

  func settle() async { await parts.playback.settle() }

  func advance(by duration: Duration) async { await parts.playback.advance(by: duration) }

  func showFrame(at position: Duration) async {
    await parts.playback.showFrame(of: session.machine.current?.id, at: position)
  }

  /// Shows a frame of a deck, which may have been left already.
  func showFrame(of deck: DeckID?, at position: Duration) async {
    await parts.playback.showFrame(of: deck, at: position)
  }

  /// The newest sink blocks with a frame, until that is found.
  func blockOutput() async {
    stage.outputs.last?.activity = OutputActivity(deck: session.machine.current?.id, waitingSince: clock.now)
    await advance(by: .seconds(5))
  }

  /// A touch event comes from the screen.
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

  // MARK: Notices of the session

  nonisolated func screen(_ name: String?, tells notice: ScreenNotice) {
    let word = if case .event(let kind, _) = notice { kind.rawValue } else { String("\(notice)".prefix { $0 != "(" }) }
    let text = if case .publish(_, let text) = notice { text } else { String?.none }
    assumeIsolated { bench in
      if word != "settled" { bench.told.append(word) }
      if let text { bench.cues.append(text) }
    }
  }

  nonisolated func screen(_ name: String?, asksFor command: Command) -> KioskReply { .done }

  nonisolated func screenAsksForRollBack() -> Bool { assumeIsolated { $0.canRollBack } }

  nonisolated func screenAsksForStatus() -> KioskStatus {
    KioskStatus(version: "1", name: "bench", uptimeSeconds: 0)
  }
}
