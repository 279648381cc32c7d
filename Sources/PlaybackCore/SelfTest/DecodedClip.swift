/// A decoder's result for a clip.
public struct DecodedClip: Hashable, Sendable, Codable {
  /// Name of the decoder element; empty where none was made.
  public var decoder = ""
  /// Such as /dev/video10; empty for the processor.
  public var device = ""
  /// The kernel's driver of that device; empty where unknown.
  public var driver = ""
  public var isHardware = false
  /// Such as NV12.
  public var format = ""
  /// Whether frames are in dmabufs.
  public var isShared = false
  /// The MD5 of each frame's pixels, as planes of YUV 4:2:0 without padding.
  public var checksums: [String] = []
  /// Frames whose memory the processor can't read.
  public var unreadableFrames = 0
  /// Time between the first picture and the last, including their checksums; nil for fewer than two.
  public var seconds: Double?
  public var hasTimedOut = false
  /// GStreamer's error message; nil without an error.
  public var problem: String?

  public init() {}

  /// Pictures a second; nil where the time is unknown.
  public var rate: Double? {
    guard let seconds, seconds > 0, checksums.count > 1 else { return nil }
    return Double(checksums.count - 1) / seconds
  }
}
