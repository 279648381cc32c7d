internal import InteractionCore
public import KioskCore
public import PlaybackCore

/// The errors of the control socket: numbers 7600 to 7619 and 7630, listed in docs/errors.md.
public enum ControlErrors {
  public static func notJSON(_ reason: String, at offset: Int) -> VitrineError {
    VitrineError(
      7602, subject: "request", message: "it isn't JSON: \(reason), after \(offset) bytes",
      remedy: "send one object on one line, such as {\"id\":1,\"verb\":\"status\"}")
  }

  public static func malformed(_ what: String) -> VitrineError {
    VitrineError(
      7602, subject: "request", message: what,
      remedy: "send one object on one line, such as {\"id\":1,\"verb\":\"status\"}")
  }

  public static func unknownVerb(_ verb: String) -> VitrineError {
    VitrineError(
      7603, subject: "request", message: "there is no verb \(CommandParameter.quoted(verb))",
      remedy: "use one of \(ControlVerb.allCases.map(\.word).joined(separator: ", "))")
  }

  public static func badArgument(_ verb: ControlVerb, _ what: String) -> VitrineError {
    let names = verb.parameters.map(\.name)
    return VitrineError(
      7604, subject: verb.word, message: what,
      remedy: names.isEmpty ? "it takes no arguments" : "it takes \(names.joined(separator: ", ")); see docs/control.md"
    )
  }

  /// The error for a request of words whose answer is no line of words.
  static func needsJSON(_ verb: ControlVerb) -> VitrineError {
    VitrineError(
      7604, subject: verb.word, message: "it can't be asked for in words",
      remedy: "ask in JSON: {\"verb\":\"\(verb.word)\"}")
  }

  public static let tooFast = VitrineError(
    7619, subject: "network", message: "more than \(Int(ControlLimits.networkRate)) requests a second come",
    remedy: "look for two programs that answer each other")

  public static func stranger(_ address: String) -> VitrineError {
    VitrineError(
      7630, subject: address, message: "this machine isn't let in", remedy: "name it in [control] from, if it should be"
    )
  }

  static func needsConnection(_ verb: ControlVerb) -> VitrineError {
    VitrineError(
      7604, subject: verb.word, message: "it can't be asked for in this way: its answers come later",
      remedy: "connect by TCP to [control] listen, or have a [[cue]] tell events")
  }

  static func notOSC(_ what: String) -> VitrineError {
    VitrineError(
      7617, subject: "OSC", message: "the datagram can't be read: \(what)",
      remedy: "send OSC, such as /vitrine/next, or lines of words; see docs/show-control.md")
  }

  static func notAnAddress(_ address: String) -> VitrineError {
    VitrineError(
      7617, subject: "OSC", message: "the player has no address \(CommandParameter.quoted(address))",
      remedy: "send /vitrine/VERB, or /vitrine/SCREEN/VERB for one of several screens")
  }

  static let isWebRequest = VitrineError(
    7616, subject: "request", message: "this is a request of HTTP; the connection is closed",
    remedy: "[telemetry] http speaks HTTP (docs/telemetry.md)")

  public static let lineTooLong = VitrineError(
    7605, subject: "request",
    message: "a line has more than \(ControlLimits.lineBytes) bytes; the connection is closed",
    remedy: "send shorter requests, each ended by a line break")

  public static let tooManyClients = VitrineError(
    7606, subject: "control socket",
    message:
      "\(ControlLimits.clients) programs, or \(ControlLimits.networkClients) other machines, are connected already",
    remedy: "close one of them, and connect again")

  public static let doesNotRead = VitrineError(
    7607, subject: "control socket",
    message: "the client left more unread than the player keeps; the connection is closed",
    remedy: "read events as they come, or subscribe to fewer")

  public static let busy = VitrineError(
    7608, subject: "screenshot", message: "another screenshot is being made or sent", remedy: "ask again in a second")

  /// The error for a command that has no effect now.
  public static func refused(_ verb: ControlVerb, _ refusal: KioskRefusal) -> VitrineError {
    let remedy =
      switch refusal {
      case .nothingPlays, .positionUnknown: "ask again when something plays"
      case .noSuchItem: "`status` tells how many items there are"
      case .noSuchClip: "check the path"
      case .noSuchPlaylist: "`vitrine check` knows the playlists"
      case .noTiles: "set layout = \"tiles\" in [attract], and name a playlist as visitors there"
      case .noSound: "switch it on with [audio] enabled = true"
      case .noSuchScreen: "`status` tells the names of the screens"
      case .notLeftOut: "`status` lists the items that are left out, under `survival`"
      case .noConfiguration: "start the player with `vitrine run`"
      case .clockNotSet: "give a span, such as 20m"
      case .timeIsOver: "give a later time; for tomorrow with its date, such as 2026-12-24T15:30"
      case .timeTooFar: "give an earlier time; a sentence that is true for days belongs in the playlist"
      case .tooManyAlerts: "take one back with `alert-end`, or replace one by its id"
      case .noSuchAlert: "`status` tells the ids, under `alerts`"
      case .alertOfConfiguration: "take it out of its file"
      case .isEnding: "wait until the player has started again"
      }
    return VitrineError(7609, subject: verb.word, message: lowercased(refusal.text), remedy: remedy)
  }

  public static func version(_ wanted: Int64) -> VitrineError {
    VitrineError(
      7613, subject: "hello", message: "this player speaks version \(ControlVersion.current), and not \(wanted)",
      remedy: "use a client of this player's version")
  }

  public static func noPicture(_ reason: String) -> VitrineError {
    VitrineError(7614, subject: "screenshot", message: reason, remedy: "ask again when something is shown")
  }

  public static let pictureTooLarge = VitrineError(
    7615, subject: "screenshot", message: "it has more than \(ControlLimits.pictureBytes >> 20) MB",
    remedy: "ask for a smaller picture with `width`")

  private static func lowercased(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}

/// The version of the protocol.
public enum ControlVersion {
  /// Raised by a change that an older client would misread. New verbs, members and events don't raise it: clients
  /// ignore what they don't know.
  public static let current: Int64 = 1
}
