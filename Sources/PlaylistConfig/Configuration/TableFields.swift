// The kinds of keys that a table may have.

extension TableDescription.Field {
  /// A value that is required or has a default. `position` is set to the value's place.
  ///
  /// - Parameters:
  ///   - model: an instance with defaults, for the documents; nil if the key has no default.
  static func value<Value: Equatable & Sendable>(
    _ name: String, _ rule: ValueRule<Value>, _ path: any WritableKeyPath<Model, Value> & Sendable,
    default model: Model? = nil, position: (any WritableKeyPath<Model, TOMLPosition> & Sendable)? = nil,
    place: (any WritableKeyPath<Model, TOMLPosition?> & Sendable)? = nil, example: String? = nil, _ summary: String
  ) -> Self {
    Self(
      key: KeyDescription(
        name: name, form: .value(rule.shape), summary: summary, allowed: rule.allowed,
        defaultText: model.map { rule.spell($0[keyPath: path]) }, example: example),
      changes: compared(path)
    ) { node, context, model, diagnostics in
      guard let value = read(name, node, rule, context, &diagnostics) else { return }
      model[keyPath: path] = value
      if let position { model[keyPath: position] = node.position }
      if let place { model[keyPath: place] = node.position }
    }
  }

  /// A value that is nil when it isn't there.
  static func optional<Value: Equatable & Sendable>(
    _ name: String, _ rule: ValueRule<Value>, _ path: any WritableKeyPath<Model, Value?> & Sendable,
    position: (any WritableKeyPath<Model, TOMLPosition?> & Sendable)? = nil, example: String? = nil, _ summary: String
  ) -> Self {
    Self(
      key: KeyDescription(
        name: name, form: .value(rule.shape), summary: summary, allowed: rule.allowed, example: example),
      changes: compared(path)
    ) { node, context, model, diagnostics in
      guard let value = read(name, node, rule, context, &diagnostics) else { return }
      model[keyPath: path] = value
      if let position { model[keyPath: position] = node.position }
    }
  }

  /// A table with a description of its own.
  static func table<Inner>(
    _ name: String, _ description: TableDescription<Inner>, _ path: any WritableKeyPath<Model, Inner> & Sendable,
    _ summary: String
  ) -> Self {
    Self(
      key: KeyDescription(name: name, form: .table(description.keys), summary: summary),
      changes: { description.changes(from: $0[keyPath: path], to: $1[keyPath: path], $2) }
    ) { node, context, model, diagnostics in
      guard let table = table(name, node, context, &diagnostics) else { return }
      description.read(
        table, at: node.position, in: context.inner(name), into: &model[keyPath: path], reporting: &diagnostics)
    }
  }

  /// A table that is nil if it isn't in the file; for use in a list, so that it is complete.
  static func optionalTable<Inner: Equatable & Sendable>(
    _ name: String, _ description: TableDescription<Inner>, new: @escaping @Sendable () -> Inner,
    position: any WritableKeyPath<Inner, TOMLPosition> & Sendable,
    _ path: any WritableKeyPath<Model, Inner?> & Sendable, example: String, _ summary: String
  ) -> Self {
    Self(
      key: KeyDescription(name: name, form: .inlineTable(description.keys), summary: summary, example: example),
      changes: compared(path)
    ) { node, context, model, diagnostics in
      guard let table = table(name, node, context, &diagnostics) else { return }
      var inner = new()
      inner[keyPath: position] = node.position
      description.read(table, at: node.position, in: context.inner(name), into: &inner, reporting: &diagnostics)
      model[keyPath: path] = inner
    }
  }

