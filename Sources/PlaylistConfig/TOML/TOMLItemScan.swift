/// Reads the plain part of long lists: tables `[[a.b.c]]` that follow one of the same list and have only lines with
/// `key = "text"`, whole numbers, decimals and booleans. The parser takes some 600 bytes and 4 us for each of their
/// values, which is too much for a hundred thousand items on a small board (docs/decisions/0170-long-lists.md).
///
/// Tables that are read here are cut from the text. The parser gets the rest, with all lines in their places: the first
/// table of each list, every table that isn't plain, and every table before something else, which may belong to it. So
/// the parser decides whether the text is TOML: a table that is cut out follows one of the same list that isn't, and
/// only its own lines could be wrong. `TOMLItemScanTests` compares both ways of reading.
struct TOMLItemScan {
  /// The text without the tables that were read; each of their lines is left empty.
  private(set) var rest: [UInt8] = []
  /// The tables that were read, by the list's name as written.
  private(set) var lists: [[UInt8]: List] = [:]
  /// The number of values, as `TOMLSizeScan` counts them.
  private(set) var values = 0

  /// The tables of a list in order; nil for a table that was left to the parser.
  struct List {
    var path: [String]
    var elements: [TOMLNode?] = []
  }

  /// Shorter texts gain nothing.
  static let leastLength = 16 << 10

  private let text: UnsafeBufferPointer<UInt8>
  private let file: Int
  private var index = 0
  private var line = 1

  /// Nil if no table was read, or a string may span several lines.
  static func scan(_ text: [UInt8], file: Int) -> TOMLItemScan? {
    guard text.count >= leastLength else { return nil }
    return text.withUnsafeBufferPointer { text in
      var scan = TOMLItemScan(text: text, file: file)
      return scan.run() && scan.values > 0 ? scan : nil
    }
  }

  private init(text: UnsafeBufferPointer<UInt8>, file: Int) {
    self.text = text
    self.file = file
  }

  /// False if a string may span several lines.
  private mutating func run() -> Bool {
    while index < text.count {
      let end = lineEnd(index)
      if let name = Self.listName(text[index..<end]) {
        if readTable(of: Array(name), header: index..<end) { continue }
      } else if hasLongString(index..<end) {
        return false
      }
      rest += text[index..<min(end + 1, text.count)]
      index = end + 1
      line += 1
    }
    return true
  }

  /// Reads the table at `header`. If it isn't plain, returns false and leaves it to the parser.
  private mutating func readTable(of name: [UInt8], header: Range<Int>) -> Bool {
    guard var list = lists.removeValue(forKey: name) else {
      let path = name.split(separator: UInt8(ascii: ".")).map { String(decoding: $0, as: UTF8.self) }
      lists[name] = List(path: path, elements: [nil])
      return false
    }
    // Moved out and back, so that its array isn't copied.
    defer { lists[name] = list }
    var entries: [TOMLTable.Entry] = []
    entries.reserveCapacity(4)
    var (next, lines) = (header.upperBound + 1, 1)
    while next < text.count, text[next] != UInt8(ascii: "[") {
      let end = lineEnd(next)
      var reader = PlainLine(
        bytes: text[next..<end],
        position: { [file, line] in
          TOMLPosition(line: line + lines, column: $0, file: file)
        })
      switch reader.read() {
      case .nothing: break
      case .entry(let entry) where !entries.contains(where: { $0.key == entry.key }): entries.append(entry)
      case .entry, .other:
        list.elements.append(nil)
        return false
      }
      (next, lines) = (end + 1, lines + 1)
    }
    guard next >= text.count || text[next..<lineEnd(next)].elementsEqual(text[header]) else {
      list.elements.append(nil)
      return false
    }
    list.elements.append(
      TOMLNode(.table(TOMLTable(ordered: entries)), at: TOMLPosition(line: line, column: 1, file: file)))
    values += 2 + entries.count
    rest.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: lines))
    (index, line) = (next, line + lines)
    return true
  }

  private func lineEnd(_ start: Int) -> Int {
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
    return end
  }

  private func hasLongString(_ line: Range<Int>) -> Bool {
    var (quote, count) = (UInt8(0), 0)
    for byte in text[line] {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        count = byte == quote ? count + 1 : 1
        if count == 3 { return true }
        quote = byte
      } else {
        (quote, count) = (0, 0)
      }
    }
    return false
  }

  /// The name in `[[a.b]]`, of letters, digits, - and _. With a dot and a letter before it, the line can't be an
  /// element of an array.
  private static func listName(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard line.count > 6, line.first == UInt8(ascii: "["), line.starts(with: "[[".utf8),
      line.suffix(2).elementsEqual("]]".utf8)
    else { return nil }
    let name = line.dropFirst(2).dropLast(2)
    var (last, dots) = (UInt8(ascii: "."), 0)
    for byte in name {
      if byte == UInt8(ascii: ".") {
        guard last != byte else { return nil }
        dots += 1
      } else if !TableContext.isBareKeyByte(byte) {
        return nil
      }
      last = byte
    }
    let first = name.first.map { $0 | 0x20 } ?? 0
    return dots > 0 && last != UInt8(ascii: ".") && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) ? name : nil
  }
}

