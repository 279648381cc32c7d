internal import CGLib
internal import FileModel
internal import FileSystem
internal import Glibc

/// Checksums of files. They read the whole file and block.
public enum FileChecksum {
  /// SHA-256 in 64 hexadecimal digits in lower case; nil when the file can't be read to its end.
  ///
  /// - Parameters:
  ///   - path: bytes without a NUL.
  ///   - isWanted: asked for each part that is read; after a no the rest isn't, and there is no checksum.
  public static func sha256(path: [UInt8], isWanted: () -> Bool = { true }) -> String? {
    guard let file = try? OpenFile(reading: FilePath(bytes: path)) else { return nil }
    guard let checksum = g_checksum_new(G_CHECKSUM_SHA256) else { return nil }
    defer { g_checksum_free(checksum) }
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while isWanted() {
      guard let count = try? file.read(into: &chunk) else { return nil }
      guard count > 0 else { return g_checksum_get_string(checksum).map { String(cString: $0) } }
      g_checksum_update(checksum, chunk, gssize(count))
    }
    return nil
  }
}

/// Checksums of files that are asked about again and again: a file that hasn't changed isn't read a second time. They block.
public final class FileChecksums: Sendable {
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

  /// What a file looked like when it was read: that changes when the file does, be it replaced or written to.
  private let known = Locked<[FilePath: (status: FileStatus, sum: String)]>([:])

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
    let path = FilePath(bytes: UnsafeBufferPointer(start: bytes, count: strlen(bytes)).map { UInt8(bitPattern: $0) })
    let files = SystemFileAccess()
    guard let status = try? files.status(of: path) else { return nil }
    if let found = known.withLock({ $0[path] }), found.status == status { return found.sum }
    guard let sum = FileChecksum.sha256(path: path.bytes, isWanted: isWanted),
      (try? files.status(of: path)) == status
    else { return nil }
    known.withLock { known in
      if known.count >= Self.mostFiles { known = [:] }
      known[path] = (status, sum)
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
