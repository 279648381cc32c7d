/// Watches whether frames that reach the output are shown, and decides what to do where they aren't:
/// docs/decisions/0139-stuck-outputs.md.
///
/// A value: its owner reports the output's state at intervals and carries out the actions. States and their successors:
/// - well: frames that come are shown. To stuck, after `Policy.limit` with frames and none that was shown.
/// - stuck: one step has been taken, and its effect is waited for. To stuck again with the next step, or to mending.
/// - mending: frames are shown again. To well after `Policy.good`, or back to stuck.
///
/// One item alone may be the cause: where another could be played, steps beyond a new sink need two stuck items.
public struct OutputHealth: Hashable, Sendable {
  /// The numbers, each with its reason.
  public struct Policy: Hashable, Sendable {
    /// Time between two looks at the output: finding a fault takes up to this much longer.
    public var interval: Duration = .milliseconds(500)
    /// Wait for a frame to be shown. A screen of 24 Hz that misses ninety frames is stuck, and one that changes its
    /// mode is back in three seconds at most. With the interval this stays below the five seconds in which a blocked
    /// call is to be found.
    public var limit: Duration = .seconds(4)
    /// Frames shown for this long end the trouble: a fault in each tenth frame isn't mended.
    public var good: Duration = .seconds(10)
    /// New sinks within the window: each costs a tenth of a second, and a fault that comes every few minutes isn't the
    /// sink's.
    public var rebuilds = 3
    public var rebuildWindow: Duration = .seconds(600)
    /// Reopenings of the card within the window: each is a second of darkness, and closes the card for other programs
    /// too.
    public var reopenings = 2
    public var reopeningWindow: Duration = .seconds(1800)
    /// Failures of the output in a row with one item, without a frame of it shown. An unplugged screen fails
    /// once or twice, whatever plays.
    public var failures = 3
    /// Interval of reopening the card where no other process can take over: the screen's driver may recover yet.
    public var patience: Duration = .seconds(60)

    public init() {}
  }

  /// The output's state at one moment.
  public struct Sight: Hashable, Sendable {
    /// When the wait began, for a frame that has come and isn't shown, or for the opening. Nil without a wait.
    public var waitingSince: Instant?
    /// The fault that the wait amounts to.
    public var fault: Fault
    /// The item whose frames come; nil between two of them.
    public var item: ItemID?
    /// Whether another item could be played instead.
    public var hasAlternative: Bool

    public init(waitingSince: Instant?, fault: Fault = .blocks, item: ItemID? = nil, hasAlternative: Bool = false) {
      self.waitingSince = waitingSince
      self.fault = fault
      self.item = item
      self.hasAlternative = hasAlternative
    }
  }

