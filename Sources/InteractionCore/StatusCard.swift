/// A card for the board's technicians: what the board does, and its health.
public struct StatusCard: Hashable, Sendable {
  /// Shown as a word, and not by a colour alone.
  public enum Health: String, Hashable, Sendable, CaseIterable {
    case healthy
    case attention
    case trouble

    public var text: VisitorText {
      switch self {
      case .healthy: VisitorText(.healthy)
      case .attention: VisitorText(.attention)
      case .trouble: VisitorText(.trouble)
      }
    }
  }

  public struct Row: Hashable, Sendable {
    public var label: VisitorSentence
    /// Wraps; never cut.
    public var value: VisitorText

    public init(_ label: VisitorSentence, _ value: VisitorText) {
      self.label = label
      self.value = value
    }
  }

  /// The board's name.
  public var title: String
  public var health: Health
  public var rows: [Row]

  public init(title: String, health: Health, rows: [Row]) {
    self.title = title
    self.health = health
    self.rows = rows
  }
}