/// One line of a table: nothing, a comment, or a key with a plain value.
private struct PlainLine {
  enum Content {
    case nothing
    case entry(TOMLTable.Entry)
    /// For the parser.
    case other
  }

  let bytes: Slice<UnsafeBufferPointer<UInt8>>
  let position: (Int) -> TOMLPosition
  private var index: Int

  init(bytes: Slice<UnsafeBufferPointer<UInt8>>, position: @escaping (Int) -> TOMLPosition) {
    self.bytes = bytes
    self.position = position
    index = bytes.startIndex
  }

  private var byte: UInt8? { index < bytes.endIndex ? bytes[index] : nil }
  private var here: TOMLPosition { position(index - bytes.startIndex + 1) }

  mutating func read() -> Content {
    guard !isAtEnd() else { return .nothing }
    let keyPosition = here
    let key = readBytes(while: TableContext.isBareKeyByte)
    guard !key.isEmpty else { return .other }
    skipSpace()
    guard byte == UInt8(ascii: "=") else { return .other }
    index += 1
    skipSpace()
    let valuePosition = here
    guard let value = value(), isAtEnd() else { return .other }
    return .entry(
      TOMLTable.Entry(
        key: String(decoding: key, as: UTF8.self), node: TOMLNode(value, at: valuePosition, keyPosition: keyPosition)))
  }

  private mutating func value() -> TOMLNode.Value? {
    if byte == UInt8(ascii: "\"") { return text().map { .string($0) } }
    let word = readBytes { byte in TableContext.isBareKeyByte(byte) || byte == UInt8(ascii: ".") }
    if word.elementsEqual("true".utf8) { return .boolean(true) }
    if word.elementsEqual("false".utf8) { return .boolean(false) }
    return Self.number(word)
  }

  /// Numbers as most people write them: without a sign, an exponent, a base, leading zeros.
  private static func number(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> TOMLNode.Value? {
    let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    guard areDigits, word.count <= 15, let whole = parts.first, whole.count == 1 || whole.first != UInt8(ascii: "0")
    else { return nil }
    let text = String(decoding: word, as: UTF8.self)
    switch parts.count {
    case 1: return Int64(text).map { .integer($0) }
    case 2: return Double(text).map { .float($0) }
    default: return nil
    }
  }

  /// A string without escapes.
  private mutating func text() -> String? {
    index += 1
    var isASCII = true
    let start = index
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20, byte != 0x7F, byte != UInt8(ascii: "\\") else { return nil }
      if byte >= 0x80 { isASCII = false }
      index += 1
    }
    guard byte != nil else { return nil }
    let content = bytes[start..<index]
    index += 1
    return isASCII ? String(decoding: content, as: UTF8.self) : String(validating: content, as: UTF8.self)
  }

  /// Whether the rest is empty or a comment, with only characters that are certainly allowed there.
  private mutating func isAtEnd() -> Bool {
    skipSpace()
    guard let byte else { return true }
    return byte == UInt8(ascii: "#")
      && bytes[index...].allSatisfy { (0x20..<0x7F).contains($0) || $0 == UInt8(ascii: "\t") }
  }

  private mutating func skipSpace() {
    while let byte, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
  }

  private mutating func readBytes(while isPart: (UInt8) -> Bool) -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = index
    while let byte, isPart(byte) { index += 1 }
    return bytes[start..<index]
  }
}
