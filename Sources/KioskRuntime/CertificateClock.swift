internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// Repeats what failed because of a wrong clock: a board without a battery-backed clock can't check certificates until
/// the network has set its clock. `ClockWait` decides when. Confined to the loop's thread.
final class CertificateClock {
  private let loop: EventLoop
  /// Called when the clock has been set.
  private let wasSet: () -> Void
  private var machine = ClockWait()
  private var watch: ClockWatch?

  init(on loop: EventLoop, wasSet: @escaping () -> Void) {
    self.loop = loop
    self.wasSet = wasSet
  }

  /// Looks at an error of playback or of the store; only those on certificates have to do with the clock.
  func consider(_ error: VitrineError) {
    guard [ClockDoubt.errorNumber, 2601].contains(error.number) else { return }
    feed(.refused(isSynchronised: SystemClock.isSynchronised))
  }

  func stop() { watch = nil }

  private func feed(_ event: ClockWait.Event) {
    for action in machine.handle(event) {
      switch action {
      case .watch:
        watch = ClockWatch(
          on: loop, every: ClockWait.lookInterval, jumped: { [weak self] in self?.feed(.jumped) },
          looked: { [weak self] isSynchronised in self?.feed(.looked(isSynchronised: isSynchronised)) })
      case .unwatch: watch = nil
      case .tellClockSet: wasSet()
      }
    }
  }
}
