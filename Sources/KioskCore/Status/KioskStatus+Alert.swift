internal import InteractionCore
internal import PlaybackCore

extension KioskStatus {
  /// An alert that is shown.
  public struct Alert: Hashable, Sendable, Encodable {
    public var id: String
    public var text: String
    /// The screen that it is for; nil for all of them.
    public var screen: String?
    /// In UTC; nil where it came while the clock wasn't set.
    public var until: String?
    public var isInstead: Bool
    public var isTest: Bool
    /// The playlist that plays while it is shown.
    public var playlist: String?

    public init(_ alert: KioskCore.Alert) {
      id = PlainText.clipped(alert.id)
      text = PlainText.clipped(alert.text, to: CommandLimits.alertCharacters)
      screen = alert.screen
      until = alert.until.map { UTCTime.iso(milliseconds: $0.clampedMultiplied(by: 1000)) }
      isInstead = alert.isInstead
      isTest = alert.isTest
      playlist = alert.playlist
    }

    enum CodingKeys: String, CodingKey {
      case id, text, screen, until, playlist
      case isInstead = "instead"
      case isTest = "test"
    }
  }
}
