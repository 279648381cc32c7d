internal import InteractionCore
public import PlaybackCore

/// Makes messages out of the parts of an XML document: a message of CAP, or an index in Atom whose entries have parts
/// of messages in them, whole messages, or links to them. A value: whoever has a parser hands it the parts in order.
///
/// Names count with their namespaces, whatever their prefixes are. What it doesn't know is skipped.
public struct CAPReader: Sendable {
  /// The reason for which a document is refused.
  public enum Fault: Error, Hashable, Sendable {
    /// The document is neither a message of CAP nor an index; with the name of its root element.
    case otherDocument(String)
    /// A message lacks a part that it needs.
    case missing(String)
    /// There are more corners of polygons than are read.
    case tooLarge
  }

  /// More entries than all warnings of a continent on its worst day.
  public static let mostEntries = 5000
  /// Corners of all polygons of a document: 1.6 MB.
  static let mostCorners = 100_000
  /// Bytes of a message's name: it is an alert's id, which is kept and told.
  static let longestName = 250
  /// Namespaces that are declared at one place; documents have about five.
  private static let mostSpaces = 64

  private enum Space {
    case cap, atom, other
  }

  private struct Element {
    var space: Space
    var name: String
  }

  private var open: [Element] = []
  /// The namespaces that the open elements declare, by prefix, with the depth of the element.
  private var spaces: [(depth: Int, prefix: String, uri: String)] = []
  private var text = ""
  private var corners = 0
  private var message = CAPMessage()
  private var hasMessage = false
  private var entry: CAPEntry?
  private var entries: [CAPEntry] = []
  private var isCut = false
  private var isIndex = false
  /// The links of the entry: those to CAP, and others that may be.
  private var links: (cap: String?, other: String?) = (nil, nil)
  /// The list of the codes that follow.
  private var codeList = ""

  public init() {}

  /// Takes the next part.
  public mutating func handle(_ event: MarkupEvent) throws(Fault) {
    switch event {
    case .begin(let name, let attributes): try begin(name, attributes)
    case .text(let piece): text += piece
    case .end: try end()
    }
  }

  /// The document, after its last part.
  public func document() throws(Fault) -> CAPDocument {
    if isIndex { return .index(entries, isCut: isCut) }
    guard hasMessage else { throw .otherDocument("") }
    return .message(message)
  }

  // MARK: Elements

  private mutating func begin(_ qualified: String, _ attributes: [String: String]) throws(Fault) {
    for (name, value) in attributes where name == "xmlns" || name.hasPrefix("xmlns:") {
      spaces.append((open.count + 1, String(name.dropFirst(6)), value))
      guard spaces.count <= Self.mostSpaces else { throw .tooLarge }
    }
    let parts = qualified.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let prefix = parts.count == 2 ? String(parts[0]) : ""
    let name = String(parts.last ?? "")
    let uri = spaces.last { $0.prefix == prefix }?.uri ?? ""
    let space: Space =
      uri.hasPrefix("urn:oasis:names:tc:emergency:cap:") ? .cap : uri == "http://www.w3.org/2005/Atom" ? .atom : .other
    open.append(Element(space: space, name: name))
    text = ""
    if open.count == 1 {
      isIndex = space == .atom && name == "feed"
      guard isIndex || (space == .cap && name == "alert") else { throw .otherDocument(String(name.prefix(40))) }
    }
    switch (space, name) {
    case (.atom, "entry") where open.count == 2:
      entry = CAPEntry()
      message = CAPMessage()
      message.infos = [CAPMessage.Info()]
      links = (nil, nil)
      hasMessage = false
    case (.atom, "link") where open.count == 3: link(attributes)
    case (.cap, "alert"):
      message = CAPMessage()
      hasMessage = true
    case (.cap, "info"): message.infos.append(CAPMessage.Info())
    case (.cap, "area") where !message.infos.isEmpty: message.infos[message.infos.count - 1].areas.append(.init())
    default: break
    }
  }

  private mutating func link(_ attributes: [String: String]) {
    guard let href = attributes["href"], !href.isEmpty else { return }
    let type = attributes["type"]?.lowercased()
    if type?.hasPrefix("application/cap+xml") == true {
      links.cap = links.cap ?? href
    } else if type == nil || type == "application/xml" || type == "text/xml",
      ["alternate", nil].contains(attributes["rel"])
    {
      links.other = links.other ?? href
    }
  }

  private mutating func end() throws(Fault) {
    guard let element = open.popLast() else { return }
    let value = Self.trimmed(text)
    text = ""
    defer { spaces.removeAll { $0.depth > open.count } }
    switch (element.space, element.name) {
    case (.atom, "entry") where open.count == 1: endEntry()
    case (.atom, let name) where open.count == 2 && entry != nil: atom(name, value)
    case (.cap, "alert"): try endMessage()
    // In an index they may have the index's own namespace.
    case (_, "valueName") where isCode: codeList = value
    case (_, "value") where isCode: addCodes(value)
    case (.cap, let name): try cap(name, value)
    default: break
    }
  }

  /// Whether the element that is open is a code of an area.
  private var isCode: Bool { open.last.map { $0.space == .cap && $0.name == "geocode" } ?? false }

  private mutating func atom(_ name: String, _ value: String) {
    switch name {
    case "id": entry?.id = value
    case "updated": entry?.updated = value
    case "published" where message.sent == nil: message.sent = Self.moment(value)
    case "title" where !hasMessage: message.infos[0].headline = value
    case "summary" where !hasMessage && message.infos[0].description == nil: message.infos[0].description = value
    default: break
    }
  }

