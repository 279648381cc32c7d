import KioskCore
import PlaybackCore

/// Answers of a projector, each ended by NUL, in the pieces in which they come: what is a line goes to the machine that
/// switches it.
func readProjector(_ bytes: [UInt8]) {
  var machine = PJLinkMachine(input: "31")
  var reader = PJLinkReader()
  var now = Instant(nanoseconds: 0)
  var asked: PJLinkCommand?
  var switches = 0
  func feed(_ event: PJLinkMachine.Event) {
    for action in machine.handle(event, at: now) {
      switch action {
      case .ask(let command):
        precondition(asked == nil, "two commands at a time")
        asked = command
        if case .power = command { switches += 1 }
      case .giveUp: asked = nil
      case .tell: break
      }
    }
  }
  feed(.wanted(isOn: true))
  for piece in bytes.split(separator: 0, omittingEmptySubsequences: false) {
    guard let command = asked else { preconditionFailure("nothing is asked") }
    switch reader.line(adding: Array(piece)) {
    case .incomplete: continue
    case .tooLong:
      asked = nil
      feed(.failed(.garbled))
    case .whole(let line):
      precondition(line.count < PJLinkReader.longest, "a long line")
      asked = nil
      if let greeting = PJLinkGreeting(line) {
        if case .secured(let random) = greeting { precondition(random.count == 8, "a digest of what?") }
        feed(.failed(.silent))
      } else {
        feed(PJLinkReply(line, to: command).map { .answered($0) } ?? .failed(.garbled))
      }
    }
    // To the next question.
    while asked == nil {
      guard let due = machine.deadline else { preconditionFailure("no next look") }
      precondition(due >= now, "a deadline that has passed")
      now = due
      feed(.time)
    }
  }
  // One that answers is told nothing twice within five seconds.
  let seconds = (now - Instant(nanoseconds: 0)) / .seconds(1)
  precondition(switches <= 1 + Int(seconds / 5), "\(switches) commands in \(seconds) s")
}
