public import PlaybackCore

/// What the clocks said at one moment.
public struct PlayMoment: Hashable, Sendable {
  public var instant: Instant
  /// Since 1970, UTC.
  public var milliseconds: Int64
  /// Whether something keeps the clock right that tells the date.
  public var isSynchronised: Bool

  public init(_ instant: Instant, milliseconds: Int64, isSynchronised: Bool) {
    self.instant = instant
    self.milliseconds = milliseconds
    self.isSynchronised = isSynchronised
  }

  /// What that clock said, or would have said, then. From here backwards: one that was set meanwhile is right now.
  fileprivate func milliseconds(at other: Instant) -> Int64 {
    let ago = (instant - other).wholeNanoseconds / 1_000_000
    return milliseconds.clampedSubtracting(ago)
  }
}

/// A play that is over, on the clock that nobody sets.
public struct FinishedPlay: Hashable, Sendable {
  public var item: PlayedItem
  public var start: Instant
  public var end: Instant
  /// To be seen running.
  public var shown: Duration = .zero
  public var frames = 0
  public var dropped = 0
  public var ending: PlayEnding
  public var error: Int?
}

extension PlayEntry {
  /// - Parameter now: dates are told from here backwards.
  public init(_ play: FinishedPlay, at now: PlayMoment) {
    self.init(
      play.item, start: now.milliseconds(at: play.start), end: now.milliseconds(at: play.end),
      seconds: play.shown.inSeconds, ending: play.ending, isClockGood: now.isSynchronised)
    (frames, dropped, error) = (play.frames, play.dropped, play.error)
    monotonic = (play.start - Instant(nanoseconds: 0)).inSeconds
  }
}

/// Tells what one screen has shown. It has no clock and no file; each fact comes with its time.
///
/// A play begins with the first frame that comes out of the sink, and ends with the first of the next one: what a machine has decided
/// is no proof. Frames are told apart by their decks; how many there were is the difference of the counters between two such frames, so that
/// all entries together have what the counters have.
public struct PlayRecorder: Sendable {
  /// What was rendered and dropped on this screen, ever.
  public struct Totals: Hashable, Sendable {
    public var rendered: Int
    public var dropped: Int
    public init(rendered: Int = 0, dropped: Int = 0) {
      self.rendered = rendered
      self.dropped = dropped
    }
  }

  public enum Event: Hashable, Sendable {
    /// An item is the current one from then on; its frames may come later.
    case started(DeckID, ItemID, PlayedItem, isPicture: Bool, at: Instant)
    /// The item that plays goes on in that deck.
    case goesOn(DeckID, ItemID)
    /// A frame came out of the sink; the totals have it already.
    case frame(RenderedFrame, Totals)
    /// Sound of an item without a picture was heard.
    case heard(DeckID, at: Instant, Totals)
    case ended(DeckID)
    /// By the number of its error. The item is told because it may never have begun.
    case failed(ItemID, PlayedItem, error: Int)
    /// Whether playback goes on: it is wanted, and nothing holds it back.
    case running(Bool)
    /// Some time has gone.
    case looked(Totals)
    /// The player is asked to end; frames may be on their way.
    case stopping
    /// It has ended, or this isn't to be written down any more.
    case stopped(Totals)
  }

  private struct Play: Hashable, Sendable {
    var deck: DeckID
    var id: ItemID
    var item: PlayedItem
    var isPicture: Bool
    var announced: Instant
    /// When it was first to be seen, or heard.
    var first: Instant?
    var shown: Duration = .zero
    /// Up to when `shown` is counted, and what of the last frame's time is left.
    var mark: Instant?
    var left: Duration = .zero
    var ending: PlayEnding?
    var error: Int?
    var endedAt: Instant?
  }

  /// To be seen now, or the last that was.
  private var current: Play?
  /// Announced, and not to be seen yet.
  private var next: Play?
  /// What entries have of the counters so far.
  private var told = Totals()
  private var isRunning = false

  /// A frame may stay on the screen for so long without another one being missed: what is more is a stall, and no play. As the
  /// report has it.
  private static let longestGap = PlaybackLedger.stallThreshold
  /// So long before the first frame of an item its start is told at most, and with it the end of the one before it.
  private static let longestArming = PlaybackPolicy().armLead + PlaybackPolicy().openingLeadWithSound
  /// The last frames of an item come out of the sink so long after its end at most; then the next one follows, or nothing does.
  public static let settling: Duration = .seconds(2)

  public init() {}

  /// - Returns: plays that are over.
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
    case .ended(let deck):
      end(.end, where: { $0.deck == deck }, at: now)
      giveUntilNext()
      return []
    case .failed(let id, let item, let error):
      if end(.failed, where: { $0.id == id && $0.ending == nil }, error: error, at: now) { return [] }
      // What could never be shown.
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

  /// Whether something has ended and waits for its last frames.
  public var waitsForEnd: Bool { current?.endedAt != nil && next == nil }

  // MARK: Frames

  private mutating func shown(_ frame: RenderedFrame, _ totals: Totals) -> [FinishedPlay] {
    var before = totals
    if frame.wasRendered { before.rendered -= 1 } else { before.dropped -= 1 }
    let entries = begins(frame.deck, at: frame.at, before: before)
    if frame.wasRendered { advance(to: frame.at, allowing: max(frame.stays ?? .zero, Self.longestGap), of: frame.deck) }
    return entries
  }

  /// Something of a deck is there: where it is the next one's, the play before it is over.
  ///
  /// - Parameter totals: without that.
  private mutating func begins(_ deck: DeckID, at: Instant, before totals: Totals) -> [FinishedPlay] {
    guard var play = next, play.deck == deck else { return [] }
    next = nil
    var entries: [FinishedPlay] = []
    if let old = current {
      // What has come to its end isn't played while its last frame waits for the next one.
      let gap = old.endedAt.map { at - $0 } ?? .zero
      entries = finishCurrent(end: gap > Self.longestGap ? old.endedAt ?? at : at, totals)
    }
    play.first = at
    play.mark = at
    current = play
    return entries
  }

  /// Counts what was to be seen running up to then.
  private mutating func advance(to at: Instant, allowing left: Duration? = nil, of deck: DeckID? = nil) {
    guard var play = current, deck == nil || play.deck == deck else { return }
    if let mark = play.mark, at > mark {
      let step = at - mark
      if isRunning {
        play.shown += play.isPicture ? step : min(step, play.left)
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

  /// The end is told when the next one is armed for it, some tenths of a second before.
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
