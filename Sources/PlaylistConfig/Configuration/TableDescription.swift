/// The keys of a table, and where their values go in `Model`. The whole format is said in such descriptions; see
/// `Schema`.
struct TableDescription<Model: Sendable>: Sendable {
  let fields: [Field]

  init(_ fields: [Field]) { self.fields = fields }

  /// A key of the table: a value, a table, or tables.
  struct Field: Sendable {
    let name: String
    let isRequired: Bool
    /// What is allowed, for the diagnostic of a missing key.
    let allowed: String
    let read: @Sendable (TOMLNode, TableContext, inout Model, inout [Diagnostic]) -> Void
  }

  /// Reads what can be read of `table` into `model`, and reports everything else.
  func read(
    _ table: TOMLTable, at position: TOMLPosition, in context: TableContext, into model: inout Model,
    reporting diagnostics: inout [Diagnostic]
  ) {
    for field in fields where field.isRequired && table[field.name] == nil {
      diagnostics.append(
        Diagnostic(
          path: context.path, position: position, keyPath: context.keyPath(field.name), message: "missing",
          allowed: field.allowed))
    }
    for entry in table.entries {
      if let field = fields.first(where: { $0.name == entry.key }) {
        field.read(entry.node, context, &model, &diagnostics)
      } else {
        let meant = Suggestion.nearest(to: entry.key, among: fields.map(\.name))
        let known = fields.map(\.name).joined(separator: ", ")
        diagnostics.append(
          Diagnostic(
            path: context.path, position: entry.node.keyPosition ?? entry.node.position,
            keyPath: context.keyPath(entry.key), message: "unknown key",
            allowed: meant.map { "did you mean \($0)?" } ?? "known here: \(known)"))
      }
    }
  }
}

/// Where in the file a table is, for diagnostics.
struct TableContext: Sendable {
  var path: String
  /// `playlist.main.item 2`; empty for the root.
  var table: String

  func keyPath(_ key: String) -> String {
    // A key may hold any character; a diagnostic is one line.
    let isBare = !key.isEmpty && key.utf8.allSatisfy { byte in TableContext.isBareKeyByte(byte) }
    let name = isBare ? key : TOMLText.quoted(key)
    return table.isEmpty ? name : "[\(table)].\(name)"
  }

  func inner(_ key: String) -> TableContext {
    TableContext(path: path, table: table.isEmpty ? key : "\(table).\(key)")
  }

  func element(_ number: Int) -> TableContext { TableContext(path: path, table: "\(table) \(number)") }

