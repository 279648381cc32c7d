/// Whether what reaches the output is shown, and what is done where it isn't: docs/decisions/0139-stuck-outputs.md.
///
/// A value that is told what is seen of the output now and then, and says what is to be done. States, and what may follow them:
/// - well: frames that come are shown. To stuck, after `Policy.limit` with frames and none that was shown.
/// - stuck: one step has been taken, and its effect is waited for. To stuck again with the next step, or to mending.
/// - mending: frames are shown again. To well after `Policy.good`, or back to stuck.
///
/// One item alone may be the reason: where another could be played, it takes two of them to go higher than a new sink.
public struct OutputHealth: Hashable, Sendable {
  /// Every number has its reason here.
  public struct Policy: Hashable, Sendable {
    /// How often the output is looked at: the time of finding out is longer by as much.
    public var interval: Duration = .milliseconds(500)
    /// Frames come when they are due, so that the next refresh shows them. A screen of 24 Hz that misses ninety is stuck; one that
    /// changes its mode is back in three seconds at most. With the interval it stays below the five seconds in which a
    /// blocked call is to be found.
    public var limit: Duration = .seconds(4)
    /// Good frames for so long end the trouble: what fails with each tenth frame isn't mended.
    public var good: Duration = .seconds(10)
    /// New sinks within the window: they cost a tenth of a second, and a fault that comes each few minutes isn't the sink's.
    public var rebuilds = 3
    public var rebuildWindow: Duration = .seconds(600)
    /// The card is opened anew so often within the window: that is a second of darkness, and closes what other programs see.
    public var reopenings = 2
    public var reopeningWindow: Duration = .seconds(1800)
    /// Where no other process can take over, the card is opened anew so often: a screen's driver may yet come to its senses.
    public var patience: Duration = .seconds(60)

    public init() {}
  }

  /// What is seen of the output at one moment.
  public struct Sight: Hashable, Sendable {
    /// Since when something is waited for: a frame that has come and isn't shown, or the opening. Nil where nothing is.
    public var waitingSince: Instant?
    /// What the wait is for.
    public var fault: Fault
    /// The item whose frames come; nil between two of them.
    public var item: ItemID?
    /// Whether another one could be played in its place.
    public var hasAlternative: Bool

    public init(waitingSince: Instant?, fault: Fault = .blocks, item: ItemID? = nil, hasAlternative: Bool = false) {
      self.waitingSince = waitingSince
      self.fault = fault
      self.item = item
      self.hasAlternative = hasAlternative
    }
  }

