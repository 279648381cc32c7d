internal import KioskCore
internal import MainLoop
internal import PlaybackCore
internal import VitrinePlayback

/// Carries the messages of cues to one receiver, one at a time. On the loop; never waits.
protocol CueLine: AnyObject {
  /// Calls `done` once, later or at once, unless `giveUp` comes first: with nil where the message was handed over, else
  /// with the reason why not.
  func deliver(_ cue: Cue, then done: @escaping (String?) -> Void)
  /// Forgets the message under way.
  func giveUp()
}

/// One receiver: `CueQueue` decides what it gets, its line brings it there. Confined to the loop's thread.
final class CueSender {
  enum Told {
    case failure(String)
    case recovery(lost: Int)
  }

  private var queue = CueQueue<Cue>()
  private let line: any CueLine
  private let clock: any EngineClock
  private let tell: (Told) -> Void
  private var timer: (any EngineTimer)?
  /// Tells the answer to a message from those to earlier ones.
  private var number = 0

  init(_ line: any CueLine, clock: any EngineClock, tell: @escaping (Told) -> Void) {
    self.line = line
    self.clock = clock
    self.tell = tell
  }

  func send(_ cue: Cue) { feed(.send(cue)) }

  func stop() {
    timer = nil
    number += 1
    line.giveUp()
  }

  private func feed(_ event: CueQueue<Cue>.Event) {
    for action in queue.handle(event, at: clock.now) {
      switch action {
      case .deliver(let cue): deliver(cue)
      case .giveUp:
        number += 1
        line.giveUp()
      case .tellFailure(let reason): tell(.failure(reason))
      case .tellRecovery(let lost): tell(.recovery(lost: lost))
      }
    }
    timer = queue.due.map { due in
      clock.after(max(.zero, due - clock.now)) { [weak self] in self?.feed(.looked) }
    }
  }

  private func deliver(_ cue: Cue) {
    number += 1
    let mine = number
    line.deliver(cue) { [weak self] reason in
      guard let self, number == mine else { return }
      number += 1
      feed(reason.map { .failed($0) } ?? .delivered)
    }
  }
}
