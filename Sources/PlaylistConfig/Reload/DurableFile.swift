internal import Glibc

/// Replaces a file so that a crash or a loss of power at any moment leaves the old text or the new one, whole.
///
/// The order, and why each step:
/// 1. The text goes to another name in the same directory. Whoever reads meanwhile reads the old file; a crash leaves a
///    temporary file, which nobody reads and the next write replaces.
/// 2. fsync of that file. Without it a file system may put the rename on disk before the data (delayed allocation: an
///    empty file under the right name after a loss of power).
/// 3. rename, which is atomic: the name leads to the old file or the new one, never to none. Both are whole, because the
///    new one's data is on disk since step 2.
/// 4. fsync of the directory. Without it the rename may be lost with the power although we have said that it is done. Only
///    after it the caller may act on the new text being there.
enum DurableFile {
  /// Who may read a file besides the user of the player, who may write it.
  enum Readers: Sendable {
    /// For what scripts of other users look at; the process's umask takes away from it.
    case everybody
    /// For what may hold a secret: texts of the configuration have addresses with passwords in them.
    case nobody

    var mode: mode_t { self == .everybody ? 0o644 : 0o600 }
  }

  /// Blocks until the disk has it.
  ///
  /// - Throws: nothing has changed, or (when step 4 fails) the new text may be there without a promise that it stays.
  static func replace(
    _ path: String, with text: [UInt8], readers: Readers = .everybody
  ) throws(FileError) {
    let temporary = path + ".new"
    let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, readers.mode)
    guard descriptor >= 0 else { throw .last() }
    do throws(FileError) {
      // One that a crash has left may be open to all.
      if readers == .nobody { guard fchmod(descriptor, readers.mode) == 0 else { throw .last() } }
      guard WholeWrite.write(text, to: descriptor) else { throw .last() }
      guard fsync(descriptor) == 0 else { throw .last() }
    } catch {
      Glibc.close(descriptor)
      unlink(temporary)
      throw error
    }
    Glibc.close(descriptor)
    guard rename(temporary, path) == 0 else {
      let error = FileError.last()
      unlink(temporary)
      throw error
    }
    try synchroniseDirectory(of: path)
  }

  /// Removes a file for good. One that isn't there is no error.
  static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last() }
    try synchroniseDirectory(of: path)
  }

  /// Closes a file that is there to everybody but its user. What can't be closed stays as it is.
  static func close(_ path: String) {
    let file = OpenFile(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
    if file.descriptor >= 0 { fchmod(file.descriptor, Readers.nobody.mode) }
  }

  private static func synchroniseDirectory(of path: String) throws(FileError) {
    let directory = Glibc.open(FilePath(path).directory.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw .last() }
    defer { Glibc.close(directory) }
    guard fsync(directory) == 0 else { throw .last() }
  }
}

/// Small files that are replaced as a whole. Blocks.
public enum ReplacedFile {
  /// A file that scripts of other users read. False when it couldn't be written; what was there stays.
  public static func write(_ text: [UInt8], to path: String) -> Bool {
    (try? DurableFile.replace(path, with: text)) != nil
  }

  /// A file that only the player reads.
  public static func writeOwn(_ text: [UInt8], to path: String) -> Bool {
    (try? DurableFile.replace(path, with: text, readers: .nobody)) != nil
  }
}

/// `write` until all is written: it may take a part, and signals interrupt it. Blocks.
public enum WholeWrite {
  /// False when it fails; `errno` says why.
  public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}
