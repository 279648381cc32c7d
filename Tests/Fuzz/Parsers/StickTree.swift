import Glibc
import PlaylistConfig

/// A stick's files, made from bytes: entries with a NUL between them, each a line `KIND SIZE TIME PATH` and its
/// content. KIND is f (file), d (folder), l (link, to the path in the content) or o (any other kind). Parent folders
/// are made.
struct StickTree {
  enum Kind: UInt8 { case file = 0x66, folder = 0x64, link = 0x6C, other = 0x6F }
  struct Entry {
    var kind: Kind
    var content: [UInt8] = []
    /// The file's size in bytes, whatever the content's length is.
    var size: Int64 = 0
    /// Seconds since 1970.
    var time: Int64 = 0
  }

  /// The entries by their path from the top; outer ones come first in `paths`.
  private(set) var entries: [[[UInt8]]: Entry] = [[]: Entry(kind: .folder)]
  private(set) var paths: [[[UInt8]]] = []
  private(set) var children: [[[UInt8]]: [[UInt8]]] = [:]

  /// More entries would only make the fuzzer slow.
  private static let mostEntries = 64
  private static let mostDepth = 20

  init(_ bytes: [UInt8]) {
    for text in bytes.split(separator: 0, omittingEmptySubsequences: true).prefix(Self.mostEntries) {
      let line = text.prefix { $0 != 0x0A }
      let words = line.split(separator: 0x20, maxSplits: 3, omittingEmptySubsequences: false)
      guard words.count == 4, words[0].count == 1, let kind = words[0].first.flatMap(Kind.init) else { continue }
      func number(_ word: ArraySlice<UInt8>) -> Int64? { Int64(String(decoding: word, as: UTF8.self)) }
      let content = Array(text.dropFirst(line.count + 1))
      // A size beyond any disk, or one small enough to be copied quickly.
      let size = number(words[1]).flatMap { (0...(1 << 16)).contains($0) || $0 >= 1 << 50 ? $0 : nil }
      let entry = Entry(kind: kind, content: content, size: size ?? Int64(content.count), time: number(words[2]) ?? 0)
      let path = words[3].split(separator: 0x2F).map(Array.init)
      // No file system allows these names.
      guard !path.isEmpty, path.count <= Self.mostDepth,
        !path.contains(where: { $0 == [0x2E] || $0 == [0x2E, 0x2E] || $0.count > 255 })
      else { continue }
      add(entry, at: path)
    }
  }

  private mutating func add(_ entry: Entry, at path: [[UInt8]]) {
    guard entries[path] == nil else { return }
    let folder = Array(path.dropLast())
    if entries[folder] == nil { add(Entry(kind: .folder), at: folder) }
    guard entries[folder]?.kind == .folder else { return }
    entries[path] = entry
    paths.append(path)
    children[folder, default: []].append(path[path.count - 1])
  }
}

/// A board in memory, with the tree as its only stick and few files of its own. Reading the stick other than by
/// confined access is a fault.
struct StickBoard: FileAccess {
  static let mounts = "/run/vitrine-usb"
  static let stick = FilePath("/run/vitrine-usb/sda1")
  static let passwordFile = "/etc/vitrine/usb.password"
  static let password = "sesame"

  let tree: StickTree

  private func isOfStick(_ path: FilePath) -> Bool {
    let normal = path.lexicallyNormal
    return normal == Self.stick || normal.bytes.starts(with: Self.stick.bytes + [0x2F])
  }

  func status(of path: FilePath) throws(FileError) -> FileStatus {
    precondition(!isOfStick(path), "a stick is looked at without bounds: \(path.text)")
    guard path.text.hasPrefix("/etc/vitrine/") else { throw FileError(.missing) }
    return FileStatus(kind: .regular, identity: FileStatus.Identity(device: 1, inode: 1))
  }

  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    precondition(!isOfStick(path), "a stick is read without bounds: \(path.text)")
    guard path.text == Self.passwordFile else { throw FileError(.missing) }
    return Array("\(Self.password)\n".utf8)
  }

  func names(in directory: FilePath) throws(FileError) -> [[UInt8]] {
    precondition(!isOfStick(directory), "a stick is listed without bounds: \(directory.text)")
    guard directory.text == Self.mounts else { throw FileError(.missing) }
    return [Self.stick.name]
  }

  func currentDirectory() throws(FileError) -> FilePath { FilePath("/") }

  func confined(to folder: FilePath) -> ConfinedTree {
    precondition(folder == Self.stick, "the bounds of a stick are \(folder.text)")
    return ConfinedTree(tree: tree)
  }
}

/// Confined access to the tree, as the kernel gives it: without links or a way out.
struct ConfinedTree: FileAccess {
  let tree: StickTree

  /// The names of the path of an existing entry.
  func place(of path: FilePath) throws(FileError) -> [[UInt8]] {
    let parts = path.lexicallyNormal.bytes.split(separator: 0x2F).map(Array.init)
    let top = StickBoard.stick.bytes.split(separator: 0x2F).map(Array.init)
    guard path.isAbsolute, parts.starts(with: top) else { throw FileError(.confined) }
    guard !path.bytes.contains(0) else { throw FileError(.missing) }
    let names = Array(parts.dropFirst(top.count))
    for count in 0...names.count {
      guard let entry = tree.entries[Array(names.prefix(count))] else { throw FileError(.missing) }
      if entry.kind == .link { throw FileError(.confined) }
      if count < names.count, entry.kind != .folder { throw FileError(.missing) }
    }
    return names
  }

  func status(of path: FilePath) throws(FileError) -> FileStatus {
    let names = try place(of: path)
    guard let entry = tree.entries[names] else { throw FileError(.missing) }
    let kind: FileStatus.Kind =
      switch entry.kind {
      case .file: .regular
      case .folder: .directory
      case .link, .other: .other
      }
    let inode = tree.paths.firstIndex(of: names).map { UInt64($0) + 2 } ?? 1
    return FileStatus(kind: kind, identity: FileStatus.Identity(device: 2, inode: inode), size: entry.size)
  }

  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    guard let entry = tree.entries[try place(of: path)], entry.kind == .file else { throw FileError(.notRegular) }
    return Array(entry.content.prefix(limit))
  }

  func names(in directory: FilePath) throws(FileError) -> [[UInt8]] {
    let names = try place(of: directory)
    guard tree.entries[names]?.kind == .folder else { throw FileError(.missing) }
    return tree.children[names] ?? []
  }

  func currentDirectory() throws(FileError) -> FilePath { FilePath("/") }
  func confined(to folder: FilePath) -> ConfinedTree { self }
}
