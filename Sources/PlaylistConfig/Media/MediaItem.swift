/// One thing to play, looked up and addressed as GStreamer takes it.
public struct MediaItem: Hashable, Sendable {
  /// Absolute and percent-encoded.
  public var uri: String
  /// For people; never empty.
  public var title: String
  public var kind: MediaKind
  /// For how long a picture stays; nil leaves it to the playback settings. Means nothing for other kinds.
  public var pictureDuration: Duration?
  /// 0 is silent, 1 as recorded; linear. Nil is as recorded.
  public var volume: Double?
  /// What the user wrote, or the list or directory that the item came from followed by its entry.
  public var origin: String

  public init(
    uri: String, title: String, kind: MediaKind, pictureDuration: Duration? = nil, volume: Double? = nil,
    origin: String
  ) {
    self.uri = uri
    self.title = title
    self.kind = kind
    self.pictureDuration = pictureDuration
    self.volume = volume
    self.origin = origin
  }
}
