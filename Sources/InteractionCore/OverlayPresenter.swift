public import PlaybackCore

/// When the transport bar shows.
public enum OverlayMode: String, Hashable, Sendable, CaseIterable {
  /// Only what people must know: messages, the buffering ring, error cards. The bar comes when somebody touches the
  /// screen, and stays while the film is paused, which would look like a fault without it.
  case auto
  /// The bar stays on the screen.
  case always
  /// Nothing but error cards, and the subtitles that somebody has asked for.
  case never
}

/// What the player knows at one moment; what of it shows is the presenter's business.
public struct OverlayFacts: Hashable, Sendable {
  /// The bar as it would be drawn if it showed: title, times, playing, live.
  public var bar: TransportBar
  /// 0...100 while the player waits for data; nil otherwise.
  public var bufferingPercent: Int?
  public var message: String?
  public var card: ErrorCard?
  /// Asked for by whoever looks after the board.
  public var status: StatusCard?
  /// Those of the frame on the screen.
  public var subtitles: [SubtitleCue]
  /// There is nothing to see but the bar: it stays for as long as that lasts.
  public var keepsBar = false
  /// There is no network, and what plays comes from one.
  public var isOffline = false
  /// What lies over the picture, and when that changes by itself.
  public var veil: OverlayVeil?
  public var veilChangesAt: Instant?

  public init(
    bar: TransportBar, bufferingPercent: Int? = nil, message: String? = nil, card: ErrorCard? = nil,
    subtitles: [SubtitleCue] = [], status: StatusCard? = nil
  ) {
    self.status = status
    self.bar = bar
    self.subtitles = subtitles
    self.bufferingPercent = bufferingPercent
    self.message = message
    self.card = card
  }
}

/// Decides what the overlay shows, and how often it may change.
///
/// A redraw costs a board milliseconds, so values are quantised to what can be told apart on a screen, and values that
/// run by themselves change the model at most every `refreshInterval`. Whatever a person waits for (a card, a pause, a
/// new title) goes through at once.
///
/// A value without a clock: every instant is passed in, and instants must not go backwards by more than jitter.
public struct OverlayPresenter: Sendable {
  /// Running values change the model at most this often: four times a second.
  public static let refreshInterval = Duration.milliseconds(250)
  /// The ring appears only after this: shorter waits are not worth a flash.
  public static let ringDelay = Duration.milliseconds(400)
  /// A bar that is dragged follows the finger at most this often. It is less than the touches of a fast touchscreen are
  /// apart (240 a second), so that each of them is drawn when it comes and no frame of the screen shows an older one; what
  /// it keeps out is mice that tell a thousand times a second.
  public static let dragInterval = Duration.milliseconds(4)
  /// A drag's pictures take at most one part in so many of the loop's time: where they are slow to draw, fewer of them
  /// serve better than late ones.
  public static let drawingShare = 4
  /// A board is slow to draw if that many pictures in a row were: a single one may have been interrupted, or the first of
  /// its kind, and is no reason to keep the next from the screen.
  public static let drawingsCounted = 3

  public struct Presentation: Hashable, Sendable {
    public var model: OverlayModel
    /// Whether `model` differs from that of the call before. Unchanged models need no redraw.
    public var isChanged: Bool
    /// When to call again even if no fact changes before; nil when time alone changes nothing. Assumes rate 1: at
    /// another rate the caller's own position ticks do as well.
    public var nextRefresh: Instant?

    public init(model: OverlayModel, isChanged: Bool, nextRefresh: Instant?) {
      self.model = model
      self.isChanged = isChanged
      self.nextRefresh = nextRefresh
    }
  }

  public var mode: OverlayMode
  /// How long the bar stays after the last touch.
  public var barStay = Duration.seconds(3)
  private var lastTouch: Instant?
  /// Somebody has taken the bar away since the film was paused.
  private var isPauseHidden = false
  private var shown = OverlayModel.nothing
  /// When a running value last changed what is shown.
  private var lastRefresh: Instant?
  /// How long the last pictures took to draw, the newest last.
  private var drawingTimes: [Duration] = []
  private var bufferingSince: Instant?

  public init(mode: OverlayMode) {
    self.mode = mode
  }

  /// Somebody touched the screen or pressed a key: the bar comes, or stays.
  public mutating func touched(at now: Instant) {
    lastTouch = now
    isPauseHidden = false
  }

  /// The picture of the model that was presented last took so long.
  public mutating func drew(in time: Duration) {
    drawingTimes.append(max(.zero, time))
    if drawingTimes.count > Self.drawingsCounted { drawingTimes.removeFirst() }
  }

  /// What drawing takes here: the least of the last times, as each may have been interrupted.
  private var drawingTime: Duration {
    drawingTimes.count < Self.drawingsCounted ? .zero : drawingTimes.min() ?? .zero
  }

  /// The bar goes before its time, until the next touch or pause.
  public mutating func hideBar() {
    lastTouch = nil
    isPauseHidden = true
  }

  /// Whether the bar shows at `now`, but for a card.
  public func showsBar(_ facts: OverlayFacts, at now: Instant) -> Bool {
    switch mode {
    case .always: true
    case .never: false
    case .auto:
      facts.card == nil
        && (facts.keepsBar || facts.bar.isDragged || isKept(whilePaused: facts)
          || lastTouch.map { now < $0 + barStay } ?? false)
    }
  }

