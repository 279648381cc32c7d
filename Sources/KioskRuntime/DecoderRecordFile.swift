internal import FileSystem
internal import Glibc
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
public import PlaybackCore
internal import PlaylistConfig

/// The file that keeps `DecoderRecord`.
public struct DecoderRecordFile: Hashable, Sendable {
  public var path: String
  public var system: DecoderRecord.System

  public init(path: String, system: DecoderRecord.System) {
    self.path = path
    self.system = system
  }

  /// The file has at most 32 lines; a larger one is damaged.
  private static let limit = 64 * 1024

  /// Reads the record; empty where the file is missing or can't be read. Blocks for a small file.
  func read() -> DecoderRecord {
    let bytes = (try? SystemFileAccess().read(FilePath(path), limit: Self.limit)) ?? []
    return DecoderRecord(text: String(decoding: bytes, as: UTF8.self))
  }

  public var avoided: [String] { read().avoided(with: system, at: Int64(time(nil))) }

  /// Records the results of a self-test. The file stays the property of the player's user, whichever user runs the
  /// test. Blocks.
  ///
  /// - Returns: whether the file was written.
  public func keep(failed: Set<String>, passed: Set<String>) -> Bool {
    var record = read()
    let before = record
    for decoder in passed.subtracting(failed).sorted() { record.passed(decoder) }
    for decoder in failed.sorted() { record.failed(decoder, with: system, at: Int64(time(nil))) }
    guard record != before else { return true }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    // Only root can change a file's owner; for another user the owner is already right.
    let owner = geteuid() == 0 ? try? FileTree.owner(of: folder) : nil
    return ReplacedFile.writeOwn(Array(record.text.utf8), to: path, owner: owner)
  }
}

/// Keeps decoders from use that gave no picture or that the board's profile forbids, and records new failures for the
/// next process.
enum AvoidedDecoders {
  /// Excludes the decoders that the board's profile forbids and those that gave an earlier process no picture. Called
  /// before any deck is made.
  static func avoid(_ options: KioskOptions, log: Logger) {
    if options.survival?.mode == .safe { GStreamerLibrary.avoidHardwareDecoders() }
    GStreamerLibrary.avoid(decoders: options.decoders.avoided)
    for decoder in options.decoders.avoided.sorted() {
      log.debug("\(decoder) isn't used: the board's profile says so")
    }
    guard let record = options.decoderRecord else { return }
    let remembered = record.avoided
    GStreamerLibrary.avoid(decoders: remembered)
    for decoder in remembered {
      log.notice("\(decoder) isn't used: it gave no picture in the last seven days; \(record.path) remembers it")
    }
  }

  /// Records a decoder that gave no picture, for the next process.
  static func remember(_ decoder: String, _ options: KioskOptions, by worker: BlockingWorker?, log: Logger) {
    guard let file = options.decoderRecord, let worker else { return }
    // Off the loop: a slow SD card may take seconds, and touches must be answered meanwhile.
    worker.submit {
      var record = file.read()
      record.failed(decoder, with: file.system, at: Int64(time(nil)))
      // Without the record the next process tries the decoder again, which costs it some seconds.
      if !ReplacedFile.writeOwn(Array(record.text.utf8), to: file.path) {
        log.info("\(file.path) can't be written: \(decoder) is tried again after a restart")
      }
    }
  }
}
