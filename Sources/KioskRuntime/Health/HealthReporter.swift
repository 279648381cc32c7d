internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import Supervision
internal import VitrinePlayback

/// Tells whoever started this process that it is ready, what it does, and again and again that all is well. `HealthMachine` says whether it is.
///
/// Each word takes a full round: a timer of the loop, then a post through a mailbox, as workers and streaming threads answer. A loop that
/// stands in a handler, or turns without serving its queues, says nothing. Workers that write files aren't asked: a disk that
/// hangs takes no picture away. Confined to the loop's thread.
final class HealthReporter {
  private let manager: ServiceManager
  private let loop: EventLoop
  private let log: Logger
  private weak var screens: ScreenGroup?
  private let policy: HealthPolicy
  private var machine: HealthMachine
  private var timer: PacedTimer?
  private var mailbox: Mailbox<Void>?
  private var isReady = false
  private var lastStatus = ""
  private var isToldStuck = false

  /// Until it is ready it looks so often: whoever waits for that isn't to wait longer for the word than for the picture.
  private static let readyInterval: Duration = .milliseconds(100)

  /// - Parameter manager: nil gives nil: nobody wants to hear.
  init?(
    _ manager: ServiceManager?, of screens: ScreenGroup, on loop: EventLoop, policy: HealthPolicy = HealthPolicy(),
    log: Logger
  ) {
    guard let manager else { return nil }
    self.manager = manager
    self.loop = loop
    self.log = log
    self.screens = screens
    self.policy = policy
    machine = HealthMachine(policy: policy, at: .monotonicNow)
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { _ in reference.value?.look() }
    timer = PacedTimer(loop, every: Self.readyInterval, atRest: policy.restInterval) { [weak self] in
      self?.mailbox?.post(())
    }
  }

  /// The process ends by itself.
  func stop() {
    timer = nil
    mailbox?.close()
    mailbox = nil
    manager.tell(.stopping)
  }

  private func look() {
    manager.tellWaiting()
    guard let screens, let timer else { return }
    let verdict = machine.look(screens.all.map(\.health), at: .monotonicNow)
    tellStatus(of: screens)
    if machine.isReady, !isReady {
      isReady = true
      manager.tell(.ready)
    }
    if isReady {
      if verdict == .well, screens.rests { timer.rests() } else { timer.goes(every: policy.lookInterval) }
    }
    switch verdict {
    case .well:
      isToldStuck = false
      RunMemory.goesOn()
      if manager.watchdog != nil { manager.tell(.watchdog) }
    case .stuck(let screen, let fault, let owed): tellStuck(screen, fault, owed)
    }
  }

  /// People read it beside the service's name: only what is news.
  private func tellStatus(of screens: ScreenGroup) {
    let status = screens.all.map(\.line).joined(separator: "; ")
    guard status != lastStatus else { return }
    lastStatus = status
    manager.tell(.status(status))
  }

  private func tellStuck(_ screen: String, _ fault: HealthMachine.Fault, _ owed: Duration) {
    if !isToldStuck { log.error("\(VitrineError.isStuck(screen, fault, owed).line)") }
    isToldStuck = true
    // Before anybody ends it.
    RunMemory.standsStill(with: machine.suspect)
    manager.tell(.status("stuck: \(fault.text)"))
    // Who has switched the watchdog off has reasons.
    if manager.watchdog != nil { manager.tell(.watchdogTrigger) }
    lastStatus = ""
  }
}

extension ScreenSession {
  /// What it says of itself, for whoever watches the whole process.
  var health: HealthMachine.Screen {
    HealthMachine.Screen(
      name: key, state: output.machine.state, owed: machine.owedProgress(stays: frames.stays, at: .monotonicNow),
      frames: engine.ledger.counters.framesRendered, remedies: frames.remedies, deck: machine.current?.id,
      item: machine.current?.item, hasOthers: machine.current.map { machine.hasAlternative(to: $0.item) } ?? false)
  }
}

extension PlaybackNotice {
  /// Playback does something about an item that gives no frames.
  var isRemedy: Bool {
    switch self {
    case .reconnecting, .itemFailed: true
    default: false
    }
  }
}

extension HealthMachine.Fault {
  fileprivate var text: String {
    switch self {
    case .noFrames: "frames are due and don't come"
    case .noOutput: "there is a screen, and nothing to show pictures on"
    case .noStart: "what was to begin doesn't"
    }
  }
}

extension VitrineError {
  fileprivate static func isStuck(_ screen: String, _ fault: HealthMachine.Fault, _ owed: Duration) -> VitrineError {
    VitrineError(
      7508, subject: screen.isEmpty ? "the screen" : screen,
      message: "\(fault.text), for \(Int(owed.inSeconds.rounded())) s",
      remedy: "another process takes over where one is supervised")
  }
}

extension ScreenSession {
  /// One line for people. It is made twice a second: of nothing but what it says.
  var line: String {
    let what =
      switch presence {
      case .asleep: "screen off"
      case .none: "no screen"
      case .on: machine.statusLine
      }
    return name.map { "\($0): \(what)" } ?? what
  }
}
