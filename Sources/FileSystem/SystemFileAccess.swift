public import FileModel
internal import Glibc

/// The machine's file system.
public struct SystemFileAccess: FileAccess {
  public init() {}

  public func status(of path: FilePath) throws(FileError) -> FileStatus {
    var status = stat()
    let name = try path.terminated()
    try SystemCall.retried { stat(name, &status) }
    return FileStatus(status)
  }

  public func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    try OpenFile(reading: path).bytes(limit: limit)
  }

  public func names(in directory: FilePath) throws(FileError) -> [[UInt8]] {
    try OpenFile(folder: directory).names()
  }

  public func currentDirectory() throws(FileError) -> FilePath {
    guard let path = getcwd(nil, 0) else { throw .ofLastCall() }
    defer { free(path) }
    return FilePath(String(cString: path))
  }

  public func confined(to folder: FilePath) -> ConfinedFileAccess { ConfinedFileAccess(folder) }
}
