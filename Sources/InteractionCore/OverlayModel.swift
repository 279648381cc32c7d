public import PlaybackCore

/// Everything that the overlay shows at one moment, as a value. The same model gives the same pixels on every output.
public struct OverlayModel: Hashable, Sendable {
  public var bar: TransportBar?
  /// What is being said, in the order in which it began.
  public var subtitles: [SubtitleCue]
  /// A short message in a pill at the top left.
  public var message: String?
  /// A ring in the middle of the screen while the player waits for data: 0...100.
  public var bufferingPercent: Int?
  public var card: ErrorCard?
  public var status: StatusCard?
  /// A badge: there is no network.
  public var isOffline = false
  /// Over the whole picture, below all else.
  public var veil: OverlayVeil?

  public init(
    bar: TransportBar? = nil, subtitles: [SubtitleCue] = [], message: String? = nil, bufferingPercent: Int? = nil,
    card: ErrorCard? = nil, status: StatusCard? = nil
  ) {
    self.status = status
    self.bar = bar
    self.subtitles = subtitles
    self.message = message
    self.bufferingPercent = bufferingPercent
    self.card = card
  }

  public static let nothing = OverlayModel()
  public var isEmpty: Bool { self == .nothing }
}

/// The background over the picture, on its way from one item to the next.
public struct OverlayVeil: Hashable, Sendable {
  /// 1...255; without one there is no veil.
  public var opacity: UInt8
  /// 0xRRGGBB
  public var colour: UInt32

  /// - Parameter opacity: 0...1; nil where nothing of it would be seen.
  public init?(opacity: Double, colour: UInt32) {
    let steps = UInt8((min(max(opacity, 0), 1) * 255).rounded())
    guard steps > 0 else { return nil }
    self.opacity = steps
    self.colour = colour
  }

  /// A pixel of it: ARGB, multiplied by its opacity.
  public var pixel: UInt32 {
    let alpha = UInt32(opacity)
    func part(_ shift: UInt32) -> UInt32 { (((colour >> shift & 0xff) * alpha + 127) / 255) << shift }
    return alpha << 24 | part(16) | part(8) | part(0)
  }
}

/// The seek bar with its times, title and play/pause button.
public struct TransportBar: Hashable, Sendable {
  public var title: String
  /// The title is on the screen already.
  public var hidesTitle = false
  /// Position in the item; nil while unknown.
  public var position: Duration?
  /// Length of the item; nil while unknown and for live items.
  public var duration: Duration?
  /// Length of what is buffered, from the start of the item; nil when it means nothing (local files).
  public var bufferedUntil: Duration?
  public var isPlaying: Bool
  public var isLive: Bool
  /// Whether one can seek in the item; where not, there is no thumb to drag.
  public var isSeekable: Bool
  /// A finger drags the position: it is drawn larger, with its time above.
  public var isDragged: Bool
  /// Which buttons there are; their order is the bar's own.
  public var buttons: [OverlayButton] = [.playPause]
  public var isMuted = false
  /// Where chapters begin, from the start of the item; the track is cut there.
  public var chapters: [Duration] = []

  public init(
    title: String, position: Duration? = nil, duration: Duration? = nil, bufferedUntil: Duration? = nil,
    isPlaying: Bool = true, isLive: Bool = false, isSeekable: Bool = true, isDragged: Bool = false
  ) {
    self.title = title
    self.position = position
    self.duration = duration
    self.bufferedUntil = bufferedUntil
    self.isPlaying = isPlaying
    self.isLive = isLive
    self.isSeekable = isSeekable
    self.isDragged = isDragged
  }
}

/// A card that says what went wrong and what happens next.
public struct ErrorCard: Hashable, Sendable {
  public var number: Int
  public var headline: String
  /// Which file or address, and what happens next and when. Wraps; never cut.
  public var body: String
  /// Name, address and configuration of the board.
  public var footer: String

  public init(number: Int, headline: String, body: String, footer: String) {
    self.number = number
    self.headline = headline
    self.body = body
    self.footer = footer
  }
}
