internal import InteractionCore
public import KioskCore
public import PlaybackCore

/// The errors of the control socket: numbers 7600 to 7619, listed in docs/errors.md.
public enum ControlErrors {
  public static func notJSON(_ reason: String, at offset: Int) -> VitrineError {
    VitrineError(
      7602, subject: "request", message: "this is no JSON: \(reason), after \(offset) bytes",
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

  public static let lineTooLong = VitrineError(
    7605, subject: "request",
    message: "a line has more than \(ControlLimits.lineBytes) bytes; the connection is closed",
    remedy: "send shorter requests, each ended by a line break")

  public static let tooManyClients = VitrineError(
    7606, subject: "control socket", message: "\(ControlLimits.clients) programs are connected already",
    remedy: "close one of them, and connect again")

  public static let doesNotRead = VitrineError(
    7607, subject: "control socket", message: "more is unread than the player keeps; the connection is closed",
    remedy: "read what comes, or subscribe to less")

  public static let busy = VitrineError(
    7608, subject: "screenshot", message: "another one is being made or sent", remedy: "ask again in a second")

  /// A command that does nothing now.
  public static func refused(_ verb: ControlVerb, _ refusal: KioskRefusal) -> VitrineError {
    let remedy =
      switch refusal {
      case .nothingPlays, .positionUnknown: "ask again when something plays"
      case .noSuchItem: "`status` tells how many items there are"
      case .noSuchClip: "check the path"
      case .noSound: "switch it on with [audio] enabled = true"
      case .noSuchScreen: "`status` tells the names of the screens"
      case .notLeftOut: "`status` tells what is, under `survival`"
      case .noConfiguration: "start the player with `vitrine run`"
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
    remedy: "ask for a smaller one by `width`")

  private static func lowercased(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}

/// Of the protocol.
public enum ControlVersion {
  /// A change that an older client would misread makes another one. New verbs, members and events don't: what a client doesn't know it
  /// leaves alone.
  public static let current: Int64 = 1
}
