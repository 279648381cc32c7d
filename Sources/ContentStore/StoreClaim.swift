/// The result of examining a folder before it is used for the store. A store removes files that are named like its own,
/// so it uses no folder that anything else has filled.
public enum StoreClaim: Hashable, Sendable {
  /// The marker is there.
  case ours
  /// The folder is empty, or is a store of a version that wrote no marker: the marker is to be written.
  case toBeMarked
  /// Files that aren't the store's are in it; the name of one of them.
  case foreign(String)
  /// A store of a later version, which this version might damage.
  case later

  /// The marker's text.
  public static let marker = "vitrine store 2\n"
  private static let markerStart = "vitrine store "
  /// The latest version of the marker that this program knows.
  private static let version = 2
  /// Folders that file systems make in their root.
  private static let ignored: Set<String> = ["lost+found"]
  /// The suffix of a file that is being replaced; a crash may leave one.
  private static let temporarySuffix = ".new"

  /// - Parameters:
  ///   - names: the names in the folder.
  ///   - marker: the marker's text; nil when it is missing or can't be read.
  ///   - indexes: the texts of those index files that exist.
  public static func of(names: [String], marker: String?, indexes: [String]) -> StoreClaim {
    if let marker, let version = version(of: marker) { return version <= self.version ? .ours : .later }
    let others = names.filter { !ignored.contains($0) && !isOurs($0) }.sorted()
    if let other = others.first { return .foreign(other) }
    // Names alone prove nothing: a folder of holiday pictures may hold a 1.jpg too.
    let copies = names.filter { StoreNames.copy(of: $0) != nil }.sorted()
    guard let copy = copies.first, !indexes.contains(where: StoreIndex.isOurs) else { return .toBeMarked }
    return .foreign(copy)
  }

  private static func version(of marker: String) -> Int? {
    guard marker.hasPrefix(markerStart) else { return nil }
    return Int(marker.dropFirst(markerStart.count).prefix { $0 != "\n" })
  }

  private static func isOurs(_ name: String) -> Bool {
    let plain = name.hasSuffix(temporarySuffix) ? String(name.dropLast(temporarySuffix.count)) : name
    return plain == StoreNames.marker || StoreNames.indexes.contains(plain) || StoreNames.copy(of: plain) != nil
  }
}
