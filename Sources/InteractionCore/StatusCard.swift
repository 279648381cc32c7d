/// A card for whoever looks after the board: what it does, and how it fares.
public struct StatusCard: Hashable, Sendable {
  /// Told by a word of its own, and not only by a colour.
  public enum Health: String, Hashable, Sendable, CaseIterable {
    case healthy
    case attention
    case trouble
  }

  public struct Row: Hashable, Sendable {
    public var label: String
    /// Wraps; never cut.
    public var value: String

    public init(_ label: String, _ value: String) {
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
