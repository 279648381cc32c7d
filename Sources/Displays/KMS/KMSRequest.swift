public import PlaybackCore

/// The settings of the KMS output.
public struct KMSRequest: Hashable, Sendable {
  /// When `auto` takes a panel that is built in (DSI, LVDS, eDP, DPI) while another screen is connected too.
  public enum BuiltInPanels: String, Hashable, Sendable, CaseIterable {
    /// Only if no other screen is connected: a screen plugged into a device with a panel is meant to show the picture.
    case last
    case first
  }

  /// `auto`, a path (`/dev/dri/card1` or `card1`), the device's name on its bus (`0000:01:00.0`, `gpu`) or its driver's
  /// (`vc4`).
  public var card: String
  /// The kernel's name for the connector, such as `HDMI-A-1` (see /sys/class/drm); `auto` is the first with a screen.
  public var connector: String
  public var builtInPanels: BuiltInPanels
  public var mode: DisplayMode
  /// The initial rate if the mode follows the films, in thousandths of a hertz; nil for the screen's preferred rate.
  public var refreshMillihertz: Int?
  /// The rotation of the picture on the panel.
  public var rotation: ScreenRotation
  /// Whether the video plane scales, if the board's profile says so; nil to ask the driver.
  public var planeScales: Bool?
  /// The largest mode that is chosen unless the request names one: what the board can keep up. Nil for the screen's
  /// preferred mode.
  public var modeLimit: BoardDecoding.Limit?
  /// Use of CEC, beside the display's own power control, to wake the screen and put it to sleep.
  public var cec: CECChoice
  /// Colour of the screen where there is no picture: 0xRRGGBB.
  public var background: UInt32

  public init(
    card: String = KMSRequest.auto, connector: String = KMSRequest.auto, builtInPanels: BuiltInPanels = .last,
    mode: DisplayMode = .auto, refreshMillihertz: Int? = nil, rotation: ScreenRotation = .none,
    planeScales: Bool? = nil, modeLimit: BoardDecoding.Limit? = nil, cec: CECChoice = .off, background: UInt32 = 0
  ) {
    self.card = card
    self.connector = connector
    self.builtInPanels = builtInPanels
    self.mode = mode
    self.refreshMillihertz = refreshMillihertz
    self.rotation = rotation
    self.planeScales = planeScales
    self.modeLimit = modeLimit
    self.cec = cec
    self.background = background
  }

  public static let auto = "auto"
}
