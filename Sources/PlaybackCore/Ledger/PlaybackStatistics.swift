/// Counts what was really shown: a frame counts once the output's sink has rendered it, and an item without a picture
/// counts for as long as it was heard. The playback machine adds the reasons: starts, ends, seeks, errors.
public struct PlaybackStatistics: Sendable {
  /// A frame later than this beyond its due time is a stall: below it, viewers see a stutter rather than a stop
  /// (the report's definition).
  public static let stallThreshold: Duration = .milliseconds(250)
  /// A player runs for years: each list of the report keeps only its newest entries.
  public static let listLimit = 4096
  /// Errors kept for an item: enough to see whether they are always the same.
  static let errorLimit = 16
  /// Seeks whose frames are waited for; far fewer than there are epochs.
  static let openSeekLimit = 64
  /// Tolerance for a gap of exactly a frame: the clock's rounding may add this much.
  static let gapTolerance: Duration = .microseconds(100)
  /// Interval assumed after a frame of unknown duration: 25 frames a second.
  static let assumedInterval: Duration = .milliseconds(40)

  let processStart: Instant
  var items = ItemFigures()
  var decks: [DeckID: Deck] = [:]
  /// Decks of which something is kept: those that live, and the one on the screen.
  var deckCount: Int { decks.count }
  var last: (deck: DeckID, frame: RenderedFrame)?
  /// When the next frame is due; nil while none is, as in a pause.
  var nextDue: Instant?
  /// Whether playback is paused or not wanted, so that no frame is due.
  var isHeld = false
  /// Rate of the current deck against the clock.
  var rate = 1.0
  /// Whether a decoder dropped frames since the last one that was shown: then missing frames don't make that one a
  /// still picture.
  var hasSkipped = false
  var lateReason: String?
  private var waitingReason: WaitingReason?
  var openSeeks: [UInt32: OpenSeek] = [:]
  /// The first half of a seek that is now refined.
  var refining: OpenSeek?
  var firstFrameAt: Instant?
  /// Counts since the start; they only grow.
  public private(set) var counters = PlaybackCounters()
  var stalls: [PlaybackReport.Stall] = []
  var gaps: [Double] = []
  var longestGap: Duration?
  var droppedBeforeTransition = 0
  var hasEnded = false
  var transitions: [PlaybackReport.Transition] = []
  var seeks: [PlaybackReport.Seek] = []
  /// Summary of `gaps`; computed when a gap is added, not when it is read.
  public private(set) var gapSummary = PlaybackReport.GapSummary()

  /// - Parameter processStart: the origin of `first_frame_ms` and `at_seconds`.
  public init(processStart: Instant, queue: PlayQueue) {
    self.processStart = processStart
    queueChanged(queue)
  }

  /// Whether a frame was shown, or an item without picture has played to its end.
  public var hasPlayedSomething: Bool { counters[.framesRendered] > 0 || items.hasPlayed }

  /// Adopts a changed queue; counts of items that stay are kept.
  public mutating func queueChanged(_ queue: PlayQueue) {
    items.queueChanged(queue)
  }

  // MARK: Reports of the machine and the decks

  /// A deck was built for an item: its frames are counted from now on.
  public mutating func deckBuilt(_ deck: DeckID, of item: ItemID) { update(deck, item: item) { _ in } }

  public mutating func itemStarted(_ item: ItemID, deck: DeckID, isAutomatic: Bool) {
    update(deck, item: item) { entry in
      entry.item = item
      entry.isAutomatic = isAutomatic
    }
    count(.itemsStarted)
    items[item]?.plays += 1
    items[item]?.status = "playing"
  }

  public mutating func itemEnded(_ item: ItemID) {
    guard items[item]?.status == "playing" else { return }
    items[item]?.status = "played"
  }

  public mutating func itemFailed(_ item: ItemID, _ error: VitrineError) {
    count(.itemsFailed)
    guard var entry = items[item] else { return }
    entry.status = "failed"
    entry.errorsTotal += 1
    entry.errors.append(PlaybackReport.Problem(error))
    if entry.errors.count > Self.errorLimit { entry.errors.removeFirst() }
    items[item] = entry
  }

