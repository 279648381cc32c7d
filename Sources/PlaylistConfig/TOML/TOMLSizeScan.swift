/// Finds input on which the parser would spend too much: keys and table names that are nested too deeply, and too many
/// values.
///
/// The parser recurses once for every segment of `a.b.c` and has no limit of its own: a line of two hundred thousand
/// dots would exhaust the stack. And a value of two bytes becomes a node of some hundreds. So segments and values are
/// counted before parsing. The scan knows strings and comments, and takes every other dot for one in a key; the
/// exceptions are floats and times, which have one dot at most. In a malformed text the scan may count wrongly; the
/// parser then stops at the same place.
enum TOMLSizeScan {
  /// Nil if nothing is too much.
  ///
  /// - Parameter counted: the number of values that were read elsewhere.
  static func firstExcess(in text: [UInt8], file: Int, counted: Int = 0) -> TOMLSyntaxError? {
    // Through a pointer: an array's checks on every byte would take longer than the parser.
    text.withUnsafeBufferPointer { firstExcess(in: $0, file: file, counted: counted) }
  }

  private static func firstExcess(
    in text: UnsafeBufferPointer<UInt8>, file: Int, counted: Int
  ) -> TOMLSyntaxError? {
    var scan = Scan(text: text)
    var values = counted
    func excess(_ message: String) -> TOMLSyntaxError {
      TOMLSyntaxError(message, at: TOMLPosition(line: scan.line, column: scan.column, file: file))
    }
    while let byte = scan.next() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        scan.skipString(quote: byte)
      case UInt8(ascii: "#"):
        scan.skipComment()
      case UInt8(ascii: "."):
        scan.segments += 1
        if scan.segments > ConfigurationLimits.keyParts {
          return excess("the dotted key has more than \(ConfigurationLimits.keyParts) parts")
        }
      case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"):
        scan.segments = 1
        values += 1
        if values > ConfigurationLimits.values {
          return excess("the text has more than \(ConfigurationLimits.values) values, which is the most that is read")
        }
      case UInt8(ascii: "\n"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        scan.segments = 1
      default:
        break
      }
    }
    return nil
  }

  private struct Scan {
    let text: UnsafeBufferPointer<UInt8>
    var index = 0
    var line = 1
    var column = 0
    var segments = 1

    init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    mutating func next() -> UInt8? {
      guard index < text.count else { return nil }
      if index > 0, text[index - 1] == UInt8(ascii: "\n") {
        line += 1
        column = 0
      }
      let byte = text[index]
      // Continuation bytes of UTF-8 belong to the column of their first byte.
      if byte & 0xC0 != 0x80 { column += 1 }
      index += 1
      return byte
    }

    mutating func skipComment() {
      while index < text.count, text[index] != UInt8(ascii: "\n") { _ = next() }
    }

    /// Skips a string after its first quote.
    mutating func skipString(quote: UInt8) {
      let isMultiLine = takesPair(of: quote)
      if !isMultiLine, index < text.count, text[index] == quote {
        _ = next()
        return
      }
      let isEscapable = quote == UInt8(ascii: "\"")
      while let byte = next() {
        if isEscapable, byte == UInt8(ascii: "\\") {
          _ = next()
        } else if byte == quote {
          guard isMultiLine else { return }
          guard takesPair(of: quote) else { continue }
          // One or two more quotes may precede the closing three.
          for _ in 0..<2 where index < text.count && text[index] == quote { _ = next() }
          return
        } else if byte == UInt8(ascii: "\n"), !isMultiLine {
          segments = 1
          return
        }
      }
    }

    private mutating func takesPair(of quote: UInt8) -> Bool {
      guard index + 1 < text.count, text[index] == quote, text[index + 1] == quote else { return false }
      _ = next()
      _ = next()
      return true
    }
  }
}
