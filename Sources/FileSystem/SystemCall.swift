internal import FileModel
internal import Glibc

/// Repeats a system call that a signal has interrupted (EINTR). All calls go through here except `close`: a descriptor
/// is closed once whatever `close` returns, because Linux has released it even after EINTR.
enum SystemCall {
  /// - Parameter call: returns a negative number when it fails, with errno set.
  /// - Returns: the call's result.
  @discardableResult
  static func retried<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) throws(FileError) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw .ofLastCall() }
    }
  }
}
