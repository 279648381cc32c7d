/// Whether a folder may be taken for a store's. A store removes files that are called like its own, so it takes no folder that
/// somebody else has filled.
public enum StoreClaim: Hashable, Sendable {
  /// The marker is there.
  case ours
  /// There is nothing in it, or a store of a version that wrote no marker: it is to be marked.
  case toBeMarked
  /// Others' files are in it; one of them.
  case foreign(String)
  /// A store of a later version, which might be spoiled.
  case later

  /// The marker's text.
  public static let marker = "vitrine store 2\n"
  private static let markerStart = "vitrine store "
  /// What a marker of a version that we know ends with.
  private static let version = 2
  /// File systems have it in their root.
  private static let ignored: Set<String> = ["lost+found"]
  /// Of a file that is being replaced: a crash may leave it.
  private static let temporarySuffix = ".new"

  /// - Parameters:
  ///   - names: of everything in the folder.
  ///   - marker: what stands in the marker; nil when there is none, or it can't be read.
  ///   - indexes: what stands in those files of the index that are there.
  public static func of(names: [String], marker: String?, indexes: [String]) -> StoreClaim {
    if let marker, let version = version(of: marker) { return version <= self.version ? .ours : .later }
    let others = names.filter { !ignored.contains($0) && !isOurs($0) }.sorted()
    if let other = others.first { return .foreign(other) }
    // Names alone prove nothing: holiday pictures may be called 1.jpg too.
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
