public import InteractionCore

/// A message of the Common Alerting Protocol (OASIS CAP 1.2), as far as it decides what is shown. An entry of an index
/// has the same parts, and may leave any of them out.
public struct CAPMessage: Hashable, Sendable {
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case actual, exercise, system, test, draft
  }

  /// `msgType`
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case alert, update, cancel, ack, error
  }

  /// An earlier message that this one replaces or takes back.
  public struct Reference: Hashable, Sendable {
    /// Nil where it isn't known.
    public var sender: String?
    public var identifier: String

    public init(sender: String?, identifier: String) {
      self.sender = sender
      self.identifier = identifier
    }

    /// Whether both may mean the same message. Each sender has identifiers of its own.
    func isSame(as other: Reference) -> Bool {
      identifier == other.identifier && (sender == nil || other.sender == nil || sender == other.sender)
    }
  }

  public struct Area: Hashable, Sendable {
    public var codes: Set<WarningArea> = []
    public var polygons: [GeoPolygon] = []
    public var circles: [GeoCircle] = []

    public init() {}
  }

  /// The description of one event in one language.
  public struct Info: Hashable, Sendable {
    /// As it is written; the standard's `en-US` where it is left out.
    public var language = "en-US"
    public var event: String?
    public var headline: String?
    public var description: String?
    public var instruction: String?
    /// Nil for an index that leaves it out.
    public var severity: WarningSeverity?
    /// Whether nothing is to be done any more: `urgency` Past, or `responseType` AllClear.
    public var isPast = false
    /// In seconds since 1970-01-01 00:00 UTC, as all moments here.
    public var effective: Int64?
    public var expires: Int64?
    public var areas: [Area] = []

    public init() {}
  }

  public var identifier = ""
  public var sender: String?
  public var sent: Int64?
  public var status: Status?
  public var kind: Kind?
  /// Whether it is for everybody: `scope` Public, or none in an index.
  public var isPublic = true
  public var references: [Reference] = []
  public var infos: [Info] = []

  public init() {}

  /// The name by which other messages refer to the message.
  public var reference: Reference { Reference(sender: sender, identifier: identifier) }
}

/// An entry of an index of messages (Atom).
public struct CAPEntry: Hashable, Sendable {
  public var id = ""
  /// As it is written; another text is another version of the entry.
  public var updated = ""
  /// The address of the whole message, as it is written; nil where the entry is all there is.
  public var link: String?
  /// The message, or the part of it that the entry contains.
  public var message = CAPMessage()

  public init() {}
}

/// The document at an address: one message, or an index of many.
public enum CAPDocument: Hashable, Sendable {
  case message(CAPMessage)
  /// - Parameter isCut: whether there were more entries than are read.
  case index([CAPEntry], isCut: Bool)
}
