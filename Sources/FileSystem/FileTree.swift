public import FileModel
internal import Glibc
internal import PlaybackCore

/// What is done to names of files and folders, each by one call of the kernel's. Blocks.
public enum FileTree {
  /// A folder that is there already is fine.
  public static func makeFolder(_ path: String, mode: UInt32 = 0o755) throws(FileError) {
    let name = try FilePath(path).terminated()
    if mkdir(name, mode_t(mode)) != 0, errno != EEXIST { throw .ofLastCall() }
  }

  /// In one step: the name leads to the old thing or the new one, never to none.
  public static func rename(_ path: String, to newPath: String) throws(FileError) {
    let (old, new) = (try FilePath(path).terminated(), try FilePath(newPath).terminated())
    try SystemCall.retried { Glibc.rename(old, new) }
  }

  /// A file or a link, not what it leads to.
  public static func removeFile(_ path: String) throws(FileError) {
    let name = try FilePath(path).terminated()
    try SystemCall.retried { unlink(name) }
  }

  /// With everything in it, without following links. What can't be removed stays.
  public static func removeTree(_ path: String) {
    guard (try? statusOfLink(path))?.kind == .directory else {
      try? removeFile(path)
      return
    }
    for name in (try? SystemFileAccess().names(in: FilePath(path))) ?? [] {
      removeTree("\(path)/\(String(decoding: name, as: UTF8.self))")
    }
    rmdir(path)
  }

  /// Of a name itself: a link is `other`, whatever it leads to.
  public static func statusOfLink(_ path: String) throws(FileError) -> FileStatus {
    var status = stat()
    let name = try FilePath(path).terminated()
    try SystemCall.retried { lstat(name, &status) }
    return FileStatus(status)
  }

  /// When it returns the disk has what was renamed and made in the folder.
  public static func synchronise(folder path: String) throws(FileError) {
    try OpenFile(folder: FilePath(path)).synchronise()
  }

  /// A symbolic link in place of one that may be there, in one step.
  public static func replaceLink(_ path: String, to target: String) throws(FileError) {
    let temporary = path + ".new"
    try? removeFile(temporary)
    let (from, link) = (try FilePath(target).terminated(), try FilePath(temporary).terminated())
    try SystemCall.retried { symlink(from, link) }
    try rename(temporary, to: path)
  }

  /// What a symbolic link says; nil for anything else.
  public static func target(ofLink path: String) -> String? {
    // Longer than any path.
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whose a file is, and who may do what with it; links are followed.
  public static func owner(of path: String) throws(FileError) -> FileOwner {
    var status = stat()
    let name = try FilePath(path).terminated()
    try SystemCall.retried { stat(name, &status) }
    return FileOwner(user: status.st_uid, group: status.st_gid, mode: UInt32(status.st_mode) & 0o7777)
  }

  /// Bytes that the disk of a folder has left for us.
  public static func freeBytes(in folder: String) throws(FileError) -> Int64 {
    var system = statvfs()
    let name = try FilePath(folder).terminated()
    try SystemCall.retried { statvfs(name, &system) }
    return Int64(clamping: system.f_bavail).clampedMultiplied(by: Int64(clamping: system.f_frsize))
  }

  /// Whether we may make files in a folder and go through it.
  public static func checkWritable(_ folder: String) throws(FileError) { try check(folder, W_OK | X_OK) }

  /// Whether we may read a folder's names and go through it.
  public static func checkReadable(_ folder: String) throws(FileError) { try check(folder, R_OK | X_OK) }

  /// The same as a yes or no.
  public static func canRead(_ folder: String) -> Bool { (try? checkReadable(folder)) != nil }

  /// Whether we may read a file.
  public static func isReadable(_ file: String) -> Bool { (try? check(file, R_OK)) != nil }

  /// Whether we may speak through a socket that has a name.
  public static func canConnect(_ socket: String) -> Bool { (try? check(socket, R_OK | W_OK)) != nil }

  /// Whether something is there under that name.
  public static func isThere(_ path: String) -> Bool { (try? check(path, F_OK)) != nil }

  private static func check(_ path: String, _ mode: Int32) throws(FileError) {
    let name = try FilePath(path).terminated()
    try SystemCall.retried { access(name, mode) }
  }
}
