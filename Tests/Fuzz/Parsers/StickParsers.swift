import ConfigurationFiles
import FileSystem
import Glibc
import PlaybackCore
import PlaylistConfig

// MARK: What of a stick is taken

/// Reads a stick of any tree: nothing is taken without the password, only playlists, schedule and overlay with it, and
/// no file outside the stick.
func readStick(_ bytes: [UInt8]) {
  let board = StickBoard(tree: StickTree(bytes))
  let files = board.confined(to: StickBoard.stick)
  let open = StickReader(files: board).find(in: StickBoard.mounts, passwordFile: nil)
  let closed = StickReader(files: board).find(in: StickBoard.mounts, passwordFile: StickBoard.passwordFile)
  let hasPassword = isRight((try? files.read(password, limit: .max)) ?? [])
  precondition(hasPassword ? closed == open : closed.content == nil, "taken without the password, or not with it")
  precondition(hasPassword || closed.refusals.count == 1, "a stick without the password isn't told, or more than that")
  guard let content = open.content else { return }
  play(content, of: board, files)
}

private let password = StickBoard.stick.resolving(FilePath("vitrine.password"))

private func isRight(_ text: [UInt8]) -> Bool {
  let end = text.lastIndex { $0 != 0x0A && $0 != 0x0D }
  return end.map { Array(text[...$0]) == Array(StickBoard.password.utf8) } ?? false
}

private let boardText = """
  version = 1
  [usb]
  mode = "play"
  password_file = "/etc/vitrine/usb.password"
  [network]
  proxy = "http://proxy.example:3128"
  [[network.server]]
  host = "own.example"
  token_file = "/etc/vitrine/token"
  [store]
  directory = "/var/lib/own"
  [[playlist.main.item]]
  uri = "own.mp4"

  """

private func play(_ content: StickContent, of board: StickBoard, _ files: ConfinedTree) {
  let own = ConfigurationSource(path: "/etc/vitrine/vitrine.toml", text: Array(boardText.utf8))
  guard let source = try? content.source(files: board) else {
    // The content was there a moment ago.
    preconditionFailure("content that can't be read: \(content)")
  }
  precondition(source.origin.stick == StickBoard.stick, "a stick's text that counts as the board's")
  guard let plain = Configuration.check([own]).configuration else { preconditionFailure("the board's own is wrong") }
  guard let configuration = Configuration.check([own, source]).configuration else { return }
  var without = configuration
  (without.playlists, without.schedule, without.overlay) = (plain.playlists, plain.schedule, plain.overlay)
  (without.sources, without.origins) = (plain.sources, plain.origins)
  precondition(without == plain, "a stick sets what it may not")
  let resolver = ItemResolver(files: board, configurationPath: own.path)
  for (_, playlist) in configuration.playlists {
    for entry in playlist.items.prefix(20) {
      let isOfStick = configuration.origin(ofFile: entry.position.file).stick != nil
      for item in resolver.resolve([entry], of: configuration).items where isOfStick { check(item, files) }
    }
  }
}

private func check(_ item: MediaItem, _ files: ConfinedTree) {
  if item.isRemote {
    let scheme = item.uri.prefix { $0 != ":" }.lowercased()
    precondition(["http", "https", "rtsp", "rtsps", "udp"].contains(scheme), "an address of a stick: \(item.uri)")
    return
  }
  precondition(item.isOfStick == true, "a stick's file that counts as the board's: \(item.uri)")
  precondition(item.kind != .adaptive, "a manifest of a stick: \(item.uri)")
  guard item.uri.hasPrefix("file:///"), let path = decoded(item.uri.dropFirst(7).utf8) else {
    preconditionFailure("a stick's item that is no file: \(item.uri)")
  }
  guard let entry = (try? files.place(of: FilePath(bytes: path))).flatMap({ files.tree.entries[$0] }) else {
    preconditionFailure("a file that isn't the stick's, or isn't there: \(item.uri)")
  }
  precondition(entry.kind == .file, "a stick's item that is no file: \(item.uri)")
  let start = String(decoding: entry.content.prefix(7), as: UTF8.self).lowercased()
  precondition(item.kind == .picture || start != "#extm3u", "a list of parts that plays as a film: \(item.uri)")
}

/// Bytes with %XX decoded.
private func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
  var bytes: [UInt8] = []
  var rest = Array(text)[...]
  while let byte = rest.popFirst() {
    guard byte == 0x25 else {
      bytes.append(byte)
      continue
    }
    guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
      return nil
    }
    bytes.append(value)
    rest = rest.dropFirst(2)
  }
  return bytes
}

// MARK: What of a stick is copied