  /// The item's source broke off, and another deck continues it.
  public mutating func reconnected(_ item: ItemID) {
    count(.reconnects)
    items[item]?.reconnects += 1
  }

  public mutating func mediaSize(_ size: PresentationSize, item: ItemID) {
    items[item]?.width = size.pixels.width
    items[item]?.height = size.pixels.height
    items[item]?.pixelAspect = "\(size.pixelAspect.numerator)/\(size.pixelAspect.denominator)"
  }

  public mutating func framePath(_ path: FramePath, item: ItemID) {
    items[item]?.decoder = path.decoder
    items[item]?.framePath = path.word
  }

  public mutating func framesCopied(_ count: Int, item: ItemID) {
    let known = items[item]?.framesCopied ?? 0
    items[item]?.framesCopied = known + count
  }

  public mutating func duration(_ duration: Duration?, item: ItemID) {
    items[item]?.durationSeconds = duration?.inSeconds
  }

  /// - Parameter interval: duration of a frame; for a picture its whole duration.
  public mutating func frameInterval(_ interval: Duration, deck: DeckID, item: ItemID) {
    update(deck, item: item) { $0.interval = interval }
  }

  public mutating func videoEnded(deck: DeckID, frames: UInt32, lastFrameDuration: Duration) {
    guard decks[deck] != nil else { return }
    decks[deck]?.total = frames
    decks[deck]?.lastDuration = lastFrameDuration
  }

  /// The deck shows a card only, because its item has no picture.
  public mutating func isSoundOnly(_ deck: DeckID, item: ItemID) { update(deck, item: item) { $0.isSoundOnly = true } }

  /// - Parameter end: running time in the deck.
  public mutating func soundEnded(deck: DeckID, at end: Duration) { decks[deck]?.soundEnd = end }

  public mutating func count(_ counter: PlaybackCounter, _ more: Int = 1) { counters[counter] += more }

  /// A deck is shut down, or was given up.
  public mutating func deckGone(_ deck: DeckID) {
    guard last?.deck != deck else { return }  // still needed for the gap to the next one
    if let entry = decks[deck], let item = entry.item, let rest = restOfSound(entry) {
      items[item]?.playedSeconds += rest.inSeconds
    }
    decks[deck] = nil
  }

  /// A decoder dropped frames before they came to the output.
  public mutating func framesSkippedByDecoder(_ count: Int) {
    self.count(.framesDropped, count)
    hasSkipped = hasSkipped || count > 0
  }

  /// Follows the current deck's rate. A frame that waits for its time extends the one on the screen until `due`; nil
  /// where none waits.
  public mutating func follows(_ deck: DeckID, rate: Double, waitsUntil due: Instant?) {
    self.rate = rate
    if let due, let next = nextDue, last?.deck == deck { nextDue = max(next, due) }
  }

  /// Playback is held, or goes on: while it is held no frame is due. A delay up to now counts as a stall.
  public mutating func held(_ isHeld: Bool, at now: Instant) {
    guard isHeld != self.isHeld else { return }
    if isHeld { recordStall(endingAt: now) }
    self.isHeld = isHeld
    nextDue = nil
  }

  /// The reason why frames may be late from now on; nil when nothing holds them back.
  public mutating func waiting(_ reason: WaitingReason?) {
    if reason == .buffering, waitingReason == nil, let last, let deck = decks[last.deck], let item = deck.item,
      items[item]?.status == "playing", deck.total.map({ deck.nextIndex < $0 }) ?? true
    {
      count(.rebuffers)
    }
    waitingReason = reason
    if let reason { lateReason = reason.rawValue }
  }

  public mutating func seekStarted(_ flight: SeekFlight, to target: Duration, _ mode: SeekMode, at: Instant) {
    for old in openSeeks.keys { openSeeks[old]?.isPassed = true }
    var seek = OpenSeek(target: target, mode: mode, requestedAt: refining?.requestedAt ?? at, flight: flight)
    seek.firstHalf = refining?.flight
    openSeeks[flight.number] = seek
    refining = nil
    nextDue = nil
    // Closes old seeks long before the epochs' numbers wrap.
    for old in openSeeks.keys.sorted() where openSeeks.count > Self.openSeekLimit { closeSeek(old) }
  }

