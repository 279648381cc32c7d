internal import ControlProtocol
internal import Logging
internal import MediaPipeline
internal import PlaybackCore

/// The log lines that tell who gave which command, over the socket, HTTP or MQTT. Limited to one a minute for each
/// verb: a script that asks every second causes one line.
struct CommandLines: Sendable {
  /// The way by which commands come, in words: the socket, HTTP or MQTT.
  let door: String
  private var limit = LineLimit<ControlVerb>()

  init(door: String) { self.door = door }

  /// Logs a command, unless its line is held back.
  mutating func write(_ verb: ControlVerb, by peer: String, to log: Logger, at now: Instant = .monotonicNow) {
    guard let line = line(verb, by: peer, at: now) else { return }
    log.notice("\(line)")
  }

  /// The line for a command; nil where it is held back.
  mutating func line(_ verb: ControlVerb, by peer: String, at now: Instant) -> String? {
    guard let heldBack = limit.admitLine(verb, at: now) else { return nil }
    return "\(door): \(verb.word) by \(peer)\(heldBack > 0 ? " (\(heldBack) before this weren't logged)" : "")"
  }
}
