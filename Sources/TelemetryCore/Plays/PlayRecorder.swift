public import PlaybackCore

/// The readings of the clocks at one moment.
public struct PlayMoment: Hashable, Sendable {
  public var instant: Instant
  /// Milliseconds since 1970, UTC.
  public var milliseconds: Int64
  /// Whether the clock of the date is synchronised.
  public var isSynchronised: Bool

  public init(_ instant: Instant, milliseconds: Int64, isSynchronised: Bool) {
    self.instant = instant
    self.milliseconds = milliseconds
    self.isSynchronised = isSynchronised
  }

  /// The date at another moment, counted from this one: if the clock was set in between, this date is the right one.
  fileprivate func milliseconds(at other: Instant) -> Int64 {
    let ago = (instant - other).wholeNanoseconds / 1_000_000
    return milliseconds.clampedSubtracting(ago)
  }
}

/// A finished play, on the monotonic clock.
public struct FinishedPlay: Hashable, Sendable {
  public var item: PlayedItem
  public var start: Instant
  public var end: Instant
  /// For how long it was visibly running.
  public var shown: Duration = .zero
  public var frames = 0
  public var dropped = 0
  public var ending: PlayEnding
  public var error: Int?
}

extension FinishedPlay {
  /// - Parameter shown: for how long it was visibly running.
  public init(_ item: PlayedItem, start: Instant, end: Instant, shown: Duration = .zero, ending: PlayEnding) {
    self.init(item: item, start: start, end: end, shown: shown, ending: ending, error: nil)
  }
}

extension PlayEntry {
  /// - Parameter now: dates are counted back from this moment.
  public init(_ play: FinishedPlay, at now: PlayMoment) {
    self.init(
      play.item, start: now.milliseconds(at: play.start), end: now.milliseconds(at: play.end),
      seconds: play.shown.inSeconds, ending: play.ending, isClockGood: now.isSynchronised)
    (frames, dropped, error) = (play.frames, play.dropped, play.error)
    monotonic = (play.start - Instant(nanoseconds: 0)).inSeconds
  }
}

/// Records the plays of one screen. It has no clock and no file; each event comes with its time.
///
/// A play begins with its first frame out of the sink, and ends with the first frame of the next: decisions of other
/// machines prove nothing. Frames are assigned by their decks; a play's frame count is the difference of the counters
/// between two such frames, so that the entries add up to the counters.
public struct PlayRecorder: Sendable {
  /// The counts of rendered and dropped frames on this screen since the start.
  public struct Totals: Hashable, Sendable {
    public var rendered: Int
    public var dropped: Int
    public init(rendered: Int = 0, dropped: Int = 0) {
      self.rendered = rendered
      self.dropped = dropped
    }
    public init(_ counters: PlaybackCounters) {
      self.init(rendered: counters[.framesRendered], dropped: counters[.framesDropped])
    }
  }

  public enum Event: Hashable, Sendable {
    /// An item is the current one from then on; its frames may come later.
    case started(DeckID, ItemID, PlayedItem, isPicture: Bool, at: Instant)
    /// The item that plays goes on in that deck.
    case goesOn(DeckID, ItemID)
    /// A frame came out of the sink; the totals have it already.
    case frame(RenderedFrame, Totals)
    /// An item without a picture has sounded.
    case heard(DeckID, at: Instant, Totals)
    /// The next frame of a deck is ready and due then: the shown frame stays until that moment, whatever the film's
    /// rate says.
    case waits(DeckID, until: Instant)
    case ended(DeckID)
    /// With the error's number. The item comes along because it may never have begun.
    case failed(ItemID, PlayedItem, error: Int)
    /// Whether playback runs: it is wanted, and nothing holds it back.
    case running(Bool)
    /// Some time has passed.
    case looked(Totals)
    /// The player is asked to end; frames may be on their way.
    case stopping
    /// The player has ended, or the recording was switched off.
    case stopped(Totals)
  }

