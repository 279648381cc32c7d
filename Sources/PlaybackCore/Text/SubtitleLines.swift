/// The lines of a text, without their ends (LF, CRLF or CR) and without blanks around them.
///
/// One line at a time: a hostile file may consist of line ends only, and a list of its lines would take thirty times
/// its length.
struct SubtitleLines: Sequence, IteratorProtocol {
  private let text: [UInt8]
  private var start = 0
  private var isDone = false

  init(_ text: [UInt8]) { self.text = text }

  mutating func next() -> ArraySlice<UInt8>? {
    guard !isDone else { return nil }
    var end = start
    while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
    let line = text[start..<end]
    if end == text.count {
      isDone = true
    } else {
      start = end + (text[end] == 0x0D && end + 1 < text.count && text[end + 1] == 0x0A ? 2 : 1)
    }
    return line.trimmed(Self.isBlank)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension ArraySlice<UInt8> {
  /// Without the bytes at both ends for which this holds.
  func trimmed(_ isBlank: (UInt8) -> Bool) -> Self {
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
