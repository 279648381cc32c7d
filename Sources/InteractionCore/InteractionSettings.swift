/// All settings of input.
public struct InteractionSettings: Hashable, Sendable {
  public var devices = InputSettings()
  public var gestures = GestureSettings()
  public var scrubbing = ScrubSettings()
  public var actions = ActionMap()
  public var attract = AttractSettings()
  /// How long the bar stays after the last touch.
  public var barStay = Duration.seconds(3)

  public init() {}

  /// The gesture settings. Without an action for a double tap, a tap needn't wait for a second one.
  public var recognition: GestureSettings {
    var gestures = gestures
    gestures.hasDoubleTap = actions.hasDoubleTap
    return gestures
  }

  /// The gesture settings while tiles or choices are shown: a tap chooses at once, and pages and lines follow a finger
  /// from its first movement.
  public var choosingRecognition: GestureSettings {
    var gestures = gestures
    gestures.hasDoubleTap = false
    gestures.flickLimit = .zero
    // A slow finger chooses, too: there is nothing else that it could mean.
    gestures.tapLimit = gestures.longPress
    return gestures
  }
}
