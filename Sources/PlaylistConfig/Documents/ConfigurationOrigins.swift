/// Every value of a configuration with its origin.
public struct ConfigurationOrigins: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    /// `display.output`, `playlist.main.item 2.uri`
    public var key: String
    /// The value as in a file; not shortened.
    public var value: String
    /// `path:line`, the name of a variable, an option, or `default`.
    public var origin: String
  }

  public private(set) var entries: [Entry] = []

  /// - Parameter loaded: with errors or without; values that couldn't be read are missing.
  public init(_ loaded: LoadedConfiguration) {
    var entries: [Entry] = []
    Self.collect(Schema.root.keys, in: loaded.merged, path: "", sources: loaded.sources, into: &entries)
    self.entries = entries
  }

  private static func collect(
    _ keys: [KeyDescription], in table: TOMLTable, path: String, sources: [String],
    into entries: inout [Entry]
  ) {
    for key in keys {
      let node = table[key.name]
      let keyPath = path.isEmpty ? key.name : "\(path).\(key.name)"
      switch (key.form, node?.value) {
      case (.value, nil):
        if let text = key.defaultText { entries.append(Entry(key: keyPath, value: text, origin: "default")) }
      case (.table(let inner), .table(let table)?):
        collect(inner, in: table, path: keyPath, sources: sources, into: &entries)
      case (.table(let inner), nil):
        collect(inner, in: TOMLTable(), path: keyPath, sources: sources, into: &entries)
      case (.namedTables(_, let inner), .table(let tables)?):
        for entry in tables.entries {
          guard case .table(let table) = entry.node.value else { continue }
          collect(inner, in: table, path: "\(keyPath).\(entry.key)", sources: sources, into: &entries)
        }
      case (.namedValues, .table(let values)?):
        for entry in values.entries {
          entries.append(
            Entry(
              key: "\(keyPath).\(entry.key)", value: TOMLText.written(entry.node),
              origin: origin(of: entry.node, sources)))
        }
      case (.tables(let inner), .array(let elements)?):
        for (index, element) in elements.enumerated() {
          guard case .table(let table) = element.value else { continue }
          collect(inner, in: table, path: "\(keyPath) \(index + 1)", sources: sources, into: &entries)
        }
      case (_, .some):
        if let node {
          entries.append(Entry(key: keyPath, value: TOMLText.written(node), origin: origin(of: node, sources)))
        }
      case (_, nil): break
      }
    }
  }

  private static func origin(of node: TOMLNode, _ sources: [String]) -> String {
    guard sources.indices.contains(node.position.file) else { return "configuration" }
    let path = sources[node.position.file]
    return node.position.line > 0 ? "\(path):\(node.position.line)" : path
  }
}
