public import PlaybackCore

/// Where the media of a configuration were looked for, as it was then.
public struct MediaPlaces: Hashable, Sendable {
  /// Folders that stand for the media in them, and lists.
  public var seen: [FilePath: FileStatus] = [:]
  /// What is listed and wasn't there: a disk or a share may be mounted late.
  public var missing: Set<FilePath> = []

  public init() {}

  public var isEmpty: Bool { seen.isEmpty && missing.isEmpty }

  /// What is looked at again and again has to have an end: each of them may be on a slow server.
  public static let limit = 1000
}

/// What is at those places at one moment.
public struct MediaSight: Hashable, Sendable {
  /// The folders and lists themselves.
  public var places: [FilePath: FileStatus] = [:]
  /// The media in the folders, and what was missing and is there.
  public var media: [FilePath: FileStatus] = [:]

  public init() {}
}

/// Looks at places, and at no more of them than it must: a folder of ten thousand films that nobody has touched is one question.
public struct MediaLook<Files: FileAccess>: Sendable {
  private let files: Files
  /// The folders as they were at the last look, with what was in them.
  private var folders: [FilePath: (status: FileStatus, media: [FilePath: FileStatus])] = [:]

  public init(files: Files) { self.files = files }

  /// Blocks for as long as the file systems take.
  ///
  /// - Parameter changing: files that may become larger without their folder being another one.
  public mutating func look(at places: MediaPlaces, changing: Set<FilePath>) -> MediaSight {
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
  /// Whether a directory's file of this name is played. Programs that copy give it a hidden name, or one with an ending of their own,
  /// until it is whole.
  public static func isMedium(named name: [UInt8]) -> Bool {
    name.first != UInt8(ascii: ".") && isMedia(fileExtension: FilePath(bytes: name).fileExtension)
  }

  /// Whether a file of this name is a list of media.
  public static func isList(named name: [UInt8]) -> Bool {
    MediaList.extensions.contains(FilePath(bytes: name).fileExtension)
  }
}

/// Files of which some are hidden, and which remember where somebody has looked for media.
public struct ListedFiles<Base: FileAccess>: FileAccess {
  /// What is taken for missing: it is being written.
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
    // Before its names: what comes between the two is found by it.
    if let status = try? base.status(of: directory) { note(.seen(directory, status)) }
    let names = try base.names(in: directory)
    return hidden.isEmpty ? names : names.filter { !hidden.contains(directory.resolving(FilePath(bytes: $0))) }
  }

  public func currentDirectory() throws(FileError) -> FilePath { try base.currentDirectory() }
  public func confined(to folder: FilePath) -> Base.Confined { base.confined(to: folder) }
}

extension MediaPlaces {
  public mutating func take<Files>(_ note: ListedFiles<Files>.Note) {
    switch note {
    case .seen(let path, let status): if seen.count < Self.limit { seen[path] = seen[path] ?? status }
    case .missing(let path): if missing.count < Self.limit { missing.insert(path) }
    }
  }
}
