internal import FileModel
internal import Glibc

extension FileError {
  /// The error of the last system call. To be read before any other call is made.
  static func ofLastCall() -> FileError { FileError(code: errno) }

  /// - Parameter code: an errno value.
  init(code: Int32) {
    switch code {
    // A path through a name that isn't a directory counts as missing.
    case ENOENT, ENOTDIR: self.init(.missing)
    case EACCES, EPERM: self.init(.denied(Self.words(code)))
    case ENOSPC, EDQUOT: self.init(.full(Self.words(code)))
    default: self.init(.system(Self.words(code)))
    }
  }

  private static func words(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "system error \(code)" }
    return String(cString: text)
  }
}
