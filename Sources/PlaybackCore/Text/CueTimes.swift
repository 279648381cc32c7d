/// The line of a cue with its times and settings: `00:01:02,500 --> 00:01:04.000 line:90% align:start`.
struct CueTimes: Hashable, Sendable {
  var start: Duration
  /// May be before `start`.
  var end: Duration
  var placement = CuePlacement()
  /// The name of the region that the cue wants to stand in.
  private(set) var region: ArraySlice<UInt8>?

  /// - Parameter line: without blanks around it.
  /// - Returns: nil for any other line.
  init?(_ line: ArraySlice<UInt8>) {
    var reader = Reader(rest: line)
    guard let start = reader.time() else { return nil }
    reader.skipBlanks()
    guard reader.skip("-->") else { return nil }
    reader.skipBlanks()
    guard let end = reader.time() else { return nil }
    // Text right after a time, as in "00:00:01 --> 00:00:02x", makes the line invalid.
    guard reader.rest.first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true else { return nil }
    self.start = start
    self.end = end
    for setting in reader.rest.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }) { apply(setting) }
    // WebVTT: a cue with a line or a width of its own stands in no region.
    if placement.line != nil || placement.size ?? 100 != 100 { region = nil }
  }

  /// Applies a setting. Unknown and broken ones are ignored, as WebVTT demands; so are SubRip's coordinates (`X1:100`).
  private mutating func apply(_ setting: ArraySlice<UInt8>) {
    guard let colon = setting.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: setting[..<colon], as: UTF8.self)
    // The part after a comma names the side of the box that is meant; the view decides that.
    let value = setting[(colon + 1)...].prefix { $0 != UInt8(ascii: ",") }
    switch name {
    case "line": placement.line = Self.percentage(value).map { .percent($0) } ?? Self.row(value).map { .row($0) }
    case "position": placement.position = Self.percentage(value)
    case "size": placement.size = Self.percentage(value)
    case "region": region = value
    case "align":
      let word = String(decoding: value, as: UTF8.self)
      placement.alignment = word == "middle" ? .center : CuePlacement.Alignment(rawValue: word)
    default: break
    }
  }

  /// A time alone, as in `00:01:02.500`; nil for any other text.
  static func time(_ text: ArraySlice<UInt8>) -> Duration? {
    var reader = Reader(rest: text)
    guard let time = reader.time(), reader.rest.isEmpty else { return nil }
    return time
  }

  /// 0...100, with its sign, as in `35.5%`; nil for any other text.
  static func percentage(_ value: ArraySlice<UInt8>) -> Double? {
    guard value.last == UInt8(ascii: "%"), let first = value.first, (0x30...0x39).contains(first) else { return nil }
    let number = value.dropLast()
    // Double reads more than numbers in this form: "0x1p3", "1e2".
    guard number.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    guard let percent = Double(String(decoding: number, as: UTF8.self)), percent <= 100 else { return nil }
    return percent
  }

  private static func row(_ value: ArraySlice<UInt8>) -> Int? {
    // More lines than any screen has.
    guard let row = Int(String(decoding: value, as: UTF8.self)), (-1000...1000).contains(row) else { return nil }
    return row
  }
}

/// Parses a line from its front.
private struct Reader {
  var rest: ArraySlice<UInt8>

  mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Parses `HH:MM:SS,mmm`, `MM:SS.mmm` and forms between; fields of up to nine digits. A negative time counts as zero:
  /// such cues come from tools that shift a file.
  mutating func time() -> Duration? {
    let isNegative = skip("-")
    var fields: [Int64] = []
    repeat {
      guard fields.count < 3, let field = digits() else { return nil }
      fields.append(field.value)
    } while skip(":")
    guard fields.count > 1 else { return nil }
    var nanoseconds: Int64 = 0
    if skip(",") || skip(".") {
      guard let fraction = digits() else { return nil }
      nanoseconds = fraction.value
      for _ in fraction.count..<9 { nanoseconds *= 10 }
    }
    // Nine digits each: the largest sum is far within 64 bits.
    let seconds = fields.reduce(0) { $0 * 60 + $1 }
    return isNegative ? .zero : .seconds(seconds) + .nanoseconds(nanoseconds)
  }

  private mutating func digits() -> (value: Int64, count: Int)? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return (digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }, digits.count)
  }
}
