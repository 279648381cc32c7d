/// A key's name, form and texts, without its property in the settings: for the documents, the schema and the list of
/// origins.
struct KeyDescription: Sendable {
  indirect enum Form: Sendable {
    case value(ValueShape)
    case table([KeyDescription])
    /// `[NAME.x]`; the user chooses x.
    case namedTables(placeholder: String, [KeyDescription])
    /// `[NAME]` with keys that the user chooses and values of one shape.
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
  /// The allowed values, for the diagnostic of a missing key.
  var allowed = ""
  var isRequired = false
  /// The default as in a file; nil if there is no default.
  var defaultText: String?
  /// An example as in a file.
  var example: String?
  /// When a change of the key takes effect; nil for the table's.
  var effect: TakesEffect?

  var inner: [KeyDescription] {
    switch form {
    case .value, .namedValues: []
    case .table(let inner), .namedTables(_, let inner), .tables(let inner), .inlineTable(let inner): inner
    }
  }
}

/// The form of a value in a JSON schema, with which editors check a file before Vitrine reads it.
indirect enum ValueShape: Hashable, Sendable {
  case boolean
  case integer(ClosedRange<Int64>)
  case number(ClosedRange<Double>)
  /// A regular expression, or nil for any text.
  case text(pattern: String?)
  case words([String])
  /// A text, or a table of texts by language.
  case localText
  case list(of: ValueShape, count: ClosedRange<Int>)
  /// A text, a number, true or false.
  case scalar
  /// A TOML date or time, or a string with one.
  case date
  case time
  /// A TOML date and time, or a string with one.
  case moment
}
