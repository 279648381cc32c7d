/// Decides about a hardware decoder that gives no picture: a second try, then the processor.
///
/// Decoders of boards hang now and then, for one stream or for good, and most recover when they are reopened
/// (docs/hardware.md). Failures are remembered for as long as the process lives; `DecoderRecord` keeps them for the
/// next one.
public struct DecoderFallback: Hashable, Sendable {
  /// Time from the first data to the first picture. A hardware decoder needs some ten milliseconds, and a stateful one
  /// gives its first picture after as many frames as it reorders: below a second at any usual rate.
  public static let firstPicture: Duration = .seconds(2)
  /// Failures in a row, in one item or in several, after which the decoder is avoided.
  public static let tries = 2

  public enum Step: Hashable, Sendable {
    /// Open the decoder again.
    case again
    /// Avoid this decoder from now on.
    case avoid
  }

  private var failures: [String: Int] = [:]

  public init() {}

  /// Counts a failure: no picture came in time, or an error instead. A frame way that isn't the decoder's last one is
  /// avoided at once, because the next way opens the decoder again too.
  ///
  /// - Parameter decoder: name of the element, or the text of `DecoderUse` where it has several ways.
  public mutating func failed(_ decoder: String) -> Step {
    failures[decoder, default: 0] += 1
    return failures[decoder, default: 0] >= (DecoderUse(text: decoder).hasNext ? 1 : Self.tries) ? .avoid : .again
  }

  /// Notes a picture: earlier failures were chance.
  public mutating func delivered(_ decoder: String) { failures[decoder] = nil }
}
