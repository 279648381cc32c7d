internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import Supervision
internal import VitrinePlayback

/// Tells the service manager that the process is ready, what it does, and regularly that it is well. `HealthMachine`
/// judges whether it is.
///
/// Each report takes a full round: a timer of the loop, then a post through a mailbox, as workers and streaming threads
/// answer. A loop that is stuck in a handler, or doesn't serve its queues, sends nothing. Workers that write files
/// aren't checked: a disk that hangs doesn't stop the picture. Confined to the loop's thread.
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

  /// The interval until the process is ready: the service manager learns that soon after the first picture.
  private static let readyInterval: Duration = .milliseconds(100)

  /// - Parameter manager: nil gives nil: there is no service manager to report to.
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
    mailbox = Mailbox(executor: loop.executor) { _ in reference.value?.checkHealth() }
    timer = PacedTimer(loop, every: Self.readyInterval, atRest: policy.restInterval) { [weak self] in
      self?.mailbox?.post(())
    }
  }

  /// Reports that the process ends on purpose.
  func stop() {
    timer = nil
    mailbox?.close()
    mailbox = nil
    manager.notify(.stopping)
  }

  private func checkHealth() {
    manager.flushWaiting()
    guard let screens, let timer else { return }
    let verdict = machine.evaluate(screens.all.map(\.health), at: .monotonicNow)
    publishStatus(of: screens)
    if machine.isReady, !isReady {
      isReady = true
      manager.notify(.ready)
    }
    if isReady {
      if verdict == .well, screens.rests { timer.rests() } else { timer.goes(every: policy.lookInterval) }
    }
    switch verdict {
    case .well:
      isToldStuck = false
      CrashRecorder.goesOn()
      if manager.watchdog != nil { manager.notify(.watchdog) }
    case .stuck(let screen, let fault, let owed): reportStuck(screen, fault, owed)
    }
  }

  /// Sends the status line that `systemctl status` shows, if it has changed.
  private func publishStatus(of screens: ScreenGroup) {
    let status = screens.all.map(\.line).joined(separator: "; ")
    guard status != lastStatus else { return }
    lastStatus = status
    manager.notify(.status(status))
  }

  private func reportStuck(_ screen: String, _ fault: HealthMachine.Fault, _ owed: Duration) {
    if !isToldStuck { log.error("\(VitrineError.isStuck(screen, fault, owed).line)") }
    isToldStuck = true
    // Recorded before the service manager ends the process.
    CrashRecorder.standsStill(with: machine.suspect)
    manager.notify(.status("stuck: \(fault.text)"))
    // Without WatchdogSec= in the unit, a hang shouldn't end the process.
    if manager.watchdog != nil { manager.notify(.watchdogTrigger) }
    lastStatus = ""
  }
}

extension ScreenSession {
  /// The screen's facts for the judgement on the whole process.
  var health: HealthMachine.Screen {
    HealthMachine.Screen(
      name: key, state: output.machine.state, owed: machine.owedProgress(stays: frames.stays, at: .monotonicNow),
      frames: engine.ledger.counters[.framesRendered], remedies: frames.remedies, deck: machine.current?.id,
      item: machine.current?.item, hasOthers: machine.current.map { machine.hasAlternative(to: $0.item) } ?? false)
  }
}

extension PlaybackNotice {
  /// Whether playback is acting on an item that gives no frames.
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
    case .noOutput: "there is a screen, but no output is open on it"
    case .noStart: "an item or a seek was to begin and doesn't"
    }
  }
}

extension VitrineError {
  fileprivate static func isStuck(_ screen: String, _ fault: HealthMachine.Fault, _ owed: Duration) -> VitrineError {
    VitrineError(
      7508, subject: screen.isEmpty ? "the screen" : screen,
      message: "\(fault.text), for \(Int(owed.inSeconds.rounded())) s",
      remedy: "another process takes over if a service manager or 'vitrine supervise' runs the player")
  }
}

extension ScreenSession {
  /// The status line for people. It is made twice a second, so it uses no costly facts.
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
