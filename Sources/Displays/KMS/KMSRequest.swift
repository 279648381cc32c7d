public import PlaybackCore

/// What is asked of the KMS output.
public struct KMSRequest: Hashable, Sendable {
  /// Such as `/dev/dri/card1`; nil tries every card in turn.
  public var cardPath: String?
  /// The kernel's name for the connector, such as `HDMI-A-1` (see /sys/class/drm); `auto` is the first with a screen.
  public var connector: String
  public var mode: DisplayMode
  /// Colour of the screen where there is no picture: 0xRRGGBB.
  public var background: UInt32

  public init(
    cardPath: String? = nil, connector: String = KMSRequest.autoConnector, mode: DisplayMode = .auto,
    background: UInt32 = 0
  ) {
    self.cardPath = cardPath
    self.connector = connector
    self.mode = mode
    self.background = background
  }

  public static let autoConnector = "auto"
}
