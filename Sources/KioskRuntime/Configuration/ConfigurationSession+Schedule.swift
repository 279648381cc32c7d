internal import ConfigurationFiles
internal import Logging
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig

// What the schedule of the configuration in use says, and when it is asked again.

extension ConfigurationSession {
  /// Puts a configuration in place of the one before.
  func follow(_ revision: ConfigurationRevision) {
    let clock = clockNow(revision)
    followMedia()
    var machine = schedule ?? ScheduleMachine(revision.schedule)
    let actions = machine.handle(.scheduleReplaced(revision.schedule, clock), at: .monotonicNow)
    schedule = machine
    carryOut(actions)
    for case .show(let decision) in actions {
      tellDecision(decision, of: revision)
      owner?.session(self, applies: revision, decision)
    }
  }

  func lookAtClock() {
    guard let active, let actions = schedule?.handle(.looked(clockNow(active)), at: .monotonicNow) else { return }
    carryOut(actions)
    for case .show(let decision) in actions {
      tellDecision(decision, of: active)
      owner?.session(self, follows: decision, of: active)
    }
  }

  private func clockNow(_ revision: ConfigurationRevision) -> ScheduleClock {
    ScheduleSetup.clock(revision.configuration.schedule)
  }

  private func tellDecision(_ decision: ScheduleDecision, of revision: ConfigurationRevision) {
    owner?.session(self, wantsScreenOn: !decision.isScreenOff)
    let lists = revision.lists(for: decision)
    let forVisitors = lists.visitors.isEmpty ? "" : ", \(lists.visitors.count) for visitors"
    log.info("playlist \(decision.playlist): \(lists.loop.count) items\(forVisitors)")
  }

  /// Those of the schedule that are about time.
  private func carryOut(_ actions: [ScheduleMachine.Action]) {
    for action in actions {
      switch action {
      case .tellJump(let jump): log.notice("the clock was set by \(Int(jump.inSeconds.rounded())) s")
      case .lookAgain(let delay): scheduleTimer = loop.after(delay) { [weak self] in self?.lookAtClock() }
      case .show: break
      }
    }
  }
}
