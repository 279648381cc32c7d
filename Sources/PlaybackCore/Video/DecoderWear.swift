/// Decoders that fail after so many pictures: their deck is opened anew before.
public enum DecoderWear {
  /// GStreamer's stateless decoders before 1.22.7 fail at picture 1,000,000 of a deck (commit a0755e5d74), which is 9 h 15 min of a
  /// camera with 30 frames a second. The difference is five minutes of it: room for what is decoded ahead.
  public static let stateless = 990_000
  static let mended = SoftwareVersion("1.22.7")

  /// After how many pictures the deck is opened anew; nil for never.
  ///
  /// - Parameters:
  ///   - decoder: name of the element.
  ///   - gstreamer: the version that runs.
  ///   - profile: what the board's profile says.
  public static func limit(of decoder: String, gstreamer: SoftwareVersion?, profile: Int?) -> Int? {
    guard decoder.hasPrefix("v4l2sl"), let gstreamer, let mended, gstreamer < mended else { return profile }
    return min(profile ?? stateless, stateless)
  }
}
