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

  /// A file of 32 lines; more is damage.
  private static let limit = 64 * 1024

  /// Where there is no file, or none that can be read, nothing is known. Blocks for a small file.
  func read() -> DecoderRecord {
    let bytes = (try? SystemFileAccess().read(FilePath(path), limit: Self.limit)) ?? []
    return DecoderRecord(text: String(decoding: bytes, as: UTF8.self))
  }

  public var avoided: [String] { read().avoided(with: system, at: Int64(time(nil))) }

  /// Writes down what a self-test has found. The file stays that of the player's user, whoever has tested. Blocks.
  ///
  /// - Returns: whether it is kept.
  public func keep(failed: Set<String>, passed: Set<String>) -> Bool {
    var record = read()
    let before = record
    for decoder in passed.subtracting(failed).sorted() { record.passed(decoder) }
    for decoder in failed.sorted() { record.failed(decoder, with: system, at: Int64(time(nil))) }
    guard record != before else { return true }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    // Only root may give a file away; who isn't has made it as himself, who plays.
    let owner = geteuid() == 0 ? try? FileTree.owner(of: folder) : nil
    return ReplacedFile.writeOwn(Array(record.text.utf8), to: path, owner: owner)
  }
}

/// Decoders that aren't to be used here, and how the next process knows of those that gave no picture.
enum AvoidedDecoders {
  /// What the board's profile forbids, and what gave no picture to a process before this one. Before any deck is made.
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

  /// The next process is to know it.
  static func remember(_ decoder: String, _ options: KioskOptions, by worker: BlockingWorker?, log: Logger) {
    guard let file = options.decoderRecord, let worker else { return }
    // A slow card may take seconds, and fingers wait for nobody.
    worker.submit {
      var record = file.read()
      record.failed(decoder, with: file.system, at: Int64(time(nil)))
      // Without the file the next process tries it once more, which costs it some seconds.
      if !ReplacedFile.writeOwn(Array(record.text.utf8), to: file.path) {
        log.info("\(file.path) can't be written: \(decoder) is tried again after a restart")
      }
    }
  }
}
