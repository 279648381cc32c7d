internal import ConfigurationFiles
internal import InteractionCore
internal import Logging
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig

// Asks the schedule of the configuration in use, now and at its next change.

extension ConfigurationSession {
  /// Replaces the configuration in use.
  func follow(_ revision: ConfigurationRevision) {
    let clock = clockNow(revision)
    followMedia()
    var machine = schedule ?? ScheduleMachine(revision.schedule)
    let actions = machine.handle(.scheduleReplaced(revision.schedule, clock), at: .monotonicNow)
    schedule = machine
    carryOut(actions)
    for case .show(let decision) in actions { play(decision, of: revision) }
  }

  func checkClock() {
    guard let active, let actions = schedule?.handle(.looked(clockNow(active)), at: .monotonicNow) else { return }
    carryOut(actions)
    for case .show(let decision) in actions { play(decision, of: active) }
  }

  private func clockNow(_ revision: ConfigurationRevision) -> ScheduleClock {
    ScheduleSetup.clock(revision.configuration.schedule)
  }

  private func play(_ decision: ScheduleDecision, of revision: ConfigurationRevision) {
    let lists = revision.lists(for: decision)
    let forVisitors = lists.visitors.isEmpty ? "" : ", \(lists.visitors.count) for visitors"
    log.info("playlist \(decision.playlist): \(lists.loop.count) items\(forVisitors)")
    owner?.session(self, plays: decision, of: revision)
  }

  /// Carries out the schedule's actions on clock and timer; the callers handle `show`.
  private func carryOut(_ actions: [ScheduleMachine.Action]) {
    for action in actions {
      switch action {
      case .tellJump(let jump): log.notice("the clock was set by \(Int(jump.inSeconds.rounded())) s")
      case .lookAgain(let delay): timers.schedule = loop.after(delay) { [weak self] in self?.checkClock() }
      case .show: break
      }
    }
  }
}
