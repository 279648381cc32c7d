public import InteractionCore

/// Tests may write texts where a screen takes sentences of the table alone.
extension VisitorText: ExpressibleByStringLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
  ExpressibleByUnicodeScalarLiteral
{
  public init(stringLiteral text: String) { self = .name(text) }
}

extension VisitorText {
  /// As it is shown in English.
  public var english: String { VisitorTexts.english.text(self) }
}
