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
  ///   - isWanted: asked before each part is read; on false the reading stops, and there is no checksum.
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

/// Checksums of files that are asked about repeatedly: a file that hasn't changed isn't read a second time. They block.
public final class FileChecksums: Sendable {
  /// Checksums that are remembered at most: enough for the files of a usual playlist.
  private static let mostFiles = 10_000

  /// Readings at a time. Two decks need two; a disk that hangs keeps its readings, each with its thread.
  static let mostReadings = 8
  private let readings = Locked(0)

  /// Whether one more reading may start. On true the caller owes an `endReading`.
  fileprivate func beginReading() -> Bool {
    readings.withLock { readings in
      guard readings < Self.mostReadings else { return false }
      readings += 1
      return true
    }
  }

  fileprivate func endReading() { readings.withLock { $0 -= 1 } }

  /// The status of each file when it was read, with its checksum. The status changes when the file is replaced or
  /// written to.
  private let known = Locked<[FilePath: (status: FileStatus, sum: String)]>([:])

  public init() {}

  /// SHA-256 in 64 hexadecimal digits in lower case; nil when the file can't be read to its end, or changes meanwhile.
  ///
  /// - Parameters:
  ///   - uri: a `file:` URI.
  ///   - isWanted: asked before each part is read; on false the reading stops.
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

/// Reads one file, cancellably, on a thread of its own, so that a large file doesn't hold up a small one.
public final class FileCheck: Sendable {
  private let isWanted = Locked(true)

  /// - Parameter done: called once on that thread, with nil where the file can't be read or the check was cancelled.
  ///   Called at once, with nil, where too many readings hang or no thread can be had: then the disk, or the board, is
  ///   of no use.
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

/// Checksums of short texts.
public enum TextChecksum {
  /// MD5 in 32 hexadecimal digits in lower case, for protocols that ask for it: it protects nothing. Nil where GLib
  /// can't compute it.
  public static func md5(_ bytes: [UInt8]) -> String? {
    guard let digits = g_compute_checksum_for_data(G_CHECKSUM_MD5, bytes, gsize(bytes.count)) else { return nil }
    defer { g_free(digits) }
    return String(cString: digits)
  }
}