  /// How no frame comes to be shown.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// The sink has a frame and isn't done with it: a call of the driver's doesn't return.
    case blocks
    /// The sink is done with each frame, and says that it wasn't shown.
    case drops
    /// The output isn't ready.
    case doesNotOpen
    /// A picture above the video isn't done: the thread that brings those to the screen doesn't come back.
    case overlayBlocks
  }

  /// What is done, the gentlest first.
  public enum Step: String, Hashable, Sendable, CaseIterable {
    /// Another item plays; the one that is left isn't blamed yet.
    case passOver
    /// A new sink on the same screen.
    case rebuild
    /// The screen is closed, and its card opened anew.
    case reopen
    /// Another process takes over, where its budget allows that.
    case replace
  }

  public enum Effect: Hashable, Sendable {
    case passOver(ItemID, because: Fault)
    /// One of `rebuild`, `reopen`, `replace`.
    case take(Step, because: Fault)
    /// It was this item: none of its frames was shown, and those of others are.
    case blame(ItemID)
    /// Good frames for long enough; this was done last.
    case recovered(by: Step)
  }

  public private(set) var policy: Policy
  /// What was done last about the trouble that there is; nil while all is well.
  public private(set) var step: Step?
  /// Items that were stuck since all was well.
  private var suspects: Set<ItemID> = []
  /// Those whose frames were shown since.
  private var innocents: Set<ItemID> = []
  /// How often another item was tried in place of the only suspect.
  private var othersTried = 0
  private var rebuilds: [Instant] = []
  private var reopenings: [Instant] = []
  private var wait: Wait?
  private var lastLook: Instant?
  /// How long frames have been shown since the last step; nil while none has.
  private var goodFor: Duration?

  /// How much of it was looked at, and how much of that each item had. It goes on from one item to the next: where all are shorter than
  /// the limit, none would ever be stuck.
  private struct Wait: Hashable, Sendable {
    var seen: Duration = .zero
    var items: [ItemID: Duration] = [:]
  }

  public init(policy: Policy = Policy()) { self.policy = policy }

  /// Whether there is trouble, or something is waited for: then looks are due although nothing plays.
  public var isWatching: Bool { step != nil || wait != nil }

  /// There is another output, or none: what was waited for is void.
  public mutating func outputChanged() {
    wait = nil
    goodFor = nil
  }

  /// A frame of that item was shown.
  public mutating func shown(_ item: ItemID?) {
    wait = nil
    guard step != nil else { return }
    if let item { innocents.insert(item) }
    if goodFor == nil { goodFor = .zero }
  }

  /// Looks at the output; to be called each `Policy.interval` while frames are to come.
  public mutating func look(_ sight: Sight, at now: Instant) -> [Effect] {
    // A process that was stopped hasn't looked on while nothing was shown: no more counts than two looks are apart.
    let elapsed = min(lastLook.map { max(.zero, now - $0) } ?? policy.interval, policy.interval * 2)
    lastLook = now
    guard let since = sight.waitingSince else {
      wait = nil
      return mended(by: elapsed)
    }
    // Between two items: nobody's frames come, and those that came were for one that is over.
    guard sight.item != nil || sight.fault == .doesNotOpen || sight.fault == .overlayBlocks else { return [] }
    var wait = wait ?? Wait()
    wait.seen = min(wait.seen + elapsed, max(.zero, now - since))
    if let item = sight.item { wait.items[item, default: .zero] += elapsed }
    self.wait = wait
    // Less is the frame that is on its way at this moment.
    guard wait.seen >= policy.interval else { return mended(by: elapsed) }
    goodFor = nil
    guard wait.seen >= policy.limit else { return [] }
    // One that has just begun may be well.
    let long = wait.items.filter { $0.value >= policy.interval * 2 }.keys
    suspects.formUnion(long.isEmpty ? wait.items.keys : long)
    return isStuck(sight, at: now)
  }

  private mutating func mended(by elapsed: Duration) -> [Effect] {
    guard let step, let before = goodFor else { return [] }
    guard before + elapsed >= policy.good else {
      goodFor = before + elapsed
      return []
    }
    // Two that were stuck were innocent, and one whose own frames are shown now is.
    let isOneAlone = othersTried > 0 && suspects.count == 1
    let blamed = isOneAlone ? suspects.subtracting(innocents).map(Effect.blame) : []
    self.step = nil
    goodFor = nil
    suspects = []
    innocents = []
    othersTried = 0
    return blamed + [.recovered(by: step)]
  }

  private mutating func isStuck(_ sight: Sight, at now: Instant) -> [Effect] {
    rebuilds.removeAll { now - $0 >= policy.rebuildWindow }
    reopenings.removeAll { now - $0 >= policy.reopeningWindow }
    var effects: [Effect] = []
    let mayBeItsFault = suspects.count == 1 && sight.hasAlternative && othersTried < 2
    // A sink that has no hand free is rebuilt first, with the same item: it is the sink far more often.
    if let item = sight.item, mayBeItsFault, suspects.contains(item), step != nil || sight.fault == .drops {
      othersTried += 1
      effects = [.passOver(item, because: sight.fault)]
      wait = nil
      if sight.fault == .drops {
        step = step ?? .passOver
        return effects
      }
    }
    guard let next = nextStep(sight.fault, again: !effects.isEmpty, at: now) else { return effects }
    if next == .rebuild { rebuilds.append(now) }
    if next == .reopen { reopenings.append(now) }
    step = next
    wait = nil
    return effects + [.take(next, because: sight.fault)]
  }

  /// - Parameter again: the sink is to be rebuilt although that was done: another item begins on it.
  private func nextStep(_ fault: Fault, again: Bool, at now: Instant) -> Step? {
    // Closing the screen would wait for that thread, and who waits is the loop. Only the end of the process is left.
    if fault == .overlayBlocks { return step == .replace ? nil : .replace }
    let mayReopen = reopenings.count < policy.reopenings
    switch step {
    case nil, .passOver: return rebuilds.count < policy.rebuilds ? .rebuild : mayReopen ? .reopen : .replace
    case .rebuild where again && rebuilds.count < policy.rebuilds: return .rebuild
    case .rebuild: return mayReopen ? .reopen : .replace
    case .reopen: return .replace
    // It was asked for and hasn't come: nobody would start another one, or too many were.
    case .replace: return reopenings.last.map { now - $0 >= policy.patience } ?? true ? .reopen : nil
    }
  }
}
