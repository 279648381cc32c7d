/// The faults of a configuration as one error, for a reader of a single line: an error card, a reply, a script.
enum ConfigurationFaults {
  static func message(_ count: Int) -> String {
    "the configuration has \(count == 1 ? "1 error" : "\(count) errors")"
  }

  /// The faults one after the other, each with its correction.
  static func remedy(_ errors: [Diagnostic]) -> String {
    let listed = errors.prefix(ConfigurationLimits.listedFaults).map(\.told).joined(separator: " | ")
    let more = errors.count - ConfigurationLimits.listedFaults
    return more > 0 ? "\(listed) | and \(more) more" : listed
  }
}
