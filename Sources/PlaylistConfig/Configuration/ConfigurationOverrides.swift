/// Settings of the environment and the command line, which override the files.
///
/// A variable's name is VITRINE_, the table and the key, such as VITRINE_DISPLAY_CONNECTOR; an option is
/// `--set display.connector=HDMI-A-1`. Both can set any key that isn't in a list.
public struct ConfigurationOverrides: Hashable, Sendable {
  public private(set) var sources: [ConfigurationSource] = []
  public private(set) var diagnostics: [Diagnostic] = []

  public init() {}

  /// - Parameters:
  ///   - environment: of the process.
  ///   - settings: `key=value`, in the order of the command line.
  public init(environment: [String: String], settings: [String] = []) {
    for name in environment.keys.sorted() { addVariable(name, environment[name] ?? "") }
    for setting in settings { addSetting(setting) }
  }

  private mutating func addVariable(_ name: String, _ value: String) {
    let prefix = "VITRINE_"
    guard name.hasPrefix(prefix) else { return }
    let rest = name.dropFirst(prefix.count)
    // Other programs' variables may have the same prefix; one whose table doesn't exist is ignored.
    for table in Schema.root.keys {
      guard case .table(let keys) = table.form, rest.hasPrefix(table.name.uppercased() + "_") else { continue }
      let word = rest.dropFirst(table.name.count + 1).lowercased()
      guard let key = keys.first(where: { $0.name == word }), case .value(let shape) = key.form else {
        let meant = Suggestion.nearest(to: word, among: keys.map(\.name))
        diagnostics.append(
          Diagnostic(
            .warning, path: name, position: nil, message: "there is no such setting",
            allowed: meant.map { "did you mean \(prefix)\(table.name.uppercased())_\($0.uppercased())?" }
              ?? "it is ignored"))
        return
      }
      add(name, [table.name, key.name], value, shape)
      return
    }
  }

  private mutating func addSetting(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let path = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      diagnostics.append(
        Diagnostic(path: "--set \(text)", position: nil, message: "has no =", allowed: "--set key=value is allowed"))
      return
    }
    let tables = Schema.root.keys
    guard path.count == 2, let table = tables.first(where: { $0.name == path[0] }), case .table(let keys) = table.form,
      let key = keys.first(where: { $0.name == path[1] }), case .value(let shape) = key.form
    else {
      let known = tables.flatMap { table -> [String] in
        guard case .table(let keys) = table.form else { return [] }
        return keys.compactMap { key in if case .value = key.form { "\(table.name).\(key.name)" } else { nil } }
      }
      let meant = Suggestion.nearest(to: path.joined(separator: "."), among: known)
      diagnostics.append(
        Diagnostic(
          path: "--set \(parts[0])", position: nil, message: "there is no such setting",
          allowed: meant.map { "did you mean \($0)?" } ?? "known: \(known.joined(separator: ", "))"))
      return
    }
    add("--set \(parts[0])", path, String(parts[1]), shape)
  }

  private mutating func add(_ origin: String, _ path: [String], _ text: String, _ shape: ValueShape) {
    let nowhere = TOMLPosition(line: 0, column: 0)
    var node = TOMLNode(Self.value(text, shape), at: nowhere, keyPosition: nowhere)
    for key in path.dropFirst().reversed() {
      node = TOMLNode(.table(TOMLTable([TOMLTable.Entry(key: key, node: node)])), at: nowhere, keyPosition: nowhere)
    }
    sources.append(
      ConfigurationSource(path: origin, table: TOMLTable([TOMLTable.Entry(key: path[0], node: node)])))
  }

  /// Parses a value as TOML. Text needs no quotes, and a value that doesn't parse is kept as text: the key's own rule
  /// then refuses it with a message that names the key.
  private static func value(_ text: String, _ shape: ValueShape) -> TOMLNode.Value {
    switch shape {
    case .text, .localText, .words, .date, .time, .moment: return .string(text)
    case .boolean, .integer, .number, .list, .scalar:
      guard let table = try? TOMLParser.parse("value = \(text)"), table.entries.count == 1,
        let value = table["value"]?.value
      else { return .string(text) }
      return value
    }
  }
}
