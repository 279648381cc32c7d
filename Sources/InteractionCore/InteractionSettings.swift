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
}
