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
  /// Whether the files lie on a stick: media that open further files are refused.
  let isOfStick: Bool
  private(set) var items: [MediaItem] = []
  /// How many of a list's or a folder's entries that can't be opened are reported one by one.
  let problemsPerList: Int
  /// Entries of lists that couldn't be opened.
  private(set) var problems: [VitrineError] = []
  /// The failures of each list or folder: their count, and the index in `problems` of the last one reported.
  private var failures: [FileStatus.Identity: (count: Int, told: Int)] = [:]
  private var failureCount = 0
  /// Lists that were read, and their bytes.
  private var listCount = 0
  private var listBytes = 0
  private(set) var otherNames: OtherNames<Files>
  /// Whether a name was found only by another spelling: then the files after `looks` are looked up as well.
  private var isForeign = false
  /// Names that were left out of directories, in one line per directory.
  private(set) var remarks: [String] = []

  /// Of the folder that was read last: a folder has many films.
  private var linkedSubtitles: (folder: FilePath?, names: [String]) = (nil, [])

  private typealias Resolver = ItemResolver<Files>

  init(
    files: Files, limit: Int, looks: Int = .max, pattern: FilePattern? = nil, isOfStick: Bool = false,
    problemsPerList: Int = ConfigurationLimits.problemsOfList, otherNames budget: OtherNamesBudget = OtherNamesBudget()
  ) {
    self.problemsPerList = problemsPerList
    otherNames = OtherNames(files: files, budget: budget)
    self.files = files
    self.limit = limit
    self.looks = isOfStick ? .max : looks
    self.pattern = pattern
    self.isOfStick = isOfStick
  }

  /// - Parameters:
  ///   - folder: absolute; the base of a relative path.
  ///   - origin: the user's text, for messages.
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
      try add(path: path, in: folder, origin: origin, title: title, lists: lists)
    }
  }

  private mutating func add(
    path written: FilePath, in folder: FilePath, origin: String, title: String?, lists: [FileStatus.Identity]
  ) throws(VitrineError) {
    let path = folder.resolving(written)
    if items.count >= looks, !isForeign, path.isPlain, !path.bytes.contains(UInt8(ascii: "\\")),
      MediaKind.isMedia(fileExtension: path.fileExtension)
    {
      return try add(unseen: path, origin: origin, title: title)
    }
    let (found, status) = try located(written, in: folder, origin: origin)
    try add(found, status, origin: origin, title: title, lists: lists)
  }

  private mutating func add(
    _ path: FilePath, _ status: FileStatus, origin: String, title: String?, lists: [FileStatus.Identity]
  ) throws(VitrineError) {
    switch status.kind {
    case .directory: try add(directory: path, identity: status.identity, origin: origin)
    case .regular where MediaList.extensions.contains(path.fileExtension):
      try add(list: path, identity: status.identity, origin: origin, title: title, lists: lists)
    case .regular: try add(file: path, origin: origin, title: title)
    case .socket, .other:
      throw VitrineError(
        .unreadable, subject: origin, message: "is neither a file nor a directory",
        remedy: "name a media file, a directory or a playlist")
    }
  }

  /// The shortest path to the same file. A path that doesn't exist is replaced by the file that it probably means.
  private mutating func located(
    _ written: FilePath, in folder: FilePath, origin: String
  ) throws(VitrineError) -> (FilePath, FileStatus) {
    var path = folder.resolving(written)
    let status: FileStatus
    do throws(FileError) {
      status = try files.status(of: path)
    } catch {
      guard error.isMissing, let other = otherNames.find(written, in: folder),
        let found = try? files.status(of: other)
      else { throw missing(error, written, in: folder, origin: origin) }
      (path, status, isForeign) = (other, found, true)
    }
    let normal = path.lexicallyNormal
    guard normal != path, let other = try? files.status(of: normal), other.identity == status.identity else {
      return (path.compact, status)
    }
    return (normal, status)
  }

  private mutating func missing(
    _ error: FileError, _ written: FilePath, in folder: FilePath, origin: String
  ) -> VitrineError {
    var problem = VitrineError(
      error.mediaNumber, subject: origin, message: error.description, remedy: error.mediaRemedy)
    guard error.isMissing else { return problem }
    if OtherNames<Files>.isOfWindows(written) {
      problem.remedy = "a drive of Windows isn't here: put the file beside the list and write its name alone"
    } else if let name = otherNames.nearest(to: written, in: folder) {
      problem.remedy = "did you mean \(PlainText.shown(name))?"
    }
    return problem
  }

  /// Adds a file without reading it: its kind follows from its name until it plays.
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

  /// Refuses a stick's file with which the player would open files outside the stick.
  private mutating func checkOfStick(
    _ path: FilePath, _ kind: MediaKind, start: [UInt8], origin: String
  ) throws(VitrineError) {
    // Pictures are decoded from their bytes alone.
    guard kind != .picture else { return }
    if kind == .adaptive || StickMedium.isManifest(start) { throw StickMedium.manifest.error(subject: origin) }
    // The player finds a film's subtitles and sounds by their names when it opens the film.
    let folder = path.directory
    if linkedSubtitles.folder != folder { linkedSubtitles = (folder, StickMedium.linkedSubtitles(in: folder, files)) }
    guard !linkedSubtitles.names.isEmpty else { return }
    let film = String(decoding: path.name, as: UTF8.self)
    if let name = StickMedium.linkedSubtitle(of: film, among: linkedSubtitles.names) {
      throw StickMedium.linkedSubtitles.error(subject: "\(origin): \(name)")
    }
  }

  private mutating func add(
    directory: FilePath, identity: FileStatus.Identity, origin: String
  ) throws(VitrineError) {
    let names = try reading(origin) { () throws(FileError) in try files.names(in: directory) }
    let films = MediaKind.films(among: names)
    let candidates = names.filter { name in
      MediaKind.isMedium(named: name) && pattern?.matches(name) ?? true
        && !SidecarNames.isSound(String(decoding: name, as: UTF8.self), ofAny: films)
    }
    if pattern == nil { recordLeftOut(names, origin: origin) }
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
      try collecting(of: identity) { lookup throws(VitrineError) in
        try lookup.add(file: path, origin: entryOrigin, title: nil)
      }
    }
    guard !isEmpty else {
      throw VitrineError(
        .directoryWithoutMedia, subject: origin,
        message: pattern == nil
          ? "there is nothing to play in this directory" : "no media file in this directory fits the pattern",
        remedy: "put videos, sound or pictures in it; directories within are not looked at")
    }
  }

  /// Names in a remark; the others are counted.
  private static var namedInRemark: Int { 5 }

  /// Lists the files of a folder that were left out: a user who misses a film needs to find its name in the log.
  private mutating func recordLeftOut(_ names: [[UInt8]], origin: String) {
    let left = names.filter { name in
      guard name.first != UInt8(ascii: "."), !MediaKind.isMedium(named: name) else { return false }
      return !MediaKind.isBesideMedia(fileExtension: FilePath(bytes: name).fileExtension)
    }
    guard !left.isEmpty else { return }
    let some = left.sorted(by: NaturalOrder.precedes).prefix(Self.namedInRemark)
    let more = left.count > some.count ? " and \(left.count - some.count) more" : ""
    remarks.append(
      "\(origin): left out, because the name doesn't end like a film, a sound or a picture: "
        + some.map { PlainText.shown(String(decoding: $0, as: UTF8.self)) }.joined(separator: ", ") + more)
  }

  private mutating func add(
    list path: FilePath, identity: FileStatus.Identity, origin: String, title: String?,
    lists: [FileStatus.Identity]
  ) throws(VitrineError) {
    guard hasRoomForLists else {
      throw tooLarge(
        origin,
        "more than \(ConfigurationLimits.lists) lists, or \(ConfigurationLimits.listBytes >> 20) MB of them, are named",
        "list the media themselves")
    }
    let bytes = try reading(origin) { () throws(FileError) in try files.read(path, limit: MediaList.maximumLength + 1) }
    listCount += 1
    listBytes += bytes.count
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
      let text = TextEncoding.text(entry.address)
      try collecting(of: identity) { lookup throws(VitrineError) in
        var address = try Self.inList(origin, entry) { () throws(VitrineError) in try MediaAddress.parse(text) }
        // A path keeps its bytes in any encoding; a file URI has been decoded.
        if case .path(let path) = address, path == FilePath(text) { address = .path(FilePath(bytes: entry.address)) }
        try lookup.add(
          address, relativeTo: path.directory, origin: "\(origin):\(entry.line): \(text)", title: entry.title,
          lists: lists + [identity])
      }
    }
  }

  /// Keeps a problem with one entry of a list or a folder and goes on, unless there are too many items.
  private mutating func collecting(
    of list: FileStatus.Identity, _ body: (inout Lookup) throws(VitrineError) -> Void
  ) throws(VitrineError) {
    do {
      try body(&self)
    } catch {
      // Problems count too: a list of nothing but these must end as well.
      failureCount += 1
      if items.count + failureCount >= limit || !hasRoomForLists { throw error }
      var known = failures[list] ?? (0, 0)
      known.count += 1
      if known.count <= problemsPerList {
        known.told = problems.count
        problems.append(error)
      }
      failures[list] = known
    }
  }

  /// The problems, with a summary of those of each list that aren't reported one by one.
  func finishedProblems() -> [VitrineError] {
    var finished = problems
    for (count, told) in failures.values where count > problemsPerList && finished.indices.contains(told) {
      let more = count - problemsPerList
      finished[told].message += ", and \(more) more of its entries can't be had"
    }
    return finished
  }

  private mutating func append(_ item: MediaItem) throws(VitrineError) {
    guard items.count < limit else {
      throw tooLarge(item.origin, "there are more than \(Resolver.maximumItems) items", "list fewer")
    }
    var item = item
    if isOfStick, !item.isRemote { item.isOfStick = true }
    items.append(item)
  }

  private var hasRoomForLists: Bool {
    listCount < ConfigurationLimits.lists && listBytes <= ConfigurationLimits.listBytes
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
  /// The title of an address that has no other: the file's name, else the host.
  var title: String {
    let title = PercentEncoding.decoded(path).map { FilePath(bytes: $0).title } ?? ""
    return title.isEmpty ? host : title
  }
}

extension FilePath {
  /// The absolute path as a `file:` URI.
  public var uri: String { FileAddress.uri(path: bytes) }
}