  /// A film that somebody has paused; not what hasn't been shown yet.
  private func isKept(whilePaused facts: OverlayFacts) -> Bool {
    !facts.bar.isPlaying && facts.bar.position != nil && !isPauseHidden
  }

  /// Gives the model to show at `now`.
  public mutating func present(_ facts: OverlayFacts, at now: Instant) -> Presentation {
    if facts.bar.isPlaying { isPauseHidden = false }
    if facts.bufferingPercent == nil {
      bufferingSince = nil
    } else if bufferingSince == nil {
      bufferingSince = now
    }

    let wanted = wantedModel(facts, at: now)
    var next = nextTick(of: wanted, facts: facts, at: now)
    var isChanged = false
    if wanted != shown {
      let interval =
        wanted.bar?.isDragged == true
        ? min(max(Self.dragInterval, drawingTime * Self.drawingShare), Self.refreshInterval) : Self.refreshInterval
      let mayRefresh = lastRefresh.map { now >= $0 + interval } ?? true
      if mayRefresh || Self.still(wanted) != Self.still(shown) {
        shown = wanted
        lastRefresh = now
        isChanged = true
      } else if let lastRefresh {
        next = earlier(next, lastRefresh + interval)
      }
    }
    return Presentation(model: shown, isChanged: isChanged, nextRefresh: next)
  }

  private func wantedModel(_ facts: OverlayFacts, at now: Instant) -> OverlayModel {
    var model = OverlayModel(card: facts.card)
    model.veil = facts.veil
    // Of two cards the one that somebody must see.
    if facts.card == nil { model.status = facts.status }
    // They belong to the film and not to its controls; over a card nobody follows the film.
    if facts.card == nil { model.subtitles = facts.subtitles }
    if showsBar(facts, at: now) { model.bar = facts.bar.isDragged ? facts.bar : Self.quantised(facts.bar) }
    // A card says all there is to say; a ring or a pill beside it would only compete with it.
    if mode != .never, facts.card == nil {
      model.message = facts.message
      // For whoever is at the screen, or waits before it; who only passes by doesn't care.
      model.isOffline = facts.isOffline && (model.bar != nil || isRingDue(at: now))
      if isRingDue(at: now) { model.bufferingPercent = facts.bufferingPercent.map { min(max($0, 0), 100) } }
    }
    return model
  }

  private func isRingDue(at now: Instant) -> Bool {
    bufferingSince.map { now >= $0 + Self.ringDelay } ?? false
  }

  /// When time alone will change `model`: the ring falls due, or the position reaches its next step.
  private func nextTick(of model: OverlayModel, facts: OverlayFacts, at now: Instant) -> Instant? {
    var next = facts.veilChangesAt
    if mode != .never, facts.card == nil, let bufferingSince, !isRingDue(at: now) {
      next = bufferingSince + Self.ringDelay
    }
    if model.bar != nil, mode == .auto, !facts.bar.isDragged, !isKept(whilePaused: facts), let lastTouch {
      next = earlier(next, lastTouch + barStay)
    }
    if model.bar != nil, facts.bar.isPlaying, !facts.bar.isDragged, let position = facts.bar.position {
      let step = Self.positionStep(of: facts.bar).wholeNanoseconds
      let into = max(0, position.wholeNanoseconds) % step
      next = earlier(next, now + .nanoseconds(step - into))
    }
    return next
  }

  private func earlier(_ a: Instant?, _ b: Instant) -> Instant { a.map { min($0, b) } ?? b }

  // MARK: Quantising

  /// No track is longer than this many pixels on the screens we know (3840 wide, less margins and times), so steps of
  /// less than a fraction of this of the duration would not move it.
  private static let longestTrack = 4096

  /// The step in which the position is shown: a quarter of a second, or longer where a quarter moves no pixel; never
  /// more than the second in which the text runs.
  static func positionStep(of bar: TransportBar) -> Duration {
    guard let duration = bar.duration, !bar.isLive else { return .seconds(1) }
    let perPixel = duration / longestTrack
    if perPixel <= .milliseconds(250) { return .milliseconds(250) }
    return perPixel <= .milliseconds(500) ? .milliseconds(500) : .seconds(1)
  }

  static func quantised(_ bar: TransportBar) -> TransportBar {
    var bar = bar
    bar.position = bar.position.map { roundedDown($0, to: positionStep(of: bar)) }
    bar.duration = bar.duration.map { roundedDown($0, to: .milliseconds(250)) }
    bar.bufferedUntil = bar.bufferedUntil.map { roundedDown($0, to: .seconds(1)) }
    return bar
  }

  private static func roundedDown(_ time: Duration, to step: Duration) -> Duration {
    let nanoseconds = max(0, time.wholeNanoseconds)
    return .nanoseconds(nanoseconds - nanoseconds % step.wholeNanoseconds)
  }

  /// The model without the values that run by themselves. Whether they are there at all counts as still.
  private static func still(_ model: OverlayModel) -> OverlayModel {
    var model = model
    if model.bufferingPercent != nil { model.bufferingPercent = 0 }
    if model.bar?.position != nil { model.bar?.position = .zero }
    if model.bar?.bufferedUntil != nil { model.bar?.bufferedUntil = .zero }
    // Its numbers run too.
    if model.status != nil { model.status?.rows = [] }
    return model
  }
}
