extension ConfigurationDocuments {
  /// docs/configuration.md.
  public static var markdown: String {
    var text = introduction
    for key in Schema.root.keys {
      switch key.form {
      case .value: text += "\n## `\(key.name)`\n\n\(key.summary) \(sentence(key.allowed))\n"
      default: text += sections(of: key, path: key.name)
      }
    }
    text += effects
    return text
  }

  private static func sections(of key: KeyDescription, path: String) -> String {
    let header: String
    var inner = path
    switch key.form {
    case .value, .inlineTable: return ""
    case .table, .namedValues: header = "[\(path)]"
    case .namedTables(let placeholder, _):
      inner = "\(path).\(placeholder)"
      header = "[\(inner)]"
    case .tables: header = "[[\(path)]]"
    }
    var text = "\n## `\(header)`\n\n\(key.summary)\n"
    if case .namedValues(let placeholder, _, _) = key.form {
      text += "\n\(sentence(key.allowed)) Example: `\(placeholder) = \(key.example ?? "")`.\n"
    }
    let values = key.inner.filter { key in
      switch key.form {
      case .value, .inlineTable: true
      default: false
      }
    }
    if !values.isEmpty {
      text += "\n| key | default | meaning |\n|---|---|---|\n"
      for value in values { text += row(value) }
    }
    for key in key.inner { text += sections(of: key, path: "\(inner).\(key.name)") }
    return text
  }

  private static func row(_ key: KeyDescription) -> String {
    let standard = key.defaultText.map { "`\($0)`" } ?? (key.isRequired ? "must be there" : "")
    let example = key.example.map { " Example: `\(shortened($0))`." } ?? ""
    let allowed = key.allowed.isEmpty ? "" : " " + sentence(key.allowed)
    return "| `\(key.name)` | \(standard) | \(escaped(key.summary + allowed))\(example) |\n"
  }

  private static func sentence(_ allowed: String) -> String {
    guard let first = allowed.first else { return "" }
    return first.uppercased() + allowed.dropFirst() + "."
  }

  private static func shortened(_ text: String) -> String {
    text.count > 64 ? text.prefix(20) + "...\"" : text
  }

  private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }

  private static var introduction: String {
    let set = ConfigurationSet.system
    return """
      # Configuration

      This page is made by `make reference` from the description of the format in the program; `vitrine config schema`
      prints the same as a commented file, `vitrine config schema --json` as JSON Schema for editors.

      ## Files

      Files in [TOML](https://toml.io), read in this order. A later file overrides an earlier one, key by key; a list (such as the
      items of a playlist) is replaced as a whole.

      1. `\(set.main)`
      2. `\(set.dropIns ?? "")/NN-name.toml`, by name; NN are two digits
      \(set.boot.enumerated().map { "\($0.offset + 3). `\($0.element)`" }.joined(separator: "\n"))
      \(set.boot.count + 3). variables of the environment: `VITRINE_DISPLAY_CONNECTOR` is `connector` in `[display]`
      \(set.boot.count + 4). the command line: `--set display.connector=HDMI-A-1`, then the other options

      A user who isn't root and has a file `~/.config/vitrine/vitrine.toml` (`$XDG_CONFIG_HOME`) plays that, and the `conf.d` beside it,
      in place of the first four.
      `--config FILE` takes that file alone, `--config FOLDER` its `vitrine.toml` and `conf.d`. `vitrine config show
      --origin` prints every value and where it comes from. `vitrine check` reports all errors at once, as
      `path:line:column: [table].key: value: what is wrong, what is allowed`; unknown keys are errors.

      At most \(ConfigurationLimits.textBytes >> 20) MiB of text, \(ConfigurationLimits.items) items, \
      \(ConfigurationLimits.keyParts) parts of a dotted key, \(ConfigurationLimits.addressCharacters) characters of an \
      address and \(ConfigurationLimits.nameCharacters) of any other text are read.

      ## In an editor

      An editor that reads JSON Schema completes keys, explains them and marks mistakes: VS Code with "Even Better TOML", Neovim, Helix and
      others with [taplo](https://taplo.tamasfe.dev). The first line of the file names the schema, which the package has and
      `vitrine config schema --json` prints:

      ```toml
      #:schema /usr/share/vitrine/vitrine.schema.json
      version = 1

      [[playlist.main.item]]
      uri = "hall.mp4"
      ```

      `taplo check vitrine.toml` checks the file on a computer without Vitrine; `vitrine check` finds more. `man vitrine.toml` is this page in a terminal.

      ## An example

      ```toml
      version = 1

      [playback]
      picture_duration = 8

      [schedule]
      timezone = "Europe/Berlin"

      [[schedule.rule]]
      playlist = "evening"
      days = ["fri", "sat"]
      start = "18:00"
      end = "02:00"

      [[schedule.off]]
      start = "02:00"
      end = "07:30"

      [[playlist.main.item]]
      uri = "clips"
      pattern = "*.mp4"

      [[playlist.evening.item]]
      uri = "bar.mp4"
      volume = 0.5
      ```

      """
  }
}
