/// Errors that the playback machine finds by itself.
public enum PlaybackErrors {
  public static func didNotStart(uri: String) -> VitrineError {
    VitrineError(
      4101, subject: uri, message: "no picture and no sound came within the time allowed",
      remedy: "check that the file plays elsewhere and that its server answers")
  }

  /// A hardware decoder has failed to give a picture more than once.
  public static func decoderIsSilent(_ decoder: String, uri: String) -> VitrineError {
    let next =
      DecoderUse(text: decoder).hasNext
      ? "its frames take another path from now on" : "the processor decodes from now on"
    return VitrineError(
      3030, subject: uri,
      message: "the board's decoder gives no picture (\(decoder)); \(next)",
      remedy: "restart the board; if it comes again, tell its makers, with the kernel's log")
  }

  /// The number of the notice that a decoder is reopened before it fails: `DecoderWear`.
  static let decoderIsWornNumber = 3031
  public static func decoderIsWorn(_ decoder: String, uri: String) -> VitrineError {
    VitrineError(
      decoderIsWornNumber, subject: uri, message: "the decoder is reopened before it fails (\(decoder))",
      remedy: "nothing has to be done; GStreamer 1.22.7 and newer don't need this")
  }

  /// None of the item's frames was shown, while those of other items are.
  public static func isNotShown(uri: String) -> VitrineError {
    VitrineError(
      3060, subject: uri,
      message: "its frames arrive, but the screen shows only those of other items",
      remedy: "convert it to H.264 in 8 bits, 4:2:0, of no more than the screen's size; 'vitrine check' tells more")
  }

  /// A pipeline has lost its clock more often than it may be restarted.
  public static func clockIsLost(uri: String) -> VitrineError {
    VitrineError(
      3061, subject: uri, message: "its pipeline loses its clock again and again; it is reopened",
      remedy: "nothing has to be done; if it comes again each time, report it with the log (-v)")
  }

  /// Frames come to an output and none is shown.
  public static func outputIsStuck(_ fault: OutputHealth.Fault, _ step: OutputHealth.Step) -> VitrineError {
    let what =
      switch fault {
      case .blocks: "it holds frames and shows none, as when a call of the screen's driver doesn't return"
      case .drops: "it drops each frame without showing it"
      case .fails: "it fails each time that it gets this item's frames"
      case .doesNotOpen: "it doesn't open in time"
      case .overlayBlocks: "the call of the screen's driver that shows the overlay doesn't return"
      }
    let way =
      switch step {
      case .passOver: "another item is tried"
      case .rebuild: "its sink is rebuilt"
      case .reopen: "the screen is closed and reopened"
      case .replace: "another process is to take over"
      }
    let number =
      switch fault {
      case .blocks: 5433
      case .drops: 5434
      case .doesNotOpen: 5435
      case .overlayBlocks: 5436
      case .fails: 5437
      }
    return VitrineError(
      number, subject: "video output", message: "\(what); \(way)",
      remedy: "a single time is harmless; if it comes again, look at the kernel's log, the cable and the power supply"
    )
  }

  /// The machine was told a fact that contradicts its state.
  ///
  /// - Parameter heldBack: how many repetitions weren't reported.
  public static func unexpected(_ fact: UnexpectedFact, _ deck: DeckID?, heldBack: Int) -> VitrineError {
    VitrineError(
      7306, subject: deck?.description ?? "playback",
      message: "\(fact.rawValue)" + (heldBack > 0 ? " (and \(heldBack) times more since it was told last)" : ""),
      remedy: "report this as a bug, with the lines before it; playback goes on")
  }

  public static func brokeOff(uri: String) -> VitrineError {
    VitrineError(
      2002, subject: uri, message: "the stream ended before its time", remedy: "check the network and the server")
  }

  /// - Parameter end: the item's own end where it is set, else the medium's.
  public static func nothingBetween(uri: String, start: Duration, end: Duration) -> VitrineError {
    VitrineError(
      4106, subject: uri, message: "its start, \(TimeText.text(start)), isn't before its end, \(TimeText.text(end))",
      remedy: "set start before the end")
  }

  public static func stuck(uri: String) -> VitrineError {
    VitrineError(
      2003, subject: uri, message: "no frame comes any more", remedy: "check the network and the server, or the disk")
  }

  public static func silent(uri: String) -> VitrineError {
    VitrineError(2003, subject: uri, message: "no data comes any more", remedy: "check the network and the server")
  }

  public static func emptyList(uri: String) -> VitrineError {
    VitrineError(
      3005, subject: uri, message: "the list that the server gives names nothing that may be played, or names itself",
      remedy: "list addresses of media, with http, https or rtsp")
  }

  static let noCheckedCopyNumber = 2610

  /// The item has a checksum, and no copy of it was compared with it.
  public static func noCheckedCopy(uri: String) -> VitrineError {
    VitrineError(
      noCheckedCopyNumber, subject: uri,
      message: "the item has a checksum, and the store has no copy that was verified by it",
      remedy: "let the store fetch it ('vitrine run', without store = false); "
        + "what comes over the network can't be verified")
  }

  public static func wrongChecksum(uri: String, isReadable: Bool) -> VitrineError {
    VitrineError(
      3006, subject: uri,
      message: isReadable ? "its checksum differs" : "its checksum can't be compared, because it can't be read",
      remedy: isReadable ? "correct the checksum or the file" : "check its permissions and its disk")
  }

  public static func checkedList(uri: String) -> VitrineError {
    VitrineError(
      3007, subject: uri, message: "its checksum is that of a list, and the items of the list have none",
      remedy: "write the items into the configuration, each with its checksum")
  }

  public static func nothingPlayable(retryIn seconds: Int) -> VitrineError {
    VitrineError(
      4102, subject: "playlist", message: "none of its items can be played",
      remedy: "see the errors before this one; the next try is in \(seconds) s")
  }
}
