/// One text of a configuration.
public struct ConfigurationSource: Hashable, Sendable {
  /// The path for diagnostics; relative paths in the text start at its folder.
  public var path: String
  public var content: Content
  public var origin: Origin

  public enum Content: Hashable, Sendable {
    /// UTF-8; any bytes are safe.
    case text([UInt8])
    /// The setting of an option or a variable.
    case table(TOMLTable)
  }

  /// The author of a text. The author decides which keys the text may set, wherever it is stored in the meantime.
  public enum Origin: Hashable, Sendable {
    /// A person who may write the board's own files or who starts the program: may set everything.
    case board
    /// A person who brought a USB stick; also for texts copied from one.
    ///
    /// `folder` is absolute; the text's paths may not lead out of it.
    case stick(folder: FilePath)

    /// The stick's folder; nil for the board's own texts.
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
  /// The tables that a stick may set: what plays, when, and how the bar looks. The others belong to the board: its
  /// outputs, its input devices, the servers that get its passwords, its proxy, the places where it writes.
  static let tablesOfSticks = ["playlist", "schedule", "overlay"]

  /// A fault for each key that the text's author may not set.
  func refusals(of table: TOMLTable, in context: TableContext) -> [Diagnostic] {
    guard case .stick = self else { return [] }
    let known = Set(Schema.root.keys.map(\.name))
    var refusals: [Diagnostic] = []
    func refuse(_ key: String, _ node: TOMLNode, in context: TableContext) {
      refusals.append(
        context.diagnostic(
          key, at: node.keyPosition ?? node.position, message: "may not be set by a USB stick",
          allowed: "a stick may set only \(Self.tablesOfSticks.joined(separator: ", "))"))
    }
    for entry in table.entries
    where known.contains(entry.key) && entry.key != "version" && !Self.tablesOfSticks.contains(entry.key) {
      // Key by key, so that one reading reports all keys that have to go.
      if case .table(let inner) = entry.node.value, !inner.entries.isEmpty {
        for key in inner.entries { refuse(key.key, key.node, in: context.inner(entry.key)) }
      } else {
        refuse(entry.key, entry.node, in: context)
      }
    }
    return refusals
  }
}