  private mutating func endEntry() {
    guard var done = entry else { return }
    entry = nil
    guard entries.count < Self.mostEntries else {
      isCut = true
      return
    }
    // Without facts of its own, an entry is what it links to.
    let hasFacts = message.status != nil || message.infos.first?.severity != nil
    done.link = hasMessage ? nil : links.cap ?? (hasFacts ? nil : links.other)
    if !hasMessage {
      if message.identifier.isEmpty { message.identifier = Self.name(ofEntry: done.id) }
      if message.sent == nil { message.sent = Self.moment(done.updated) }
    }
    done.message = message
    hasMessage = false
    entries.append(done)
  }

  /// The name of a message that only its entry tells: the last part of an address, where that is a name by itself.
  private static func name(ofEntry id: String) -> String {
    let last = id.split(separator: "/").last.map(String.init) ?? id
    let name = last.hasPrefix("urn:") ? last : id
    return name.utf8.count <= longestName ? name : ""
  }

  private mutating func endMessage() throws(Fault) {
    let missing =
      message.identifier.isEmpty
      ? "identifier"
      : message.sent == nil ? "sent" : message.status == nil ? "status" : message.kind == nil ? "msgType" : nil
    guard let missing else { return }
    guard isIndex else { throw .missing(missing) }
    // The other entries count all the same.
    entry = nil
  }

  // MARK: Parts of a message

  private mutating func cap(_ name: String, _ value: String) throws(Fault) {
    switch name {
    case "identifier": message.identifier = value.utf8.count <= Self.longestName ? value : ""
    case "sender": message.sender = value
    case "sent": message.sent = Self.moment(value) ?? message.sent
    case "status": message.status = .init(rawValue: value.lowercased())
    case "msgType", "message_type": message.kind = .init(rawValue: value.lowercased())
    case "scope": message.isPublic = value.lowercased() == "public"
    case "references": message.references = Self.references(value)
    default:
      guard !message.infos.isEmpty else { return }
      let last = message.infos.count - 1
      if Self.isOfArea(name) {
        var area = message.infos[last].areas.popLast() ?? CAPMessage.Area()
        try self.area(name, value, &area)
        message.infos[last].areas.append(area)
      } else {
        Self.info(name, value, &message.infos[last])
      }
    }
  }

  private static func info(_ name: String, _ value: String, _ info: inout CAPMessage.Info) {
    switch name {
    case "language": info.language = value
    case "event": info.event = value
    case "headline": info.headline = value
    case "description": info.description = value
    case "instruction": info.instruction = value
    case "severity": info.severity = WarningSeverity(rawValue: value.lowercased()) ?? .minor
    case "urgency" where value.lowercased() == "past": info.isPast = true
    case "responseType" where value.lowercased() == "allclear": info.isPast = true
    case "effective": info.effective = moment(value)
    case "expires": info.expires = moment(value)
    default: break
    }
  }

  private static func isOfArea(_ name: String) -> Bool { ["polygon", "circle"].contains(name) }

  private mutating func area(_ name: String, _ value: String, _ area: inout CAPMessage.Area) throws(Fault) {
    switch name {
    case "polygon":
      let points = value.split(whereSeparator: \.isWhitespace)
      corners += points.count
      guard corners <= Self.mostCorners else { throw .tooLarge }
      let places = points.compactMap(Self.place)
      if places.count == points.count, let polygon = GeoPolygon(places) { area.polygons.append(polygon) }
    case "circle":
      let parts = value.split(whereSeparator: \.isWhitespace)
      if parts.count == 2, let centre = Self.place(parts[0]), let radius = Double(parts[1]),
        let circle = GeoCircle(centre, kilometres: radius)
      {
        area.circles.append(circle)
      }
    default: break
    }
  }

  /// One code; some indexes have several in one element.
  private mutating func addCodes(_ text: String) {
    guard !message.infos.isEmpty else { return }
    let last = message.infos.count - 1
    var area = message.infos[last].areas.popLast() ?? CAPMessage.Area()
    for part in text.split(whereSeparator: \.isWhitespace) {
      if let code = WarningArea(list: codeList, code: String(part)) { area.codes.insert(code) }
    }
    message.infos[last].areas.append(area)
  }

  private static func place(_ text: Substring) -> GeoPlace? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
    return GeoPlace(latitude: latitude, longitude: longitude)
  }

  /// `sender,identifier,sent`, several of them with blanks between.
  private static func references(_ text: String) -> [CAPMessage.Reference] {
    text.split(whereSeparator: \.isWhitespace).compactMap { reference in
      let parts = reference.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return parts.count == 3 ? CAPMessage.Reference(sender: parts[0], identifier: parts[1]) : nil
    }
  }

  /// `2026-11-27T14:00:00-05:00`; seconds since 1970. Fractions of a second are left out. Nil without an offset: the
  /// standard asks for one, and a guess may be hours beside.
  static func moment(_ text: String) -> Int64? {
    var text = text
    if let point = text.firstIndex(of: ".") {
      text = String(text[..<point]) + text[point...].dropFirst().drop(while: \.isNumber)
    }
    guard text.utf8.count <= CommandLimits.timeCharacters, case .utc(let seconds)? = AlertEnd(parsing: text) else {
      return nil
    }
    return seconds
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