  private struct Play: Hashable, Sendable {
    var deck: DeckID
    var id: ItemID
    var item: PlayedItem
    var isPicture: Bool
    var announced: Instant
    /// When it first became visible or audible.
    var first: Instant?
    var shown: Duration = .zero
    /// The moment up to which `shown` is counted, and the rest of the last frame's time.
    var mark: Instant?
    var left: Duration = .zero
    /// The last frame, the count of dropped frames at that moment, the time that playback has run since, and the
    /// counted part of it.
    var frame: RenderedFrame?
    var dropped = 0
    var ran: Duration = .zero
    var counted: Duration = .zero
    var ending: PlayEnding?
    var error: Int?
    var endedAt: Instant?
  }

  /// The play that is visible, or the last one that was.
  private var current: Play?
  /// The announced item, not visible yet.
  private var next: Play?
  /// The part of the counters that entries already have.
  private var told = Totals()
  private var isRunning = false

  /// A frame may stay on the screen for this long before the next one is missed: more than that is a stall, and doesn't
  /// count as playing. The same limit as the report's.
  private static let longestGap = PlaybackStatistics.stallThreshold
  /// An item's start is announced at most this long before its first frame, and with it the end of the item before.
  private static let longestArming = PlaybackPolicy().armLead + PlaybackPolicy().openingLeadWithSound
  /// The last frames of an item leave the sink at most this long after its end; then the next item follows, or nothing
  /// does.
  public static let settling: Duration = .seconds(2)

  public init() {}

  /// - Returns: finished plays.
  public mutating func handle(_ event: Event, at now: Instant) -> [FinishedPlay] {
    switch event {
    case .started(let deck, let id, let item, let isPicture, let at):
      let unseen = next.map { close($0, end: now, Totals()) }
      next = Play(deck: deck, id: id, item: item, isPicture: isPicture, announced: at)
      giveUntilNext()
      return unseen.map { [$0] } ?? []
    case .goesOn(let deck, let id):
      if next?.id == id, next?.ending == nil { next?.deck = deck } else if current?.id == id { current?.deck = deck }
      return []
    case .frame(let frame, let totals): return shown(frame, totals)
    case .heard(let deck, let at, let totals):
      let entries = begins(deck, at: at, before: totals)
      advance(to: at, allowing: Self.longestGap + RenderedSound.interval, of: deck)
      return entries
    case .waits(let deck, let until):
      guard let play = current, play.deck == deck, let mark = play.mark else { return [] }
      current?.left = max(play.left, until - mark)
      return []
    case .ended(let deck):
      end(.end, where: { $0.deck == deck }, at: now)
      giveUntilNext()
      return []
    case .failed(let id, let item, let error):
      if end(.failed, where: { $0.id == id && $0.ending == nil }, error: error, at: now) { return [] }
      // The item never began.
      return [FinishedPlay(item: item, start: now, end: now, ending: .failed, error: error)]
    case .running(let isRunning):
      guard isRunning != self.isRunning else { return [] }
      advance(to: now)
      self.isRunning = isRunning
      return []
    case .looked(let totals):
      guard next == nil, let play = current, let endedAt = play.endedAt,
        now - endedAt >= Self.settling
      else { return [] }
      return finishCurrent(end: endedAt, totals)
    case .stopping:
      end(.stopped, where: { $0.ending == nil }, at: now)
      return []
    case .stopped(let totals):
      var entries = current == nil ? [] : finishCurrent(end: min(current?.endedAt ?? now, now), totals, by: .stopped)
      if let next, next.ending == .end || next.ending == .failed { entries.append(close(next, end: now, Totals())) }
      next = nil
      return entries
    }
  }

  // MARK: Frames

