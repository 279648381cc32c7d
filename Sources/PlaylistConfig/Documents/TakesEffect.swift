/// When a running player applies a changed key.
public enum TakesEffect: String, Hashable, Sendable, CaseIterable {
  case atOnce = "at once"
  /// The current item plays on with the old value.
  case nextItem = "with the next item"
  /// Items that are open keep the old value.
  case nextOpening = "for items that are opened from then on"
  /// The screen is reopened, which viewers notice.
  case newOutput = "with the screen, which is reopened after the item that plays"
  case nextStart = "at the next start of the player"

  /// All keys with the time at which a change applies, in the order of the format.
  public static var keys: [(path: String, effect: TakesEffect?)] { keys(of: Schema.root.keys, in: "", nil) }

  private static func keys(of keys: [KeyDescription], in path: String, _ table: TakesEffect?)
    -> [(path: String, effect: TakesEffect?)]
  {
    keys.flatMap { key -> [(path: String, effect: TakesEffect?)] in
      let (own, effect) = (path + key.name, key.effect ?? table)
      switch key.form {
      case .value, .inlineTable: return [(own, effect)]
      case .namedValues: return [(own + ".*", effect)]
      case .table(let inner), .tables(let inner): return Self.keys(of: inner, in: own + ".", effect)
      case .namedTables(_, let inner): return Self.keys(of: inner, in: own + ".*.", effect)
      }
    }
  }
}

extension Configuration {
  /// Compares this configuration with an older one key by key, and returns when the differences take effect.
  public func changes(from old: Configuration) -> Set<TakesEffect> { Schema.root.changes(from: old, to: self, nil) }
}

extension ConfigurationDocuments {
  /// The chapter of the reference about when changes apply.
  static var effects: String {
    var text = """

      ## When a change takes effect

      A running player notices a change of its files, or is told of it (SIGHUP, `vitrine reload`). It checks the whole configuration
      first. Then each key takes effect:

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
