public import PlaybackCore

/// What a deck tells. Posted from any thread, in order for each thread.
public enum DeckEvent: Hashable, Sendable {
  /// First frame or sound there, waiting to be played.
  case ready(DeckReadiness)
  case failed(VitrineError)
  /// Running time at which the stream ends, the buffers that it gave to the output, and how long the last one lasts.
  case streamEnded(StreamKind, at: Duration, buffers: UInt32, lastDuration: Duration)
  case durationChanged(Duration?)
  /// What the server gives, where that isn't what the item was taken for.
  case kindFound(MediaKind)
  /// The server gives a list of addresses in place of a medium: its text.
  case listFound(ServedMedium, [UInt8], from: NetworkReach?)
  /// What has been loaded and where one can seek; told when it changes.
  case ranges(MediaRanges)
  case buffering(percent: Int)
  /// The next frame is due at this running time, long after the one before it has had its time.
  case gapAhead(until: Duration)
  /// The picture as it is to be seen, before it is scaled. `interval`: from frame to frame; nil while it varies.
  case mediaSize(PresentationSize, interval: Duration?)
  /// A decoder in hardware has its first data: name of the element.
  case decoding(String)
  /// A decoder in hardware has had as many pictures as it takes: name of the element.
  case decoderIsWorn(String)
  /// How frames come from the decoder to the output; told when it changes.
  case framePath(FramePath)
  case seekFinished(seek: UInt32, DeckReadiness)
  /// From this running time on, which is this position of the item, the deck runs at this speed, without a seek.
  case rateChanged(Double, running: Duration, position: Duration)
  /// What streams a live deck has.
  case streamsFound(hasVideo: Bool, hasSound: Bool)
  /// What streams there are, and which are on.
  case tracks([MediaTrack])
  case metadata(MediaMetadata)
  /// A subtitle out of the item itself, in the item's time.
  case cue(SubtitleCue)
  /// All subtitles of a file that belongs to the item; `track` is its id.
  case subtitles(SubtitleTimeline, track: String)
  /// Something that the item is played without, such as a subtitle file with errors.
  case warning(VitrineError)
  /// Frames that the decoder left out to keep up.
  case framesSkipped(Int)
  /// Frames of a decoder in hardware that the processor copied.
  case framesCopied(Int)
  case clockLost
  /// Taken down; nothing more comes.
  case gone
}

/// What a deck is made of.
public struct DeckRecipe: Hashable, Sendable {
  public var id: DeckID
  public var item: MediaItem
  /// Position to begin at.
  public var from: Duration
  /// How fast it is to play; negative is backwards.
  public var rate: Double
  /// How long the picture of a still item lasts.
  public var pictureDuration: Duration
  /// Which sound and which subtitles are wanted.
  public var tracks: TrackPreferences
  /// What the board's decoders need.
  public var decoders: DecoderPolicy
  /// How much of a network item is buffered at most.
  public var buffer: Duration
  /// The same in bytes, whichever is reached first.
  public var bufferBytes: Int
  /// A progressive item is held to the bytes of its own that `buffer` takes, once those are known.
  public var keepsSeconds: Bool
  public var rtsp: RTSPPolicy
  /// How its sources reach servers.
  public var servers: ServerSetup

  public init(
    id: DeckID, item: MediaItem, from: Duration, rate: Double = 1, pictureDuration: Duration,
    tracks: TrackPreferences = TrackPreferences(subtitles: .off), decoders: DecoderPolicy = DecoderPolicy(),
    buffer: Duration = BufferingPolicy().fullScale, bufferBytes: Int? = nil, keepsSeconds: Bool = false,
    rtsp: RTSPPolicy = RTSPPolicy(), servers: ServerSetup = ServerSetup()
  ) {
    self.id = id
    self.item = item
    self.from = from
    self.rate = rate
    self.pictureDuration = pictureDuration
    self.tracks = tracks
    self.decoders = decoders
    self.buffer = buffer
    self.bufferBytes = bufferBytes ?? BufferingPolicy().bytes(in: buffer)
    self.keepsSeconds = keepsSeconds
    self.rtsp = rtsp
    self.servers = servers
  }
}
