internal import PlaybackCore

/// A clip as its sender asks for it: an item of one of the configuration's playlists that plays once.
public struct ClipRequest: Hashable, Sendable {
  /// The playlist's name.
  public var list: String
  /// The item in that list, from 1.
  public var number: Int
  /// The position in the item that it begins at.
  public var start: Duration
  /// Whether its last picture stays until `release`, instead of the list that goes on.
  public var isHeldAtEnd: Bool

  public init(list: String, number: Int = 1, start: Duration = .zero, isHeldAtEnd: Bool = false) {
    self.list = list
    self.number = number
    self.start = start
    self.isHeldAtEnd = isHeldAtEnd
  }

  init(_ arguments: CommandArguments) {
    self.init(
      list: arguments.text("playlist") ?? "", number: arguments.whole("item") ?? 1,
      start: .seconds(arguments.number("at") ?? 0),
      isHeldAtEnd: arguments.text("then").flatMap(Sequel.init) == .hold)
  }

  static let parameters: [CommandParameter] = [
    .init("playlist", .name, "The name of a playlist of the configuration.", isRequired: true),
    .init(
      "item", .integer(1...1_000_000), "Which of its items, from 1. Without it, the first.", place: .option("item")),
    .init(
      "at", .number(0...CommandLimits.seekSeconds),
      "Where it begins: seconds from the item's own beginning. Without it, 0.",
      place: .option("at"), isTime: true),
    .init(
      "then", .words(Sequel.allCases.map(\.rawValue)),
      "At its end: back to the list, or hold its last picture until `release`. Without it, back.",
      place: .option("then")),
  ]

  /// How bindings spell the end of a clip.
  private enum Sequel: String, CaseIterable { case back, hold }

  /// As bindings spell it.
  public var words: String {
    var words = "clip \(list)"
    if number != 1 { words += " --item \(number)" }
    if start != .zero { words += " --at \(Command.number(start))" }
    if isHeldAtEnd { words += " --then hold" }
    return words
  }
}