  public mutating func seekEnded(_ number: UInt32, _ end: SeekEnd) {
    guard let seek = openSeeks[number] else { return }
    switch end {
    case .reached: openSeeks[number]?.isFlushed = true
    case .superseded: openSeeks[number]?.isPassed = true
    case .refined:
      // The seek goes on under another number, and has taken as long as both halves together.
      openSeeks[number] = nil
      refining = seek
    }
  }

  // MARK: Frames

  /// Records what became of a frame at the sink.
  public mutating func record(_ frame: RenderedFrame) {
    guard var deck = decks[frame.deck] else { return recordLate(frame) }
    if frame.index >= deck.nextIndex {
      count(.framesDropped, Int(frame.index - deck.nextIndex))
      deck.nextIndex = frame.index + 1
    }
    defer { decks[frame.deck] = deck }
    guard frame.wasRendered else {
      count(.framesDropped)
      return
    }
    count(.framesRendered)
    if let item = deck.item { items.add(frames: 1, to: item) }
    if firstFrameAt == nil { firstFrameAt = frame.at }

    if let previous = deck.lastFrame, !deck.isSoundOnly { recordStep(from: previous, to: frame, of: deck.item) }
    recordStall(endingAt: frame.at)
    if let last, last.deck != frame.deck { recordTransition(from: last.deck, last.frame, to: deck, frame) }
    if !deck.isSoundOnly { matchSeeks(frame) }
    deck.lastFrame = frame
    last = (frame.deck, frame)
    hasSkipped = false
    expectNext(frame.at + (deck.isSoundOnly ? RenderedSound.interval : stay(of: frame, deck)))
  }

  /// Sets when the next frame is due. A frame may come out of the sink after playback was held; nothing is due after
  /// it.
  private mutating func expectNext(_ due: Instant) {
    nextDue = isHeld ? nil : due
    lateReason = nil
  }

  /// Counts a frame that comes out of the sink after its deck was forgotten. The deck isn't entered again: it would
  /// never be removed, and the frame's index would look as if all frames before it had been dropped.
  private mutating func recordLate(_ frame: RenderedFrame) {
    count(frame.wasRendered ? .framesRendered : .framesDropped)
  }

  /// Records how far a deck without a picture was heard.
  public mutating func record(_ sound: RenderedSound) {
    guard var deck = decks[sound.deck] else { return }
    recordStall(endingAt: sound.at)
    if let previous = deck.lastSound, let item = deck.item {
      let step = sound.streamTime - previous.streamTime
      // A seek back or far ahead isn't playing time.
      if step > .zero, step < .seconds(2) { items[item]?.playedSeconds += step.inSeconds }
    }
    matchSeeks(
      RenderedFrame(
        deck: sound.deck, index: 0, streamTime: sound.streamTime, epoch: sound.epoch, at: sound.at, wasRendered: true))
    deck.lastSound = sound
    decks[sound.deck] = deck
    expectNext(sound.at + RenderedSound.interval)
  }

  /// The sound of a deck that is still to be heard after its last report; nil where it never reported.
  func restOfSound(_ deck: Deck) -> Duration? {
    deck.lastSound.map { min(max(.zero, (deck.soundEnd ?? $0.running) - $0.running), RenderedSound.interval * 2) }
  }

