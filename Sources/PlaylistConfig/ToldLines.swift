/// What is written to a log of many lines about one thing: whoever put in a stick or edits a list mustn't fill the journal.
public enum ToldLines {
  /// The first of them, and how many more there are.
  public static func of(_ lines: [String], limit: Int = ConfigurationLimits.toldLines) -> [String] {
    guard lines.count > limit else { return lines }
    return lines.prefix(limit) + ["and \(lines.count - limit) more; vitrine check lists them"]
  }
}
