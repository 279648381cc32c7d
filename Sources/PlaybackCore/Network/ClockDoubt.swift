/// A board without a clock of its own starts at some time of the past, and until the network has told it the time every certificate
/// seems to be of the future. That is no reason to give an item up, or to wait longer than for the clock.
public enum ClockDoubt {
  /// Of the error that says so.
  public static let errorNumber = 2611
  public static let message = "the board's clock isn't set, so the server's certificate can't be checked"
  public static let remedy = "it is tried again as soon as the clock is set; check that the board gets the time (NTP)"

  /// - Parameters:
  ///   - isNotYetValid: a certificate was refused because its time hasn't come.
  ///   - isSynchronised: the kernel knows of something that keeps its clock right.
  public static func explains(isNotYetValid: Bool, isSynchronised: Bool) -> Bool { isNotYetValid && !isSynchronised }
}

/// Waits for the clock where a certificate was refused for its sake. A value; the shell around it has the timers.
///
/// idle -> waiting (`refused` while the clock isn't set) -> idle (`jumped`, or `looked` at and found set).
public struct ClockWait: Hashable, Sendable {
  public enum Event: Hashable, Sendable {
    /// A certificate wasn't trusted. `isSynchronised`: what the kernel says of its clock now.
    case refused(isSynchronised: Bool)
    /// Somebody has set the clock.
    case jumped
    /// It was looked at: most often the clock is set with a jump, but one that was nearly right is only slowed or hurried.
    case looked(isSynchronised: Bool)
  }
  public enum Action: Hashable, Sendable {
    /// Tell of jumps, and look every `lookInterval`.
    case watch
    case unwatch
    /// What failed for its sake is worth another try at once.
    case tellClockSet
  }

  /// How often the kernel is asked while something waits: a visitor waits for so long at most, and it costs one system call.
  public static let lookInterval: Duration = .seconds(10)

  public private(set) var isWaiting = false

  public init() {}

  public mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .refused(let isSynchronised):
      guard !isWaiting, !isSynchronised else { return [] }
      isWaiting = true
      return [.watch]
    case .jumped, .looked(isSynchronised: true):
      guard isWaiting else { return [] }
      isWaiting = false
      return [.unwatch, .tellClockSet]
    case .looked(isSynchronised: false): return []
    }
  }
}
