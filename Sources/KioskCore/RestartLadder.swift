internal import PlaybackCore

/// The last rungs of recovery: another process, and the request for a reboot. Each has a budget that outlives the process,
/// so that a fault which stays doesn't become a loop.
///
/// What leads here are pipelines that hang in a state change for good: each keeps a thread and its memory, and only the end
/// of the process gets them back.
public struct RestartLadder: Hashable, Sendable {
  /// Every number has its reason here.
  public struct Policy: Hashable, Sendable {
    /// One that hangs may be an accident; with two there is a pattern, and some 40 MB are gone on a small board.
    public var hungDecks = 2
    /// So many restarts within `window` are tried, and as many on account of items; a picture that goes for a second every 12 minutes is still a picture.
    public var restarts = 5
    public var window: Duration = .seconds(3600)
    /// Then the whole board: a driver or its firmware is stuck.
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

  /// When there was what, in seconds since 1970: the clock that outlives a process and a boot.
  public struct History: Hashable, Sendable {
    public var restarts: [Int64] = []
    public var reboots: [Int64] = []
    /// Restarts on account of items that are left out since.
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

    /// One line each: `restart 1700000000`.
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

  /// The process dies again and again, whatever it leaves out; others have taken over already.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: a reboot, or nothing; it is in `history` then.
  public mutating func keepsDying(at now: Int64) -> Step {
    history.reboots = Self.recent(history.reboots, policy.rebootWindow, now)
    guard history.reboots.count < policy.reboots else { return .goOn }
    history.reboots.append(now)
    return .reboot
  }

  /// What lies in the future was written by a clock that was wrong; it counts as of now, on the safe side.
  private static func recent(_ times: [Int64], _ window: Duration, _ now: Int64) -> [Int64] {
    times.map { min($0, now) }.filter { now.clampedSubtracting($0) < window.components.seconds }
  }

  /// Pipelines hang.
  ///
  /// - Parameters:
  ///   - count: how many do at this moment.
  ///   - isItems: whether they are those of items that are left out from now on, while others play. A reboot would change nothing about
  ///     them: the process is replaced for its threads and its memory, and where that happens too often it does without.
  ///   - now: seconds since 1970.
  /// - Returns: what to do; it is in `history` then.
  public mutating func decksHang(_ count: Int, isItems: Bool = false, at now: Int64) -> Step {
    guard count >= policy.hungDecks else { return .goOn }
    guard isItems else { return nextStep(at: now) }
    history.itemRestarts = Self.recent(history.itemRestarts, policy.window, now)
    guard history.itemRestarts.count < policy.restarts else { return .goOn }
    history.itemRestarts.append(now)
    return .restart
  }

  /// An output shows nothing of what it gets, and neither another sink nor opening its card anew has helped.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: what to do; it is in `history` then.
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
