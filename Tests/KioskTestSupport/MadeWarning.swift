/// Messages as authorities write them, made anew for tests.
public enum MadeWarning {
  public static let namespace = "urn:oasis:names:tc:emergency:cap:1.2"

  /// A message of CAP.
  ///
  /// - Parameters:
  ///   - parts: replace parts of the usual message; an empty text leaves the part out.
  public static func message(
    _ id: String = "A", _ parts: [String: String] = [:], infos: [String] = [info()], prefix: String = ""
  ) -> String {
    let usual = [
      ("identifier", id), ("sender", "warn@example.org"), ("sent", "2026-11-27T13:50:00+00:00"), ("status", "Actual"),
      ("msgType", "Alert"), ("source", ""), ("scope", "Public"), ("references", ""),
    ]
    let mark = prefix.isEmpty ? "" : prefix + ":"
    let head = usual.compactMap { name, text in
      let text = parts[name] ?? text
      return text.isEmpty ? nil : "<\(mark)\(name)>\(text)</\(mark)\(name)>"
    }.joined()
    let declared = prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)"
    return "<\(mark)alert \(declared)=\"\(namespace)\">\(head)\(infos.joined())</\(mark)alert>"
  }

  /// - Parameter more: further elements, such as areas.
  public static func info(_ parts: [String: String] = [:], more: String = "", prefix: String = "") -> String {
    let usual = [
      ("language", ""), ("category", "Met"), ("event", "Storm"), ("responseType", ""), ("urgency", "Immediate"),
      ("severity", "Severe"), ("certainty", "Observed"), ("effective", ""), ("onset", ""),
      ("expires", "2026-11-27T16:00:00+00:00"), ("headline", "Storm until four"), ("description", ""),
      ("instruction", ""),
    ]
    let mark = prefix.isEmpty ? "" : prefix + ":"
    let body = usual.compactMap { name, text in
      let text = parts[name] ?? text
      return text.isEmpty ? nil : "<\(mark)\(name)>\(text)</\(mark)\(name)>"
    }.joined()
    return "<\(mark)info>\(body)\(more)</\(mark)info>"
  }

  public static func area(_ inner: String) -> String { "<area><areaDesc>Somewhere</areaDesc>\(inner)</area>" }

  public static func code(_ list: String, _ code: String) -> String {
    "<geocode><valueName>\(list)</valueName><value>\(code)</value></geocode>"
  }

  public static func index(_ entries: String...) -> String { index(entries) }

  public static func index(_ entries: [String]) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:cap=\"\(namespace)\">"
      + "<id>urn:feed</id><title>Warnings</title><updated>2026-11-27T13:59:00Z</updated>\(entries.joined())</feed>"
  }

  /// An entry that links to its message.
  public static func entry(_ link: String, _ inline: String = "", updated: String = "2026-11-27T13:51:00Z") -> String {
    "<entry><id>urn:\(link)</id><title>T</title><updated>\(updated)</updated>\(inline)"
      + "<link rel=\"alternate\" type=\"application/cap+xml\" href=\"\(link)\"/></entry>"
  }

  /// An entry of the National Weather Service: it has all parts in it, and links to a page.
  public static func inline(_ id: String, _ facts: [String: String] = [:], more: String = "") -> String {
    let usual = [
      ("event", "Tornado Warning"), ("effective", "2026-11-27T07:50:00-06:00"),
      ("expires", "2026-11-27T10:00:00-06:00"), ("status", "Actual"), ("msgType", "Alert"), ("category", "Met"),
      ("urgency", "Immediate"), ("severity", "Extreme"), ("certainty", "Observed"),
    ]
    let body = usual.compactMap { name, text in
      let text = facts[name] ?? text
      return text.isEmpty ? nil : "<cap:\(name)>\(text)</cap:\(name)>"
    }.joined()
    return "<entry><id>https://api.example.org/alerts/\(id)</id><link rel=\"alternate\" "
      + "href=\"https://api.example.org/alerts/\(id)\"/><updated>2026-11-27T07:50:00-06:00</updated>"
      + "<published>2026-11-27T07:50:00-06:00</published><author><name>NWS</name></author>"
      + "<title>Tornado Warning until ten</title><summary>A tornado was seen.</summary>\(body)\(more)</entry>"
  }

  /// An entry of MeteoAlarm: some facts, of one area, and a link to the message.
  public static func european(_ link: String, area: String, severity: String = "Severe", kind: String = "Alert")
    -> String
  {
    entry(
      link,
      "<cap:geocode><valueName>EMMA_ID</valueName><value>\(area)</value></cap:geocode><cap:areaDesc>A</cap:areaDesc>"
        + "<cap:event>Orange Wind Warning</cap:event><cap:sent>2026-11-27T13:50:00+00:00</cap:sent>"
        + "<cap:expires>2026-11-27T16:00:00+00:00</cap:expires><cap:severity>\(severity)</cap:severity>"
        + "<cap:scope>Public</cap:scope><cap:message_type>\(kind)</cap:message_type><cap:status>Actual</cap:status>"
        + "<cap:identifier>inline</cap:identifier>")
  }
}
