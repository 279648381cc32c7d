/// Counts what was really shown: frames count once the output's sink has rendered them, and an item without a picture plays for as
/// long as it was heard. What the machine tells adds why: starts, ends, seeks, errors.
public struct PlaybackLedger: Sendable {
  /// A frame later than this beyond its due time is a stall: below it, viewers see a stutter rather than a stop
  /// (the report's definition).
  public static let stallThreshold: Duration = .milliseconds(250)
  /// A player runs for years: each list of the report keeps the newest entries only.
  public static let listLimit = 4096
  /// Errors kept for an item: enough to see whether they are always the same.
  static let errorLimit = 16
  /// Seeks whose frames are waited for: far fewer than there are epochs.
  static let openSeekLimit = 64
  /// What a clock's rounding may add to a gap of exactly a frame.
  static let gapTolerance: Duration = .microseconds(100)
  /// Interval assumed after a frame whose length nobody told: 25 frames a second.
  static let assumedInterval: Duration = .milliseconds(40)

  let processStart: Instant
  var items = ItemFigures()
  var decks: [DeckID: Deck] = [:]
  /// Of how many decks something is kept: those that live, and the one on the screen.
  var deckCount: Int { decks.count }
  var last: (deck: DeckID, frame: RenderedFrame)?
  /// When the next frame is due, while one is: nothing is due in a pause.
  var nextDue: Instant?
  /// Nobody wants the next frame.
  var isHeld = false
  /// How fast the current deck runs against the clock.
  var rate = 1.0
  /// Whether a decoder gave frames up since the last one that was shown: what is missing then isn't a picture that stays.
  var hasSkipped = false
  var lateReason: String?
  var openSeeks: [UInt32: OpenSeek] = [:]
  /// The seek that is now refined.
  var refining: OpenSeek?
  var firstFrameAt: Instant?
  public internal(set) var rendered = 0
  public internal(set) var dropped = 0
  var stalls: [PlaybackReport.Stall] = []
  var stallsTotal = 0
  var gaps: [Double] = []
  var longGaps = 0
  var longestGap: Duration?
  var droppedBeforeTransition = 0
  var hasEnded = false
  var transitions: [PlaybackReport.Transition] = []
  var transitionsTotal = 0
  var seeks: [PlaybackReport.Seek] = []
  var seeksTotal = 0
  var abandoned = 0
  var outputFaults = 0
  var clockLosses = 0
  var unexpected = 0
  var itemsStarted = 0
  var itemsFailed = 0
  var reconnects = 0
  /// Of `gaps`. Counted anew with each of them, and not with each who asks.
  public private(set) var gapSummary = PlaybackReport.GapSummary()

  /// - Parameter processStart: what `first_frame_ms` and `at_seconds` count from.
  public init(processStart: Instant, queue: PlayQueue) {
    self.processStart = processStart
    queueChanged(queue)
  }

  /// A frame was shown, or an item without picture came to its end.
  public var hasPlayedSomething: Bool { rendered > 0 || items.hasPlayed }

  /// The queue is another one; what was counted for items that stay is kept.
  public mutating func queueChanged(_ queue: PlayQueue) {
    items.queueChanged(queue)
  }

  // MARK: What the machine and the decks tell

  /// A deck is built for an item: what becomes of its frames is counted from now on.
  public mutating func deckBuilt(_ deck: DeckID, of item: ItemID) { update(deck, item: item) { _ in } }

  public mutating func itemStarted(_ item: ItemID, deck: DeckID, isAutomatic: Bool) {
    update(deck, item: item) { entry in
      entry.item = item
      entry.isAutomatic = isAutomatic
    }
    itemsStarted += 1
    items[item]?.plays += 1
    items[item]?.status = "playing"
  }

  public mutating func itemEnded(_ item: ItemID) {
    guard items[item]?.status == "playing" else { return }
    items[item]?.status = "played"
  }

  public mutating func itemFailed(_ item: ItemID, _ error: VitrineError) {
    itemsFailed += 1
    guard var entry = items[item] else { return }
    entry.status = "failed"
    entry.errorsTotal += 1
    entry.errors.append(PlaybackReport.Problem(error))
    if entry.errors.count > Self.errorLimit { entry.errors.removeFirst() }
    items[item] = entry
  }

