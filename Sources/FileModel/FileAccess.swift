/// Reads files for configurations, lists, sticks and records, so that tests can replace the disk and a stranger's
/// folder can be confined. Media are opened by their players. Every call may block.
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
  /// A view of the files that is limited to `folder` and follows no symbolic link below it: for files from a stranger.
  /// Paths that lead out give `FileError.Reason.confined`.
  ///
  /// - Parameter folder: absolute. The path to it is the board's own, and may contain links.
  func confined(to folder: FilePath) -> Confined
}

/// Limits on reading a folder.
public enum FolderLimits {
  /// Twice what a configuration may list, so that as many files may lie beside the listed ones. A stick's folder with
  /// millions of files would fill the memory before its names could be checked.
  public static let names = 200_000
}
