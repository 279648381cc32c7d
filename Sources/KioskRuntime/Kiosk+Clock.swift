internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import VitrinePlayback

// A board without a clock of its own can't check certificates until the network has told it the time. What was refused for that is
// tried again when the clock is set: `ClockWait` decides.

extension Kiosk {
  /// An error was told, of playback or of the store. Certificates are all that the clock has to do with.
  func noteCertificate(_ error: VitrineError) {
    guard [ClockDoubt.errorNumber, 2601].contains(error.number) else { return }
    feedClock(.refused(isSynchronised: SystemClock.isSynchronised))
  }

  private func feedClock(_ event: ClockWait.Event) {
    for action in clockWait.handle(event) {
      switch action {
      case .watch: watchClock()
      case .unwatch: clockWatch = nil
      case .tellClockSet:
        log.info("the clock has been set: what was refused for its sake is tried again")
        GStreamerLibrary.forgetFailures()
        engine?.feed(.clockSet)
        tellStoreClockSet()
      }
    }
  }

  private func watchClock() {
    guard let loop else { return }
    clockWatch = ClockWatch(
      on: loop, every: ClockWait.lookInterval,
      jumped: { [weak self] in self?.assumeIsolated { $0.feedClock(.jumped) } },
      looked: { [weak self] isSynchronised in
        self?.assumeIsolated { $0.feedClock(.looked(isSynchronised: isSynchronised)) }
      })
  }
}
