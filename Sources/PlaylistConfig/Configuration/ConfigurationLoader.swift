public import PlaybackCore

/// What became of a configuration file: a configuration, or the reasons against it, or both when these are warnings.
public struct LoadedConfiguration: Hashable, Sendable {
  /// Nil when there is an error.
  public var configuration: Configuration?
  /// All problems in the order in which they stand in the file.
  public var diagnostics: [Diagnostic]
  /// The file as one error; nil when the configuration can be used.
  public var error: VitrineError?

  /// The configuration, or the error.
  public func get() throws(VitrineError) -> Configuration {
    if let configuration { return configuration }
    throw error ?? VitrineError(.configurationInvalid, subject: "configuration", message: "not usable", remedy: "")
  }
}

extension Configuration {
  /// Reads and checks a file.
  ///
  /// - Parameter path: as the user gave it; diagnostics repeat it.
  public static func load(path: String, files: some FileAccess = SystemFileAccess()) -> LoadedConfiguration {
    do throws(FileError) {
      let file = FilePath(path)
      guard try files.status(of: file).kind == .regular else { throw FileError(.notRegular) }
      return parse(try files.read(file, limit: TOMLParser.maximumLength + 1), path: path)
    } catch {
      let isMissing = error.isMissing
      return LoadedConfiguration(
        configuration: nil, diagnostics: [Diagnostic(path: path, position: nil, message: error.description)],
        error: VitrineError(
          isMissing ? .configurationMissing : error.isPermission ? .noPermission : .configurationInvalid, subject: path,
          message: error.description,
          remedy: isMissing ? "create it, or name another with --config" : "make it a file that vitrine may read"))
    }
  }

  /// Checks a text.
  ///
  /// - Parameters:
  ///   - text: UTF-8; any bytes are safe.
  ///   - path: for diagnostics.
  public static func parse(_ text: [UInt8], path: String) -> LoadedConfiguration {
    var diagnostics: [Diagnostic] = []
    var configuration = Configuration()
    do throws(TOMLSyntaxError) {
      let table = try TOMLParser.parse(text)
      let start = TOMLPosition(line: 1, column: 1)
      Schema.root.read(
        table, at: start, in: TableContext(path: path, table: ""), into: &configuration, reporting: &diagnostics)
      checkMainPlaylist(of: configuration, in: table, path: path, reporting: &diagnostics)
    } catch {
      diagnostics.append(Diagnostic(path: path, position: error.position, message: error.message))
    }
    return finish(configuration, diagnostics, path: path)
  }

  private static func checkMainPlaylist(
    of configuration: Configuration, in table: TOMLTable, path: String, reporting diagnostics: inout [Diagnostic]
  ) {
    guard let playlists = table["playlist"] else {
      // A file with settings only is of use to `play`, which is told what to play.
      diagnostics.append(
        Diagnostic(
          .warning, path: path, position: nil, keyPath: "[playlist.\(mainPlaylistName)]", message: "missing",
          allowed: "nothing plays by itself"))
      return
    }
    guard case .table(let named) = playlists.value, named[mainPlaylistName] == nil else { return }
    let meant = Suggestion.nearest(to: mainPlaylistName, among: named.entries.map(\.key))
    diagnostics.append(
      Diagnostic(
        path: path, position: playlists.keyPosition ?? playlists.position, keyPath: "[playlist.\(mainPlaylistName)]",
        message: "missing",
        allowed: "it is the playlist that plays" + (meant.map { "; is it the one called \($0)?" } ?? "")))
  }

  private static func finish(
    _ configuration: Configuration, _ diagnostics: [Diagnostic], path: String
  ) -> LoadedConfiguration {
    // Sorted by place, and stably: what is about the whole file comes last.
    let sorted = diagnostics.enumerated().sorted { a, b in
      let end = TOMLPosition(line: .max, column: 0)
      let (placeA, placeB) = (a.element.position ?? end, b.element.position ?? end)
      return placeA == placeB ? a.offset < b.offset : placeA < placeB
    }.map(\.element)
    let errors = sorted.filter { $0.severity == .error }
    guard let first = errors.first else {
      return LoadedConfiguration(configuration: configuration, diagnostics: sorted, error: nil)
    }
    let count = errors.count == 1 ? "1 error" : "\(errors.count) errors"
    return LoadedConfiguration(
      configuration: nil, diagnostics: sorted,
      error: VitrineError(
        .configurationInvalid, subject: path, message: "the configuration has \(count)",
        remedy: "mend what is listed and try again", detail: first.description))
  }
}
