/// A day of the week.
public enum Weekday: Int, Hashable, Sendable, CaseIterable, Comparable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// `mon`, as files have it.
  public var abbreviation: String { ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][rawValue] }
  public static func < (a: Weekday, b: Weekday) -> Bool { a.rawValue < b.rawValue }
}

/// A day of the Gregorian calendar.
public struct CivilDate: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let year: Int
  /// 1...12
  public let month: Int
  /// 1...31
  public let day: Int

  /// Nil if there is no such day. Years 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year) else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days since 1970-01-01.
  ///
  /// The calendar repeats every 400 years (146,097 days); a year that begins in March has its leap day at its end.
  public init(dayNumber: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  public var dayNumber: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// 1970-01-01 was a Thursday.
  public var weekday: Weekday {
    let index = ((dayNumber + 3) % 7 + 7) % 7
    return Weekday.allCases[index]
  }

  public static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  public static func days(in month: Int, of year: Int) -> Int {
    month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  public static func < (a: CivilDate, b: CivilDate) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }

  /// `2026-03-29`
  public var description: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

  /// Reads `2026-03-29`.
  public init?(parsing text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
    let numbers = parts.compactMap(unsignedNumber)
    guard numbers.count == 3 else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }
}

/// A local time of day, in whole seconds since midnight; 24:00 is the end of a day.
public struct TimeOfDay: Hashable, Sendable, Comparable, CustomStringConvertible {
  public static let secondsOfDay = 86_400
  public static let midnight = TimeOfDay(unchecked: 0)

  /// 0...86,400
  public let seconds: Int

  public init?(seconds: Int) {
    guard (0...Self.secondsOfDay).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  private init(unchecked seconds: Int) { self.seconds = seconds }

  /// Reads `8:00`, `08:00`, `08:00:30` and `24:00`.
  public init?(parsing text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...2).contains(parts[0].utf8.count),
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let numbers = parts.compactMap(unsignedNumber)
    guard numbers.count == parts.count, numbers[0] <= 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    self.init(seconds: numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0))
  }

  public static func < (a: TimeOfDay, b: TimeOfDay) -> Bool { a.seconds < b.seconds }

  /// `08:00`, or `08:00:30` with seconds other than 0.
  public var description: String {
    let hoursAndMinutes = "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2))"
    return seconds % 60 == 0 ? hoursAndMinutes : "\(hoursAndMinutes):\(padded(seconds % 60, 2))"
  }
}

/// A date and a time as the clock on the wall shows them.
public struct CivilTime: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var date: CivilDate
  /// Below 24:00.
  public var time: TimeOfDay

  /// - Parameter localSeconds: seconds since 1970-01-01 00:00 of the same clock.
  public init(localSeconds: Int64) {
    let day = Int((Double(localSeconds) / Double(TimeOfDay.secondsOfDay)).rounded(.down))
    date = CivilDate(dayNumber: day)
    time = TimeOfDay(seconds: Int(localSeconds) - day * TimeOfDay.secondsOfDay) ?? .midnight
  }

  public init(_ date: CivilDate, _ time: TimeOfDay) {
    self.date = date
    self.time = time
  }

  /// Seconds since 1970-01-01 00:00 of the same clock.
  public var localSeconds: Int64 { Int64(date.dayNumber) * Int64(TimeOfDay.secondsOfDay) + Int64(time.seconds) }

  public static func < (a: CivilTime, b: CivilTime) -> Bool { (a.date, a.time) < (b.date, b.time) }
  public var description: String { "\(date) \(time)" }
}

private func padded(_ number: Int, _ digits: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// Plain digits: `Int.init` would also take a sign.
private func unsignedNumber(_ text: Substring) -> Int? {
  guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int(text)
}
