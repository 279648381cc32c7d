/// An attribute of a tag of XML: where its name and its value stand in a text, the quotes not among them.
struct TagAttribute {
  var name: Range<Int>
  var value: Range<Int>

  enum Next {
    case none
    /// Something is set to nothing, or to what stands in no quotes or has no end.
    case unreadable
    case found(TagAttribute)
  }

  /// The first attribute of a part of a tag. The next one is looked for behind the quote that ends its value.
  ///
  /// - Parameters:
  ///   - part: within `text`.
  ///   - isName: which bytes a name may have: no blank, no equals sign, no quote.
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
