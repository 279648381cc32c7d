public import PlaybackCore

/// The files and folders that a configuration's media were looked up in, with their state at that time.
public struct MediaPlaces: Hashable, Sendable {
  /// Folders, for the media in them, and lists.
  public var seen: [FilePath: FileStatus] = [:]
  /// Listed paths that didn't exist: a disk or a share may be mounted late.
  public var missing: Set<FilePath> = []

  public init() {}

  public var isEmpty: Bool { seen.isEmpty && missing.isEmpty }

  /// The most paths that are polled: each may be on a slow server.
  public static let limit = 1000
}

/// The state of those paths at one moment.
public struct MediaSight: Hashable, Sendable {
  /// The folders and lists themselves.
  public var places: [FilePath: FileStatus] = [:]
  /// The media in the folders, and paths of `missing` that exist now.
  public var media: [FilePath: FileStatus] = [:]

  public init() {}
}

/// Reads the state of places with as few questions as possible: an unchanged folder of ten thousand films costs one.
public struct MediaLook<Files: FileAccess>: Sendable {
  private let files: Files
  /// The folders at the last look, with their content.
  private var folders: [FilePath: (status: FileStatus, media: [FilePath: FileStatus])] = [:]

  public init(files: Files) { self.files = files }

  /// Blocks for as long as the file systems take.
  ///
  /// - Parameter changing: files that may grow without a change of their folder's date.
  public mutating func scan(_ places: MediaPlaces, changing: Set<FilePath>) -> MediaSight {
    let restless = Set(changing.map(\.directory))
    folders = folders.filter { places.seen[$0.key] != nil && !restless.contains($0.key) }
    var sight = MediaSight()
    for path in places.seen.keys {
      guard let status = try? files.status(of: path) else { continue }
      sight.places[path] = status
      guard status.kind == .directory else { continue }
      let media = self.media(in: path, status)
      sight.media.merge(media) { old, _ in old }
    }
    for path in places.missing { if let status = try? files.status(of: path) { sight.media[path] = status } }
    return sight
  }

  private mutating func media(in folder: FilePath, _ status: FileStatus) -> [FilePath: FileStatus] {
    if let known = folders[folder], known.status == status { return known.media }
    var media: [FilePath: FileStatus] = [:]
    for name in (try? files.names(in: folder)) ?? [] where MediaKind.isMedium(named: name) {
      let path = folder.resolving(FilePath(bytes: name))
      if let status = try? files.status(of: path) { media[path] = status }
    }
    folders[folder] = (status, media)
    return media
  }
}

extension MediaKind {
  /// Whether a directory's file of this name is played. Programs that copy a file give it a hidden name, or an
  /// extension of their own, until it is complete.
  public static func isMedium(named name: [UInt8]) -> Bool {
    name.first != UInt8(ascii: ".") && isMedia(fileExtension: FilePath(bytes: name).fileExtension)
  }

  /// The films among a folder's files: their names without extensions. Sound that belongs to one of them is no item.
  static func films(among names: [[UInt8]]) -> Set<String> {
    Set(
      names.filter { videoExtensions.contains(FilePath(bytes: $0).fileExtension) }
        .map { SidecarNames.stem(of: String(decoding: $0, as: UTF8.self)) })
  }

  /// Whether a file of this name is a list of media.
  public static func isList(named name: [UInt8]) -> Bool {
    MediaList.extensions.contains(FilePath(bytes: name).fileExtension)
  }
}

/// Hides some files, and reports each path that is looked up.
public struct ListedFiles<Base: FileAccess>: FileAccess {
  /// Files that are being written: reported as missing.
  private let hidden: Set<FilePath>
  private let base: Base
  private let note: @Sendable (Note) -> Void

  public enum Note: Sendable {
    case seen(FilePath, FileStatus)
    case missing(FilePath)
  }

  public init(_ base: Base, hiding hidden: Set<FilePath>, noting note: @escaping @Sendable (Note) -> Void) {
    self.base = base
    self.hidden = hidden
    self.note = note
  }

  public func status(of path: FilePath) throws(FileError) -> FileStatus {
    do throws(FileError) {
      if hidden.contains(path) { throw FileError(.missing) }
      return try base.status(of: path)
    } catch {
      // A share that doesn't answer may do so later.
      note(.missing(path))
      throw error
    }
  }

  public func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    if MediaKind.isList(named: path.name), let status = try? base.status(of: path) {
      note(.seen(path, status))
    }
    return try base.read(path, limit: limit)
  }

  public func names(in directory: FilePath) throws(FileError) -> [[UInt8]] {
    // Before its names: a change between the two shows as a newer date.
    if let status = try? base.status(of: directory) { note(.seen(directory, status)) }
    let names = try base.names(in: directory)
    return hidden.isEmpty ? names : names.filter { !hidden.contains(directory.resolving(FilePath(bytes: $0))) }
  }

  public func currentDirectory() throws(FileError) -> FilePath { try base.currentDirectory() }
  public func confined(to folder: FilePath) -> Base.Confined { base.confined(to: folder) }
}

extension MediaPlaces {
  public mutating func add<Files>(_ note: ListedFiles<Files>.Note) {
    switch note {
    case .seen(let path, let status): if seen.count < Self.limit { seen[path] = seen[path] ?? status }
    case .missing(let path): if missing.count < Self.limit { missing.insert(path) }
    }
  }
}
