/// Shortens a log message of many lines about one thing, so that a stick or an edited list can't fill the journal.
public enum ToldLines {
  /// The first lines, and the number of the others.
  public static func of(_ lines: [String], limit: Int = ConfigurationLimits.toldLines) -> [String] {
    guard lines.count > limit else { return lines }
    return lines.prefix(limit) + ["and \(lines.count - limit) more; vitrine check lists them"]
  }
}
