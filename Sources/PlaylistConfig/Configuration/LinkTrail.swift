public import FileModel

/// The symbolic links on the way to a file, and the place where they end. Deploy scripts replace one of them and not the file:
/// `vitrine.toml -> current/vitrine.toml`, `current -> releases/7`.
public enum LinkTrail {
  /// Links that are followed at most, as by the kernel.
  private static let most = 40

  /// - Parameters:
  ///   - path: absolute.
  ///   - target: the text of a symbolic link; nil for anything else.
  /// - Returns: the links in the order in which they are followed, then the file itself. None of their folders is reached by a link.
  public static func places(to path: FilePath, target: (FilePath) -> FilePath?) -> [FilePath] {
    let separator = UInt8(ascii: "/")
    let root = FilePath("/")
    var places: [FilePath] = []
    var reached = root
    var rest = path.bytes.split(separator: separator)[...]
    while let part = rest.popFirst() {
      if part == [UInt8(ascii: ".")] { continue }
      if part == [UInt8(ascii: "."), UInt8(ascii: ".")] {
        reached = reached.directory
        continue
      }
      let place = reached.resolving(FilePath(bytes: Array(part)))
      guard places.count < most, let link = target(place) else {
        reached = place
        continue
      }
      places.append(place)
      if link.isAbsolute { reached = root }
      rest = (link.bytes.split(separator: separator) + rest)[...]
    }
    return places + [reached]
  }
}
