/// Files that are installed with the program: board profiles, clips of the self-test.
public enum InstalledData {
  /// Where a package has them.
  public static func path(_ name: String) -> String { "/usr/share/vitrine/\(name)" }

  /// The first folder of that name that has what is looked for: of an installation of its own (PREFIX/share/vitrine/NAME for a
  /// program in PREFIX/bin), beside the program, of a package.
  ///
  /// - Parameters:
  ///   - program: its path, links followed; nil where it isn't known.
  ///   - isComplete: asked for each folder, whether it is there or not.
  public static func folder(_ name: String, ofProgram program: String?, where isComplete: (String) -> Bool) -> String? {
    var candidates = [path(name)]
    if let program, let slash = program.lastIndex(of: "/") {
      let own = program[..<slash]
      candidates.insert("\(own)/\(name)", at: 0)
      if own.hasSuffix("/bin") { candidates.insert("\(own.dropLast(4))/share/vitrine/\(name)", at: 0) }
    }
    return candidates.first(where: isComplete)
  }
}
