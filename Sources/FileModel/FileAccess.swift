/// What configurations, lists, sticks and records are read through, so that tests can stand in for a disk, and a folder of somebody
/// else's can be kept to. Media are opened by who plays them. Every call may block.
public protocol FileAccess: Sendable {
  associatedtype Confined: FileAccess

  /// Follows symbolic links.
  func status(of path: FilePath) throws(FileError) -> FileStatus
  /// The first bytes of a regular file, at most `limit`.
  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8]
  /// Names in a directory in no order, without `.` and `..`; `FileError.Reason.tooMany` beyond `FolderLimits.names`.
  func names(in directory: FilePath) throws(FileError) -> [[UInt8]]
  /// Absolute.
  func currentDirectory() throws(FileError) -> FilePath
  /// The same files, but none outside of `folder` and nothing behind a symbolic link below it: for what somebody else has
  /// put there. Such paths give `FileError.Reason.confined`.
  ///
  /// - Parameter folder: absolute. What leads to it is ours, and may be a link.
  func confined(to folder: FilePath) -> Confined
}

/// What of a folder is read.
public enum FolderLimits {
  /// Twice what a configuration may list, so that as many files may lie beside them. A folder with millions of files in it, as a
  /// stick may have, would fill the memory before anything else of it was looked at.
  public static let names = 200_000
}
