internal import PlaybackCore

/// A metric with its samples, in Prometheus's text format 0.0.4.
struct MetricFamily {
  enum Kind: String {
    /// Only grows, until the process or the machine restarts; its name ends with `_total`.
    case counter
    case gauge
  }

  struct Sample {
    var labels: [(name: String, value: String)]
    var value: Double
  }

  var name: String
  var kind: Kind
  /// A sentence for people.
  var help: String
  var samples: [Sample] = []

  init(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    self.kind = kind
    self.help = help
  }

  mutating func add(_ value: Double?, _ labels: [(name: String, value: String)] = []) {
    if let value { samples.append(Sample(labels: labels, value: value)) }
  }

  mutating func add(_ value: Bool?, _ labels: [(name: String, value: String)] = []) {
    add(value.map { $0 ? 1.0 : 0.0 }, labels)
  }

  mutating func add(_ value: (some BinaryInteger)?, _ labels: [(name: String, value: String)] = []) {
    add(value.map { Double($0) }, labels)
  }

  /// Empty without samples.
  var text: String {
    guard !samples.isEmpty else { return "" }
    var text = "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      text += name
      if !sample.labels.isEmpty {
        let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
        text += "{\(labels.joined(separator: ","))}"
      }
      text += " \(Self.spelled(sample.value))\n"
    }
    return text
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in PlainText.shown(text).unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func spelled(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}
