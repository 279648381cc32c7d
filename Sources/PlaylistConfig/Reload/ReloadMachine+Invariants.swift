internal import PlaybackCore

// What holds between two events of a reload. Debug builds check it after each.

extension ReloadMachine {
  var invariants: Invariants {
    var all = Invariants()
    // Frames of another one would prove it.
    all.check("What is on trial is what plays", trial.map { $0.revision == active } ?? true)
    guard let trial else { return all }
    // It would be confirmed a second time, or never. Where nothing is to be proved, the first look confirms it.
    all.check("What has proved itself isn't on trial any more", trial.good == .zero || trial.good < policy.confirmAfter)
    return all
  }
}
