internal import PlaybackCore

/// Finds the moments at which the player's health has changed for good: between two items, and while a film opens, it
/// is worse for a moment than anybody in the room would say.
struct SettledHealth: Sendable {
  /// How long another health has to hold. Longer than an item from a slow network takes to open after one that failed;
  /// short enough for somebody who is called to see the same picture.
  static let settling: Duration = .seconds(5)

  private var settled: KioskStatus.Health?
  private var seen: (health: KioskStatus.Health, since: Instant)?

  /// - Returns: the health that has just settled, also the first one after the start.
  mutating func saw(_ health: KioskStatus.Health, at now: Instant) -> KioskStatus.Health? {
    if seen?.health != health { seen = (health, now) }
    guard let seen, health != settled, now - seen.since >= Self.settling else { return nil }
    settled = health
    return health
  }
}
