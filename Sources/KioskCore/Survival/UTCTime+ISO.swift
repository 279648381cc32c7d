internal import PlaybackCore

// Times in the format for programs: RFC 3339, to the millisecond.

extension UTCTime {
  /// Writes a time as `2026-11-23T08:00:40.250Z`.
  public static func iso(milliseconds: Int64) -> String {
    let time = max(0, milliseconds)
    let (date, clock) = parts(time / 1000)
    let rest = String(time % 1000)
    let fraction = String(repeating: "0", count: 3 - rest.count) + rest
    return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":")).\(fraction)Z"
  }

  /// Reads the format of `iso`, with or without milliseconds; nil for any other text.
  public static func milliseconds(iso text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 || bytes.count == 24, bytes.last == UInt8(ascii: "Z") else { return nil }
    let marks: [(Int, Unicode.Scalar)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    guard marks.allSatisfy({ bytes[$0.0] == UInt8(ascii: $0.1) }) else { return nil }
    func number(_ start: Int, _ count: Int) -> Int64? {
      let digits = bytes[start..<start + count]
      guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2)
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count == 24 {
      guard bytes[19] == UInt8(ascii: "."), let digits = number(20, 3) else { return nil }
      fraction = digits
    }
    guard year >= 1970, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60 else {
      return nil
    }
    // Days from civil, by Howard Hinnant: eras of 400 years that begin in March.
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shiftedYear.quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let result = ((days * 24 + hour) * 60 + minute) * 60 + second
    let milliseconds = result * 1000 + fraction
    // There is no 31st of February.
    return iso(milliseconds: milliseconds).prefix(10) == text.prefix(10) ? milliseconds : nil
  }
}