/// Copies the same tree from a disk in memory, with the kernel's own answers: sparse files, dates beyond all calendars,
/// links to the board's files, pipes. A copy has the stick's own files only; a copy that fails leaves no files.
func copyStick(_ bytes: [UInt8]) {
  let tree = StickTree(bytes)
  let top = "\(scratch)/\(getpid())"
  removeTree(Array(top.utf8))
  mkdir(scratch, 0o700)
  guard mkdir(top, 0o700) == 0 else { preconditionFailure("no room for a tree in \(scratch)") }
  let (stick, state) = ("\(top)/mounts/sda1", "\(top)/state")
  for folder in ["\(top)/mounts", stick, state] { mkdir(folder, 0o700) }
  write(Array("secret".utf8), to: "\(top)/secret", size: 6)
  for path in tree.paths {
    if let entry = tree.entries[path] { write(entry, to: "\(stick)/", path) }
  }
  let found = StickReader().find(in: "\(top)/mounts", passwordFile: nil)
  let store = StickStore(state: LastGoodStore(directory: state))
  if let content = found.content, content.folder != nil {
    let before = names(below: state)
    do {
      try store.installContent(content)
      guard let copy = store.content() else { preconditionFailure("a copy that isn't there") }
      precondition(store.has(content), "a copy that isn't known again")
      checkCopy(copy.stick.text, of: tree)
    } catch {
      precondition(store.content() == nil, "half a copy: \(error)")
      precondition(names(below: state).subtracting(before).isSubset(of: ["usb"]), "a copy that failed leaves files")
    }
    let sources = (try? content.source()).map { [$0] } ?? []
    _ = Configuration.check(sources).diagnostics.count
  }
  precondition(names(below: top).contains("secret"), "the board's own file is gone")
  removeTree(Array(top.utf8))
}

/// Expects every file of a copy to equal one of the stick's folder, reached without a link.
private func checkCopy(_ folder: String, of tree: StickTree) {
  for name in names(below: folder) {
    let path = "\(folder)/\(name)"
    var status = stat()
    guard lstat(path, &status) == 0 else { preconditionFailure("a name without a file: \(name)") }
    let parts = [Array("vitrine".utf8)] + name.utf8.split(separator: 0x2F).map(Array.init)
    precondition(!parts.contains { $0.first == 0x2E }, "a hidden file is copied: \(name)")
    guard let entry = tree.entries[parts] else { preconditionFailure("a file from elsewhere: \(name)") }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: precondition(entry.kind == .folder, "a folder that was none: \(name)")
    case S_IFREG:
      precondition(entry.kind == .file && Int64(status.st_size) == entry.size, "another file than the stick's: \(name)")
      let wanted = Array(entry.content.prefix(Int(clamping: entry.size)))
      let copy = try? SystemFileAccess().read(FilePath(path), limit: wanted.count)
      precondition(copy == wanted, "other bytes than the stick's: \(name)")
    default: preconditionFailure("a link or a device is copied: \(name)")
    }
  }
}

private let scratch = getenv("VITRINE_FUZZ_SCRATCH").map { String(cString: $0) } ?? "/tmp/vitrine-fuzz"

private func write(_ entry: StickTree.Entry, to stick: String, _ path: [[UInt8]]) {
  let place = Array(stick.utf8) + path.joined(separator: [0x2F]) + [0]
  let name = place.map { CChar(bitPattern: $0) }
  switch entry.kind {
  case .folder: mkdir(name, 0o755)
  case .other: mkfifo(name, 0o600)
  case .link: symlink(entry.content.map { CChar(bitPattern: $0) } + [0], name)
  case .file: write(entry.content, to: name, size: entry.size)
  }
  // Any number of seconds that a file system may hold.
  var times = [
    timespec(tv_sec: Int(clamping: entry.time), tv_nsec: 0), timespec(tv_sec: Int(clamping: entry.time), tv_nsec: 0),
  ]
  utimensat(AT_FDCWD, name, &times, AT_SYMLINK_NOFOLLOW)
}

private func write(_ content: [UInt8], to path: String, size: Int64) {
  write(content, to: path.utf8.map { CChar(bitPattern: $0) } + [0], size: size)
}

private func write(_ content: [UInt8], to name: [CChar], size: Int64) {
  let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
  guard file >= 0 else { return }
  defer { close(file) }
  _ = content.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
  ftruncate(file, Int(clamping: size))
}

/// The relative names of all files below a folder, without following links.
private func names(below folder: String) -> Set<String> {
  var found: Set<String> = []
  for bytes in (try? SystemFileAccess().names(in: FilePath(folder))) ?? [] {
    let name = String(decoding: bytes, as: UTF8.self)
    found.insert(name)
    var status = stat()
    guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
    found.formUnion(names(below: "\(folder)/\(name)").map { "\(name)/\($0)" })
  }
  return found
}

private func removeTree(_ path: [UInt8]) {
  let name = path.map { CChar(bitPattern: $0) } + [0]
  var status = stat()
  guard lstat(name, &status) == 0 else { return }
  guard status.st_mode & S_IFMT == S_IFDIR else {
    unlink(name)
    return
  }
  for entry in (try? SystemFileAccess().names(in: FilePath(bytes: path))) ?? [] { removeTree(path + [0x2F] + entry) }
  rmdir(name)
}
