/// When a change of a key holds that a running player reads.
public enum TakesEffect: String, Hashable, Sendable, CaseIterable {
  case atOnce = "at once"
  /// What plays goes on as it began.
  case nextItem = "with the next item"
  /// What is open goes on as it was opened.
  case nextOpening = "for items that are opened from then on"
  /// The screen is opened anew, which is seen.
  case newOutput = "with the screen, which is opened anew after the item that plays"
  case nextStart = "at the next start of the player"

  /// - Parameter path: names of tables and of the key, such as `display.mode`; list entries and names of one's own are `*`.
  /// - Returns: nil where nobody has said it, which a test finds.
  public static func of(_ path: String) -> TakesEffect? {
    if let own = exceptions[path] { return own }
    return tables.first { path == $0.key || path.hasPrefix($0.key + ".") }?.value
  }

  private static let tables: [(key: String, value: TakesEffect)] = [
    // Read before anything else is, each time.
    ("version", .atOnce), ("display", .newOutput), ("screen", .atOnce), ("playback", .atOnce),
    ("network", .nextOpening), ("store", .atOnce), ("audio", .newOutput), ("input", .atOnce), ("overlay", .atOnce),
    ("attract", .atOnce), ("usb", .atOnce), ("control", .atOnce), ("telemetry", .atOnce),
    ("schedule", .atOnce), ("playlist", .nextItem),
  ]

  private static let exceptions: [String: TakesEffect] = [
    "display.match_hold": .atOnce, "display.unplugged": .atOnce, "display.keep_last_frame": .atOnce,
    // It is on the screen before anything else has been read.
    "display.splash": .nextStart,
    "playback.picture_duration": .nextOpening,
    "audio.volume": .atOnce, "audio.fade": .atOnce, "audio.muted": .atOnce, "audio.device": .nextItem,
    "screen.rotation": .newOutput, "screen.sound": .newOutput, "screen.connector": .newOutput,
    "screen.card": .newOutput, "screen.playlist": .nextItem,
  ]

  /// All keys that have an effect, by when that is, in the order of the format.
  public static var keys: [(path: String, effect: TakesEffect?)] { keys(of: Schema.root.keys, in: "") }

  private static func keys(of keys: [KeyDescription], in path: String) -> [(path: String, effect: TakesEffect?)] {
    keys.filter { !$0.isPlanned }.flatMap { key -> [(path: String, effect: TakesEffect?)] in
      let own = path + key.name
      switch key.form {
      case .value, .inlineTable: return [(own, of(own))]
      case .namedValues: return [(own + ".*", of(own))]
      case .table(let inner), .tables(let inner): return Self.keys(of: inner, in: own + ".")
      case .namedTables(_, let inner): return Self.keys(of: inner, in: own + ".*.")
      }
    }
  }
}

extension ConfigurationDocuments {
  /// When changes hold, for the reference.
  static var effects: String {
    var text = """

      ## When a change takes effect

      A running player notices a change of its files, or is told of it (SIGHUP, `vitrine reload`). All of it is checked first; then each
      key holds:

      | when | keys |
      |---|---|

      """
    let keys = TakesEffect.keys
    for effect in TakesEffect.allCases {
      let names = keys.filter { $0.effect == effect }.map { "`\($0.path)`" }
      text += "| \(effect.rawValue) | \(names.joined(separator: ", ")) |\n"
    }
    return text
  }
}
