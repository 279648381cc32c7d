/// What a gesture or a key can do. Each has a word in files, see `parse`.
public enum InputAction: Hashable, Sendable {
  case nothing
  case playPause
  case play
  case pause
  /// To a place in the item.
  case seek(Duration)
  /// Forward, or back where negative.
  case skip(Duration)
  case next
  case previous
  /// In percent of full volume; negative is quieter.
  case volume(Int)
  case mute
  /// An item of the playlist, from 1.
  case select(Int)
  /// Plays this once, then goes back to the list where it was.
  case playClip(String)
  case statusCard
  /// Ignores all input from now on but the key or gesture of `unlock`, or listens again.
  case lock
  case unlock
  case showControls
  /// For drags: moves the position along the bar.
  case scrub
  /// For drags: more or less volume, by the way of the finger.
  case dragVolume

  /// Reads an action as it is written: a word, and where it needs one a value after a blank.
  ///
  /// - Returns: nil for what isn't one; `grammar` says what is.
  public static func parse(_ text: String) -> InputAction? {
    let words = text.split(separator: " ", maxSplits: 1).map { $0.trimmingBlanks }
    guard let word = words.first else { return nil }
    guard words.count == 2 else { return plain[word] }
    let value = words[1]
    switch word {
    case "seek": return seconds(value).flatMap { $0 < .zero ? nil : .seek($0) }
    case "skip": return seconds(value).map { .skip($0) }
    case "volume": return whole(value).flatMap { (-100...100).contains($0) && $0 != 0 ? .volume($0) : nil }
    case "select": return whole(value).flatMap { $0 >= 1 ? .select($0) : nil }
    case "play": return value.isEmpty ? nil : .playClip(value)
    default: return nil
    }
  }

  /// For messages about what `parse` doesn't take.
  public static let grammar =
    plain.keys.sorted().joined(separator: ", ")
    + ", seek SECONDS, skip +SECONDS, skip -SECONDS, volume +PERCENT, volume -PERCENT, select NUMBER, play CLIP"

  private static let plain: [String: InputAction] = [
    "none": .nothing, "play-pause": .playPause, "play": .play, "pause": .pause, "next": .next, "previous": .previous,
    "mute": .mute, "status": .statusCard, "lock": .lock, "unlock": .unlock, "controls": .showControls,
    "scrub": .scrub, "volume": .dragVolume,
  ]

  /// What a key is meant for that somebody presses while the loop plays, where visitors have a list of their own.
  public enum Aim: Hashable, Sendable {
    /// Names nothing: like a touch it brings the list, and is spent on that.
    case anything
    /// Names an item of the list, from 1.
    case item(Int)
    /// Names a place in the film: the list comes, and the action is carried out in it.
    case list
    /// Names a clip, the volume, or something of the player's own: it is carried out, and the loop goes on.
    case player
  }

  public var aim: Aim {
    switch self {
    case .playPause, .play, .pause, .skip, .next, .previous, .showControls: .anything
    case .select(let number): .item(number)
    case .seek: .list
    case .playClip, .volume, .mute, .statusCard, .lock, .unlock, .nothing, .scrub, .dragVolume: .player
    }
  }

  /// Whether it is for drags, which nothing else can be bound to.
  public var isForDrags: Bool { self == .scrub || self == .dragVolume }

  private static func seconds(_ text: String) -> Duration? {
    guard let value = Double(text), value.isFinite, abs(value) <= 86_400 else { return nil }
    return .milliseconds(Int64((value * 1000).rounded()))
  }

  private static func whole(_ text: String) -> Int? { Int(text) }
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
