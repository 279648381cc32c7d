internal import FileModel
internal import Glibc

/// The one place where a call of the kernel's is made again because a signal came in between (EINTR). A descriptor is closed
/// once, whatever `close` says: Linux has let go of it even then.
enum SystemCall {
  /// - Parameter call: gives a negative number when it fails, with errno.
  /// - Returns: what the call gave when it worked.
  @discardableResult
  static func retried<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) throws(FileError) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw .ofLastCall() }
    }
  }
}
