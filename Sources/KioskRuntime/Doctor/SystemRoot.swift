public import FileModel
public import FileSystem

/// The system's files, or those of a folder that stands for a system, which a test has made.
public struct SystemRoot: FileAccess {
  /// Without a slash at its end; empty is this system.
  public let prefix: String
  private let files = SystemFileAccess()

  public init(_ prefix: String = "") {
    self.prefix = prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix
  }

  /// Where a file of the system really is.
  public func path(_ path: String) -> String { prefix + path }

  /// Empty where it can't be read.
  public func text(_ path: String) -> String { SmallFile.text(self.path(path)) }

  /// The first line, without blanks around it; nil where there is none.
  public func word(_ path: String) -> String? {
    SmallFile.firstLine(self.path(path)).map { line in
      String(line.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\0" }.reversed())
    }
  }

  public func number(_ path: String) -> Int64? { word(path).flatMap { Int64($0) } }

  /// Of a folder, sorted; empty where it can't be read.
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
