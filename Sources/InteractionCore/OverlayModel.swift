public import PlaybackCore

/// The whole content of the overlay at one moment. The same model gives the same pixels on every output.
public struct OverlayModel: Hashable, Sendable {
  public var bar: TransportBar?
  /// The current subtitles, in the order in which they began.
  public var subtitles: [SubtitleCue]
  /// A short message in a pill at the top left.
  public var message: VisitorText?
  /// A ring in the middle of the screen while the player waits for data: 0...100.
  public var bufferingPercent: Int?
  public var card: ErrorCard?
  public var status: StatusCard?
  /// Shows a badge: there is no network.
  public var isOffline = false
  /// Drawn over the whole picture, below everything else.
  public var veil: OverlayVeil?
  /// Films to choose from, over the dimmed picture.
  public var tiles: TileWall?
  /// Sound and captions to choose, in place of the bar.
  public var choices: ChoiceWall?
  /// Of the subtitles.
  public var captionLook = CaptionLook()
  /// Asks whether somebody is still there.
  public var countdown: CountdownCard?
  /// Above everything else; the newest first.
  public var alerts: [ShownAlert] = []

  public init(
    bar: TransportBar? = nil, subtitles: [SubtitleCue] = [], message: VisitorText? = nil, bufferingPercent: Int? = nil,
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

/// A card that asks whether somebody is still there, with the seconds until the loop comes back.
public struct CountdownCard: Hashable, Sendable {
  /// The seconds left, rounded up.
  public var seconds: Int
  /// The share of the time that is left: 0...1.
  public var share: Double
  /// Whether it stays clear of the middle of the picture: somebody may be watching.
  public var isAside: Bool

  public init(seconds: Int, share: Double, isAside: Bool = false) {
    self.seconds = seconds
    self.share = share
    self.isAside = isAside
  }

  /// Nil before the countdown begins.
  public init?(_ countdown: VisitCountdown, at now: Instant) {
    guard now >= countdown.begins else { return nil }
    let (left, whole) = (countdown.ends - now, countdown.ends - countdown.begins)
    // The ring moves with the number, once a second.
    seconds = max(0, Int(left.inSeconds.rounded(.up)))
    share = whole > .zero ? min(1, Double(seconds) / whole.inSeconds) : 0
    isAside = countdown.isDuringFilm
  }

  /// When the card changes next.
  public static func nextChange(of countdown: VisitCountdown, at now: Instant) -> Instant? {
    guard now >= countdown.begins else { return countdown.begins }
    let left = (countdown.ends - now).wholeNanoseconds
    guard left > 0 else { return nil }
    let second: Int64 = 1_000_000_000
    return now + .nanoseconds((left - 1) % second + 1)
  }
}

/// A sentence above all else.
public struct ShownAlert: Hashable, Sendable {
  public var id: String
  /// As its sender wrote it.
  public var text: String
  /// Whether it covers the whole screen, instead of a band.
  public var isInstead: Bool
  /// Whether the screen says that it is a test.
  public var isTest: Bool

  public init(
    _ text: String, id: String = AlertRequest.usualID, isInstead: Bool = false, isTest: Bool = false
  ) {
    self.id = id
    self.text = text
    self.isInstead = isInstead
    self.isTest = isTest
  }
}

/// The background colour over the picture, during a fade from one item to the next.
public struct OverlayVeil: Hashable, Sendable {
  /// 1...255; without any opacity there is no veil.
  public var opacity: UInt8
  /// 0xRRGGBB
  public var colour: UInt32

  /// - Parameter opacity: 0...1. Fails for an invisible veil.
  public init?(opacity: Double, colour: UInt32) {
    let steps = UInt8((min(max(opacity, 0), 1) * 255).rounded())
    guard steps > 0 else { return nil }
    self.opacity = steps
    self.colour = colour
  }

  /// A pixel of the veil: ARGB, premultiplied.
  public var pixel: UInt32 {
    let alpha = UInt32(opacity)
    func part(_ shift: UInt32) -> UInt32 { (((colour >> shift & 0xff) * alpha + 127) / 255) << shift }
    return alpha << 24 | part(16) | part(8) | part(0)
  }
}

/// The seek bar with its times, title and play/pause button.
public struct TransportBar: Hashable, Sendable {
  public var title: String
  /// The title is on the screen already, so the bar leaves it out.
  public var hidesTitle = false
  /// Position in the item; nil while unknown.
  public var position: Duration?
  /// Length of the item; nil while unknown and for live items.
  public var duration: Duration?
  /// How far the item is buffered, from its start; nil where that doesn't apply (local files).
  public var bufferedUntil: Duration?
  public var isPlaying: Bool
  public var isLive: Bool
  /// Whether the item can be sought in; otherwise there is no thumb to drag.
  public var isSeekable: Bool
  /// A finger drags the position: it is drawn larger, with its time above.
  public var isDragged: Bool
  /// The buttons to show; the bar decides their order.
  public var buttons: [OverlayButton] = [.playPause]
  public var isMuted = false
  /// Whether captions are on.
  public var hasCaptions = false
  /// Whether the audio description is heard.
  public var hasDescription = false
  /// Whether the version in sign language is shown.
  public var isSigned = false
  /// The starts of the chapters, from the start of the item; the track has gaps there.
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

/// A card that shows an error and what happens next.
public struct ErrorCard: Hashable, Sendable {
  public var number: Int
  public var headline: VisitorText
  /// Which file or address, and what happens next and when. Wraps; never cut.
  public var body: VisitorText
  /// Name, address and configuration of the board.
  public var footer: VisitorText

  public init(number: Int, headline: VisitorText, body: VisitorText, footer: VisitorText) {
    self.number = number
    self.headline = headline
    self.body = body
    self.footer = footer
  }
}