  /// How frames fail to be shown.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// The sink has a frame and doesn't finish with it: a call of the driver doesn't return.
    case blocks
    /// The sink finishes with each frame and reports that it wasn't shown.
    case drops
    /// The output isn't ready.
    case doesNotOpen
    /// The sink fails whenever it gets such frames: it has offered a format that it doesn't take.
    case fails
    /// A picture above the video isn't finished: the thread that brings those to the screen doesn't return.
    case overlayBlocks
  }

  /// The remedies, the gentlest first.
  public enum Step: String, Hashable, Sendable, CaseIterable {
    /// Another item plays; the skipped one isn't blamed yet.
    case passOver
    /// A new sink on the same screen.
    case rebuild
    /// The screen is closed, and its card opened again.
    case reopen
    /// Another process takes over, where the restart budget allows it.
    case replace
  }

  public enum Action: Hashable, Sendable {
    case passOver(ItemID, because: Fault)
    /// Carries out one of `rebuild`, `reopen`, `replace`.
    case take(Step, because: Fault)
    /// Blames this item: none of its frames was shown, while those of other items are.
    case blame(ItemID)
    /// Frames were shown for long enough; this was the last remedy.
    case recovered(by: Step)
  }

  public private(set) var policy: Policy
  /// The last remedy for the present trouble; nil while all is well.
  public private(set) var step: Step?
  /// Items that have been stuck since all was well.
  private var suspects: Set<ItemID> = []
  /// Items whose frames have been shown since.
  private var innocents: Set<ItemID> = []
  /// Other items tried in place of the only suspect.
  private var othersTried = 0
  /// Failures of the output with an item before a frame of it was shown.
  private var failures: [ItemID: Int] = [:]
  private var rebuilds: [Instant] = []
  private var reopenings: [Instant] = []
  private var wait: Wait?
  private var lastLook: Instant?
  /// Time for which frames have been shown since the last step; nil while none has.
  private var goodFor: Duration?

  /// The observed time of a wait, and each item's share of it. It goes on from one item to the next: otherwise an
  /// output whose items are all shorter than the limit would never count as stuck.
  private struct Wait: Hashable, Sendable {
    var seen: Duration = .zero
    var items: [ItemID: Duration] = [:]
  }

  public init(policy: Policy = Policy()) { self.policy = policy }

  /// Whether there is trouble or a wait: then looks are due although nothing plays.
  public var isWatching: Bool { step != nil || wait != nil }

  /// Notes that there is another output, or none: the wait is void.
  public mutating func outputChanged() {
    wait = nil
    goodFor = nil
  }

  /// Notes that a frame of that item was shown.
  public mutating func shown(_ item: ItemID?) {
    wait = nil
    if let item { failures[item] = nil }
    guard step != nil else { return }
    if let item { innocents.insert(item) }
    if goodFor == nil { goodFor = .zero }
  }

  /// Notes that the sink has failed and another output is opened.
  ///
  /// - Parameters:
  ///   - item: the item whose frames came; none of them was shown on this output.
  ///   - hasAlternative: whether another item could be played instead.
  public mutating func failed(_ item: ItemID, hasAlternative: Bool) -> [Action] {
    failures[item, default: 0] += 1
    guard failures[item, default: 0] >= policy.failures, hasAlternative, suspects.subtracting([item]).isEmpty,
      othersTried < 2
    else { return [] }
    suspects.insert(item)
    othersTried += 1
    step = step ?? .passOver
    return [.passOver(item, because: .fails)]
  }

  /// Looks at the output; called each `Policy.interval` while frames are expected.
  public mutating func evaluate(_ sight: Sight, at now: Instant) -> [Action] {
    // A process that was suspended hasn't looked on meanwhile: at most two intervals count.
    let elapsed = min(lastLook.map { max(.zero, now - $0) } ?? policy.interval, policy.interval * 2)
    lastLook = now
    guard let since = sight.waitingSince else {
      wait = nil
      return mended(by: elapsed)
    }
    // Between two items no frames are expected, and a waiting frame belongs to an item that is over.
    guard sight.item != nil || sight.fault == .doesNotOpen || sight.fault == .overlayBlocks else { return [] }
    var wait = wait ?? Wait()
    wait.seen = min(wait.seen + elapsed, max(.zero, now - since))
    if let item = sight.item { wait.items[item, default: .zero] += elapsed }
    self.wait = wait
    // A shorter wait is a frame on its way to the screen.
    guard wait.seen >= policy.interval else { return mended(by: elapsed) }
    goodFor = nil
    guard wait.seen >= policy.limit else { return [] }
    // An item that has just begun may be well.
    let long = wait.items.filter { $0.value >= policy.interval * 2 }.keys
    suspects.formUnion(long.isEmpty ? wait.items.keys : long)
    return isStuck(sight, at: now)
  }

  private mutating func mended(by elapsed: Duration) -> [Action] {
    guard let step, let before = goodFor else { return [] }
    guard before + elapsed >= policy.good else {
      goodFor = before + elapsed
      return []
    }
    // Two stuck items were innocent, and so is one whose own frames are shown now.
    let isOneAlone = othersTried > 0 && suspects.count == 1
    let blamed = isOneAlone ? suspects.subtracting(innocents).map(Action.blame) : []
    self.step = nil
    goodFor = nil
    suspects = []
    innocents = []
    othersTried = 0
    return blamed + [.recovered(by: step)]
  }

  private mutating func isStuck(_ sight: Sight, at now: Instant) -> [Action] {
    rebuilds.removeAll { now - $0 >= policy.rebuildWindow }
    reopenings.removeAll { now - $0 >= policy.reopeningWindow }
    var actions: [Action] = []
    let mayBeItsFault = suspects.count == 1 && sight.hasAlternative && othersTried < 2
    // A sink that blocks is rebuilt first, with the same item: it is the sink's fault far more often.
    if let item = sight.item, mayBeItsFault, suspects.contains(item), step != nil || sight.fault == .drops {
      othersTried += 1
      actions = [.passOver(item, because: sight.fault)]
      wait = nil
      if sight.fault == .drops {
        step = step ?? .passOver
        return actions
      }
    }
    guard let next = nextStep(sight.fault, again: !actions.isEmpty, at: now) else { return actions }
    if next == .rebuild { rebuilds.append(now) }
    if next == .reopen { reopenings.append(now) }
    step = next
    wait = nil
    return actions + [.take(next, because: sight.fault)]
  }

  /// - Parameter again: whether the sink may be rebuilt a second time, because another item begins on it.
  private func nextStep(_ fault: Fault, again: Bool, at now: Instant) -> Step? {
    // Closing the screen would make the loop wait for the blocked thread: only the end of the process helps.
    if fault == .overlayBlocks { return step == .replace ? nil : .replace }
    let mayReopen = reopenings.count < policy.reopenings
    switch step {
    case nil, .passOver: return rebuilds.count < policy.rebuilds ? .rebuild : mayReopen ? .reopen : .replace
    case .rebuild where again && rebuilds.count < policy.rebuilds: return .rebuild
    case .rebuild: return mayReopen ? .reopen : .replace
    case .reopen: return .replace
    // Replacement was asked for and hasn't come: no supervisor starts another process, or the restart budget is used
    // up.
    case .replace: return reopenings.last.map { now - $0 >= policy.patience } ?? true ? .reopen : nil
    }
  }
}
