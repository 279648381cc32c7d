public import PlaybackCore

/// Judges whether the screens show the frames that they should, so that the supervisor can replace a process that
/// hangs.
///
/// At regular looks it gets the facts of each screen and gives a verdict. The call itself shows that the loop is
/// running. A screen is `well`, or frames are `missing`: then the time for which frames are owed is counted. The count
/// goes on, whatever deck plays, until a frame comes or none is owed any more. Past its limit the verdict is `stuck`,
/// and stays so until a frame comes: a process that doesn't recover is replaced.
public struct HealthMachine: Hashable, Sendable {
  /// The facts of a screen.
  public struct Screen: Hashable, Sendable {
    public var name: String
    public var state: ScreenMachine.State
    public var owed: OwedProgress
    /// The number of frames that it has shown. Never decreases.
    public var frames: Int
    /// How often playback has acted on missing frames: with a fresh deck, a fresh output.
    public var remedies: Int
    /// The deck that plays, or is to play.
    public var deck: DeckID?
    /// The item of that deck.
    public var item: ItemID?
    /// Whether another item could be played instead.
    public var hasOthers: Bool

    /// Whether it shows the due frame, or has a reason not to.
    public var owesNothing: Bool {
      switch state {
      case .opening: false
      case .shown: owed == .nothing
      case .waiting, .asleep, .ended: true
      }
    }

    public init(
      name: String, state: ScreenMachine.State, owed: OwedProgress, frames: Int, remedies: Int, deck: DeckID?,
      item: ItemID? = nil, hasOthers: Bool = false
    ) {
      self.name = name
      self.state = state
      self.owed = owed
      self.frames = frames
      self.remedies = remedies
      self.deck = deck
      self.item = item
      self.hasOthers = hasOthers
    }
  }

  public enum Fault: Hashable, Sendable {
    /// Frames are due and don't come.
    case noFrames
    /// There is a screen, but no output that shows pictures on it.
    case noOutput
    /// A start or a seek has passed all its deadlines.
    case noStart
  }

  public enum Verdict: Hashable, Sendable {
    case well
    /// `screen`: its name. `owed`: how long frames have been owed.
    case stuck(screen: String, Fault, owed: Duration)
  }

  private struct Watch: Hashable {
    var frames: Int
    var remedies: Int
    /// How long frames have been owed since the last one.
    var owed = Duration.zero
    /// The limit for `owed`; nil before the first owed frame.
    var allowed: Duration?
    /// How long the start or seek of one deck has been going on.
    var soon = Duration.zero
    var deck: DeckID?
    var fault: Fault?
    /// The items from which no frame has come since the last one, although frames were owed.
    var items: Set<ItemID> = []
    var hasOthers = false

    init(_ screen: Screen) { (frames, remedies, deck) = (screen.frames, screen.remedies, screen.deck) }
  }

  private let policy: HealthPolicy
  private let start: Instant
  private var lastLook: Instant
  private var watches: [String: Watch] = [:]
  /// Whether the supervisor may be told that the process is ready.
  public private(set) var isReady = false
  public private(set) var verdict = Verdict.well
  /// The deck that a verdict of `stuck` is blamed on: that of the only item from which no frame came. Nil where several
  /// items gave no frame, one after the other, or the output was missing: then the item isn't to blame. Nil also where
  /// there is no other item: every fault would be blamed on it, and nothing would play without it.
  public private(set) var suspect: DeckID?

  public init(policy: HealthPolicy = HealthPolicy(), at now: Instant) {
    self.policy = policy
    start = now
    lastLook = now
  }

  /// Judges the screens' facts of now.
  public mutating func evaluate(_ screens: [Screen], at now: Instant) -> Verdict {
    // At most two intervals are counted between two looks. A longer gap means that the loop stood still: that is found
    // elsewhere, and the frames that waited for the loop weren't missing.
    let passed = min(max(.zero, now - lastLook), policy.lookInterval * 2)
    let before = now - passed
    lastLook = now
    watches = watches.filter { name, _ in screens.contains { $0.name == name } }
    for screen in screens { watch(screen, from: before, to: now) }
    isReady = isReady || now - start >= policy.readyLimit || screens.allSatisfy(hasWhatItCan)
    (verdict, suspect) = (.well, nil)
    for (name, watch) in watches.sorted(by: { $0.key < $1.key }) {
      guard let fault = watch.fault else { continue }
      verdict = .stuck(screen: name, fault, owed: max(watch.owed, fault == .noStart ? watch.soon : .zero))
      if fault != .noOutput, watch.hasOthers, watch.items.count == 1 { suspect = watch.deck }
      break
    }
    return verdict
  }

  /// Whether a screen has shown a frame, or has a reason not to.
  private func hasWhatItCan(_ screen: Screen) -> Bool {
    if screen.frames > 0 { return true }
    switch (screen.state, screen.owed) {
    case (.waiting, _), (.asleep, _), (.ended, _): return true
    case (.opening, _): return false
    // While the network is missing, a card is shown.
    case (.shown, .nothing), (.shown, .later): return true
    case (.shown, .soon), (.shown, .frame), (.shown, .output): return false
    }
  }

  private mutating func watch(_ screen: Screen, from before: Instant, to now: Instant) {
    var watch = watches[screen.name] ?? Watch(screen)
    defer { watches[screen.name] = watch }
    let isMoving = screen.frames != watch.frames
    if isMoving || screen.owesNothing {
      // Frames that are due since this frame are counted from the next look on.
      watch = Watch(screen)
      return
    }
    let isSame = screen.owed == .soon && watch.deck == screen.deck
    let soon = isSame ? watch.soon : .zero
    watch.soon = screen.owed == .soon ? soon + (now - before) : .zero
    watch.deck = screen.deck
    watch.hasOthers = screen.hasOthers
    var (owed, limit, fault) = debt(of: screen, from: before, to: now)
    if watch.owed > .zero { owed += max(.zero, min(watch.soon, policy.seam) - soon) }
    watch.owed = watch.owed + owed
    if owed > .zero || watch.soon > .zero, let item = screen.item { watch.items.insert(item) }
    if owed > .zero { watch.allowed = max(watch.allowed ?? .zero, limit) }
    if screen.remedies != watch.remedies {
      watch.remedies = screen.remedies
      if watch.allowed != nil { watch.allowed = min(policy.longest, watch.owed + max(policy.remedy, limit)) }
    }
    if let allowed = watch.allowed, watch.owed >= allowed {
      watch.fault = fault ?? watch.fault ?? .noFrames
    } else {
      watch.fault = watch.soon >= policy.soon ? .noStart : nil
    }
  }

  /// The time between two looks for which frames were owed, the limit for it, and the fault past the limit.
  private func debt(of screen: Screen, from before: Instant, to now: Instant) -> (Duration, Duration, Fault?) {
    if case .opening = screen.state { return (now - before, policy.output, .noOutput) }
    switch screen.owed {
    case .output: return (now - before, policy.output, .noOutput)
    case .frame(let due, let isRemote):
      return (max(.zero, now - max(before, due)), isRemote ? policy.remote : policy.local, .noFrames)
    case .nothing, .later, .soon: return (.zero, policy.local, nil)
    }
  }
}
