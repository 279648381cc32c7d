internal import FileModel
internal import Glibc

extension FileError {
  /// Why the call before has failed: to be asked before any other is made.
  static func ofLastCall() -> FileError { FileError(code: errno) }

  /// - Parameter code: a number of errno.
  init(code: Int32) {
    switch code {
    // A path through something that is no directory is as missing as any other.
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