  private mutating func recordTransition(
    from old: DeckID, _ lastFrame: RenderedFrame, to deck: Deck, _ frame: RenderedFrame
  ) {
    guard let before = decks[old] else { return }
    count(.framesDropped, lostTail(of: before))
    var lastDuration = before.lastDuration ?? before.interval
    var lastAt = lastFrame.at
    if before.isSoundOnly, let sound = before.lastSound, let rest = restOfSound(before) {
      (lastDuration, lastAt) = (rest, sound.at)
    }
    // An item that was skipped has been seen for less than its frame's duration.
    if let item = before.item {
      items[item]?.playedSeconds += min(lastDuration, max(.zero, frame.at - lastAt)).inSeconds
    }
    decks[old] = nil
    guard deck.isAutomatic else { return }
    let gap = frame.at - lastAt - lastDuration
    Self.append(gap.inMilliseconds, to: &gaps)
    if gap > slowerInterval(before, deck) + Self.gapTolerance { count(.longGaps) }
    longestGap = max(longestGap ?? gap, gap)
    gapSummary = summary(ofGaps: gaps)
    Self.append(
      PlaybackReport.Transition(
        from: index(of: before.item), to: index(of: deck.item), fromKind: kind(of: before.item),
        toKind: kind(of: deck.item), atSeconds: (frame.at - processStart).inSeconds,
        framesDropped: counters[.framesDropped] - droppedBeforeTransition), to: &transitions)
    droppedBeforeTransition = counters[.framesDropped]
    count(.transitions)
  }

  /// A frame's duration, of the slower of two items. A picture has no frame interval of its own.
  private func slowerInterval(_ a: Deck, _ b: Deck) -> Duration {
    [a, b].filter { kind(of: $0.item) != MediaKind.picture.rawValue }.map(\.interval).max() ?? Self.assumedInterval
  }

  private func summary(ofGaps gaps: [Double]) -> PlaybackReport.GapSummary {
    var summary = PlaybackReport.GapSummary()
    let sorted = gaps.sorted()
    summary.longerThanFrame = counters[.longGaps]
    summary.medianMilliseconds = Self.percentile(0.5, of: sorted)
    summary.percentile99Milliseconds = Self.percentile(0.99, of: sorted)
    summary.longestMilliseconds = longestGap?.inMilliseconds
    return summary
  }

  /// The smallest value that is at least as great as this share of all values.
  private static func percentile(_ part: Double, of sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    return sorted[min(sorted.count - 1, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
  }

  mutating func recordStall(endingAt end: Instant) {
    guard let nextDue, end - nextDue > Self.stallThreshold, !isStill else { return }
    Self.append(stall(from: nextDue, to: end), to: &stalls)
    count(.stalls)
  }

  private func stall(from due: Instant, to end: Instant) -> PlaybackReport.Stall {
    PlaybackReport.Stall(
      atSeconds: (due - processStart).inSeconds, seconds: (end - due).inSeconds, reason: lateReason ?? "late")
  }

  /// Frames come in the order of their seeks: once a later seek's frame is shown, earlier seeks get none.
  private mutating func matchSeeks(_ frame: RenderedFrame) {
    for number in openSeeks.keys.sorted() {
      guard let seek = openSeeks[number] else { continue }
      if seek.hasBrought(frame) {
        closeSeek(number, shown: frame)
      } else if let first = seek.firstHalf, first.origin(of: frame) == .thisSeek {
        openSeeks[number]?.firstFrame = frame
      } else if seek.isPassed, seek.isBehind(frame) {
        closeSeek(number)
      }
    }
  }

  mutating func closeSeek(_ number: UInt32, shown: RenderedFrame? = nil) {
    guard let seek = openSeeks.removeValue(forKey: number) else { return }
    let frame = shown ?? seek.firstFrame
    count(.seeks)
    Self.append(
      PlaybackReport.Seek(
        requestedSeconds: seek.target.inSeconds, shownSeconds: frame?.streamTime.inSeconds,
        latencyMilliseconds: frame.map { ($0.at - seek.requestedAt).inMilliseconds }, kind: seek.mode.kind),
      to: &seeks)
  }

  /// Index in the list; -1 for an item that is no longer listed.
  private func index(of item: ItemID?) -> Int { items.order.firstIndex { $0.id == item } ?? -1 }

  func kind(of item: ItemID?) -> String { items.order.first { $0.id == item }?.item.kind.rawValue ?? "gone" }

  private mutating func update(_ deck: DeckID, item: ItemID, _ change: (inout Deck) -> Void) {
    var entry = decks[deck] ?? Deck(item: item, isAutomatic: false)
    change(&entry)
    decks[deck] = entry
  }

  private static func append<T>(_ value: T, to list: inout [T]) {
    if list.count >= listLimit { list.removeFirst() }
    list.append(value)
  }
}
