internal import Glibc

/// The first line of small files, such as those with a secret or a name in them.
public enum FirstLine {
  /// Blocks. Nil when there is none that may be read.
  public static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    // What ends a header can't be in it.
    let line = bytes.prefix(count).prefix { $0 >= 0x20 && $0 != 0x7F }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
