public import FileModel

/// Replaces a file so that a crash or a loss of power at any moment leaves the old text or the new one, whole.
///
/// The order, and why each step:
/// 1. The text goes to another name in the same directory. Whoever reads meanwhile reads the old file; a crash leaves a
///    temporary file, which nobody reads and the next write removes.
/// 2. fsync of that file. Without it a file system may put the rename on disk before the data (delayed allocation: an
///    empty file under the right name after a loss of power).
/// 3. rename, which is atomic: the name leads to the old file or the new one, never to none. Both are whole, because the
///    new one's data is on disk since step 2.
/// 4. fsync of the directory. Without it the rename may be lost with the power although we have said that it is done. Only
///    after it the caller may act on the new text being there.
public enum DurableFile {
  /// Who may read a file besides the user of the player, who may write it.
  public enum Readers: Sendable {
    /// For what scripts of other users look at; the process's umask takes away from it.
    case everybody
    /// For what may hold a secret: texts of the configuration have addresses with passwords in them.
    case nobody

    var mode: UInt32 { self == .everybody ? 0o644 : 0o600 }
  }

  /// Blocks until the disk has it.
  ///
  /// - Parameter owner: whose it becomes, where root writes for another user; nil leaves it ours.
  /// - Throws: nothing has changed, or (when step 4 fails) the new text may be there without a promise that it stays.
  public static func replace(
    _ path: String, with text: [UInt8], readers: Readers = .everybody, owner: FileOwner? = nil
  ) throws(FileError) {
    let temporary = path + ".new"
    // A file of our own each time: root may write in a folder of another user's, who could have put a link to any file there.
    try? FileTree.removeFile(temporary)
    let file = try OpenFile(creating: FilePath(temporary), mode: readers.mode)
    do throws(FileError) {
      if let owner { try file.setOwner(owner) }
      try file.write(text)
      try file.synchronise()
      try FileTree.rename(temporary, to: path)
    } catch {
      try? FileTree.removeFile(temporary)
      throw error
    }
    try FileTree.synchronise(folder: FilePath(path).directory.text)
  }

  /// Removes a file for good. One that isn't there is no error.
  public static func remove(_ path: String) throws(FileError) {
    do throws(FileError) { try FileTree.removeFile(path) } catch { guard error.isMissing else { throw error } }
    try FileTree.synchronise(folder: FilePath(path).directory.text)
  }

  /// Closes a file that is there to everybody but its user. What can't be closed stays as it is.
  public static func close(_ path: String) {
    guard let file = try? OpenFile(readingUnlinked: FilePath(path)) else { return }
    try? file.setMode(Readers.nobody.mode)
  }
}

/// Small files that are replaced as a whole. Blocks.
public enum ReplacedFile {
  /// A file that scripts of other users read. False when it couldn't be written; what was there stays.
  public static func write(_ text: [UInt8], to path: String) -> Bool {
    (try? DurableFile.replace(path, with: text)) != nil
  }

  /// A file that only the player reads.
  ///
  /// - Parameter owner: the player's user, where root writes for it.
  public static func writeOwn(_ text: [UInt8], to path: String, owner: FileOwner? = nil) -> Bool {
    (try? DurableFile.replace(path, with: text, readers: .nobody, owner: owner)) != nil
  }
}
