internal import ControlProtocol
internal import Logging
internal import MediaPipeline
internal import PlaybackCore

/// Who asked for what, for the log: one line for all doors (the socket, HTTP, MQTT), of each verb one a minute at most. A script that asks
/// every second says so once.
struct CommandLines: Sendable {
  /// By which door it came, for people.
  let door: String
  private var limit = LineLimit<ControlVerb>()

  init(door: String) { self.door = door }

  /// Somebody asked for `verb`.
  mutating func tell(_ verb: ControlVerb, by peer: String, to log: Logger, at now: Instant = .monotonicNow) {
    guard let line = line(verb, by: peer, at: now) else { return }
    log.notice("\(line)")
  }

  /// Nil where it is held back.
  mutating func line(_ verb: ControlVerb, by peer: String, at now: Instant) -> String? {
    guard let heldBack = limit.takeLine(verb, at: now) else { return nil }
    return "\(door): \(verb.word) by \(peer)\(heldBack > 0 ? " (\(heldBack) before this weren't told)" : "")"
  }
}
