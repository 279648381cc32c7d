/// An attribute of an XML tag: the places of its name and value in a text, without the quotes.
struct TagAttribute {
  var name: Range<Int>
  var value: Range<Int>

  enum Next {
    case none
    /// An attribute without a value, with an unquoted value, or with an unclosed quote.
    case unreadable
    case found(TagAttribute)
  }

  /// Finds the first attribute in a part of a tag. Search for the next one behind the quote that ends its value.
  ///
  /// - Parameters:
  ///   - part: within `text`.
  ///   - isName: whether a byte may be part of a name: no blank, no equals sign, no quote.
  static func first(in part: Range<Int>, of text: [UInt8], isName: (UInt8) -> Bool) -> Next {
    guard let equals = text[part].firstIndex(of: UInt8(ascii: "=")) else { return .none }
    var end = equals
    while end > part.lowerBound, text[end - 1] <= 0x20 { end -= 1 }
    var start = end
    while start > part.lowerBound, isName(text[start - 1]) { start -= 1 }
    guard let quote = text[(equals + 1)..<part.upperBound].firstIndex(where: { $0 > 0x20 }),
      text[quote] == UInt8(ascii: "\"") || text[quote] == UInt8(ascii: "'"),
      let last = text[(quote + 1)..<part.upperBound].firstIndex(of: text[quote])
    else { return .unreadable }
    return .found(TagAttribute(name: start..<end, value: (quote + 1)..<last))
  }
}
