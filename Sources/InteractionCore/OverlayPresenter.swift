public import PlaybackCore

/// When the transport bar is shown.
public enum OverlayMode: String, Hashable, Sendable, CaseIterable {
  /// Only what viewers must know: messages, the buffering ring, error cards. The bar appears when the screen is
  /// touched, and stays while the film is paused, which would look like a fault without it.
  case auto
  /// The bar stays on the screen.
  case always
  /// Only error cards, and subtitles that were asked for.
  case never
}

/// The player's state at one moment; the presenter decides which of it is shown.
public struct OverlayFacts: Hashable, Sendable {
  /// The bar as it would be shown: title, times, playing, live.
  public var bar: TransportBar
  /// 0...100 while the player waits for data; nil otherwise.
  public var bufferingPercent: Int?
  public var message: VisitorText?
  public var card: ErrorCard?
  /// The status card, when it was asked for.
  public var status: StatusCard?
  /// The subtitles of the frame on the screen.
  public var subtitles: [SubtitleCue]
  /// Shown in every mode, above all else.
  public var alerts: [ShownAlert] = []
  /// The announcement of a visit's end, also before it begins.
  public var countdown: VisitCountdown?
  /// Films to choose from, in place of the bar.
  public var tiles: TileWall?
  /// Sound and captions to choose, in place of the bar.
  public var choices: ChoiceWall?
  public var captionLook = CaptionLook()
  /// Whether tiles or choices move by time alone.
  public var movesByTime = false
  /// There is nothing to see but the bar: it stays for as long as that lasts.
  public var keepsBar = false
  /// There is no network, and the current item comes from one.
  public var isOffline = false
  /// The veil over the picture, and when it changes by itself.
  public var veil: OverlayVeil?
  public var veilChangesAt: Instant?

