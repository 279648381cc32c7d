public import PlaybackCore

/// The errors of the board's own server: numbers 7700 to 7719, listed in docs/errors.md.
public enum WebErrors {
  public static func cannotListen(_ address: ListenAddress, _ reason: String) -> VitrineError {
    VitrineError(
      7700, subject: "\(address)", message: "the page and the metrics can't be served there: \(reason)",
      remedy: "name another address or port in [telemetry] http")
  }

  public static func noSecret(_ path: String, _ what: String) -> VitrineError {
    VitrineError(
      7701, subject: path, message: "\(what): no token is accepted from it",
      remedy:
        "write a line of \(WebLimits.tokenCharacters) characters or more into it, which the player's user may read")
  }

  public static func noCertificate(_ path: String, _ reason: String) -> VitrineError {
    VitrineError(
      7702, subject: path, message: "the server has no certificate: \(reason)",
      remedy: "check [telemetry] certificate_file and key_file; the player's user must be able to read both")
  }

  static let noHost = VitrineError(
    7703, subject: "request", message: "it doesn't name the host that it is for", remedy: "send a Host header")
  static let unknownHost = VitrineError(
    7704, subject: "request", message: "this board doesn't have the name in the address",
    remedy: "use its address, or list the name in [telemetry] hosts")
  static let method = VitrineError(
    7705, subject: "request", message: "this method isn't allowed",
    remedy: "use GET to look and POST to /api to steer; see docs/telemetry.md")
  static let noSuchPage = VitrineError(
    7706, subject: "request", message: "there is no such page", remedy: "docs/telemetry.md lists the pages"
  )
  static let foreignPage = VitrineError(
    7707, subject: "request", message: "the request comes from a page of another site",
    remedy: "open this board's own page")
  static let tooLarge = VitrineError(
    7708, subject: "request", message: "it has more than \(WebLimits.bodyBytes) bytes", remedy: "send less")
  static let type = VitrineError(
    7709, subject: "request", message: "its body isn't declared as JSON",
    remedy: "send Content-Type: application/json")
  static let query = VitrineError(
    7710, subject: "request", message: "its query can't be read", remedy: "write it as in /api/screenshot?width=640")
  static let noToken = VitrineError(
    7711, subject: "request", message: "it needs a token", remedy: "send Authorization: Bearer TOKEN")
  static let wrongToken = VitrineError(
    7712, subject: "request", message: "this token is wrong",
    remedy: "the right one is in the file that [telemetry] token_file names")
  static let mayNotSteer = VitrineError(
    7713, subject: "request", message: "this token may look, but not steer", remedy: "use the token of token_file")
  static let nobodySteers = VitrineError(
    7714, subject: "request", message: "this server takes no commands", remedy: "name a [telemetry] token_file")
  static let noEvents = VitrineError(
    7715, subject: "request", message: "this server sends no events",
    remedy: "ask for /api/status again, or use the control socket")

  /// The HTTP status of an error.
  public static func status(of number: Int) -> Int {
    switch number {
    case 7711, 7712: 401
    case 7707, 7713, 7714: 403
    case 7706: 404
    case 7705: 405
    case 7608: 429
    case 7708, 7605: 413
    case 7709: 415
    case 7704: 421
    case 7609: 409
    case 7606, 7614: 503
    default: 400
    }
  }
}
