internal import InteractionCore
internal import PlaybackCore

/// The parts of the overlay that show for a while and go by themselves.
struct PassingParts: Sendable {
  /// When the status card goes; nil while it isn't shown.
  var statusUntil: Instant?
  private(set) var message: (text: VisitorText, until: Instant)?
  /// When the mouse moved last; nil while its arrow doesn't show.
  var pointerMovedAt: Instant?

  /// How long a message stays: the time to read it twice.
  static let messageStay = Duration.seconds(3)

  /// - Parameter pointerStay: how long the mouse's arrow stays after it moved last.
  func deadline(pointerStay: Duration) -> Instant? {
    [statusUntil, message?.until, pointerMovedAt.map { $0 + pointerStay }].compactMap(\.self).min()
  }

  /// - Returns: whether the mouse's arrow goes.
  mutating func timePassed(at now: Instant, pointerStay: Duration) -> Bool {
    if let statusUntil, statusUntil <= now { self.statusUntil = nil }
    if let message, message.until <= now { self.message = nil }
    guard let moved = pointerMovedAt, moved + pointerStay <= now else { return false }
    pointerMovedAt = nil
    return true
  }

  /// A few words at the top, for a while; none takes them away.
  mutating func say(_ text: VisitorText?, for stay: Duration = messageStay, at now: Instant) {
    message = text.map { ($0, now + stay) }
  }
}
