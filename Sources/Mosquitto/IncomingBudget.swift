import PlaybackCore

/// Limits how much a broker may send before a message is complete. libmosquitto keeps the parts of a message until all
/// of it has arrived, up to 256 MB; the length isn't known here, because the bytes may be encrypted. But complete
/// messages are reported, so the kept part is never larger than the bytes since the last one. See
/// decision 0181.
///
/// A value: the bytes are counted as they come from the network, before libmosquitto gets them.
struct IncomingBudget: Hashable, Sendable {
  /// Bytes. Commands have 8 kB at most (`BrokerLink.longestMessage`); the TLS handshake before the first message, with
  /// a chain of certificates, stays below a third of this.
  static let limit = 64 * 1024
  /// Bytes a second that are allowed without a complete message: libmosquitto doesn't report answers to pings, which
  /// have some 30 bytes with TLS each half a minute.
  static let refill = 4.0

  private var level = 0.0
  private var at: Instant?

  /// Counts bytes. False if there are too many: the caller throws them away and closes the connection.
  mutating func consume(_ count: Int, at now: Instant) -> Bool {
    if let at, now > at { level = max(0, level - Self.refill * (now - at).inSeconds) }
    at = now
    level += Double(count)
    return level <= Double(Self.limit)
  }

  /// A message was complete: nothing from before it is kept.
  mutating func messageIsWhole() { level = 0 }
}
