package import PlaybackCore

/// Finds films that have captions in files of their own.
package enum CaptionFiles {
  /// Reads each folder of these films once; files on a server aren't looked for. Blocks.
  ///
  /// - Returns: for each item, whether a file beside it has captions, or it names one.
  package static func find(for items: [MediaItem]) -> [Bool] {
    var folders: [String: [String]] = [:]
    return items.map { item in
      if item.subtitles.contains(where: { !SidecarNames.describe(TextFile.name(of: $0)).isForced }) { return true }
      guard !item.isRemote, item.kind != .picture, let path = TextFile.path(of: item.uri) else { return false }
      let (folder, film) = Sidecars.place(of: path)
      let names =
        folders[folder]
        ?? TextFile.names(in: folder.isEmpty ? "/" : folder, limit: Sidecars.maximumEntries)
        .filter { name in SidecarNames.extensions.contains { name.lowercased().hasSuffix(".\($0)") } }
      folders[folder] = names
      return SidecarNames.sidecars(of: film, among: names).contains { !$0.isForced }
    }
  }
}
