internal import PlaybackCore

/// The last steps of recovery: another process, and the request for a reboot. Each has a budget that outlives the
/// process, so that a permanent fault doesn't become a loop.
///
/// The cause is pipelines that hang in a state change for good: each keeps a thread and its memory, and only the end of
/// the process frees them.
public struct RestartEscalation: Hashable, Sendable {
  /// The limits, each with its reason.
  public struct Policy: Hashable, Sendable {
    /// One hanging pipeline may be an accident; two are a pattern, and some 40 MB are lost on a small board.
    public var hungDecks = 2
    /// The number of restarts within `window`, and as many on account of items; a picture that goes dark for a second
    /// every 12 minutes is still a picture.
    public var restarts = 5
    public var window: Duration = .seconds(3600)
    /// After that the whole board is rebooted: a driver or its firmware is stuck.
    public var reboots = 1
    /// A reboot costs half a minute of darkness, and one that hasn't helped won't help an hour later.
    public var rebootWindow: Duration = .seconds(6 * 3600)

    public init() {}
  }

  public enum Step: Hashable, Sendable {
    case goOn
    case restart
    case reboot
  }

  /// The times of restarts and reboots, in seconds since 1970: the clock that outlives a process and a boot.
  public struct History: Hashable, Sendable {
    public var restarts: [Int64] = []
    public var reboots: [Int64] = []
    /// Restarts on account of items that are left out now.
    public var itemRestarts: [Int64] = []

    public init() {}

    /// Reads what `text` writes. A line that can't be read is left out: a damaged file must not stop a restart.
    public init(text: String) {
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count == 2, let time = Int64(words[1]) else { continue }
        switch words[0] {
        case "restart": restarts.append(time)
        case "reboot": reboots.append(time)
        case "item": itemRestarts.append(time)
        default: break
        }
      }
    }

    /// A line for each: `restart 1700000000`.
    public var text: String {
      let lines =
        restarts.map { "restart \($0)\n" } + reboots.map { "reboot \($0)\n" } + itemRestarts.map { "item \($0)\n" }
      return lines.joined()
    }
  }

  public private(set) var history: History
  private let policy: Policy

  public init(history: History, policy: Policy = Policy()) {
    self.history = history
    self.policy = policy
  }

  /// The next step when the process crashes repeatedly, whatever it leaves out, although restarts were tried.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: a reboot, which is in `history` then, or nothing.
  public mutating func keepsDying(at now: Int64) -> Step {
    history.reboots = Self.recent(history.reboots, policy.rebootWindow, now)
    guard history.reboots.count < policy.reboots else { return .goOn }
    history.reboots.append(now)
    return .reboot
  }

  /// Drops old times. A time in the future was written by a wrong clock; it counts as now, to be on the safe side.
  private static func recent(_ times: [Int64], _ window: Duration, _ now: Int64) -> [Int64] {
    times.map { min($0, now) }.filter { now.clampedSubtracting($0) < window.components.seconds }
  }

  /// The next step when pipelines hang.
  ///
  /// - Parameters:
  ///   - count: the number of pipelines that hang at this moment.
  ///   - isItems: whether their items are left out from now on, and others play. A reboot wouldn't change those items:
  ///     the process is replaced to free its threads and its memory, and not even that if it happens too often.
  ///   - now: seconds since 1970.
  /// - Returns: the step, which is in `history` then.
  public mutating func decksHang(_ count: Int, isItems: Bool = false, at now: Int64) -> Step {
    guard count >= policy.hungDecks else { return .goOn }
    guard isItems else { return nextStep(at: now) }
    history.itemRestarts = Self.recent(history.itemRestarts, policy.window, now)
    guard history.itemRestarts.count < policy.restarts else { return .goOn }
    history.itemRestarts.append(now)
    return .restart
  }

  /// The next step when an output shows none of its frames, and neither another sink nor reopening its card has helped.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: the step, which is in `history` then.
  public mutating func outputHangs(at now: Int64) -> Step { nextStep(at: now) }

  private mutating func nextStep(at now: Int64) -> Step {
    history.restarts = Self.recent(history.restarts, policy.window, now)
    history.reboots = Self.recent(history.reboots, policy.rebootWindow, now)
    if history.restarts.count < policy.restarts {
      history.restarts.append(now)
      return .restart
    }
    if history.reboots.count < policy.reboots {
      history.reboots.append(now)
      return .reboot
    }
    return .goOn
  }
}
