internal import CGLib
internal import Glibc

/// Checksums of files. They read the whole file and block.
public enum FileChecksum {
  /// SHA-256 in 64 hexadecimal digits in lower case; nil when the file can't be read to its end.
  ///
  /// - Parameter path: bytes without a NUL.
  public static func sha256(path: [UInt8]) -> String? {
    let terminated = path.map { CChar(bitPattern: $0) } + [0]
    let descriptor = Glibc.open(terminated, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    guard let checksum = g_checksum_new(G_CHECKSUM_SHA256) else { return nil }
    defer { g_checksum_free(checksum) }
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      g_checksum_update(checksum, chunk, gssize(count))
    }
    return g_checksum_get_string(checksum).map { String(cString: $0) }
  }
}