  /// Tables by names that the user chooses.
  static func namedTables<Inner: Equatable & Sendable>(
    _ name: String, _ description: TableDescription<Inner>, new: @escaping @Sendable () -> Inner,
    _ path: any WritableKeyPath<Model, [String: Inner]> & Sendable, _ summary: String
  ) -> Self {
    Self(
      key: KeyDescription(name: name, form: .namedTables(placeholder: "NAME", description.keys), summary: summary),
      changes: compared(path)
    ) { node, context, model, diagnostics in
      guard let tables = table(name, node, context, &diagnostics) else { return }
      let outer = context.inner(name)
      for entry in tables.entries {
        guard !entry.key.isEmpty, entry.key.utf8.allSatisfy(TableContext.isBareKeyByte) else {
          diagnostics.append(
            outer.diagnostic(
              entry.key, at: entry.node.keyPosition ?? entry.node.position, message: "is not a name",
              allowed: "letters, digits, - and _ are allowed"))
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

  /// Values by names that the user chooses.
  static func namedValues<Value: Equatable & Sendable>(
    _ name: String, _ rule: ValueRule<Value>, placeholder: String, namePattern: String, nameAllowed: String,
    isName: @escaping @Sendable (String) -> Bool, _ path: any WritableKeyPath<Model, [String: Value]> & Sendable,
    example: String, _ summary: String
  ) -> Self {
    let form = KeyDescription.Form.namedValues(placeholder: placeholder, namePattern: namePattern, rule.shape)
    return Self(
      key: KeyDescription(name: name, form: form, summary: summary, allowed: rule.allowed, example: example),
      changes: compared(path)
    ) { node, context, model, diagnostics in
      guard let table = table(name, node, context, &diagnostics) else { return }
      let inner = context.inner(name)
      for entry in table.entries {
        guard isName(entry.key) else {
          diagnostics.append(
            inner.diagnostic(
              entry.key, at: entry.node.keyPosition ?? entry.node.position, message: "is not a name of a key",
              allowed: nameAllowed))
          continue
        }
        guard let value = read(entry.key, entry.node, rule, inner, &diagnostics) else { continue }
        model[keyPath: path][entry.key] = value
      }
    }
  }

  /// A list of tables.
  ///
  /// - Parameters:
  ///   - header: the table's header in a file, for diagnostics.
  ///   - isRequired: whether there must be at least one.
  ///   - position: is set to the place of each.
  static func tables<Inner: Equatable & Sendable>(
    _ name: String, header: String, _ description: TableDescription<Inner>, new: @escaping @Sendable () -> Inner,
    isRequired: Bool = false, limit: Int, position: (any WritableKeyPath<Inner, TOMLPosition> & Sendable)? = nil,
    _ path: any WritableKeyPath<Model, [Inner]> & Sendable, _ summary: String
  ) -> Self {
    let allowed = "at least one \(header) is needed"
    var key = KeyDescription(name: name, form: .tables(description.keys), summary: summary, allowed: allowed)
    key.isRequired = isRequired
    return Self(key: key, changes: compared(path)) { node, context, model, diagnostics in
      guard case .array(let elements) = node.value else {
        let refusal = Refusal.kind(node, expected: "array of tables")
        diagnostics.append(
          context.refused(name, node, refusal.message, allowed: "[[\(context.inner(name).table)]] is allowed"))
        return
      }
      guard !elements.isEmpty || !isRequired else {
        diagnostics.append(context.refused(name, node, "is empty", allowed: allowed))
        return
      }
      guard elements.count <= limit else {
        diagnostics.append(
          context.refused(name, node, "has \(elements.count) entries", allowed: "at most \(limit) are allowed"))
        return
      }
      let outer = context.inner(name)
      var read: [Inner] = []
      read.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        guard case .table(let table) = element.value else {
          let refusal = Refusal.kind(element, expected: "table")
          diagnostics.append(
            context.refused("\(name)", element, refusal.message, allowed: "[[\(context.inner(name).table)]] is allowed")
          )
          continue
        }
        var inner = new()
        if let position { inner[keyPath: position] = element.position }
        description.read(
          table, at: element.position, in: outer.element(index + 1), into: &inner, reporting: &diagnostics)
        read.append(inner)
      }
      model[keyPath: path] = read
    }
  }

  /// Has to be there.
  var required: Self {
    var field = self
    field.key.isRequired = true
    return field
  }

  /// When a change of it holds: of a table, for all of its keys that say nothing of their own.
  func takesEffect(_ effect: TakesEffect) -> Self {
    var field = self
    field.key.effect = effect
    return field
  }

  /// Compares lists of tables. A list has changed if one of its tables has, or stands in another line.
  private static func compared<Value: Equatable & Sendable>(_ path: any KeyPath<Model, Value> & Sendable)
    -> @Sendable (Model, Model, TakesEffect?) -> Set<TakesEffect>
  {
    { old, new, effect in
      guard let effect, old[keyPath: path] != new[keyPath: path] else { return [] }
      return [effect]
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
