/// Finds the time zone that a user meant by a name that doesn't exist.
public enum TimeZoneNames {
  /// Names of other systems and everyday names for zones that the system names after a city.
  private static let others: [String: String] = [
    "w. europe standard time": "Europe/Berlin", "central europe standard time": "Europe/Budapest",
    "central european standard time": "Europe/Warsaw", "romance standard time": "Europe/Paris",
    "gmt standard time": "Europe/London", "greenwich standard time": "Atlantic/Reykjavik",
    "e. europe standard time": "Europe/Chisinau", "fle standard time": "Europe/Kiev",
    "russian standard time": "Europe/Moscow", "turkey standard time": "Europe/Istanbul",
    "eastern standard time": "America/New_York", "central standard time": "America/Chicago",
    "mountain standard time": "America/Denver", "pacific standard time": "America/Los_Angeles",
    "tokyo standard time": "Asia/Tokyo", "china standard time": "Asia/Shanghai", "india standard time": "Asia/Kolkata",
    "aus eastern standard time": "Australia/Sydney", "mez": "Europe/Berlin", "mesz": "Europe/Berlin",
    "cest": "Europe/Berlin", "bst": "Europe/London", "eest": "Europe/Helsinki", "edt": "America/New_York",
    "cst": "America/Chicago", "cdt": "America/Chicago", "mdt": "America/Denver", "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles", "jst": "Asia/Tokyo", "germany": "Europe/Berlin", "deutschland": "Europe/Berlin",
    "austria": "Europe/Vienna", "switzerland": "Europe/Zurich", "schweiz": "Europe/Zurich", "france": "Europe/Paris",
    "england": "Europe/London", "uk": "Europe/London", "spain": "Europe/Madrid", "italy": "Europe/Rome",
    "munich": "Europe/Berlin", "münchen": "Europe/Berlin", "hamburg": "Europe/Berlin", "cologne": "Europe/Berlin",
    "frankfurt": "Europe/Berlin", "wien": "Europe/Vienna", "zürich": "Europe/Zurich", "genf": "Europe/Zurich",
    "geneva": "Europe/Zurich", "barcelona": "Europe/Madrid", "milan": "Europe/Rome", "rom": "Europe/Rome",
  ]

  /// - Parameters:
  ///   - name: a name that no zone has.
  ///   - known: the system's names; may be empty.
  /// - Returns: nil if no name comes near.
  public static func meant(by name: String, among known: [String]) -> String? {
    let folded = name.trimmedSpaces.lowercased()
    let city = folded.split(separator: "/").last.map(String.init) ?? folded
    if let other = others[folded] ?? others[city] { return other }
    let wanted = folded.split { $0 == " " || $0 == "_" || $0 == "-" }.joined(separator: "_")
    if let same = known.first(where: { $0.lowercased() == wanted }) { return same }
    let wantedCity = wanted.split(separator: "/").last.map(String.init) ?? wanted
    if let same = known.first(where: { Self.city($0) == wantedCity }) { return same }
    if let near = Suggestion.nearest(to: wanted, among: known) { return near }
    guard let near = Suggestion.nearest(to: wantedCity, among: known.map(Self.city)) else {
      // Without the system's names, the spelling can at least be corrected: zones have _ in place of spaces.
      return known.isEmpty && name.contains(" ") && name.contains("/")
        ? name.split(separator: " ").joined(separator: "_") : nil
    }
    return known.first { Self.city($0) == near }
  }

  private static func city(_ name: String) -> String { name.split(separator: "/").last.map { $0.lowercased() } ?? "" }

  /// Whether the name is an offset from UTC, which doesn't follow summer time.
  public static func isOffset(_ name: String) -> Bool {
    let rest = ["UTC", "GMT"].reduce(name.uppercased()) { $0.hasPrefix($1) ? String($0.dropFirst($1.count)) : $0 }
    return rest.hasPrefix("+") || rest.hasPrefix("-")
  }
}
