public import PlaybackCore

extension PlaybackMachine {
  /// The current item and its state in one line for people, for `systemctl status`. It is made twice a second, so it
  /// uses no costly facts.
  public var statusLine: String {
    guard let deck = current else { return "nothing to play" }
    let place = queue.index(of: deck.item).map { " (\($0 + 1) of \(queue.count))" } ?? ""
    let title = Redaction.value(deck.media.title.isEmpty ? deck.media.uri : deck.media.title) + place
    if !wantsToPlay { return "paused: \(title)" }
    if isAtEnd { return "playing \(title)" }
    return waitingReason.map { "\($0.rawValue): \(title)" } ?? "playing \(title)"
  }
}
