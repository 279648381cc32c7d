import Glibc

/// A call to a device of the kernel that failed.
struct DeviceFailure: Error, Hashable {
  var call: String
  /// A positive errno.
  var code: Int32

  /// - Parameter result: 0 or more, else a negative errno.
  @discardableResult
  static func check(_ call: String, _ result: Int32) throws(DeviceFailure) -> Int32 {
    guard result < 0 else { return result }
    throw DeviceFailure(call: call, code: -result)
  }

  var description: String { "\(call): \(reason)" }

  /// The system's words for `code`.
  var reason: String { String(cString: strerror(code)) }
}
