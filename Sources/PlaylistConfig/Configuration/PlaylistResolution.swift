internal import PlaybackCore

extension ItemResolver {
  /// Looks up the items of a playlist. A title goes to an entry that becomes one item; the rest to all.
  ///
  /// - Parameter configuration: that of the playlist, where it has several files: a relative path starts at the folder of
  ///   the file that it stands in, and what a stick lists lies on the stick.
  public func resolve(_ playlist: Playlist, of configuration: Configuration? = nil) -> Resolution {
    resolve(playlist.items, of: configuration)
  }

  /// Looks up some items of a playlist.
  public func resolve(_ entries: [PlaylistEntry], of configuration: Configuration? = nil) -> Resolution {
    var resolution = Resolution()
    for entry in entries { append(entry, of: configuration, to: &resolution) }
    return resolution
  }

  private func append(_ entry: PlaylistEntry, of configuration: Configuration?, to resolution: inout Resolution) {
    let start = resolution.items.count
    let file = entry.position.file
    let sources = configuration?.sources ?? []
    let folder = sources.indices.contains(file) ? FilePath(sources[file]).directory : nil
    let stick = configuration?.origin(ofFile: file).stick
    append(entry.uri, to: &resolution, relativeTo: folder, within: stick, pattern: entry.pattern) { item in
      var item = item
      item.pictureDuration = entry.duration
      item.loops = entry.loops
      item.start = entry.start ?? .zero
      item.end = entry.end
      item.volume = entry.volume
      item.network = entry.network.isEmpty ? nil : entry.network
      if entry.fit != .contain { item.fit = entry.fit }
      item.sha256 = entry.sha256
      if !entry.isStored { item.isStored = false }
      let tracks = TrackPreferences(
        audioLanguages: entry.audioLanguages, subtitleLanguages: entry.subtitleLanguages, subtitles: entry.subtitles)
      // An entry that says nothing leaves it to the player.
      if tracks != TrackPreferences() { item.tracks = tracks }
      return item
    }
    if let title = entry.title, resolution.items.count == start + 1 { resolution.items[start].title = title }
    let once = resolution.items[start...]
    for _ in 1..<max(1, entry.repeatCount) where !once.isEmpty {
      guard resolution.items.count + once.count <= Self.maximumItems else {
        resolution.problems.append(
          VitrineError(
            .playlistTooLarge, subject: entry.uri, message: "there are more than \(Self.maximumItems) items",
            remedy: "repeat it less often"))
        return
      }
      resolution.items += once
    }
  }
}