  public init(
    bar: TransportBar, bufferingPercent: Int? = nil, message: VisitorText? = nil, card: ErrorCard? = nil,
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
/// A redraw costs a board milliseconds, so values are rounded to steps that can be told apart on a screen, and values
/// that run by themselves change the model at most every `refreshInterval`. Changes that viewers wait for (a card, a
/// pause, a new title) are shown at once.
///
/// The presenter reads no clock: every call passes the time, which must not run backwards by more than jitter.
public struct OverlayPresenter: Sendable {
  /// Running values change the model at most this often: four times a second.
  public static let refreshInterval = Duration.milliseconds(250)
  /// The ring appears only after this delay: a shorter wait isn't worth a flash.
  public static let ringDelay = Duration.milliseconds(400)
  /// The bar follows a dragging finger at most this often. Touches of a fast touchscreen (240 a second) are further
  /// apart, so each of them is drawn when it comes and no frame of the screen shows an older one; only mice that report
  /// a thousand times a second are slowed down.
  public static let dragInterval = Duration.milliseconds(4)
  /// Pages of tiles, and lines of choices, that come to their place are drawn this often: as often as most screens show
  /// a picture.
  public static let movingInterval = Duration.nanoseconds(16_666_667)
  /// A drag's redraws take at most one part in this many of the loop's time: on a board that draws slowly, fewer
  /// pictures are better than late ones.
  public static let drawingShare = 4
  /// A board counts as slow if this many redraws in a row were slow: a single one may have been interrupted, or be the
  /// first of its kind, and must not delay the next.
  public static let drawingsCounted = 3

  public struct Presentation: Hashable, Sendable {
    public var model: OverlayModel
    /// Whether `model` differs from that of the call before. Unchanged models need no redraw.
    public var isChanged: Bool
    /// When to call again even if no fact changes before; nil when time alone changes nothing. Assumes rate 1: at other
    /// rates the caller's own position updates serve.
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
  /// The bar was hidden by hand since the film was paused.
  private var isPauseHidden = false
  private var shown = OverlayModel.nothing
  /// When a running value last changed the shown model.
  private var lastRefresh: Instant?
  /// How long the last redraws took, the newest last.
  private var drawingTimes: [Duration] = []
  private var bufferingSince: Instant?

  public init(mode: OverlayMode) {
    self.mode = mode
  }

  /// The screen was touched or a key pressed: the bar appears, or stays.
  public mutating func touched(at now: Instant) {
    lastTouch = now
    isPauseHidden = false
  }

  /// Reports how long the redraw of the last model took.
  public mutating func drew(in time: Duration) {
    drawingTimes.append(max(.zero, time))
    if drawingTimes.count > Self.drawingsCounted { drawingTimes.removeFirst() }
  }

  /// The time that drawing takes: the least of the last times, as each may have been interrupted.
  private var drawingTime: Duration {
    drawingTimes.count < Self.drawingsCounted ? .zero : drawingTimes.min() ?? .zero
  }

  /// Hides the bar until the next touch or pause.
  public mutating func hideBar() {
    lastTouch = nil
    isPauseHidden = true
  }

  /// Whether the bar is shown at `now`.
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

  /// Whether the bar stays because the film is paused. An item that hasn't been shown yet doesn't count as paused.
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
        wanted.bar?.isDragged == true || wanted.tiles != nil || wanted.choices != nil
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
    model.alerts = facts.alerts
    // It covers everything: there is no bar to touch below it.
    guard !facts.alerts.contains(where: \.isInstead) else {
      model.card = nil
      return model
    }
    model.veil = facts.veil
    // They cover the film: nothing of it is told.
    if let tiles = facts.tiles {
      model.tiles = tiles
      model.card = nil
      model.status = facts.status
      model.message = facts.message
      model.countdown = facts.countdown.flatMap { CountdownCard($0, at: now) }
      return model
    }
    // Of two cards, the error card is shown.
    if facts.card == nil { model.status = facts.status }
    // Subtitles belong to the film rather than to its controls; a card hides the film anyway.
    if facts.card == nil, !facts.subtitles.isEmpty {
      model.subtitles = facts.subtitles
      model.captionLook = facts.captionLook
    }
    if facts.card == nil, let choices = facts.choices {
      model.choices = choices
    } else if showsBar(facts, at: now) {
      model.bar = facts.bar.isDragged ? facts.bar : Self.quantised(facts.bar)
    }
    // A card says everything; a ring or a message beside it would only compete with it.
    if mode != .never, facts.card == nil {
      model.message = facts.message
      model.countdown = facts.countdown.flatMap { CountdownCard($0, at: now) }
      // For people who use the controls or wait for the picture; others don't need to know.
      model.isOffline = facts.isOffline && (model.bar != nil || isRingDue(at: now))
      if isRingDue(at: now) { model.bufferingPercent = facts.bufferingPercent.map { min(max($0, 0), 100) } }
    }
    return model
  }

  private func isRingDue(at now: Instant) -> Bool {
    bufferingSince.map { now >= $0 + Self.ringDelay } ?? false
  }

  /// When `model` will change by time alone: the ring is due, or the position reaches its next step.
  private func nextTick(of model: OverlayModel, facts: OverlayFacts, at now: Instant) -> Instant? {
    var next = facts.veilChangesAt
    if facts.movesByTime, model.tiles != nil || model.choices != nil {
      next = earlier(next, now + Self.movingInterval)
    }
    if mode != .never, facts.card == nil {
      if let bufferingSince, !isRingDue(at: now) { next = earlier(next, bufferingSince + Self.ringDelay) }
      if let countdown = facts.countdown, let changes = CountdownCard.nextChange(of: countdown, at: now) {
        next = earlier(next, changes)
      }
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

  /// Longer than the track on any known screen, in pixels (3840 wide, less margins and times): a smaller part of the
  /// duration than one of these doesn't move the bar.
  private static let longestTrack = 4096

  /// The step of the shown position: a quarter of a second, or longer where a quarter moves no pixel; at most a second,
  /// which is the text's step.
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

  /// The model without the values that run by themselves. Whether they are present counts as still.
  private static func still(_ model: OverlayModel) -> OverlayModel {
    var model = model
    if model.bufferingPercent != nil { model.bufferingPercent = 0 }
    if model.bar?.position != nil { model.bar?.position = .zero }
    if model.bar?.bufferedUntil != nil { model.bar?.bufferedUntil = .zero }
    if model.tiles != nil { model.tiles?.position = 0 }
    if model.choices != nil { model.choices?.position = 0 }
    // The numbers of the status card run too.
    if model.status != nil { model.status?.rows = [] }
    return model
  }
}
