/// The faults of a configuration as one error: for whoever is told one line, such as a card, a reply or a file for scripts.
enum ConfigurationFaults {
  static func message(_ count: Int) -> String {
    "the configuration has \(count == 1 ? "1 error" : "\(count) errors")"
  }

  /// What is wrong, one after the other, with what to write.
  static func remedy(_ errors: [Diagnostic]) -> String {
    let listed = errors.prefix(ConfigurationLimits.listedFaults).map(\.told).joined(separator: " | ")
    let more = errors.count - ConfigurationLimits.listedFaults
    return more > 0 ? "\(listed) | and \(more) more" : listed
  }
}
