/// An error of the media library, as plain values.
public struct MediaFault: Hashable, Sendable {
  public enum Domain: String, Hashable, Sendable {
    case core, library, resource, stream, other
  }
  public var domain: Domain
  public var code: Int
  public var message: String
  /// The place in the library's source, for the log.
  public var debug: String
  public var httpStatus: Int?
  /// The server's certificate isn't trusted.
  public var isUntrusted: Bool
  /// The certificate isn't valid yet by this machine's clock, which isn't set.
  public var isClockInDoubt: Bool
  /// A server sent the player to an address that it may not send it to.
  public var refusal: RedirectPolicy.Refusal?
  /// The element's output isn't linked to another element.
  public var isUnlinked: Bool
  /// Name of the element that reported the error.
  public var element: String

  /// The media type that the message has in quotes, without its parameters.
  var namedType: String? {
    guard let open = message.firstIndex(of: "'") else { return nil }
    let type = message[message.index(after: open)...].prefix { $0 != "'" && $0 != "," }
    return type.contains("/") ? String(type) : nil
  }

  /// A file of a known kind without picture and sound.
  public static let nothingInside = MediaFault(domain: .stream, code: 5, message: "neither picture nor sound in it")

  public init(
    domain: Domain, code: Int, message: String, debug: String = "", httpStatus: Int? = nil,
    isUntrusted: Bool = false, isClockInDoubt: Bool = false, refusal: RedirectPolicy.Refusal? = nil,
    isUnlinked: Bool = false, element: String = ""
  ) {
    self.domain = domain
    self.code = code
    self.message = message
    self.debug = debug
    self.httpStatus = httpStatus
    self.isUntrusted = isUntrusted
    self.isClockInDoubt = isClockInDoubt
    self.refusal = refusal
    self.isUnlinked = isUnlinked
    self.element = element
  }
}

/// Turns the library's errors into the player's. Codes are those of GstResourceError, GstStreamError and GstCoreError,
/// which GStreamer never renumbers.
public enum MediaErrors {
  private enum Resource {
    static let notFound = 3
    static let openRead = 5
    static let sync = 12
    static let notAuthorized = 15
  }
  private enum Stream {
    static let typeNotFound = 4
    static let wrongType = 5
    static let codecNotFound = 6
    static let decode = 7
    static let demux = 9
    static let format = 11
    static let decrypt = 12
    static let decryptNoKey = 13
  }
  private static let missingPlugin = 12

  /// - Parameters:
  ///   - uri: of the item that was played.
  ///   - isRemote: whether the item comes over a network.
  public static func classify(_ fault: MediaFault, uri: String, isRemote: Bool) -> VitrineError {
    let (number, message, remedy) = explain(fault, isRemote: isRemote)
    let detail = [fault.message, fault.debug].filter { !$0.isEmpty }.joined(separator: " | ")
    return VitrineError(number, subject: uri, message: message, remedy: remedy, detail: detail)
  }

