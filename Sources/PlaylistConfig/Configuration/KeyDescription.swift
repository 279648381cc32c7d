/// What is known of a key without its place in the settings: for the documents, the schema and the list of origins.
struct KeyDescription: Sendable {
  indirect enum Form: Sendable {
    case value(ValueShape)
    case table([KeyDescription])
    /// `[NAME.x]`, where the user chooses x.
    case namedTables(placeholder: String, [KeyDescription])
    /// `[NAME]` with keys that the user chooses, all with values of one kind.
    case namedValues(placeholder: String, namePattern: String, ValueShape)
    /// `[[NAME]]`
    case tables([KeyDescription])
    /// A table in braces, in one line.
    case inlineTable([KeyDescription])
  }

  var name: String
  var form: Form
  /// Sentences for people.
  var summary: String
  /// What is allowed, for the diagnostic of a missing key.
  var allowed = ""
  var isRequired = false
  /// Accepted and checked, but what it is for isn't there yet.
  var isPlanned = false
  /// As it would be written in a file; nil where there is none.
  var defaultText: String?
  /// As it would be written in a file.
  var example: String?

  var inner: [KeyDescription] {
    switch form {
    case .value, .namedValues: []
    case .table(let inner), .namedTables(_, let inner), .tables(let inner), .inlineTable(let inner): inner
    }
  }
}

/// What a value looks like, for those who check it before Vitrine does.
indirect enum ValueShape: Hashable, Sendable {
  case boolean
  case integer(ClosedRange<Int64>)
  case number(ClosedRange<Double>)
  /// A regular expression, or nil for any text.
  case text(pattern: String?)
  case words([String])
  case list(of: ValueShape, count: ClosedRange<Int>)
  /// A TOML date or time, or the same as a text.
  case date
  case time
}
