internal import PlaybackCore

/// What a gesture or a key does: a command, or something about input itself, which is no business of other doors.
public enum Binding: Hashable, Sendable {
  case nothing
  case command(Command)
  /// Ignores all input from now on but the key or gesture of `unlock`, or listens again.
  case lock
  case unlock
  /// For drags: moves the position along the bar.
  case scrub
  /// For drags: changes the volume by the way of the finger.
  case dragVolume

  /// Reads a binding as files write it: `none`, `lock`, `unlock`, a command, or for drags `scrub` and `volume`.
  ///
  /// - Returns: nil for a text that is no binding; `grammar` says what is.
  public init?(_ text: String) {
    let (word, rest) = Command.split(text)
    if rest.isEmpty, let plain = Self.plain[word] {
      self = plain
    } else if let command = Self.shorthand(word, rest) ?? Command(words: text) {
      // A step of nothing and a volume of nothing are slips.
      guard command != .changeVolume(byPercent: 0) else { return nil }
      self = .command(command)
    } else {
      return nil
    }
  }

  /// Words of their own for what is bound most.
  private static func shorthand(_ word: String, _ rest: String) -> Command? {
    switch (word, rest.isEmpty) {
    case ("play-pause", true): .playPause
    case ("status", true): .showStatus(nil)
    case ("controls", true): .showControls
    case ("skip", false):
      Command(words: "seek \(rest.first.map { "+-\u{2212}".contains($0) } == true ? "" : "+")\(rest)")
    case ("play", false): .playClip(rest)
    default: nil
    }
  }

  private static let plain: [String: Binding] = [
    "none": .nothing, "lock": .lock, "unlock": .unlock, "scrub": .scrub, "volume": .dragVolume,
  ]

  /// For messages about a text that is no binding.
  public static let grammar =
    (["none", "lock", "unlock", "play-pause", "status", "controls", "scrub", "volume"]
    + Verb.allCases.map(\.usage)).joined(separator: ", ")

  /// For pages and messages that have no room for the grammar.
  public static let examples =
    "none, play-pause, next, previous, skip +10, seek 90, volume -5, mute, select 3, play hall.mp4, status, lock; all are in docs/input.md"

  /// Whether it is for drags, which nothing else can be bound to.
  public var isForDrags: Bool { self == .scrub || self == .dragVolume }

  /// What somebody means who presses a key while the loop plays, where visitors have a list of their own.
  public enum Aim: Hashable, Sendable {
    /// Names nothing: like a touch it brings the list, and is spent on that.
    case anything
    /// Names an item of the list, from 1.
    case item(Int)
    /// Names a place in the film: the list comes, and the command is carried out in it.
    case list
    /// Names a clip, the volume, or something of the player's own: it is carried out, and the loop goes on.
    case player
  }

  public var aim: Aim {
    switch self {
    case .command(.playPause), .command(.play), .command(.pause), .command(.skip), .command(.next),
      .command(.previous), .command(.showControls):
      .anything
    case .command(.select(let number)): .item(number)
    case .command(.seek): .list
    default: .player
    }
  }
}

extension Binding: CustomStringConvertible {
  /// As files write it: `init(_:)` takes it back.
  public var description: String {
    switch self {
    case .nothing: "none"
    case .command(.playPause): "play-pause"
    case .command(.showStatus(nil)): "status"
    case .command(.showControls): "controls"
    case .command(let command): command.description
    case .lock: "lock"
    case .unlock: "unlock"
    case .scrub: "scrub"
    case .dragVolume: "volume"
    }
  }
}
