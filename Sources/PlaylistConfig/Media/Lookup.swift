import PlaybackCore

/// The work of an `ItemResolver` on one text.
struct Lookup<Files: FileAccess> {
  let files: Files
  /// Items that may still be added.
  let limit: Int
  /// Items before this one are looked at; those behind it are taken by their names. Of sticks, all are.
  let looks: Int
  /// Which names of the directory that was named are taken; nil takes all media.
  let pattern: FilePattern?
  /// Whether the files are those of a stick: what would open others by itself isn't taken.
  let isOfStick: Bool
  private(set) var items: [MediaItem] = []
  /// Entries of lists that couldn't be had.
  private(set) var problems: [VitrineError] = []

  /// Of the folder that was looked at last: a folder has many films.
  private var linkedSubtitles: (folder: FilePath?, names: [String]) = (nil, [])

  private typealias Resolver = ItemResolver<Files>

  init(files: Files, limit: Int, looks: Int = .max, pattern: FilePattern? = nil, isOfStick: Bool = false) {
    self.files = files
    self.limit = limit
    self.looks = isOfStick ? .max : looks
    self.pattern = pattern
    self.isOfStick = isOfStick
  }

  /// - Parameters:
  ///   - folder: absolute; what a relative path is relative to.
  ///   - origin: what the user wrote, for messages.
  ///   - lists: the lists that led here, outermost first.
  mutating func add(
    _ address: MediaAddress, relativeTo folder: FilePath, origin: String, title: String?,
    lists: [FileStatus.Identity]
  ) throws(VitrineError) {
    switch address {
    case .remote(let uri):
      try append(
        MediaItem(uri: uri.text, title: title ?? uri.title, kind: .guess(uri), origin: origin))
    case .path(let path):
      try add(path: folder.resolving(path), origin: origin, title: title, lists: lists)
    }
  }

  private mutating func add(
    path: FilePath, origin: String, title: String?, lists: [FileStatus.Identity]
  ) throws(VitrineError) {
    if items.count >= looks, path.isPlain, MediaKind.isMedia(fileExtension: path.fileExtension) {
      return try add(unseen: path, origin: origin, title: title)
    }
    let (path, status) = try located(path, origin: origin)
    switch status.kind {
    case .directory: try add(directory: path, origin: origin)
    case .regular where MediaList.extensions.contains(path.fileExtension):
      try add(list: path, identity: status.identity, origin: origin, title: title, lists: lists)
    case .regular: try add(file: path, origin: origin, title: title)
    case .socket, .other:
      throw VitrineError(
        .unreadable, subject: origin, message: "is neither a file nor a directory",
        remedy: "name a media file, a directory or a playlist")
    }
  }

  /// The shortest spelling of a path that leads where the path leads.
  private func located(_ path: FilePath, origin: String) throws(VitrineError) -> (FilePath, FileStatus) {
    let status = try reading(origin) { () throws(FileError) in try files.status(of: path) }
    let normal = path.lexicallyNormal
    guard normal != path, let other = try? files.status(of: normal), other.identity == status.identity else {
      return (path.compact, status)
    }
    return (normal, status)
  }

  /// A file that nobody looks at until it plays: it is what its name says.
  private mutating func add(unseen path: FilePath, origin: String, title: String?) throws(VitrineError) {
    let kind = MediaKind.guess(fileExtension: path.fileExtension, start: [])
    try append(MediaItem(uri: path.uri, title: title ?? path.title, kind: kind, origin: origin))
  }

  private mutating func add(file path: FilePath, origin: String, title: String?) throws(VitrineError) {
    let start = try reading(origin) { () throws(FileError) in
      try files.read(path, limit: MediaKind.sniffedLength)
    }
    let kind = MediaKind.guess(fileExtension: path.fileExtension, start: start)
    if isOfStick { try checkOfStick(path, kind, start: start, origin: origin) }
    try append(
      MediaItem(uri: path.uri, title: title ?? path.title, kind: kind, origin: origin))
  }

  /// What a file of a stick would have opened that isn't on the stick.
  private mutating func checkOfStick(
    _ path: FilePath, _ kind: MediaKind, start: [UInt8], origin: String
  ) throws(VitrineError) {
    // Pictures are decoded from their bytes alone.
    guard kind != .picture else { return }
    if kind == .adaptive || StickMedium.isManifest(start) { throw StickMedium.manifest.error(subject: origin) }
    // Its subtitles are found by their names while it is opened.
    let folder = path.directory
    if linkedSubtitles.folder != folder { linkedSubtitles = (folder, StickMedium.linkedSubtitles(in: folder, files)) }
    guard !linkedSubtitles.names.isEmpty else { return }
    let film = String(decoding: path.name, as: UTF8.self)
    if let name = StickMedium.linkedSubtitle(of: film, among: linkedSubtitles.names) {
      throw StickMedium.linkedSubtitles.error(subject: "\(origin): \(name)")
    }
  }

