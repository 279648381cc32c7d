public import PlaybackCore

/// Errors of the store. None of them stops playback.
public enum StoreErrors {
  static func of(_ failure: StoreFailure, uri: String) -> VitrineError {
    let (number, message, remedy, detail) = explain(failure)
    return VitrineError(number, subject: uri, message: message, remedy: remedy, detail: detail)
  }

  private static func explain(_ failure: StoreFailure) -> (Int, String, String, String) {
    let ask = "check the network and the server"
    return switch failure {
    case .connection(let detail): (2001, "the server is not answering", ask, detail)
    case .silent: (2003, "no data comes any more", ask, "")
    case .certificate(let detail):
      (2601, "the server's certificate isn't trusted", "check its dates and the board's clock, or name ca_file", detail)
    case .clockNotSet(let detail): (ClockDoubt.errorNumber, ClockDoubt.message, ClockDoubt.remedy, detail)
    case .page:
      (2602, "a web page came instead of the file", "check the address; a hot spot may require a login", "")
    case .list:
      (2612, "a list of a stream's parts came instead of a file", "nothing; the stream plays from the network", "")
    case .noList:
      (
        2613, "the list that the server sent names nothing to play",
        "check the list on the server; the previous list goes on playing", ""
      )
    case .redirectLoop: (2603, "the server sends from one address to the next without end", "check the server", "")
    case .unsafeRedirect: (2604, "the server sends to an address that isn't safe", "use the last address itself", "")
    case .noLength:
      (2605, "the server doesn't say how long the file is", "add its checksum, or mend the server", "")
    case .encoded: (2606, "the server sends it compressed", "switch that off for this file", "")
    case .empty: (2607, "the file is empty", "check the file on the server", "")
    case .wrongLength: (2608, "its length differs from the one that the server announced", ask, "")
    case .wrongChecksum: (2609, "its checksum differs from the playlist's", "correct the checksum or the file", "")
    case .status(let status, _): status_(status)
    }
  }

  private static func status_(_ status: Int) -> (Int, String, String, String) {
    switch status {
    case 401, 403, 407:
      (2000 + status, "the server denies access to it (HTTP \(status))", "check the credentials", "")
    case 404, 410: (2000 + status, "the server has no such file (HTTP \(status))", "check the address", "")
    case 500...599: (2000 + status, "the server is in trouble (HTTP \(status))", "check the server", "")
    default: (2400, "the server refused (HTTP \(status))", "check the address", "")
    }
  }

  /// The consequence for a file that isn't stored.
  private static func meanwhile(_ file: WantedFile) -> String {
    file.sha256 == nil ? "it plays from the network" : "it has a checksum, and doesn't play without its copy"
  }

  static func noRoom(_ file: WantedFile) -> VitrineError {
    VitrineError(
      7404, subject: file.uri, message: "there is no room for it in the store",
      remedy: "raise store.capacity, or list less; \(meanwhile(file))")
  }

  static func tooLarge(_ file: WantedFile) -> VitrineError {
    VitrineError(
      7405, subject: file.uri, message: "it is larger than a file of the store may be",
      remedy: "raise store.largest_file; \(meanwhile(file))")
  }

  static let diskFull = VitrineError(
    7402, subject: "store", message: "the disk is full", remedy: "make room; what is stored goes on playing")

  static func diskFailed(_ detail: String) -> VitrineError {
    VitrineError(
      7403, subject: "store", message: "a file can't be written",
      remedy: "check the disk; what is stored goes on playing",
      detail: detail)
  }

  static let readOnlyNumber = 7406

  static func readOnly(_ detail: String) -> VitrineError {
    VitrineError(
      readOnlyNumber, subject: "store", message: "the store's folder can't be written to",
      remedy: "check the disk (one that fails can only be read) and the folder's owner; what is stored goes on playing",
      detail: detail)
  }

  static let damaged = VitrineError(
    7407, subject: "store", message: "the store's index was damaged, and has been rebuilt",
    remedy: "check the disk: one that wears out begins like this")

  /// - Parameters:
  ///   - directory: the folder that was set for the store.
  ///   - name: one of the files in it.
  public static func foreign(_ directory: String, name: String) -> VitrineError {
    VitrineError(
      7408, subject: directory, message: "the store's folder contains files that aren't the store's, such as \(name)",
      remedy: "name an empty folder, or one that isn't there yet, as store.directory; nothing is stored")
  }

  /// - Parameter directory: the folder that was set for the store.
  public static func later(_ directory: String) -> VitrineError {
    VitrineError(
      7409, subject: directory, message: "the store's folder was made by a later version of Vitrine",
      remedy: "install that version again, or remove the folder; nothing is stored")
  }

  /// - Parameter directory: the store's.
  public static func unusable(_ directory: String, detail: String) -> VitrineError {
    VitrineError(
      7401, subject: directory, message: "the store's folder can't be used",
      remedy: "check that it may be read and written to; everything plays from the network", detail: detail)
  }
}