  /// The item's source broke off, and it goes on in another deck.
  public mutating func reconnected(_ item: ItemID) {
    reconnects += 1
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

  /// - Parameter interval: from one frame to the next; a picture's whole time.
  public mutating func frameInterval(_ interval: Duration, deck: DeckID, item: ItemID) {
    update(deck, item: item) { $0.interval = interval }
  }

  public mutating func videoEnded(deck: DeckID, frames: UInt32, lastFrameDuration: Duration) {
    guard decks[deck] != nil else { return }
    decks[deck]?.total = frames
    decks[deck]?.lastDuration = lastFrameDuration
  }

  /// The deck has nothing to show but a card.
  public mutating func isSoundOnly(_ deck: DeckID, item: ItemID) { update(deck, item: item) { $0.isSoundOnly = true } }

  /// - Parameter end: in the deck's own time.
  public mutating func soundEnded(deck: DeckID, at end: Duration) { decks[deck]?.soundEnd = end }

  public mutating func deckAbandoned() { abandoned += 1 }

  /// Frames came to the output and none was shown.
  public mutating func outputFault() { outputFaults += 1 }

  public mutating func clockLost() { clockLosses += 1 }

  /// The machine was told what can't be.
  public mutating func unexpectedEvent() { unexpected += 1 }

  /// A deck is down, or was given up.
  public mutating func deckGone(_ deck: DeckID) {
    guard last?.deck != deck else { return }  // still needed for the gap to the next one
    if let entry = decks[deck], let item = entry.item, let rest = restOfSound(entry) {
      items[item]?.playedSeconds += rest.inSeconds
    }
    decks[deck] = nil
  }

  /// Frames that a decoder gave up before they came to the output.
  public mutating func framesSkippedByDecoder(_ count: Int) {
    dropped += count
    hasSkipped = hasSkipped || count > 0
  }

  /// How fast a deck runs, and until when its frame stays because the next one has come and isn't due; nil where none waits.
  public mutating func follows(_ deck: DeckID, rate: Double, waitsUntil due: Instant?) {
    self.rate = rate
    if let due, let next = nextDue, last?.deck == deck { nextDue = max(next, due) }
  }

  /// Whether playback isn't wanted, or somebody wants it to stand still: nothing is due then. What was late until now is a stall.
  public mutating func held(_ isHeld: Bool, at now: Instant) {
    guard isHeld != self.isHeld else { return }
    if isHeld { noteStall(endingAt: now) }
    self.isHeld = isHeld
    nextDue = nil
  }

  /// Why frames may be late from now on; nil when nothing holds them back.
  public mutating func waiting(_ reason: WaitingReason?) { if let reason { lateReason = reason.rawValue } }

  public mutating func seekStarted(_ flight: SeekFlight, to target: Duration, _ mode: SeekMode, at: Instant) {
    for old in openSeeks.keys { openSeeks[old]?.isPassed = true }
    var seek = OpenSeek(target: target, mode: mode, requestedAt: refining?.requestedAt ?? at, flight: flight)
    seek.firstHalf = refining?.flight
    openSeeks[flight.number] = seek
    refining = nil
    nextDue = nil
    // Long before the numbers of epochs have gone round.
    for old in openSeeks.keys.sorted() where openSeeks.count > Self.openSeekLimit { closeSeek(old) }
  }

  public mutating func seekEnded(_ number: UInt32, _ end: SeekEnd) {
    guard let seek = openSeeks[number] else { return }
    switch end {
    case .reached: openSeeks[number]?.isFlushed = true
    case .superseded: openSeeks[number]?.isPassed = true
    case .refined:
      // It goes on under another number, and has taken as long as both together.
      openSeeks[number] = nil
      refining = seek
    }
  }

  // MARK: Frames

  /// Takes what became of a frame at the sink.
  public mutating func record(_ frame: RenderedFrame) {
    guard var deck = decks[frame.deck] else { return recordLate(frame) }
    if frame.index >= deck.nextIndex {
      dropped += Int(frame.index - deck.nextIndex)
      deck.nextIndex = frame.index + 1
    }
    defer { decks[frame.deck] = deck }
    guard frame.wasRendered else {
      dropped += 1
      return
    }
    rendered += 1
    if let item = deck.item { items.add(frames: 1, to: item) }
    if firstFrameAt == nil { firstFrameAt = frame.at }

    if let previous = deck.lastFrame, !deck.isSoundOnly { noteStep(from: previous, to: frame, of: deck.item) }
    noteStall(endingAt: frame.at)
    if let last, last.deck != frame.deck { noteTransition(from: last.deck, last.frame, to: deck, frame) }
    if !deck.isSoundOnly { noteSeeks(frame) }
    deck.lastFrame = frame
    last = (frame.deck, frame)
    hasSkipped = false
    expectNext(frame.at + (deck.isSoundOnly ? RenderedSound.interval : stay(of: frame, deck)))
  }

  /// Behind one that comes out of the sink after playback was held, nothing is due.
  private mutating func expectNext(_ due: Instant) {
    nextDue = isHeld ? nil : due
    lateReason = nil
  }

  /// A frame comes out of the sink after its deck was forgotten. It counts, but its deck isn't known anew: nobody would forget it
  /// a second time, and its number would look as if all before it had been dropped.
  private mutating func recordLate(_ frame: RenderedFrame) {
    if frame.wasRendered { rendered += 1 } else { dropped += 1 }
  }

  /// Takes how far a deck was heard that has only sound.
  public mutating func record(_ sound: RenderedSound) {
    guard var deck = decks[sound.deck] else { return }
    noteStall(endingAt: sound.at)
    if let previous = deck.lastSound, let item = deck.item {
      let step = sound.streamTime - previous.streamTime
      // A seek back or far ahead is no playing time.
      if step > .zero, step < .seconds(2) { items[item]?.playedSeconds += step.inSeconds }
    }
    noteSeeks(
      RenderedFrame(
        deck: sound.deck, index: 0, streamTime: sound.streamTime, epoch: sound.epoch, at: sound.at, wasRendered: true))
    deck.lastSound = sound
    decks[sound.deck] = deck
    expectNext(sound.at + RenderedSound.interval)
  }

  /// What is still to be heard of a deck after it was told last; nil where it never was.
  func restOfSound(_ deck: Deck) -> Duration? {
    deck.lastSound.map { min(max(.zero, (deck.soundEnd ?? $0.running) - $0.running), RenderedSound.interval * 2) }
  }

  private mutating func noteTransition(
    from old: DeckID, _ lastFrame: RenderedFrame, to deck: Deck, _ frame: RenderedFrame
  ) {
    guard let before = decks[old] else { return }
    dropped += lostTail(of: before)
    var lastDuration = before.lastDuration ?? before.interval
    var lastAt = lastFrame.at
    if before.isSoundOnly, let sound = before.lastSound, let rest = restOfSound(before) {
      (lastDuration, lastAt) = (rest, sound.at)
    }
    // One that was passed over has been seen for less than it was to be.
    if let item = before.item {
      items[item]?.playedSeconds += min(lastDuration, max(.zero, frame.at - lastAt)).inSeconds
    }
    decks[old] = nil
    guard deck.isAutomatic else { return }
    let gap = frame.at - lastAt - lastDuration
    Self.append(gap.inMilliseconds, to: &gaps)
    if gap > slowerInterval(before, deck) + Self.gapTolerance { longGaps += 1 }
    longestGap = max(longestGap ?? gap, gap)
    gapSummary = summary(ofGaps: gaps)
    Self.append(
      PlaybackReport.Transition(
        from: index(of: before.item), to: index(of: deck.item), fromKind: kind(of: before.item),
        toKind: kind(of: deck.item), atSeconds: (frame.at - processStart).inSeconds,
        framesDropped: dropped - droppedBeforeTransition), to: &transitions)
    droppedBeforeTransition = dropped
    transitionsTotal += 1
  }

  /// A frame of the slower of two items. A picture has no frame interval of its own.
  private func slowerInterval(_ a: Deck, _ b: Deck) -> Duration {
    [a, b].filter { kind(of: $0.item) != MediaKind.picture.rawValue }.map(\.interval).max() ?? Self.assumedInterval
  }

  private func summary(ofGaps gaps: [Double]) -> PlaybackReport.GapSummary {
    var summary = PlaybackReport.GapSummary()
    let sorted = gaps.sorted()
    summary.longerThanFrame = longGaps
    summary.medianMilliseconds = Self.percentile(0.5, of: sorted)
    summary.percentile99Milliseconds = Self.percentile(0.99, of: sorted)
    summary.longestMilliseconds = longestGap?.inMilliseconds
    return summary
  }

  /// The smallest value that so large a part of them doesn't exceed.
  private static func percentile(_ part: Double, of sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    return sorted[min(sorted.count - 1, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
  }

  mutating func noteStall(endingAt end: Instant) {
    guard let nextDue, end - nextDue > Self.stallThreshold, !isStill else { return }
    Self.append(stall(from: nextDue, to: end), to: &stalls)
    stallsTotal += 1
  }

  private func stall(from due: Instant, to end: Instant) -> PlaybackReport.Stall {
    PlaybackReport.Stall(
      atSeconds: (due - processStart).inSeconds, seconds: (end - due).inSeconds, reason: lateReason ?? "late")
  }

  /// Frames come in the order of their seeks, so that those before the one that brought this have brought none.
  private mutating func noteSeeks(_ frame: RenderedFrame) {
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
    seeksTotal += 1
    Self.append(
      PlaybackReport.Seek(
        requestedSeconds: seek.target.inSeconds, shownSeconds: frame?.streamTime.inSeconds,
        latencyMilliseconds: frame.map { ($0.at - seek.requestedAt).inMilliseconds }, kind: seek.mode.kind),
      to: &seeks)
  }

  /// Place in the list, from 0; -1 for an item that is no longer listed.
  private func index(of item: ItemID?) -> Int { items.order.firstIndex { $0.id == item } ?? -1 }

  private func kind(of item: ItemID?) -> String { items.order.first { $0.id == item }?.item.kind.rawValue ?? "gone" }

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
