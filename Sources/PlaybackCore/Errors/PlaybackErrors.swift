/// Errors that the playback machine finds by itself.
public enum PlaybackErrors {
  public static func didNotStart(uri: String) -> VitrineError {
    VitrineError(
      4101, subject: uri, message: "no picture and no sound came within the time allowed",
      remedy: "check that the file plays elsewhere and that its server answers")
  }

  /// A decoder in hardware has given no picture, more than once.
  public static func decoderIsSilent(_ decoder: String, uri: String) -> VitrineError {
    let next =
      DecoderUse(text: decoder).hasNext
      ? "its frames take another way from now on" : "the processor decodes from now on"
    return VitrineError(
      3030, subject: uri,
      message: "the board's decoder gives no picture (\(decoder)); \(next)",
      remedy: "start the board anew; if it comes again, tell its makers, with the kernel's log")
  }

  /// The decoder is opened anew before it fails: `DecoderWear`.
  static let decoderIsWornNumber = 3031
  public static func decoderIsWorn(_ decoder: String, uri: String) -> VitrineError {
    VitrineError(
      decoderIsWornNumber, subject: uri, message: "the decoder is opened anew before it fails (\(decoder))",
      remedy: "nothing has to be done; GStreamer 1.22.7 or newer needs it no more")
  }

  /// None of the item's frames was shown, and those of others are.
  public static func isNotShown(uri: String) -> VitrineError {
    VitrineError(
      3060, subject: uri, message: "its frames come, and the screen shows none of them; those of other items are shown",
      remedy: "convert it to H.264 in 8 bits, 4:2:0, of no more than the screen's size; 'vitrine check' tells more")
  }

  /// A pipeline has lost its clock more often than it is restarted for that.
  public static func clockIsLost(uri: String) -> VitrineError {
    VitrineError(
      3061, subject: uri, message: "its pipeline loses its clock again and again; it is opened anew",
      remedy: "nothing has to be done; if it comes again each time, report it with the log (-v)")
  }

  /// Frames come to an output and none is shown.
  public static func outputIsStuck(_ fault: OutputHealth.Fault, _ step: OutputHealth.Step) -> VitrineError {
    let what =
      switch fault {
      case .blocks: "it has frames and isn't done with them, as when a call of the screen's driver doesn't return"
      case .drops: "it is done with each frame without showing it"
      case .doesNotOpen: "it isn't ready in time"
      case .overlayBlocks: "the screen's driver doesn't come back from showing what is above the video"
      }
    let way =
      switch step {
      case .passOver: "another item is tried"
      case .rebuild: "its sink is made anew"
      case .reopen: "the screen is closed and opened anew"
      case .replace: "another process is to take over"
      }
    let number =
      switch fault {
      case .blocks: 5433
      case .drops: 5434
      case .doesNotOpen: 5435
      case .overlayBlocks: 5436
      }
    return VitrineError(
      number, subject: "video output", message: "\(what); \(way)",
      remedy: "nothing has to be done once; if it comes again, look at the kernel's log, the cable and the power supply"
    )
  }

  /// The machine was told what can't be.
  ///
  /// - Parameter heldBack: how many times this was found and not told.
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

  /// - Parameter end: of the item where it has one of its own, else of its medium.
  public static func nothingBetween(uri: String, start: Duration, end: Duration) -> VitrineError {
    VitrineError(
      4106, subject: uri, message: "it is to begin at \(TimeText.text(start)), and ends at \(TimeText.text(end))",
      remedy: "let it begin before its end")
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

  /// There is a checksum, and nothing that was compared with it.
  public static func noCheckedCopy(uri: String) -> VitrineError {
    VitrineError(
      noCheckedCopyNumber, subject: uri,
      message: "it has a checksum, and the store has no copy that was compared with it",
      remedy: "let the store fetch it ('vitrine run', without store = false); "
        + "what comes over the network is never compared")
  }

  public static func wrongChecksum(uri: String, isReadable: Bool) -> VitrineError {
    VitrineError(
      3006, subject: uri,
      message: isReadable ? "its checksum is another one" : "its checksum can't be compared, because it can't be read",
      remedy: isReadable ? "correct the checksum or the file" : "check its permissions and its disk")
  }

  public static func checkedList(uri: String) -> VitrineError {
    VitrineError(
      3007, subject: uri, message: "its checksum is that of a list, and what the list names has none",
      remedy: "write the items into the configuration, each with its checksum")
  }

  public static func nothingPlayable(retryIn seconds: Int) -> VitrineError {
    VitrineError(
      4102, subject: "playlist", message: "none of its items can be played",
      remedy: "see the errors before this one; the next try is in \(seconds) s")
  }
}
