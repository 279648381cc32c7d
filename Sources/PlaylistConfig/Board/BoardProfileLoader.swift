/// This board's profile, and the files from which it was merged.
public struct LoadedBoardProfile: Hashable, Sendable {
  public var profile = BoardProfile()
  /// Names of the files that match, in the order in which they were merged.
  public var names: [String] = []
  /// Faults of the files; a file with a fault is skipped.
  public var diagnostics: [Diagnostic] = []

  public init() {}
}

extension BoardProfile {
  /// The folder of the profiles: the one installed with the program if there is one, else the package's.
  ///
  /// - Parameter program: the program's path, links followed; nil if unknown.
  public static func folder(ofProgram program: String?, files: some FileAccess) -> String {
    InstalledData.folder("board", ofProgram: program) { folder in
      let names = (try? files.names(in: FilePath(folder))) ?? []
      return names.contains { profileName(ofFile: String(decoding: $0, as: UTF8.self)) != nil }
    } ?? InstalledData.path("board")
  }

  /// Reads every `NN-name.toml` of a folder in the order of names, and merges those that match. Blocks.
  ///
  /// - Parameter folder: if it doesn't exist, the profile is empty.
  public static func load(
    from folder: String, for facts: BoardFacts, files: some FileAccess
  ) -> LoadedBoardProfile {
    var loaded = LoadedBoardProfile()
    var known: [String] = []
    let names = ((try? files.names(in: FilePath(folder))) ?? []).map { String(decoding: $0, as: UTF8.self) }
    for name in names.sorted() {
      guard let profileName = Self.profileName(ofFile: name) else { continue }
      known.append(profileName)
      let path = "\(folder)/\(name)"
      var file = BoardProfileFile()
      var diagnostics: [Diagnostic] = []
      do {
        let text = try files.read(FilePath(path), limit: TOMLParser.maximumLength + 1)
        let table = try TOMLParser.parse(text)
        BoardProfileFile.schema.read(
          table, at: TOMLPosition(line: 1, column: 1), in: TableContext(paths: [path], table: ""), into: &file,
          reporting: &diagnostics)
      } catch let error as TOMLSyntaxError {
        diagnostics.append(Diagnostic(path: path, position: error.position, message: error.message))
      } catch {
        diagnostics.append(Diagnostic(path: path, position: nil, message: "\(error)"))
      }
      loaded.diagnostics += diagnostics
      guard diagnostics.isEmpty, file.match.matches(facts, profileName: profileName) else { continue }
      loaded.names.append(profileName)
      loaded.profile.merge(file.profile(for: facts))
    }
    if let name = facts.name, !known.contains(name) {
      let meant = Suggestion.nearest(to: name, among: known).map { "did you mean \($0)?" }
      loaded.diagnostics.append(
        Diagnostic(
          path: "VITRINE_BOARD", position: nil, message: "there is no profile '\(name)' in \(folder)",
          allowed: meant ?? (known.isEmpty ? "" : "there are \(known.joined(separator: ", "))")))
    }
    return loaded
  }

  /// `20-raspberry-pi-4.toml` gives `raspberry-pi-4`; nil for other names.
  static func profileName(ofFile name: String) -> String? {
    guard name.hasSuffix(".toml"), name.utf8.count > 8 else { return nil }
    let bytes = Array(name.utf8.dropLast(5))
    let isNumbered = bytes[0..<2].allSatisfy { (0x30...0x39).contains($0) } && bytes[2] == UInt8(ascii: "-")
    return isNumbered ? String(decoding: bytes[3...], as: UTF8.self) : nil
  }
}
