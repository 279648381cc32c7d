import PlaybackCore

/// How much a broker may send before a message of it is whole. libmosquitto keeps what has come of a message until all of it is there, and
/// takes one of any length up to 256 MB; how long it is isn't known here, because it may come by TLS. But messages that are whole are told,
/// so what is kept is never more than what has come since the last of them. See docs/decisions/0181-what-a-broker-may-send.md.
///
/// A value: the bytes are counted as they come from the network, before libmosquitto has them.
struct IncomingBudget: Hashable, Sendable {
  /// Bytes. Commands have 8 kB at most (`BrokerLink.longestMessage`); what TLS says before the first message, with the certificates of an
  /// authority above another, stays below a third of it.
  static let limit = 64 * 1024
  /// Bytes for a second in which nothing is told to be whole: answers to our signs of life, of which libmosquitto tells nothing, are some 30
  /// bytes with TLS each half a minute.
  static let refill = 4.0

  private var level = 0.0
  private var at: Instant?

  /// Takes bytes. False where there are too many: the line is to be given up, and they are to be thrown away.
  mutating func take(_ count: Int, at now: Instant) -> Bool {
    if let at, now > at { level = max(0, level - Self.refill * (now - at).inSeconds) }
    at = now
    level += Double(count)
    return level <= Double(Self.limit)
  }

  /// All that has come so far was whole.
  mutating func messageIsWhole() { level = 0 }
}
