public import FileModel

/// Replaces a file so that a crash or a power failure at any moment leaves the old text or the new one, whole.
///
/// The steps, and the reason for each:
/// 1. The text is written to another name in the same directory. Readers still get the old file; a crash leaves a
///    temporary file, which isn't read, and which the next write removes.
/// 2. fsync of that file. Without it a file system may write the rename to the disk before the data (delayed
///    allocation: an empty file under the right name after a power failure).
/// 3. rename, which is atomic: the name always leads to the old file or to the new one. Both are whole, because the new
///    one's data is on the disk since step 2.
/// 4. fsync of the directory. Without it the rename may be lost in a power failure although the call has returned. Only
///    after this step may the caller rely on the new text.
public enum DurableFile {
  /// The users who may read a file, besides the player's own, who may also write it.
  public enum Readers: Sendable {
    /// All users: for files that scripts of other users read. The process's umask may restrict this.
    case everybody
    /// The player's user only: for files that may hold secrets, as configurations have addresses with passwords.
    case nobody

    var mode: UInt32 { self == .everybody ? 0o644 : 0o600 }
  }

  /// Replaces the file. Blocks until the text is on the disk.
  ///
  /// - Parameter owner: the new file's owner, where root writes for another user; nil for the process's user.
  /// - Throws: the file is unchanged, or, when step 4 fails, the new text is there but may be lost in a power failure.
  public static func replace(
    _ path: String, with text: [UInt8], readers: Readers = .everybody, owner: FileOwner? = nil
  ) throws(FileError) {
    let temporary = path + ".new"
    // A new file each time: root may write in another user's folder, who could have put a link to any file there.
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

  /// Removes a file durably. A missing file isn't an error.
  public static func remove(_ path: String) throws(FileError) {
    do throws(FileError) { try FileTree.removeFile(path) } catch { guard error.isMissing else { throw error } }
    try FileTree.synchronise(folder: FilePath(path).directory.text)
  }

  /// Takes an existing file's permissions from all users but its owner. A failure is ignored.
  public static func close(_ path: String) {
    guard let file = try? OpenFile(readingUnlinked: FilePath(path)) else { return }
    try? file.setMode(Readers.nobody.mode)
  }
}

/// Writes small files that are replaced as a whole. Blocks.
public enum ReplacedFile {
  /// Writes a file that scripts of other users read. False when that failed; the old file then stays.
  public static func write(_ text: [UInt8], to path: String) -> Bool {
    (try? DurableFile.replace(path, with: text)) != nil
  }

  /// Writes a file that only the player reads.
  ///
  /// - Parameter owner: the player's user, where root writes for it.
  public static func writeOwn(_ text: [UInt8], to path: String, owner: FileOwner? = nil) -> Bool {
    (try? DurableFile.replace(path, with: text, readers: .nobody, owner: owner)) != nil
  }
}
