public import FileModel
internal import Glibc
internal import PlaybackCore

/// Operations on the names of files and folders, one system call each. Blocks.
public enum FileTree {
  /// Makes a folder. An existing folder isn't an error.
  public static func makeFolder(_ path: String, mode: UInt32 = 0o755) throws(FileError) {
    let name = try FilePath(path).terminated()
    if mkdir(name, mode_t(mode)) != 0, errno != EEXIST { throw .ofLastCall() }
  }

  /// Renames atomically: the new name always leads to the old file or to the new one.
  public static func rename(_ path: String, to newPath: String) throws(FileError) {
    let (old, new) = (try FilePath(path).terminated(), try FilePath(newPath).terminated())
    try SystemCall.retried { Glibc.rename(old, new) }
  }

  /// Removes a file, or a link but not its target.
  public static func removeFile(_ path: String) throws(FileError) {
    let name = try FilePath(path).terminated()
    try SystemCall.retried { unlink(name) }
  }

  /// Removes a folder and its contents, without following links. Entries that can't be removed stay.
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

  /// The status of a name itself: a link has the kind `other`, whatever it points to.
  public static func statusOfLink(_ path: String) throws(FileError) -> FileStatus {
    var status = stat()
    let name = try FilePath(path).terminated()
    try SystemCall.retried { lstat(name, &status) }
    return FileStatus(status)
  }

  /// Returns once the disk has all renames and new files of the folder.
  public static func synchronise(folder path: String) throws(FileError) {
    try OpenFile(folder: FilePath(path)).synchronise()
  }

  /// Makes a symbolic link, atomically replacing an existing one.
  public static func replaceLink(_ path: String, to target: String) throws(FileError) {
    let temporary = path + ".new"
    try? removeFile(temporary)
    let (from, link) = (try FilePath(target).terminated(), try FilePath(temporary).terminated())
    try SystemCall.retried { symlink(from, link) }
    try rename(temporary, to: path)
  }

  /// The target of a symbolic link; nil for anything else.
  public static func target(ofLink path: String) -> String? {
    // Longer than any path.
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A file's owner, group and mode; links are followed.
  public static func owner(of path: String) throws(FileError) -> FileOwner {
    var status = stat()
    let name = try FilePath(path).terminated()
    try SystemCall.retried { stat(name, &status) }
    return FileOwner(user: status.st_uid, group: status.st_gid, mode: UInt32(status.st_mode) & 0o7777)
  }

  /// Bytes of a folder's disk that are free for this user.
  public static func freeBytes(in folder: String) throws(FileError) -> Int64 {
    var system = statvfs()
    let name = try FilePath(folder).terminated()
    try SystemCall.retried { statvfs(name, &system) }
    return Int64(clamping: system.f_bavail).clampedMultiplied(by: Int64(clamping: system.f_frsize))
  }

  /// Throws unless this process may make files in a folder.
  public static func checkWritable(_ folder: String) throws(FileError) { try check(folder, W_OK | X_OK) }

  /// Throws unless this process may list a folder and enter it.
  public static func checkReadable(_ folder: String) throws(FileError) { try check(folder, R_OK | X_OK) }

  /// Whether this process may list a folder and enter it.
  public static func canRead(_ folder: String) -> Bool { (try? checkReadable(folder)) != nil }

  /// Whether this process may read a file.
  public static func isReadable(_ file: String) -> Bool { (try? check(file, R_OK)) != nil }

  /// Whether a path is a program that this process may start, or a folder that it may enter.
  public static func isProgram(_ file: String) -> Bool { (try? check(file, X_OK)) != nil }

  /// Whether this process may connect to a socket with a path.
  public static func canConnect(_ socket: String) -> Bool { (try? check(socket, R_OK | W_OK)) != nil }

  /// Whether the path exists.
  public static func isThere(_ path: String) -> Bool { (try? check(path, F_OK)) != nil }

  private static func check(_ path: String, _ mode: Int32) throws(FileError) {
    let name = try FilePath(path).terminated()
    try SystemCall.retried { access(name, mode) }
  }
}
