/// One text of a configuration.
public struct ConfigurationSource: Hashable, Sendable {
  /// For diagnostics; relative paths in the text start at its folder.
  public var path: String
  public var content: Content
  public var origin: Origin

  public enum Content: Hashable, Sendable {
    /// UTF-8; any bytes are safe.
    case text([UInt8])
    /// What an option or a variable says.
    case table(TOMLTable)
  }

  /// Who wrote it. That decides what it may set, wherever the text is kept in between.
  public enum Origin: Hashable, Sendable {
    /// Somebody who may write the board's own files, or who starts the program: he may set everything.
    case board
    /// Whoever has brought a USB stick; also what was copied from one.
    ///
    /// `folder` is absolute: all that its paths may lead to.
    case stick(folder: FilePath)

    /// Nil for the board's own.
    public var stick: FilePath? { if case .stick(let folder) = self { folder } else { nil } }
  }

  public init(path: String, text: [UInt8], origin: Origin = .board) {
    self.path = path
    content = .text(text)
    self.origin = origin
  }

  init(path: String, table: TOMLTable) {
    self.path = path
    content = .table(table)
    origin = .board
  }
}

extension ConfigurationSource.Origin {
  /// What a stick may set: what plays, when, and how the bar looks. Everything else is the board's: where sound and picture go,
  /// what is heard of visitors, which servers get its passwords and by which proxy, where it writes.
  static let tablesOfSticks = ["playlist", "schedule", "overlay"]

  /// What a text says that it may not.
  func refusals(of table: TOMLTable, in context: TableContext) -> [Diagnostic] {
    guard case .stick = self else { return [] }
    let known = Set(Schema.root.keys.map(\.name))
    var refusals: [Diagnostic] = []
    func refuse(_ key: String, _ node: TOMLNode, in context: TableContext) {
      refusals.append(
        context.diagnostic(
          key, at: node.keyPosition ?? node.position, message: "isn't for a USB stick to set",
          allowed: "it may set \(Self.tablesOfSticks.joined(separator: ", ")), and nothing else"))
    }
    for entry in table.entries
    where known.contains(entry.key) && entry.key != "version" && !Self.tablesOfSticks.contains(entry.key) {
      // Key by key, so that all that has to go is told at once.
      if case .table(let inner) = entry.node.value, !inner.entries.isEmpty {
        for key in inner.entries { refuse(key.key, key.node, in: context.inner(entry.key)) }
      } else {
        refuse(entry.key, entry.node, in: context)
      }
    }
    return refusals
  }
}
