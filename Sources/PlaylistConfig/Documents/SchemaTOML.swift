extension ConfigurationDocuments {
  /// The format as a commented file: keys with a default are commented out, so that the text itself is a valid
  /// configuration.
  public static var commentedTOML: String {
    var lines = [
      "# Every key of Vitrine's configuration, with its default or an example behind the #. Take the # away to set one.",
      "# Files are read in this order, and later ones override:",
      "#   \(ConfigurationSet.system.main), \(ConfigurationSet.system.dropIns ?? "")/NN-name.toml in the order of names,",
      "#   \(ConfigurationSet.system.boot.joined(separator: ", ")).",
      "",
    ]
    for key in Schema.root.keys {
      switch key.form {
      case .value:
        lines += comment(of: key)
        lines.append("\(key.name) = \(key.defaultText ?? key.example ?? "")")
      default:
        lines.append("")
        lines += table(key, path: key.name)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func table(_ key: KeyDescription, path: String) -> [String] {
    var lines = wrapped(key.summary)
    switch key.form {
    case .value, .inlineTable: break
    case .table(let keys): lines += ["#[\(path)]"] + members(keys, path: path)
    case .namedTables(_, let keys):
      let own = "\(path).\(Configuration.mainPlaylistName)"
      lines += ["#[\(own)]"] + members(keys, path: own)
    case .namedValues(let placeholder, _, _):
      lines += wrapped(key.allowed) + ["#[\(path)]", "#\(placeholder) = \(key.example ?? "")"]
    case .tables(let keys): lines += ["#[[\(path)]]"] + members(keys, path: path)
    }
    return lines
  }

  private static func members(_ keys: [KeyDescription], path: String) -> [String] {
    var lines: [String] = []
    // Values first: lines after a header belong to its table.
    for key in keys {
      switch key.form {
      case .value, .inlineTable: lines += comment(of: key) + value(of: key)
      default: break
      }
    }
    for key in keys {
      switch key.form {
      case .value, .inlineTable: break
      default: lines += [""] + table(key, path: "\(path).\(key.name)")
      }
    }
    return lines
  }

  /// A long list goes on in a second line.
  private static func value(of key: KeyDescription) -> [String] {
    let line = "#\(key.name) = \(key.defaultText ?? key.example ?? "")"
    guard line.count > 120, let cut = line.prefix(119).lastIndex(of: ",") else { return [line] }
    return [String(line[...cut]), "#\(line[cut...].dropFirst(2))"]
  }

  private static func comment(of key: KeyDescription) -> [String] {
    let allowed = key.allowed.isEmpty ? "" : " (\(key.allowed))"
    return wrapped(key.summary + allowed)
  }

  /// Wraps a text into comments of at most 120 characters.
  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    var line = "#"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 120 {
        lines.append(line)
        line = "#"
      }
      line += " \(word)"
    }
    return lines + [line]
  }
}

/// The format of the configuration in the forms in which people and programs read it. All come from `Schema`.
public enum ConfigurationDocuments {}
