/// A part of an XML document, in the order in which a document has them.
public enum MarkupEvent: Hashable, Sendable {
  /// A start tag: its name and its attributes as they are written, with their prefixes.
  case begin(String, [String: String])
  /// A piece of the text between two tags; there may be several in a row.
  case text(String)
  /// The end of the element that was begun last.
  case end
}