  private mutating func add(directory: FilePath, origin: String) throws(VitrineError) {
    let names = try reading(origin) { () throws(FileError) in try files.names(in: directory) }
    let candidates = names.filter { name in
      name.first != UInt8(ascii: ".") && MediaKind.isMedia(fileExtension: FilePath(bytes: name).fileExtension)
        && pattern?.matches(name) ?? true
    }
    var isEmpty = true
    let folderOrigin = origin.hasSuffix("/") ? origin : "\(origin)/"
    for name in candidates.sorted(by: NaturalOrder.precedes) {
      let path = directory.resolving(FilePath(bytes: name))
      let isSeen = items.count < looks
      // A link that leads nowhere, or a directory called like a film.
      if isSeen { guard let status = try? files.status(of: path), status.kind == .regular else { continue } }
      isEmpty = false
      let entryOrigin = "\(folderOrigin)\(String(decoding: name, as: UTF8.self))"
      guard isSeen else {
        try add(unseen: path, origin: entryOrigin, title: nil)
        continue
      }
      try collecting { lookup throws(VitrineError) in
        try lookup.add(file: path, origin: entryOrigin, title: nil)
      }
    }
    guard !isEmpty else {
      throw VitrineError(
        .directoryWithoutMedia, subject: origin,
        message: pattern == nil
          ? "there is nothing to play in this directory" : "no medium in this directory is called like the pattern",
        remedy: "put videos, sound or pictures in it; directories within are not looked at")
    }
  }

  private mutating func add(
    list path: FilePath, identity: FileStatus.Identity, origin: String, title: String?,
    lists: [FileStatus.Identity]
  ) throws(VitrineError) {
    let bytes = try reading(origin) { () throws(FileError) in try files.read(path, limit: MediaList.maximumLength + 1) }
    let list = MediaList(bytes, fileExtension: path.fileExtension)
    if list.isAdaptive {
      if isOfStick { throw StickMedium.manifest.error(subject: origin) }
      try append(
        MediaItem(uri: path.uri, title: title ?? path.title, kind: .adaptive, origin: origin))
      return
    }
    guard bytes.count <= MediaList.maximumLength else {
      throw tooLarge(origin, "the playlist has more than \(MediaList.maximumLength) bytes", "split it")
    }
    guard !lists.contains(identity) else {
      throw tooLarge(origin, "the playlist includes itself", "take the entry out")
    }
    guard lists.count < Resolver.maximumDepth else {
      throw tooLarge(
        origin, "playlists are nested more than \(Resolver.maximumDepth) deep", "list the media themselves")
    }
    guard !list.entries.isEmpty else {
      throw VitrineError(
        .playlistEmpty, subject: origin, message: "the playlist lists nothing",
        remedy: "write one path or URI a line")
    }
    for entry in list.entries {
      let text = String(decoding: entry.address, as: UTF8.self)
      try collecting { lookup throws(VitrineError) in
        var address = try Self.inList(origin, entry) { () throws(VitrineError) in try MediaAddress.parse(text) }
        // A path keeps its bytes, whatever their encoding is; a file URI has been decoded.
        if case .path(let path) = address, path == FilePath(text) { address = .path(FilePath(bytes: entry.address)) }
        try lookup.add(
          address, relativeTo: path.directory, origin: "\(origin):\(entry.line): \(text)", title: entry.title,
          lists: lists + [identity])
      }
    }
  }

  /// Keeps a problem with one entry and goes on, unless there are too many items.
  private mutating func collecting(
    _ body: (inout Lookup) throws(VitrineError) -> Void
  ) throws(VitrineError) {
    do {
      try body(&self)
    } catch {
      // Problems count too: a list of nothing but these must end as well.
      if items.count + problems.count >= limit { throw error }
      problems.append(error)
    }
  }

  private mutating func append(_ item: MediaItem) throws(VitrineError) {
    guard items.count < limit else {
      throw tooLarge(item.origin, "there are more than \(Resolver.maximumItems) items", "list fewer")
    }
    var item = item
    if isOfStick, !item.isRemote { item.isOfStick = true }
    items.append(item)
  }

  private func tooLarge(_ origin: String, _ message: String, _ remedy: String) -> VitrineError {
    VitrineError(.playlistTooLarge, subject: origin, message: message, remedy: remedy)
  }

  private static func inList<T>(
    _ origin: String, _ entry: MediaList.Entry, _ body: () throws(VitrineError) -> T
  ) throws(VitrineError) -> T {
    do {
      return try body()
    } catch {
      var error = error
      error.subject = "\(origin):\(entry.line): \(error.subject)"
      throw error
    }
  }

  private func reading<T>(_ origin: String, _ body: () throws(FileError) -> T) throws(VitrineError) -> T {
    do {
      return try body()
    } catch {
      throw VitrineError(
        error.mediaNumber, subject: origin, message: error.description,
        remedy: error.mediaRemedy)
    }
  }
}

extension MediaAddress.RemoteURI {
  /// What to call it where nobody has named it.
  var title: String {
    let title = PercentEncoding.decoded(path).map { FilePath(bytes: $0).title } ?? ""
    return title.isEmpty ? host : title
  }
}

extension FilePath {
  /// As a `file:` URI; of an absolute path.
  public var uri: String { FileAddress.uri(path: bytes) }
}
