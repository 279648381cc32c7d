internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// A board without a clock of its own can't check certificates until the network has told it the time. What was refused for that
/// is tried again when the clock is set: `ClockWait` decides. Confined to the loop's thread.
final class CertificateClock {
  private let loop: EventLoop
  /// The clock has been set.
  private let wasSet: () -> Void
  private var machine = ClockWait()
  private var watch: ClockWatch?

  init(on loop: EventLoop, wasSet: @escaping () -> Void) {
    self.loop = loop
    self.wasSet = wasSet
  }

  /// An error was told, of playback or of the store. Certificates are all that the clock has to do with.
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
