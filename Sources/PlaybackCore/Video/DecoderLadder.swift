/// What is done about a decoder in hardware that gives no picture: once more, then the processor.
///
/// Decoders of boards hang now and then, for one stream or for good, and most are well again when they are opened anew
/// (docs/hardware.md). What is known of a decoder holds for as long as the process lives; `DecoderRecord` keeps it for the next.
public struct DecoderLadder: Hashable, Sendable {
  /// From the first data to the first picture. A decoder in hardware needs some ten milliseconds, and a stateful one gives its
  /// first picture after as many frames as it reorders: below a second at any usual rate.
  public static let firstPicture: Duration = .seconds(2)
  /// How often it may fail in a row, in one item or in several.
  public static let tries = 2

  public enum Step: Hashable, Sendable {
    /// Open it anew.
    case again
    /// Do without this decoder from now on.
    case avoid
  }

  private var failures: [String: Int] = [:]

  public init() {}

  /// No picture came in time, or an error in its place. A way that isn't the decoder's last one is given up at once: the next one
  /// opens the decoder anew as well.
  ///
  /// - Parameter decoder: name of the element, as `DecoderUse` has it where it has several ways.
  public mutating func failed(_ decoder: String) -> Step {
    failures[decoder, default: 0] += 1
    return failures[decoder, default: 0] >= (DecoderUse(text: decoder).hasNext ? 1 : Self.tries) ? .avoid : .again
  }

  /// A picture has come: what was before was chance.
  public mutating func delivered(_ decoder: String) { failures[decoder] = nil }
}
