internal import PlaybackCore

/// The effect of a gesture or a key: a command, or a change of input itself, which only input can ask for.
public enum Binding: Hashable, Sendable {
  case nothing
  case command(Command)
  /// Ignores all input from now on, except a key or gesture that is bound to `lock` or `unlock`; used again, it
  /// unlocks.
  case lock
  case unlock
  /// For drags: moves the position along the bar.
  case scrub
  /// For drags: changes the volume by the distance that the finger moves.
  case dragVolume

  /// Reads a binding as configuration files spell it: `none`, `lock`, `unlock`, a command, or for drags `scrub` and
  /// `volume`.
  ///
  /// - Returns: nil for a text that isn't a binding; `grammar` lists what is.
  public init?(_ text: String) {
    let (word, rest) = Command.split(text)
    if rest.isEmpty, let plain = Self.plain[word] {
      self = plain
    } else if let command = Self.shorthand(word, rest) ?? Command(words: text) {
      // A volume step of zero is a typing error.
      guard command != .changeVolume(byPercent: 0) else { return nil }
      self = .command(command)
    } else {
      return nil
    }
  }

  /// Short names for the most common commands.
  private static func shorthand(_ word: String, _ rest: String) -> Command? {
    switch (word, rest.isEmpty) {
    case ("play-pause", true): .playPause
    case ("status", true): .showStatus(nil)
    case ("controls", true): .showControls
    case ("skip", false): Command(words: "seek \(Verb.sign(of: rest) == nil ? "+" : "")\(rest)")
    case ("play", false): .playClip(rest)
    default: nil
    }
  }

  private static let plain: [String: Binding] = [
    "none": .nothing, "lock": .lock, "unlock": .unlock, "scrub": .scrub, "volume": .dragVolume,
  ]

  /// All bindings, for messages about a text that isn't one.
  public static let grammar =
    (["none", "lock", "unlock", "play-pause", "status", "controls", "skip SECONDS", "play CLIP", "scrub", "volume"]
    + Verb.allCases.map(\.usage)).joined(separator: ", ")

  /// A few bindings, for pages and messages without room for the grammar.
  public static let examples =
    "none, play-pause, next, previous, skip +10, seek 90, volume -5, mute, select 3, play hall.mp4, status, lock; all are in docs/input.md"

  /// Whether the binding is for drags. Nothing else can be bound to it.
  public var isForDrags: Bool { self == .scrub || self == .dragVolume }

  /// The purpose of a key that is pressed while the loop plays, where visitors have a list of their own.
  public enum Aim: Hashable, Sendable {
    /// The key names nothing: like a touch it starts the list, and has no other effect.
    case anything
    /// The key names an item of the list, from 1.
    case item(Int)
    /// The key names a place in the film: the list starts, and the command is carried out in it.
    case list
    /// The key names a clip, the volume, or a function of the player: it is carried out, and the loop goes on.
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

extension Binding {
  /// The purpose of a key that is pressed while visitors choose from tiles.
  public enum TileAim: Hashable, Sendable {
    case step(TileStep)
    /// Goes along the list by this many films.
    case along(Int)
    /// Starts the film in focus.
    case enter
    /// The key names a film of the list, from 1.
    case film(Int)
    /// The key is about the film that plays; nobody watches the loop now.
    case loop
    /// The key is carried out as ever.
    case player
  }

  public var tileAim: TileAim {
    switch self {
    case .command(.next): .along(1)
    case .command(.previous): .along(-1)
    case .command(.skip(let step)): .step(step < .zero ? .left : .right)
    case .command(.playPause), .command(.play): .enter
    case .command(.select(let number)): .film(number)
    case .command(.pause), .command(.seek): .loop
    default: .player
    }
  }
}

extension Binding: CustomStringConvertible {
  /// As configuration files spell it; `init(_:)` reads it back.
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
