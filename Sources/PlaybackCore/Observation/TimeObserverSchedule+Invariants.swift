// Conditions that hold between two events, however playback moves. Debug builds check them after each event.

extension TimeObserverSchedule {
  var invariants: Invariants {
    var all = Invariants()
    // It would wake the loop for nothing, or report a time that isn't passed.
    all.check("A timer runs only while time does, and for somebody", timer == nil || (isMoving && !isEmpty))
    // Shorter intervals starve the loop.
    all.check("No interval is shorter than may be", observers.values.allSatisfy { isLongEnough($0.rule) })
    // The next boundary is searched from the front.
    all.check("Boundaries are in order", observers.values.allSatisfy { isInOrder($0.rule) })
    return all
  }

  private var isMoving: Bool { !isHeld && (playhead?.rate ?? 0) != 0 }

  private func isLongEnough(_ rule: Rule) -> Bool {
    if case .every(let interval) = rule { return interval >= Self.leastInterval }
    return true
  }

  private func isInOrder(_ rule: Rule) -> Bool {
    if case .boundaries(let times) = rule { return times == times.sorted() }
    return true
  }
}
