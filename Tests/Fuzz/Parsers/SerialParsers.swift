import ControlProtocol
import InteractionCore
import PlaybackCore

/// The bytes of a serial line, in pieces: each begins with a byte for its length, and one for the time before it. Once
/// for a device with commands, once for one with words.
func readSerial(_ bytes: [UInt8]) {
  var input = SerialInput("/dev/ttyUSB0")
  readSerial(bytes, SerialDoor(input))
  input.words = ["PLAY1", "PLAY10", "\u{2}A\u{3}", "é", "A"]
  readSerial(bytes, SerialDoor(input))
}

private func readSerial(_ bytes: [UInt8], _ new: SerialDoor) {
  var door = new
  var now = Instant(nanoseconds: 0)
  var (obeyed, refused) = (0, 0)
  func feed(_ event: SerialDoor.Event) {
    for action in door.handle(event, at: now) {
      switch action {
      case .ask(let request):
        precondition(door.input.takesCommands, "a command of a device with words")
        precondition(request.verb.isOfScreen || request.screen == nil, "a screen of what has none")
        switch request.action {
        case .command, .status, .hello: break
        case .screenshot, .subscribe: preconditionFailure("a request whose answer comes later")
        }
        (obeyed, refused) = (obeyed + 1, 0)
        feed(.answered(.done, request))
      case .press(let word):
        precondition(door.input.words.contains(word), "a word that nobody has named")
        obeyed += 1
      case .send(let answer):
        precondition(door.input.takesCommands, "an answer to a device with words")
        precondition(answer.last == 0x0A && answer.count <= ControlLimits.lineBytes, "an answer without an end")
        if answer.starts(with: "error ".utf8) {
          refused += 1
          precondition(refused <= 3, "a device that answers errors with errors")
        }
      case .tell(let error): precondition((7600..<7700).contains(error.number), "an error of another part")
      }
    }
  }
  feed(.opened)
  var rest = bytes[...]
  while rest.count > 2 {
    let (length, wait) = (Int(rest.removeFirst()) + 1, rest.removeFirst())
    now = now + .milliseconds(Int64(wait) * Int64(wait))
    if let due = door.deadline, due <= now { feed(.timePassed) }
    feed(.received(Array(rest.prefix(length))))
    rest = rest.dropFirst(length)
    precondition(door.keptBytes <= ControlLimits.lineBytes, "more is kept than may be")
    if let due = door.deadline { precondition(due > now, "a deadline that has passed") }
    precondition(door.deadline != nil || door.keptBytes == 0, "a text that is never forgotten")
  }
  let seconds = (now - Instant(nanoseconds: 0)) / .seconds(1)
  precondition(
    Double(obeyed) <= ControlLimits.networkBurst + seconds * ControlLimits.networkRate + 1,
    "\(obeyed) commands in \(seconds) s")
}
