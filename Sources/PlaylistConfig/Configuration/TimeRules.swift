internal import InteractionCore

// Rules for the values of a schedule.

extension ValueRule where Value == Set<Weekday> {
  /// Days by their first three letters, and two words for several.
  static var days: Self {
    let words = Weekday.allCases.map(\.abbreviation) + ["weekdays", "weekend"]
    let allowed = "days such as [\"mon\", \"tue\"] are allowed; " + words.joined(separator: ", ") + " are known"
    let shape = ValueShape.list(of: .words(words), count: 1...words.count)
    return ValueRule(allowed: allowed, shape: shape) { (node) throws(Refusal) in
      guard case .array(let elements) = node.value else { throw .kind(node, expected: "array") }
      guard !elements.isEmpty else { throw Refusal("is empty, and would never be on") }
      var days: Set<Weekday> = []
      for element in elements {
        guard case .string(let word) = element.value else {
          throw Refusal("has \(TOMLText.spelled(element)) in it, which is not a day")
        }
        switch word.lowercased() {
        case "weekdays": days.formUnion([.monday, .tuesday, .wednesday, .thursday, .friday])
        case "weekend": days.formUnion([.saturday, .sunday])
        case let other:
          guard let day = Weekday.allCases.first(where: { other == $0.abbreviation || other == "\($0)" }) else {
            let meant = Suggestion.nearest(to: other, among: words).map { " (did you mean \"\($0)\"?)" } ?? ""
            throw Refusal("has \(TOMLText.quoted(word)) in it, which is not a day\(meant)")
          }
          days.insert(day)
        }
      }
      return days
    } spell: {
      "[" + $0.sorted().map { TOMLText.quoted($0.abbreviation) }.joined(separator: ", ") + "]"
    }
  }
}

extension ValueRule where Value == ScheduleDate {
  static var date: Self {
    ValueRule(
      allowed: "a date such as 2026-12-24, or \"12-24\" for every year, is allowed", shape: .date
    ) { (node) throws(Refusal) in
      let text: String
      switch node.value {
      case .temporal(let date, .localDate): text = date
      case .string(let written): text = written
      default: throw .kind(node, expected: "date")
      }
      guard let date = ScheduleDate(parsing: text) else { throw Refusal("is not a date") }
      return date
    } spell: { date in
      if case .once = date { "\(date)" } else { TOMLText.quoted("\(date)") }
    }
  }
}

extension ValueRule where Value == TimeOfDay {
  static var time: Self {
    ValueRule(
      allowed: "a time such as \"08:30\" is allowed, from \"00:00\" to \"24:00\"", shape: .time
    ) { (node) throws(Refusal) in
      let text: String
      switch node.value {
      // Fractions of a second make no difference to a schedule.
      case .temporal(let time, .localTime): text = String(time.prefix { $0 != "." })
      case .string(let written): text = written
      default: throw .kind(node, expected: "time")
      }
      guard let time = TimeOfDay(parsing: text) else { throw Refusal("is not a time of the day") }
      return time
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}
