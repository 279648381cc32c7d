/// Files that are installed with the program: board profiles, clips of the self-test.
public enum InstalledData {
  /// The path at which the Debian package installs such a folder.
  public static func path(_ name: String) -> String { "/usr/share/vitrine/\(name)" }

  /// The first complete folder of that name. It looks in the program's own installation (PREFIX/share/vitrine/NAME for
  /// a program in PREFIX/bin), then beside the program, then in the package.
  ///
  /// - Parameters:
  ///   - program: the program's path, links followed; nil if unknown.
  ///   - isComplete: is called for each candidate, also for one that doesn't exist.
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