  private mutating func shown(_ frame: RenderedFrame, _ totals: Totals) -> [FinishedPlay] {
    var before = totals
    if frame.wasRendered { before.rendered -= 1 } else { before.dropped -= 1 }
    let entries = begins(frame.deck, at: frame.at, before: before)
    guard frame.wasRendered else { return entries }
    advance(to: frame.at, allowing: max(frame.stays ?? .zero, Self.longestGap), of: frame.deck)
    follow(frame, dropped: totals.dropped)
    return entries
  }

  /// With a variable rate, the time of a frame is certain only when the next one is there and none in between was
  /// dropped.
  private mutating func follow(_ frame: RenderedFrame, dropped: Int) {
    guard var play = current, play.deck == frame.deck else { return }
    if let last = play.frame, last.epoch == frame.epoch, dropped == play.dropped {
      play.shown += max(.zero, min(play.ran, frame.streamTime - last.streamTime) - play.counted)
    }
    (play.frame, play.dropped, play.ran, play.counted) = (frame, dropped, .zero, .zero)
    current = play
  }

  /// Handles a frame or sound of a deck: if it belongs to the next item, the play before is over.
  ///
  /// - Parameter totals: the counters without that frame.
  private mutating func begins(_ deck: DeckID, at: Instant, before totals: Totals) -> [FinishedPlay] {
    guard var play = next, play.deck == deck else { return [] }
    next = nil
    var entries: [FinishedPlay] = []
    if let old = current {
      // After its end, an item doesn't count as playing while its last frame waits for the next item.
      let gap = old.endedAt.map { at - $0 } ?? .zero
      entries = finishCurrent(end: gap > Self.longestGap ? old.endedAt ?? at : at, totals)
    }
    play.first = at
    play.mark = at
    current = play
    return entries
  }

  /// Counts the time up to then for which the item was visibly running.
  private mutating func advance(to at: Instant, allowing left: Duration? = nil, of deck: DeckID? = nil) {
    guard var play = current, deck == nil || play.deck == deck else { return }
    if let mark = play.mark, at > mark {
      let step = at - mark
      if isRunning {
        let counted = play.isPicture ? step : min(step, play.left)
        play.shown += counted
        play.counted += counted
        play.ran += step
        play.left = max(.zero, play.left - step)
      }
      play.mark = at
    }
    if let left { play.left = left }
    current = play
  }

  // MARK: Ends

  @discardableResult
  private mutating func end(
    _ ending: PlayEnding, where isIt: (Play) -> Bool, error: Int? = nil, at: Instant
  ) -> Bool {
    func end(_ play: inout Play) {
      play.ending = ending
      play.error = error
      play.endedAt = at
    }
    if let play = current, isIt(play) {
      advance(to: at)
      if var play = current {
        end(&play)
        current = play
      }
      return true
    }
    guard var play = next, isIt(play) else { return false }
    end(&play)
    next = play
    return true
  }

  /// Moves the end to the next item's start: the end is reported when the next item is armed, some tenths of a second
  /// earlier.
  private mutating func giveUntilNext() {
    guard let endedAt = current?.endedAt, let start = next?.announced, start > endedAt,
      start - endedAt <= Self.longestArming
    else { return }
    current?.endedAt = start
  }

  private mutating func finishCurrent(
    end: Instant, _ totals: Totals, by ending: PlayEnding = .skipped
  ) -> [FinishedPlay] {
    advance(to: end)
    guard var play = current else { return [] }
    current = nil
    play.ending = play.ending ?? ending
    let counts = Totals(
      rendered: max(0, totals.rendered - told.rendered), dropped: max(0, totals.dropped - told.dropped))
    told = totals
    return [close(play, end: end, counts)]
  }

  private func close(_ play: Play, end: Instant, _ counts: Totals) -> FinishedPlay {
    let first = play.first ?? min(play.announced, end)
    return FinishedPlay(
      item: play.item, start: first, end: max(first, end), shown: play.shown, frames: counts.rendered,
      dropped: counts.dropped, ending: play.ending ?? .skipped, error: play.error)
  }
}
