internal import PlaybackCore
internal import PlaylistConfig

/// The plan for one screen: its name, its options, and its input devices.
struct ScreenPlan: Sendable {
  /// The name in the configuration; empty where there is one screen, without a name.
  var name: String
  var options: KioskOptions
  /// Parts of the names of its input devices, or of the places where they are plugged in.
  var touch: [String] = []

  /// The plans for the screens that the configuration names; without `[[screen]]`, or without a configuration, for one
  /// screen.
  ///
  /// - Parameter options: the run's options, with the overrides of the configuration.
  static func all(_ options: KioskOptions, _ revision: ConfigurationRevision?, _ decision: ScheduleDecision?)
    -> [ScreenPlan]
  {
    guard let revision, let decision, !revision.configuration.screens.isEmpty else {
      return [ScreenPlan(name: "", options: options)]
    }
    return revision.configuration.screens.enumerated().map { number, screen in
      var own = options
      // Only the first screen takes a snapshot: there is one file for it.
      if number > 0 { own.snapshot = nil }
      own.play(
        revision.lists(for: decision, on: screen), by: revision.configuration.forScreen(screen),
        in: revision.language.texts)
      return ScreenPlan(name: screen.name, options: own, touch: screen.touch)
    }
  }
}
