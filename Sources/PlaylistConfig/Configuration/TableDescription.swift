/// The keys of a table, and the properties of `Model` that get their values. Such descriptions make up the whole
/// format; see `Schema`.
struct TableDescription<Model: Sendable>: Sendable {
  let fields: [Field]
  private let indexes: [String: Int]
  /// Keys of an earlier version, each with its replacement.
  private var removed: [String: String] = [:]

  init(_ fields: [Field]) {
    self.fields = fields
    indexes = Dictionary(fields.enumerated().map { ($1.key.name, $0) }) { first, _ in first }
  }

  /// A key of the table: a value, a table, or tables.
  struct Field: Sendable {
    var key: KeyDescription
    /// Compares the key in two models: when a difference takes effect.
    let changes: @Sendable (_ old: Model, _ new: Model, _ effect: TakesEffect?) -> Set<TakesEffect>
    let read: @Sendable (TOMLNode, TableContext, inout Model, inout [Diagnostic]) -> Void
  }

  var keys: [KeyDescription] { fields.map(\.key) }

  /// - Parameter more: keys that stand behind the others.
  func with(_ more: [Field]) -> Self {
    var table = Self(fields + more)
    table.removed = removed
    return table
  }

  /// - Parameter removed: keys of an earlier version, each with its replacement.
  func without(_ removed: [String: String]) -> Self {
    var table = self
    table.removed = removed
    return table
  }

  /// Compares two models key by key: when their differences take effect.
  ///
  /// - Parameter effect: of keys that say nothing of their own.
  func changes(from old: Model, to new: Model, _ effect: TakesEffect?) -> Set<TakesEffect> {
    fields.reduce(into: []) { $0.formUnion($1.changes(old, new, $1.key.effect ?? effect)) }
  }

  /// Reads the valid keys of `table` into `model`, and reports everything else.
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
        field.read(entry.node, context, &model, &diagnostics)
      } else if let instead = removed[entry.key] {
        diagnostics.append(
          context.diagnostic(
            entry.key, at: entry.node.keyPosition ?? entry.node.position, message: "is no key any more",
            allowed: instead))
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

/// A table's name and file, for diagnostics.
struct TableContext: Sendable {
  /// Paths of the files; the `file` of a position is an index into it.
  var paths: [String]
  /// The name of the table, or of the list that it is an element of. Empty for the root.
  private var name: String
  /// The element's number in the list; nil if the table isn't an element. Name and number are joined only when a
  /// diagnostic needs them.
  private var number: Int?
  /// Whether this is one of several files: a required key may stand in another.
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

  /// An element of a list. It is always complete: lists aren't merged.
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
