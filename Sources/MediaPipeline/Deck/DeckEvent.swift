public import PlaybackCore

/// A deck's report to the loop. Posted from any thread; events of one thread stay in order.
public enum DeckEvent: Hashable, Sendable {
  /// The first frame or sound is there, waiting to be played.
  case ready(DeckReadiness)
  case failed(VitrineError)
  /// Running time at which the stream ends, the buffers that it gave to the output, and how long the last one lasts.
  case streamEnded(StreamKind, at: Duration, buffers: UInt32, lastDuration: Duration)
  case durationChanged(Duration?)
  /// The kind of medium that the server sends, if it isn't the one that the item was loaded as.
  case kindFound(MediaKind)
  /// The server sends a list of addresses in place of a medium: the list's text.
  case listFound(ServedMedium, [UInt8], from: NetworkReach?)
  /// The loaded and seekable ranges; reported when they change.
  case ranges(MediaRanges)
  case buffering(percent: Int)
  /// The next frame is due at this running time, long after the one before it has had its time.
  case gapAhead(until: Duration)
  /// The picture as it is to be seen, before it is scaled. `interval`: from frame to frame; nil while it varies.
  case mediaSize(PresentationSize, interval: Duration?)
  /// A decoder in hardware has got its first data: name of the element.
  case decoding(String)
  /// A decoder in hardware has decoded as many pictures as it can before it must be replaced: name of the element.
  case decoderIsWorn(String)
  /// How frames come from the decoder to the output; reported when it changes.
  case framePath(FramePath)
  case seekFinished(seek: UInt32, DeckReadiness)
  /// From this running time on, which is this position of the item, the deck plays at this speed. No seek was made.
  case rateChanged(Double, running: Duration, position: Duration)
  /// The kinds of stream that a live deck was found to have.
  case streamsFound(hasVideo: Bool, hasSound: Bool)
  /// The item's tracks, with those that are on marked.
  case tracks([MediaTrack])
  case metadata(MediaMetadata)
  /// A subtitle that the item itself contains, in the item's time.
  case cue(SubtitleCue)
  /// All subtitles of a file beside the item; `track` is the id of its track.
  case subtitles(SubtitleTimeline, track: String)
  /// A fault that the item plays on without, such as a subtitle file with errors.
  case warning(VitrineError)
  /// Frames that the decoder dropped to keep up.
  case framesSkipped(Int)
  /// Frames of a decoder in hardware that the processor copied.
  case framesCopied(Int)
  case clockLost
  /// The deck has been taken down; this is its last event.
  case gone
}

/// All that a deck is built from.
public struct DeckRecipe: Hashable, Sendable {
  public var id: DeckID
  public var item: MediaItem
  /// The position to begin at.
  public var from: Duration
  /// Playing speed; negative is backwards.
  public var rate: Double
  /// How long a still picture lasts.
  public var pictureDuration: Duration
  /// Which sound and subtitle tracks are preferred.
  public var tracks: TrackPreferences
  /// The tracks without a visitor's choice, which the loudspeaker keeps beside a headset; nil where `tracks` are.
  public var configuredTracks: TrackPreferences?
  /// Settings for the board's decoders.
  public var decoders: DecoderPolicy
  /// The longest stretch of a network item that is buffered.
  public var buffer: Duration
  /// The most bytes of a network item that are buffered; buffering stops at whichever limit is reached first.
  public var bufferBytes: Int
  /// Limits the buffer of a progressive item to the bytes that `buffer` takes in it, once its byte rate is known.
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