  static func isBareKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension TableDescription.Field {
  /// A value that has to be there, or keeps its default. `position` takes the place of the value.
  static func value<Value>(
    _ name: String, _ rule: ValueRule<Value>, _ path: any WritableKeyPath<Model, Value> & Sendable,
    isRequired: Bool = false, position: (any WritableKeyPath<Model, TOMLPosition> & Sendable)? = nil
  ) -> Self {
    Self(name: name, isRequired: isRequired, allowed: rule.allowed) { node, context, model, diagnostics in
      guard let value = read(name, node, rule, context, &diagnostics) else { return }
      model[keyPath: path] = value
      if let position { model[keyPath: position] = node.position }
    }
  }

  /// A value that is nil when it isn't there.
  static func optional<Value>(
    _ name: String, _ rule: ValueRule<Value>, _ path: any WritableKeyPath<Model, Value?> & Sendable
  ) -> Self {
    Self(name: name, isRequired: false, allowed: rule.allowed) { node, context, model, diagnostics in
      guard let value = read(name, node, rule, context, &diagnostics) else { return }
      model[keyPath: path] = value
    }
  }

  /// A table with a description of its own.
  static func table<Inner>(
    _ name: String, _ description: TableDescription<Inner>, _ path: any WritableKeyPath<Model, Inner> & Sendable
  ) -> Self {
    Self(name: name, isRequired: false, allowed: "") { node, context, model, diagnostics in
      guard let table = table(name, node, context, &diagnostics) else { return }
      description.read(
        table, at: node.position, in: context.inner(name), into: &model[keyPath: path], reporting: &diagnostics)
    }
  }

  /// Tables by names that the user chooses.
  static func namedTables<Inner>(
    _ name: String, _ description: TableDescription<Inner>, new: @escaping @Sendable () -> Inner,
    _ path: any WritableKeyPath<Model, [String: Inner]> & Sendable
  ) -> Self {
    Self(name: name, isRequired: false, allowed: "") { node, context, model, diagnostics in
      guard let tables = table(name, node, context, &diagnostics) else { return }
      let outer = context.inner(name)
      for entry in tables.entries {
        guard !entry.key.isEmpty, entry.key.utf8.allSatisfy(TableContext.isBareKeyByte) else {
          diagnostics.append(
            Diagnostic(
              path: context.path, position: entry.node.keyPosition, keyPath: outer.keyPath(entry.key),
              message: "is not a name", allowed: "letters, digits, - and _ are allowed"))
          continue
        }
        guard let table = table(entry.key, entry.node, outer, &diagnostics) else { continue }
        var inner = new()
        description.read(
          table, at: entry.node.position, in: outer.inner(entry.key), into: &inner, reporting: &diagnostics)
        model[keyPath: path][entry.key] = inner
      }
    }
  }

  /// A list of tables. Must have at least one.
  ///
  /// - Parameter header: how such a table is written, for diagnostics.
  static func tables<Inner>(
    _ name: String, header: String, _ description: TableDescription<Inner>, new: @escaping @Sendable () -> Inner,
    _ path: any WritableKeyPath<Model, [Inner]> & Sendable
  ) -> Self {
    let allowed = "at least one \(header) is needed"
    return Self(name: name, isRequired: true, allowed: allowed) { node, context, model, diagnostics in
      guard case .array(let elements) = node.value else {
        let refusal = Refusal.kind(node, expected: "array of tables")
        diagnostics.append(
          context.refused(name, node, refusal.message, allowed: "[[\(context.table).\(name)]] is allowed"))
        return
      }
      guard !elements.isEmpty else {
        diagnostics.append(context.refused(name, node, "is empty", allowed: allowed))
        return
      }
      let outer = context.inner(name)
      for (index, element) in elements.enumerated() {
        guard case .table(let table) = element.value else {
          let refusal = Refusal.kind(element, expected: "table")
          diagnostics.append(
            context.refused("\(name)", element, refusal.message, allowed: "[[\(context.table).\(name)]] is allowed"))
          continue
        }
        var inner = new()
        description.read(
          table, at: element.position, in: outer.element(index + 1), into: &inner, reporting: &diagnostics)
        model[keyPath: path].append(inner)
      }
    }
  }

  private static func read<Value>(
    _ name: String, _ node: TOMLNode, _ rule: ValueRule<Value>, _ context: TableContext,
    _ diagnostics: inout [Diagnostic]
  ) -> Value? {
    do throws(Refusal) {
      return try rule.read(node)
    } catch {
      diagnostics.append(context.refused(name, node, error.message, allowed: error.allowed ?? rule.allowed))
      return nil
    }
  }

  private static func table(
    _ name: String, _ node: TOMLNode, _ context: TableContext, _ diagnostics: inout [Diagnostic]
  ) -> TOMLTable? {
    if case .table(let table) = node.value { return table }
    let header = context.inner(name).table
    diagnostics.append(
      context.refused(name, node, "is of type \(node.kind.rawValue) and not table", allowed: "[\(header)] is allowed"))
    return nil
  }
}

extension TableContext {
  fileprivate func refused(_ key: String, _ node: TOMLNode, _ message: String, allowed: String) -> Diagnostic {
    Diagnostic(
      path: path, position: node.position, keyPath: keyPath(key), value: TOMLText.spelled(node), message: message,
      allowed: allowed)
  }
}
