/// A board without a clock of its own starts with a time in the past, and until the network has told it the time no
/// certificate seems valid yet. That is no reason to give an item up, or to wait longer than until the clock is set.
public enum ClockDoubt {
  /// The number of the error that reports the doubt.
  public static let errorNumber = 2611
  public static let message = "the board's clock isn't set, so the server's certificate can't be checked"
  public static let remedy = "it is tried again as soon as the clock is set; check that the board gets the time (NTP)"

  /// - Parameters:
  ///   - isNotYetValid: a certificate was refused because its validity hasn't begun.
  ///   - isSynchronised: the kernel reports that its clock is kept right.
  public static func explains(isNotYetValid: Bool, isSynchronised: Bool) -> Bool { isNotYetValid && !isSynchronised }
}

/// Waits until the clock is set after a certificate was refused because of it. A value; its owner has the timers.
///
/// idle -> waiting (`refused` while the clock isn't set) -> idle (`jumped`, or `looked` at and found set).
public struct ClockWait: Hashable, Sendable {
  public enum Event: Hashable, Sendable {
    /// A certificate wasn't trusted. `isSynchronised`: the kernel's present report on its clock.
    case refused(isSynchronised: Bool)
    /// The clock was set, with a jump.
    case jumped
    /// The kernel was polled. Most often the clock is set with a jump, but a clock that is nearly right is only slowed
    /// or hurried.
    case looked(isSynchronised: Bool)
  }
  public enum Action: Hashable, Sendable {
    /// Report jumps of the clock, and poll the kernel every `lookInterval`.
    case watch
    case unwatch
    /// The clock is set: what failed because of it is worth another try at once.
    case tellClockSet
  }

  /// How often the kernel is polled while an item waits. A visitor waits this much longer at most, and a poll costs one
  /// system call.
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
