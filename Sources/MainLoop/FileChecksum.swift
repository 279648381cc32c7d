internal import CGLib
internal import Glibc

/// Checksums of files. They read the whole file and block.
public enum FileChecksum {
  /// SHA-256 in 64 hexadecimal digits in lower case; nil when the file can't be read to its end.
  ///
  /// - Parameters:
  ///   - path: bytes without a NUL.
  ///   - isWanted: asked for each part that is read; after a no the rest isn't, and there is no checksum.
  public static func sha256(path: [UInt8], isWanted: () -> Bool = { true }) -> String? {
    let terminated = path.map { CChar(bitPattern: $0) } + [0]
    let descriptor = Glibc.open(terminated, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    guard let checksum = g_checksum_new(G_CHECKSUM_SHA256) else { return nil }
    defer { g_checksum_free(checksum) }
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while isWanted() {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return g_checksum_get_string(checksum).map { String(cString: $0) } }
      g_checksum_update(checksum, chunk, gssize(count))
    }
    return nil
  }
}

/// Checksums of files that are asked about again and again: a file that hasn't changed isn't read a second time. They block.
public final class FileChecksums: Sendable {
  /// What changes when the file does: replaced, written to, or (by the last) with its times set back.
  private struct Version: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var modified: [Int]
    var changed: [Int]

    init?(_ path: UnsafePointer<CChar>) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int64(status.st_size)
      modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
      changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
  }

  /// Files that are remembered; the memory is for those of a playlist.
  private static let mostFiles = 10_000

  /// Readings at a time. There are as many as decks, two; a disk that hangs keeps its readings, each with its thread.
  static let mostReadings = 8
  private let readings = Locked(0)

  /// Whether there may be one more reading; then `endReading` is to be called.
  fileprivate func beginReading() -> Bool {
    readings.withLock { readings in
      guard readings < Self.mostReadings else { return false }
      readings += 1
      return true
    }
  }

  fileprivate func endReading() { readings.withLock { $0 -= 1 } }

  private let known = Locked<[[UInt8]: (version: Version, sum: String)]>([:])

  public init() {}

  /// SHA-256 in 64 hexadecimal digits in lower case; nil when the file can't be read to its end, or changes meanwhile.
  ///
  /// - Parameters:
  ///   - uri: a `file:` URI.
  ///   - isWanted: after a no the file isn't read on.
  public func sha256(uri: String, isWanted: () -> Bool = { true }) -> String? {
    guard let bytes = g_filename_from_uri(uri, nil, nil) else { return nil }
    defer { g_free(bytes) }
    // Bytes, because a name needn't be UTF-8.
    let path = UnsafeBufferPointer(start: bytes, count: strlen(bytes)).map { UInt8(bitPattern: $0) }
    guard let version = Version(bytes) else { return nil }
    if let found = known.withLock({ $0[path] }), found.version == version { return found.sum }
    guard let sum = FileChecksum.sha256(path: path, isWanted: isWanted), Version(bytes) == version else { return nil }
    known.withLock { known in
      if known.count >= Self.mostFiles { known = [:] }
      known[path] = (version, sum)
    }
    return sum
  }
}

/// The reading of one file, which can be called off. On a thread of its own: a large file doesn't hold up a small one.
public final class FileCheck: Sendable {
  private let isWanted = Locked(true)

  /// - Parameter done: called once on that thread, with nil where the file can't be read or nobody wants to know any more. At
  ///   once, with nil, where too many readings hang or no thread can be had: then the disk, or the board, is of no use.
  public init(of uri: String, in checksums: FileChecksums, done: @escaping @Sendable (String?) -> Void) {
    guard checksums.beginReading() else {
      done(nil)
      return
    }
    let worker = BlockingWorker()
    let isStarted = worker.canSubmit { [isWanted] in
      let sum = checksums.sha256(uri: uri) { isWanted.withLock { $0 } }
      checksums.endReading()
      done(sum)
    }
    worker.finish()
    guard !isStarted else { return }
    checksums.endReading()
    done(nil)
  }

  /// Ends the reading. Any thread; returns at once.
  public func cancel() { isWanted.withLock { $0 = false } }
}
