internal import PlaybackCore

extension ItemResolver {
  /// Looks up the items of a playlist. An entry that becomes one item gives it its title; its other details go to all
  /// of its items.
  ///
  /// - Parameter configuration: the playlist's configuration, if it has several files: a relative path starts at the
  ///   folder of its file, and a stick's entries must lie on the stick.
  public func resolve(_ playlist: Playlist, of configuration: Configuration? = nil) -> Resolution {
    resolve(playlist.items, of: configuration)
  }

  /// Looks up some items of a playlist.
  ///
  /// - Parameter looks: how many files are looked at; those behind are taken by their names.
  public func resolve(
    _ entries: [PlaylistEntry], of configuration: Configuration? = nil, lookingAt looks: Int = .max
  ) -> Resolution {
    var resolution = Resolution()
    var folders = Folders(configuration, files)
    for entry in entries { append(entry, &folders, lookingAt: looks, to: &resolution) }
    return resolution
  }

  /// Looks up some items of a playlist, each alone.
  ///
  /// - Parameters:
  ///   - looks: how many files are read in all; later ones are judged by their names.
  ///   - take: receives the result of each entry, in order.
  public func resolve(
    each entries: [PlaylistEntry], of configuration: Configuration, lookingAt looks: Int, _ take: (Resolution) -> Void
  ) {
    var folders = Folders(configuration, files)
    var left = looks
    var otherNames = OtherNamesBudget()
    for entry in entries {
      var resolution = Resolution()
      resolution.otherNames = otherNames
      append(entry, &folders, lookingAt: left, to: &resolution)
      left = max(0, left - resolution.items.count)
      otherNames = resolution.otherNames
      take(resolution)
    }
  }

  /// Per file of a configuration, the folder that its relative paths start at and the folder that they may not leave.
  /// Remembers the last file, because entries of one file follow one another.
  private struct Folders {
    private let configuration: Configuration?
    private let files: Files
    private var last: (file: Int, folder: FilePath?, stick: FilePath?)?

    init(_ configuration: Configuration?, _ files: Files) {
      self.configuration = configuration
      self.files = files
    }

    mutating func of(_ file: Int) -> (folder: FilePath?, stick: FilePath?) {
      if let last, last.file == file { return (last.folder, last.stick) }
      let sources = configuration?.sources ?? []
      var folder = sources.indices.contains(file) ? FilePath(sources[file]).directory : nil
      // Asked once here, and not for each item. If it can't be found out, each item reports that.
      if let relative = folder, !relative.isAbsolute, let current = try? files.currentDirectory() {
        folder = current.resolving(relative)
      }
      let stick = configuration?.origin(ofFile: file).stick
      last = (file, folder, stick)
      return (folder, stick)
    }
  }

  private func append(
    _ entry: PlaylistEntry, _ folders: inout Folders, lookingAt looks: Int, to resolution: inout Resolution
  ) {
    let start = resolution.items.count
    let (folder, stick) = folders.of(entry.position.file)
    let details = entry.details
    append(
      entry.uri, to: &resolution, relativeTo: folder, within: stick, pattern: details.pattern, lookingAt: looks - start
    ) { item in
      entry.isUsual ? item : Self.item(item, with: details.item)
    }
    if resolution.items.count == start + 1 {
      if let title = entry.localTitle { resolution.items[start].localTitle = title }
      for path in MediaItem.Details.ownFiles {
        guard let written = details.item[keyPath: path] else { continue }
        resolution.items[start].details[keyPath: path] = file(written, in: folder, within: stick)
      }
    }
    guard details.repeatCount > 1 else { return }
    let once = resolution.items[start...]
    for _ in 1..<details.repeatCount where !once.isEmpty {
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

  /// The address of a file beside an item; nil for one that a stick's configuration names elsewhere.
  private func file(_ path: String, in folder: FilePath?, within stick: FilePath?) -> String? {
    let path = (folder ?? FilePath("/")).resolving(FilePath(path))
    if let stick {
      guard let status = try? files.confined(to: stick).status(of: path), status.kind == .regular else { return nil }
    }
    return FileAddress.uri(path: path.compact.bytes)
  }

  /// Gives an item what its entry says of all its items. A detail that isn't set leaves the choice to the player.
  private static func item(_ item: MediaItem, with written: MediaItem.Details) -> MediaItem {
    var (item, details) = (item, written)
    details.titles = [:]
    for path in MediaItem.Details.ownFiles { details[keyPath: path] = nil }
    details.isOfStick = item.isOfStick
    item.details = details
    return item
  }
}
