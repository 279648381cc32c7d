internal import PlaybackCore

// The invariants between two events of a reload. Debug builds check them after each.

extension ReloadMachine {
  var invariants: Invariants {
    var all = Invariants()
    // Frames of another revision would confirm it.
    all.check("The revision on trial plays", trial.map { $0.revision == active } ?? true)
    guard let trial else { return all }
    // It would be confirmed a second time, or never. With `confirmAfter` zero, the first look confirms it.
    all.check("A confirmed revision isn't on trial", trial.good == .zero || trial.good < policy.confirmAfter)
    return all
  }
}
