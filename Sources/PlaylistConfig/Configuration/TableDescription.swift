/// The keys of a table, and where their values go in `Model`. The whole format is said in such descriptions; see
/// `Schema`.
struct TableDescription<Model: Sendable>: Sendable {
  let fields: [Field]
  private let indexes: [String: Int]

  init(_ fields: [Field]) {
    self.fields = fields
    indexes = Dictionary(fields.enumerated().map { ($1.key.name, $0) }) { first, _ in first }
  }

  /// A key of the table: a value, a table, or tables.
  struct Field: Sendable {
    var key: KeyDescription
    let read: @Sendable (TOMLNode, TableContext, inout Model, inout [Diagnostic]) -> Void
  }

  var keys: [KeyDescription] { fields.map(\.key) }

  /// Reads what can be read of `table` into `model`, and reports everything else.
  func read(
    _ table: TOMLTable, at position: TOMLPosition, in context: TableContext, into model: inout Model,
    reporting diagnostics: inout [Diagnostic]
  ) {
    if !context.isPartial {
      for field in fields where field.key.isRequired && table[field.key.name] == nil {
        diagnostics.append(
          context.diagnostic(field.key.name, at: position, message: "missing", allowed: field.key.allowed))
      }
    }
    for entry in table.entries {
      if let index = indexes[entry.key] {
        let field = fields[index]
        if field.key.isPlanned {
          diagnostics.append(
            context.diagnostic(
              entry.key, at: entry.node.keyPosition ?? entry.node.position, message: "has no effect yet",
              allowed: "it is checked, and kept for a later version", severity: .warning))
        }
        field.read(entry.node, context, &model, &diagnostics)
      } else {
        let names = fields.map(\.key.name)
        let meant = Suggestion.nearest(to: entry.key, among: names)
        diagnostics.append(
          context.diagnostic(
            entry.key, at: entry.node.keyPosition ?? entry.node.position, message: "unknown key",
            allowed: meant.map { "did you mean \($0)?" } ?? "known here: \(names.joined(separator: ", "))"))
      }
    }
  }
}

/// Where in which file a table is, for diagnostics.
struct TableContext: Sendable {
  /// The files by the `file` of positions.
  var paths: [String]
  /// Of the list that the table is an element of; else its own name. Empty for the root.
  private var name: String
  /// Which element of it; nil for one that is none. The two are put together where something is told only.
  private var number: Int?
  /// One file of several: what is missing may stand in another one.
  var isPartial = false

  init(paths: [String], table: String, number: Int? = nil, isPartial: Bool = false) {
    self.paths = paths
    name = table
    self.number = number
    self.isPartial = isPartial
  }

  /// `playlist.main.item 2`; empty for the root.
  var table: String { number.map { "\(name) \($0)" } ?? name }

  func keyPath(_ key: String) -> String {
    // A key may hold any character; a diagnostic is one line.
    let isBare = !key.isEmpty && key.utf8.allSatisfy { byte in TableContext.isBareKeyByte(byte) }
    let name = isBare ? key : TOMLText.quoted(key)
    return table.isEmpty ? name : "[\(table)].\(name)"
  }

  func inner(_ key: String) -> TableContext {
    let table = table
    return TableContext(paths: paths, table: table.isEmpty ? key : "\(table).\(key)", isPartial: isPartial)
  }

  /// An element of a list is always whole: lists aren't merged.
  func element(_ number: Int) -> TableContext { TableContext(paths: paths, table: table, number: number) }

  func diagnostic(
    _ key: String, at position: TOMLPosition, value: String? = nil, message: String, allowed: String,
    severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    Diagnostic(
      severity, path: path(of: position), position: position, keyPath: keyPath(key), value: value, message: message,
      allowed: allowed)
  }

  func refused(_ key: String, _ node: TOMLNode, _ message: String, allowed: String) -> Diagnostic {
    diagnostic(key, at: node.position, value: TOMLText.spelled(node), message: message, allowed: allowed)
  }

  func path(of position: TOMLPosition) -> String {
    paths.indices.contains(position.file) ? paths[position.file] : "configuration"
  }

  static func isBareKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
