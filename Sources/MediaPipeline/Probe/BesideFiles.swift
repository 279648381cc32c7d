package import PlaybackCore

/// The captions and descriptions that films have in files of their own.
package struct BesideFiles: Hashable, Sendable {
  /// A file beside the film has captions, or the item names one.
  package var hasCaptions = false
  /// A file beside the film has sound that describes the picture.
  package var hasDescription = false

  /// Reads each folder of these films once; files on a server aren't looked for. Blocks.
  package static func find(for items: [MediaItem]) -> [BesideFiles] {
    var folders: [String: [String]] = [:]
    let endings = SidecarNames.extensions + SidecarNames.soundExtensions
    return items.map { item in
      var found = BesideFiles()
      found.hasCaptions = item.subtitles.contains { !SidecarNames.describe(TextFile.name(of: $0)).isForced }
      guard !item.isRemote, item.kind != .picture, let path = TextFile.path(of: item.uri) else { return found }
      let (folder, film) = Sidecars.place(of: path)
      let names =
        folders[folder]
        ?? TextFile.names(in: folder.isEmpty ? "/" : folder, limit: Sidecars.maximumEntries)
        .filter { SidecarNames.hasExtension($0, of: endings) }
      folders[folder] = names
      if SidecarNames.sidecars(of: film, among: names).contains(where: { !$0.isForced }) { found.hasCaptions = true }
      found.hasDescription = SidecarNames.sounds(of: film, among: names).contains(where: \.isDescription)
      return found
    }
  }
}
