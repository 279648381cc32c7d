internal import Glibc

/// How a file of this machine begins.
public enum FileStart {
  /// - Parameters:
  ///   - path: of a file; of what can't be read there are no bytes.
  ///   - count: how many bytes at the most.
  public static func read(_ path: String, count: Int) -> [UInt8] {
    // A pipe would wait for somebody to write into it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    let length = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, length)))
  }
}
