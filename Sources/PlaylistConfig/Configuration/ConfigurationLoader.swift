public import PlaybackCore

/// The outcome of reading a configuration: the configuration, perhaps with warnings, or the errors that refuse it.
public struct LoadedConfiguration: Hashable, Sendable {
  /// Nil if there is an error.
  public var configuration: Configuration?
  /// All problems, in the order of their places in the files.
  public var diagnostics: [Diagnostic]
  /// The files as one error; nil when the configuration can be used.
  public var error: VitrineError?
  /// The texts merged into one table; empty if none could be read.
  public var merged = TOMLTable()
  /// Paths of the texts; the `file` of a position is an index into it.
  public var sources: [String] = []
  /// The fingerprint of the texts, in the spelling of the state file; nil if there are no texts.
  public var fingerprint: String?

  /// The configuration, or the error.
  public func get() throws(VitrineError) -> Configuration {
    if let configuration { return configuration }
    throw error ?? VitrineError(.configurationInvalid, subject: "configuration", message: "not usable", remedy: "")
  }
}

extension Configuration {
  /// Reads and checks the files of a set, with the settings that override them.
  public static func load(
    _ set: ConfigurationSet, overrides: ConfigurationOverrides = ConfigurationOverrides(),
    files: some FileAccess
  ) -> LoadedConfiguration {
    load(sources(of: set, files: files), overrides: overrides)
  }

  /// Reads the files of a set, unchecked.
  public static func sources(
    of set: ConfigurationSet, files: some FileAccess
  ) -> ConfigurationSet.Found {
    set.read(files: files)
  }

  /// Checks files that have been read.
  public static func load(_ found: ConfigurationSet.Found, overrides: ConfigurationOverrides) -> LoadedConfiguration {
    if let error = found.error { return LoadedConfiguration(diagnostics: found.diagnostics, error: error) }
    return check(found.sources + overrides.sources, earlier: found.diagnostics + overrides.diagnostics)
  }

  /// Reads and checks one file.
  ///
  /// - Parameter path: as the user gave it; diagnostics repeat it.
  public static func load(path: String, files: some FileAccess) -> LoadedConfiguration {
    load(ConfigurationSet(main: path), files: files)
  }

  /// Checks a text.
  public static func parse(_ text: [UInt8], path: String) -> LoadedConfiguration {
    check([ConfigurationSource(path: path, text: text)])
  }

  /// Checks each text alone, and then all of them merged; later texts override earlier ones.
  public static func check(_ sources: [ConfigurationSource], earlier: [Diagnostic] = []) -> LoadedConfiguration {
    let paths = sources.map(\.path)
    var diagnostics = earlier
    var merged = TOMLTable()
    for (file, source) in sources.enumerated() {
      do throws(TOMLSyntaxError) {
        let table =
          switch source.content {
          case .text(let text): try TOMLParser.parse(text, file: file)
          case .table(let table): table.placed(inFile: file)
          }
        // Alone too: a setting that a later file overrides is checked all the same.
        if sources.count > 1 {
          var scratch = Configuration()
          Schema.root.read(
            table, at: TOMLPosition(line: 1, column: 1, file: file),
            in: TableContext(paths: paths, table: "", isPartial: true), into: &scratch, reporting: &diagnostics)
        }
        diagnostics += source.origin.refusals(of: table, in: TableContext(paths: paths, table: ""))
        merged = file == 0 ? table : merged.merged(with: table)
      } catch {
        readOn(source, file: file, paths: paths, after: error, reporting: &diagnostics)
      }
    }
    var configuration = Configuration()
    configuration.sources = paths
    configuration.origins = sources.map(\.origin)
    let isReadable = !diagnostics.contains { $0.severity == .error && $0.keyPath.isEmpty }
    if isReadable {
      var together: [Diagnostic] = []
      let context = TableContext(paths: paths, table: "")
      Schema.root.read(
        merged, at: TOMLPosition(line: 1, column: 1), in: context, into: &configuration, reporting: &together)
      ConfigurationChecks(configuration: configuration, merged: merged, context: context).run(reporting: &together)
      let known = Set(diagnostics)
      diagnostics += together.filter { !known.contains($0) }
    }
    var loaded = finish(configuration, diagnostics, of: sources, merged: merged)
    if !sources.isEmpty { loaded.fingerprint = ConfigurationSource.fingerprint(of: sources) }
    return loaded
  }

  /// Reports all faults of a text that isn't TOML, as far as its likely corrections allow.
  private static func readOn(
    _ source: ConfigurationSource, file: Int, paths: [String], after error: TOMLSyntaxError,
    reporting diagnostics: inout [Diagnostic]
  ) {
    guard case .text(let text) = source.content else { return }
    let repair = TOMLRepair(text, file: file, error: error)
    diagnostics += repair.slips.map {
      Diagnostic(
        path: source.path, position: $0.position, message: $0.message, allowed: $0.allowed, corrected: $0.corrected)
    }
    guard let table = repair.table else { return }
    var scratch = Configuration()
    var others: [Diagnostic] = []
    let context = TableContext(paths: paths, table: "", isPartial: true)
    Schema.root.read(
      table, at: TOMLPosition(line: 1, column: 1, file: file), in: context, into: &scratch, reporting: &others)
    others += source.origin.refusals(of: table, in: TableContext(paths: paths, table: ""))
    // Of a line with a mistake, only the mistake is reported: the rest is a guess. A missing key may stand in a part
    // that was left out.
    let told = Set(repair.slips.compactMap { $0.position?.line })
    diagnostics += others.filter { other in
      !told.contains(other.line ?? 0) && !(repair.isPartial && other.message == "missing")
    }
  }

  private static func finish(
    _ configuration: Configuration, _ diagnostics: [Diagnostic], of sources: [ConfigurationSource], merged: TOMLTable
  ) -> LoadedConfiguration {
    // Sorted by place, and stably: problems of a whole file come last.
    var sorted = diagnostics.enumerated().sorted { a, b in
      let end = TOMLPosition(line: .max, column: 0, file: .max)
      let (placeA, placeB) = (a.element.position ?? end, b.element.position ?? end)
      return placeA == placeB ? a.offset < b.offset : placeA < placeB
    }.map(\.element)
    let errors = sorted.filter { $0.severity == .error }
    let limit = ConfigurationLimits.diagnostics
    if sorted.count > limit {
      sorted = Array((errors + sorted.filter { $0.severity == .warning }).prefix(limit))
    }
    Diagnostic.addExcerpts(to: &sorted, from: sources)
    guard let first = sorted.first(where: { $0.severity == .error }) else {
      return LoadedConfiguration(
        configuration: configuration, diagnostics: sorted, merged: merged, sources: configuration.sources)
    }
    return LoadedConfiguration(
      diagnostics: sorted,
      error: VitrineError(
        .configurationInvalid, subject: first.path, message: ConfigurationFaults.message(errors.count),
        remedy: ConfigurationFaults.remedy(sorted.filter { $0.severity == .error }), detail: first.description),
      merged: merged, sources: configuration.sources)
  }
}

extension TOMLTable {
  /// The table with everything in it at one place of one file: where an option or a variable is that file.
  fileprivate func placed(inFile file: Int) -> TOMLTable {
    let position = TOMLPosition(line: 0, column: 0, file: file)
    return TOMLTable(
      entries.map { entry in
        var node = entry.node
        node.position = position
        node.keyPosition = position
        if case .table(let inner) = node.value { node.value = .table(inner.placed(inFile: file)) }
        return Entry(key: entry.key, node: node)
      })
  }
}
