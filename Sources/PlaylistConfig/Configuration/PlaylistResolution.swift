internal import PlaybackCore

extension ItemResolver {
  /// Looks up the items of a playlist. A title goes to an entry that becomes one item; duration and volume to all.
  public func resolve(_ playlist: Playlist) -> Resolution {
    var resolution = Resolution()
    for entry in playlist.items {
      let start = resolution.items.count
      append(entry.uri, to: &resolution) { item in
        var item = item
        item.pictureDuration = entry.duration
        item.volume = entry.volume
        return item
      }
      if let title = entry.title, resolution.items.count == start + 1 { resolution.items[start].title = title }
    }
    return resolution
  }
}
