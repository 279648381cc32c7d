internal import PlaybackCore
internal import PlaylistConfig

/// One screen as it is to be: its name, what holds for it, and which devices are its.
struct ScreenPlan: Sendable {
  /// From the configuration; empty where there is one screen, without a name.
  var name: String
  var options: KioskOptions
  /// Parts of the names of its input devices, or of where they are plugged in.
  var touch: [String] = []

  /// One screen for each that the configuration names; without `[[screen]]`, or without a configuration, one.
  ///
  /// - Parameter options: of the run; what overrides the configuration is in them.
  static func all(_ options: KioskOptions, _ revision: ConfigurationRevision?, _ decision: ScheduleDecision?)
    -> [ScreenPlan]
  {
    guard let revision, let decision, !revision.configuration.screens.isEmpty else {
      return [ScreenPlan(name: "", options: options)]
    }
    return revision.configuration.screens.enumerated().map { number, screen in
      var own = options
      // One file holds one picture.
      if number > 0 { own.snapshot = nil }
      own.play(revision.lists(for: decision, on: screen), by: revision.configuration.forScreen(screen))
      return ScreenPlan(name: screen.name, options: own, touch: screen.touch)
    }
  }
}
