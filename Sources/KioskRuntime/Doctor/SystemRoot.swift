public import FileModel
public import FileSystem

/// The system's files, or those of a folder that a test has made to stand for a system.
public struct SystemRoot: FileAccess {
  /// The folder's path, without a slash at its end; empty for this system.
  public let prefix: String
  private let files = SystemFileAccess()

  public init(_ prefix: String = "") {
    self.prefix = prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix
  }

  /// The real path of a file of the system.
  public func path(_ path: String) -> String { prefix + path }

  /// The file's text; empty where it can't be read.
  public func text(_ path: String) -> String { SmallFile.text(self.path(path)) }

  /// The file's first line without surrounding blanks; nil for a missing or empty file.
  public func word(_ path: String) -> String? {
    SmallFile.firstLine(self.path(path)).map { line in
      String(line.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\0" }.reversed())
    }
  }

  public func number(_ path: String) -> Int64? { word(path).flatMap { Int64($0) } }

  /// The names in a folder, sorted; empty where it can't be read.
  public func names(_ folder: String) -> [String] { SmallFile.names(in: path(folder)).sorted() }

  public func isThere(_ path: String) -> Bool { FileTree.isThere(self.path(path)) }

  // MARK: FileAccess

  private func own(_ path: FilePath) -> FilePath {
    prefix.isEmpty || !path.isAbsolute ? path : FilePath(bytes: Array(prefix.utf8) + path.bytes)
  }

  public func status(of path: FilePath) throws(FileError) -> FileStatus { try files.status(of: own(path)) }

  public func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    try files.read(own(path), limit: limit)
  }

  public func names(in directory: FilePath) throws(FileError) -> [[UInt8]] { try files.names(in: own(directory)) }

  public func currentDirectory() throws(FileError) -> FilePath { try files.currentDirectory() }

  public func confined(to folder: FilePath) -> ConfinedFileAccess { files.confined(to: own(folder)) }
}
