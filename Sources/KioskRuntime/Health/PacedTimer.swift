internal import KioskCore
internal import MainLoop

/// A timer of the loop that slows down while no screen owes a frame. At rest all such timers wake the process together.
/// It stops when it is released. Confined to the loop's thread.
final class PacedTimer {
  private let loop: EventLoop
  private let rest: Duration
  private let handler: () -> Void
  private var source: EventSource?
  private var interval: Duration

  /// - Parameters:
  ///   - interval: the interval at the beginning.
  ///   - rest: the interval while no frame is owed.
  init(_ loop: EventLoop, every interval: Duration, atRest rest: Duration, _ handler: @escaping () -> Void) {
    self.loop = loop
    self.rest = rest
    self.handler = handler
    self.interval = interval
    start()
  }

  /// Changes the interval. The same interval as before changes nothing.
  func goes(every interval: Duration) {
    guard interval != self.interval else { return }
    self.interval = interval
    start()
  }

  /// Changes to the interval at rest.
  func rests() { goes(every: rest) }

  private func start() { source = loop.every(interval, isAligned: interval == rest, handler) }
}
