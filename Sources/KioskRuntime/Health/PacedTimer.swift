internal import KioskCore
internal import MainLoop

/// A timer of the loop that goes slower while no screen owes anything. At rest all of them wake the process together.
/// It stops when it is let go. Confined to the loop's thread.
final class PacedTimer {
  private let loop: EventLoop
  private let rest: Duration
  private let handler: () -> Void
  private var source: EventSource?
  private var interval: Duration

  /// - Parameters:
  ///   - interval: to begin with.
  ///   - rest: while nothing is owed.
  init(_ loop: EventLoop, every interval: Duration, atRest rest: Duration, _ handler: @escaping () -> Void) {
    self.loop = loop
    self.rest = rest
    self.handler = handler
    self.interval = interval
    start()
  }

  /// From now on so often. The same interval as before changes nothing.
  func goes(every interval: Duration) {
    guard interval != self.interval else { return }
    self.interval = interval
    start()
  }

  /// As often as it was made for at rest.
  func rests() { goes(every: rest) }

  private func start() { source = loop.every(interval, isAligned: interval == rest, handler) }
}
