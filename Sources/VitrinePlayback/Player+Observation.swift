internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// These functions may be called on any thread; the observer is registered when the call returns.

extension Player {
  /// The events from now on.
  ///
  /// - Parameter buffering: how many events may wait for a slow consumer; at least 1.
  public nonisolated func events(buffering: Int = 64) -> PlayerSequence<PlayerEvent> {
    observers.addEvents(buffering: buffering)
  }

  /// The present status and each change of it. The position alone counts as a change four times a second, and at each
  /// jump, start and stop.
  ///
  /// - Parameter buffering: number of statuses that may wait for a slow consumer; a view needs only the newest.
  public nonisolated func statuses(buffering: Int = 1) -> PlayerSequence<PlayerStatus> {
    observers.addStatuses(buffering: buffering)
  }

  /// The position whenever playback passes a multiple of an interval, and at each jump, start and stop.
  ///
  /// - Parameters:
  ///   - interval: in media time; below 10 ms counts as 10 ms.
  ///   - buffering: how many times may wait for a slow consumer; at least 1.
  public nonisolated func periodicTimes(every interval: Duration, buffering: Int = 16) -> PlayerSequence<Duration> {
    addTimes(.every(interval.bounded), buffering: buffering)
  }

  /// Each of these times when playback passes it, in every item. A time comes again only after a jump back.
  ///
  /// - Parameters:
  ///   - times: media times from the start of the item, in any order.
  ///   - buffering: how many times may wait for a slow consumer; at least 1.
  public nonisolated func boundaryTimes(_ times: [Duration], buffering: Int = 16) -> PlayerSequence<Duration> {
    addTimes(.boundaries(times.filter { $0 == $0.bounded }), buffering: buffering)
  }

  /// Number of sequences that are observed.
  nonisolated var observerCount: Int { observers.count }

  private nonisolated func addTimes(_ rule: TimeObserverSchedule.Rule, buffering: Int) -> PlayerSequence<Duration> {
    let (sequence, id) = observers.addTimes(buffering: buffering) { [weak self] id in
      Task { await self?.carryOut(.removed(id)) }
    }
    Task { [weak self] in await self?.watch(id, rule) }
    return sequence
  }

  private func watch(_ id: Int, _ rule: TimeObserverSchedule.Rule) {
    // The sequence may have been released before the call came here.
    if observers.hasTimes(id) { carryOut(.added(id, rule)) }
  }

  // MARK: Media time, on the loop

  /// Passes an event to the schedule and carries out its actions: the schedule knows the observers' times, and this
  /// keeps its one timer. Observers are called at the end of the turn, so that they see the new status.
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
