public import PlaybackCore

/// Whether the picture goes on where it should, for whoever would replace this process.
///
/// It is told again and again what each screen says of itself, and says whether all is well. That the loop turns at all is shown by its being
/// told. A screen is `well`, or frames are `missing` from it: then they have been owed for a while that is counted, and so long as it is
/// neither shown a frame nor has a reason to show none, the count goes on, whatever deck plays. Counted time is over when a
/// frame comes, or when nothing is owed any more. Past its limit the verdict is `stuck`, and stays so until a frame comes: who
/// doesn't get out of it is replaced.
public struct HealthMachine: Hashable, Sendable {
  /// What a screen says.
  public struct Screen: Hashable, Sendable {
    public var name: String
    public var state: ScreenMachine.State
    public var owed: OwedProgress
    /// How many frames of it have been shown. Never becomes less.
    public var frames: Int
    /// How often playback has done something against frames that don't come: a fresh deck, a fresh output.
    public var remedies: Int
    /// What plays, or is to.
    public var deck: DeckID?
    /// What that deck plays.
    public var item: ItemID?
    /// Whether another item could be played instead.
    public var hasOthers: Bool

    /// Whether it shows a frame, or has a reason to show none.
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
    /// The screen is there, and nothing to show pictures on.
    case noOutput
    /// A start or a seek that has gone past every deadline.
    case noStart
  }

  public enum Verdict: Hashable, Sendable {
    case well
    /// `screen`: its name. `owed`: for how long.
    case stuck(screen: String, Fault, owed: Duration)
  }

  private struct Watch: Hashable {
    var frames: Int
    var remedies: Int
    /// For how long something has been owed since the last frame.
    var owed = Duration.zero
    /// How much of that is allowed; nil while nothing was owed yet.
    var allowed: Duration?
    /// For how long something of one deck has been about to come.
    var soon = Duration.zero
    var deck: DeckID?
    var fault: Fault?
    /// Of which items nothing has come since the last frame though something was owed.
    var items: Set<ItemID> = []
    var hasOthers = false

    init(_ screen: Screen) { (frames, remedies, deck) = (screen.frames, screen.remedies, screen.deck) }
  }

  private let policy: HealthPolicy
  private let start: Instant
  private var lastLook: Instant
  private var watches: [String: Watch] = [:]
  /// Whoever started this process may be told that it is there.
  public private(set) var isReady = false
  public private(set) var verdict = Verdict.well
  /// What a verdict of `stuck` is blamed on: the deck of the one item of which nothing came. Nil where several didn't, one after the
  /// other, or the output wasn't there: then it isn't the item's fault. Nil too where there is no other item: whatever stands still would be
  /// its fault, and nothing would play without it.
  public private(set) var suspect: DeckID?

  public init(policy: HealthPolicy = HealthPolicy(), at now: Instant) {
    self.policy = policy
    start = now
    lastLook = now
  }

  /// Takes what the screens say now.
  public mutating func look(_ screens: [Screen], at now: Instant) -> Verdict {
    // Between two looks no more than one interval of theirs is counted twice over: a loop that stood still is another's to find, and the
    // frames that waited for it weren't missing.
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

  /// It shows a frame, or has a reason not to.
  private func hasWhatItCan(_ screen: Screen) -> Bool {
    if screen.frames > 0 { return true }
    switch (screen.state, screen.owed) {
    case (.waiting, _), (.asleep, _), (.ended, _): return true
    case (.opening, _): return false
    // A network that isn't there has a card.
    case (.shown, .nothing), (.shown, .later): return true
    case (.shown, .soon), (.shown, .frame), (.shown, .output): return false
    }
  }

  private mutating func watch(_ screen: Screen, from before: Instant, to now: Instant) {
    var watch = watches[screen.name] ?? Watch(screen)
    defer { watches[screen.name] = watch }
    let isMoving = screen.frames != watch.frames
    if isMoving || screen.owesNothing {
      // What has been due since that frame is counted from the next look on.
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

  /// What of the time between two looks was owed, how much of that there may be, and what it is then.
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
