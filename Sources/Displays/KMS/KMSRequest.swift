public import PlaybackCore

/// What is asked of the KMS output.
public struct KMSRequest: Hashable, Sendable {
  /// When `auto` takes a panel that is built in (DSI, LVDS, eDP, DPI) while another screen is connected too.
  public enum BuiltInPanels: String, Hashable, Sendable, CaseIterable {
    /// Only when nothing else is connected: who plugs a screen into a device that has one wants the picture there.
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
  /// The rate to begin with where the mode follows the films, in thousandths of a hertz; nil is what the screen prefers.
  public var refreshMillihertz: Int?
  /// By how much the picture is turned on the panel.
  public var rotation: ScreenRotation
  /// Whether the video plane scales, where that is known of the board; nil asks the driver.
  public var planeScales: Bool?
  /// The most that a mode may have that isn't named: what the board keeps up. Nil: whatever the screen prefers.
  public var modeLimit: BoardDecoding.Limit?
  /// Whether the screen is woken and put to sleep by CEC too.
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
