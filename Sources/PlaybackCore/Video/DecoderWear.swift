/// Decoders that fail after a certain number of pictures: their deck is reopened before.
public enum DecoderWear {
  /// GStreamer 1.22 only: up to 1.22.6 stateless decoders fail at picture 1,000,000 of a deck (commit a0755e5d74),
  /// after 9 h 15 min of a camera with 30 frames a second. The limit is five minutes earlier: room for pictures that
  /// are decoded ahead.
  public static let stateless = 990_000
  static let mended = SoftwareVersion("1.22.7")

  /// Number of pictures after which the deck is reopened; nil for no limit.
  ///
  /// - Parameters:
  ///   - decoder: name of the element.
  ///   - gstreamer: the running version.
  ///   - profile: the limit in the board's profile.
  public static func limit(of decoder: String, gstreamer: SoftwareVersion?, profile: Int?) -> Int? {
    guard decoder.hasPrefix("v4l2sl"), let gstreamer, let mended, gstreamer < mended else { return profile }
    return min(profile ?? stateless, stateless)
  }
}
