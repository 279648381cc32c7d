internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// Any thread; an observer is there when the call returns.

extension Player {
  /// What happens from now on.
  ///
  /// - Parameter buffering: how many events may wait for a slow consumer; at least 1.
  public nonisolated func events(buffering: Int = 64) -> PlayerSequence<PlayerEvent> {
    observers.addEvents(buffering: buffering)
  }

  /// The status of now and of each change from now on. The position alone counts as a change four times a second, and
  /// at each jump, start and stop.
  ///
  /// - Parameter buffering: how many may wait for a slow consumer; a view needs only the newest.
  public nonisolated func statuses(buffering: Int = 1) -> PlayerSequence<PlayerStatus> {
    observers.addStatuses(buffering: buffering)
  }

  /// Media time whenever playback passes a multiple of an interval, and at each jump, start and stop.
  ///
  /// - Parameters:
  ///   - interval: in media time; below 10 ms counts as 10 ms.
  ///   - buffering: how many times may wait for a slow consumer; at least 1.
  public nonisolated func periodicTimes(every interval: Duration, buffering: Int = 16) -> PlayerSequence<Duration> {
    addTimes(.every(interval.bounded), buffering: buffering)
  }

  /// Each of these times when playback passes it, in every item. The same one comes again only after a jump back.
  ///
  /// - Parameters:
  ///   - times: media times from the start of the item, in any order.
  ///   - buffering: how many times may wait for a slow consumer; at least 1.
  public nonisolated func boundaryTimes(_ times: [Duration], buffering: Int = 16) -> PlayerSequence<Duration> {
    addTimes(.boundaries(times.filter { $0 == $0.bounded }), buffering: buffering)
  }

  /// How many sequences are watching.
  nonisolated var observerCount: Int { observers.count }

  private nonisolated func addTimes(_ rule: TimeObserverSchedule.Rule, buffering: Int) -> PlayerSequence<Duration> {
    let (sequence, id) = observers.addTimes(buffering: buffering) { [weak self] id in
      Task { await self?.carryOut(.removed(id)) }
    }
    Task { [weak self] in await self?.watch(id, rule) }
    return sequence
  }

  private func watch(_ id: Int, _ rule: TimeObserverSchedule.Rule) {
    // It may have gone before it came here.
    if observers.hasTimes(id) { carryOut(.added(id, rule)) }
  }

  // MARK: Media time, on the loop

  /// Hands the schedule a fact and does what it says: it knows who is told when, this keeps its one timer. Whom to tell
  /// waits for the end of the turn, so that those who are told find the new status.
  func carryOut(_ event: TimeObserverSchedule.Event) {
    for action in schedule.handle(event, at: now) {
      switch action {
      case .tell(let id, let time): turn.times.append((id, time))
      case .startTimer(let due):
        scheduleTimer = engine?.clock.after(max(.zero, due - now)) { [weak self] in
          self?.assumeIsolated { player in
            player.carryOut(.timerFired)
            player.endTurn()
          }
        }
      case .cancelTimer: scheduleTimer = nil
      }
    }
  }
}