  private static func explain(_ fault: MediaFault, isRemote: Bool) -> (Int, String, String) {
    if let refusal = fault.refusal { return explain(refusal) }
    if let status = fault.httpStatus, (400...599).contains(status) { return http(status) }
    if fault.isUntrusted, fault.isClockInDoubt {
      return (ClockDoubt.errorNumber, ClockDoubt.message, ClockDoubt.remedy)
    }
    if fault.isUntrusted {
      return (2601, "the server's certificate isn't trusted", "check its dates and the board's clock, or name ca_file")
    }
    switch (fault.domain, fault.code) {
    // A web page or another text, by its media type: no decoder could help.
    case (_, _) where fault.message.contains("text/") || fault.debug.contains("text/"): return noMedia
    case (.resource, Resource.notFound):
      return isRemote
        ? (2404, "the server has no such file", "check the address")
        : (7101, "no such file", "check the path and that its disk is mounted")
    case (.resource, Resource.notAuthorized):
      return isRemote
        ? (2401, "the server denies access to it", "check the credentials")
        : (7102, "the file may not be read", "check its permissions")
    case (.resource, Resource.openRead) where !isRemote:
      return (7102, "the file can't be opened", "check its permissions and its disk")
    case (.resource, Resource.sync) where isRemote:
      return (2004, "it was replaced on the server while it played", "nothing; the item is reopened")
    case (.resource, _):
      return isRemote
        ? (2001, "the server is not answering", "check the network and the server")
        : (7103, "reading the file failed", "check its disk")
    case (.stream, Stream.typeNotFound), (.stream, Stream.wrongType):
      return noMedia
    case (.stream, Stream.codecNotFound), (.core, missingPlugin):
      return (4001, "no decoder for its format is installed", "install the GStreamer plugin for it or convert the file")
    case (.stream, Stream.decode):
      return (4002, "the decoder gave up", "check the file with another player or convert it")
    case (.stream, Stream.demux), (.stream, Stream.format):
      return (3002, "the file is damaged or incomplete", "copy it again")
    case (.stream, Stream.decrypt), (.stream, Stream.decryptNoKey):
      return (4003, "the content is encrypted", "use a copy without copy protection")
    default:
      return isRemote
        ? (2002, "the stream broke off", "check the network and the server")
        : (3003, "it can't be played", "check the file with another player")
    }
  }

  /// A warning for an item that plays without one of its parts; nil where the user needn't know.
  ///
  /// - Parameter isSilent: the item's sound isn't played anyway.
  public static func remark(on fault: MediaFault, uri: String, isSilent: Bool) -> VitrineError? {
    switch (fault.domain, fault.code) {
    case (.stream, Stream.codecNotFound), (.core, missingPlugin):
      guard let type = fault.namedType, !(isSilent && type.hasPrefix("audio/")),
        ["audio/", "video/", "image/"].contains(where: { type.hasPrefix($0) })
      else { return nil }
      return VitrineError(
        partUndecodedNumber, subject: uri,
        message: "no decoder for a part of it (\(type)) is installed; it plays without that part",
        remedy: "install the GStreamer plugin for it or convert the file", detail: fault.debug)
    case (.resource, Resource.notFound):
      return VitrineError(
        2005, subject: uri, message: "a part of the stream is missing on the server and is left out (\(fault.message))",
        remedy: "have the server make that part again", detail: fault.debug)
    default: return nil
    }
  }

  /// The number of the error that half of an item isn't played, which is worth more than a line in the log.
  public static let partUndecodedNumber = 4004

  private static let noMedia = (
    3001, "this is not a video, sound or picture file", "replace it with such a file; its name may mislead"
  )

  private static func explain(_ refusal: RedirectPolicy.Refusal) -> (Int, String, String) {
    switch refusal {
    case .downgrade:
      (2604, "the server sends from https to http", "name the address that it sends to, or have it stay with https")
    case .local:
      (
        2604, "the server sends to this machine or the network around it",
        "name that address itself, or set network.allow_local_redirects"
      )
    case .notWeb:
      (2604, "the server sends to an address that is neither http nor https", "name that address itself")
    case .list:
      (3008, "the stream's list names addresses other than http and https", "let it name http and https addresses only")
    case .elsewhere:
      (
        3009, "it only refers to another address, which isn't opened",
        "list that address in its place, or export the film as a whole"
      )
    }
  }

  private static func http(_ status: Int) -> (Int, String, String) {
    switch status {
    case 401, 403, 407: (2000 + status, "the server denies access to it (HTTP \(status))", "check the credentials")
    case 404, 410: (2000 + status, "the server has no such file (HTTP \(status))", "check the address")
    case 500...: (2000 + status, "the server is in trouble (HTTP \(status))", "check the server")
    default: (2000 + status, "the server refused (HTTP \(status))", "check the address")
    }
  }
}
