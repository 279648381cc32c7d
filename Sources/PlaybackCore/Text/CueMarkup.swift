/// Parses a cue's markup into its text and styles.
struct CueMarkup: Sendable {
  /// The text in the form of `SubtitleCue`.
  private(set) var text = ""
  private(set) var spans: [StyleSpan] = []
  private(set) var speaker: String?
  /// From `{\an8}`, which SubRip files have taken over from another format.
  private(set) var placement: CuePlacement?

  /// Whether the text has nothing visible.
  var isBlank: Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }

  /// Bytes from `&` to `;`. The longest meaningful one is `&#x10FFFF;`; leading zeros make it longer.
  private static let maximumEntityLength = 12

  private typealias Tag = CueStyleSheet.Tag

  /// A tag that hasn't been closed yet.
  private struct OpenTag {
    var tag: Tag
    var start: Int
    var styles: [StyleSpan.Style]
  }

  private let sheet: CueStyleSheet
  private var output: [UInt8] = []
  private var open: [OpenTag] = []

  /// - Parameters:
  ///   - raw: valid UTF-8. Brackets that aren't a known tag ("a < b", "<3") are text.
  ///   - id: the cue's identifier, which a style sheet may name.
  init(_ raw: [UInt8], _ sheet: CueStyleSheet = CueStyleSheet(), id: ArraySlice<UInt8>? = nil) {
    self.sheet = sheet
    var index = 0
    while index < raw.count {
      let rest = raw[index...]
      switch raw[index] {
      case UInt8(ascii: "<"): index += tag(rest) ?? literal(rest)
      case UInt8(ascii: "{"): index += override(rest) ?? literal(rest)
      case UInt8(ascii: "&"): index += entity(rest) ?? literal(rest)
      case 0:
        LegacyText.append(0xFFFD, to: &output)
        index += 1
      default: index += literal(rest)
      }
    }
    while let last = open.last { close(last.tag) }
    text = String(decoding: output, as: UTF8.self)
    if !output.isEmpty {
      let whole = Self.styles(sheet.colors(of: CueStyleSheet.Element(id: id)))
      spans += whole.map { StyleSpan($0, bytes: 0..<output.count) }
    }
    // The outer of two that begin together comes first. Inner ones were closed first.
    spans = spans.reversed().enumerated().sorted { one, other in
      (one.element.bytes.lowerBound, -one.element.bytes.upperBound, one.offset)
        < (other.element.bytes.lowerBound, -other.element.bytes.upperBound, other.offset)
    }.map(\.element)
  }

  // Each of these functions consumes text at the front and returns its length in bytes, or nil where the text isn't its
  // kind.

  private mutating func literal(_ rest: ArraySlice<UInt8>) -> Int {
    output += rest.prefix(1)
    return 1
  }

  /// Finds the bracket that closes the one at the start of `rest`. If another opening bracket comes first, there is
  /// none: so a text of many opening brackets isn't searched to its end from each of them.
  private static func end(of rest: ArraySlice<UInt8>, _ closing: Unicode.Scalar) -> Int? {
    let end = rest.dropFirst().firstIndex { $0 == UInt8(ascii: closing) || $0 == rest.first }
    return end.flatMap { rest[$0] == UInt8(ascii: closing) ? $0 : nil }
  }

  private mutating func tag(_ rest: ArraySlice<UInt8>) -> Int? {
    guard let end = Self.end(of: rest, ">") else { return nil }
    let length = end - rest.startIndex + 1
    var body = rest[(rest.startIndex + 1)..<end]
    let isClosing = body.first == UInt8(ascii: "/")
    if isClosing { body = body.dropFirst() }
    if isTimestamp(body) { return length }
    let name = String(decoding: body.prefix(while: Self.isLetter), as: UTF8.self).lowercased()
    // A tag's name may be followed by classes, blanks, or the slash of <br/>.
    let annotation = body.dropFirst(name.utf8.count)
    guard annotation.first.map({ [0x2E, 0x20, 0x09, 0x0A, 0x2F].contains($0) }) ?? true else { return nil }
    if name == "br" {
      output.append(UInt8(ascii: "\n"))
      return length
    }
    guard let tag = Tag(rawValue: name) else { return nil }
    if isClosing {
      close(tag)
    } else {
      let voice = tag == .v ? Self.voice(annotation) : nil
      if let voice { speaker = speaker ?? String(decoding: voice, as: UTF8.self) }
      open.append(OpenTag(tag: tag, start: output.count, styles: styles(of: tag, annotation, voice)))
    }
    return length
  }

  private func styles(
    of tag: Tag, _ annotation: ArraySlice<UInt8>, _ voice: ArraySlice<UInt8>?
  ) -> [StyleSpan.Style] {
    var styles: [StyleSpan.Style] =
      switch tag {
      case .i: [.italic]
      case .b: [.bold]
      case .u: [.underline]
      case .font: Self.fontColor(annotation).map { [.color($0)] } ?? []
      case .c, .v, .lang, .ruby, .rt, .s: []
      }
    let classes = annotation.prefix { !SubtitleLines.isBlank($0) && $0 != UInt8(ascii: "/") }
      .split(separator: UInt8(ascii: "."))
    styles += Self.styles(sheet.colors(of: CueStyleSheet.Element(tag: tag, classes: classes, voice: voice)))
    return styles
  }

  private static func styles(_ colors: CueStyleSheet.Colors) -> [StyleSpan.Style] {
    [colors.background.map { .background($0) }, colors.color.map { .color($0) }].compactMap { $0 }
  }

  /// `color="#ffff00"`, in a tag `<font>`.
  private static func fontColor(_ annotation: ArraySlice<UInt8>) -> RGBColor? {
    let name = Array("color=".utf8)
    var rest = annotation
    while rest.count > name.count {
      if zip(rest, name).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }) {
        let value = rest.dropFirst(name.count)
        if let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
          return CSSColor.read(value.dropFirst().prefix { $0 != quote })
        }
        return CSSColor.read(value.prefix { !SubtitleLines.isBlank($0) })
      }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Whether the tag is a `<00:01:02.500>`, which WebVTT puts between words that appear one after the other.
  private func isTimestamp(_ body: ArraySlice<UInt8>) -> Bool {
    body.contains(UInt8(ascii: ":"))
      && body.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
  }

  private mutating func close(_ tag: Tag) {
    guard let index = open.lastIndex(where: { $0.tag == tag }) else { return }
    let closed = open.remove(at: index)
    guard closed.start < output.count else { return }
    // In reverse, as tags are closed: the order is turned round at the end.
    spans += closed.styles.reversed().map { StyleSpan($0, bytes: closed.start..<output.count) }
  }

  private static func voice(_ annotation: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let name = annotation.drop { !SubtitleLines.isBlank($0) }.drop(while: SubtitleLines.isBlank)
    return name.isEmpty ? nil : name
  }

  /// Parses `{\an8}` and similar tags. The digit is a place on a grid like an upside-down telephone's: 1 to 3 below, 7
  /// to 9 above.
  private mutating func override(_ rest: ArraySlice<UInt8>) -> Int? {
    guard rest.dropFirst().first == UInt8(ascii: "\\") else { return nil }
    guard let end = Self.end(of: rest, "}") else { return nil }
    let body = Array(rest[rest.startIndex..<end])
    if placement == nil, body.count > 4, body[2] == UInt8(ascii: "a"), body[3] == UInt8(ascii: "n"),
      (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(body[4])
    {
      placement = Self.placement(key: Int(body[4] - UInt8(ascii: "1")))
    }
    return end - rest.startIndex + 1
  }

  private static func placement(key: Int) -> CuePlacement {
    let line: CuePlacement.Line? = key >= 6 ? .row(0) : key >= 3 ? .percent(50) : nil
    let alignment: CuePlacement.Alignment = key % 3 == 0 ? .left : key % 3 == 1 ? .center : .right
    return CuePlacement(line: line, alignment: alignment)
  }

  private mutating func entity(_ rest: ArraySlice<UInt8>) -> Int? {
    guard let end = rest.prefix(Self.maximumEntityLength).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
    guard let value = Self.entities[name] ?? Self.number(name) else { return nil }
    LegacyText.append(value, to: &output)
    return end - rest.startIndex + 1
  }

  private static let entities: [String: UInt32] = [
    "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "nbsp": 0xA0, "lrm": 0x200E, "rlm": 0x200F,
  ]

  /// `#233` or `#xE9`.
  private static func number(_ name: String) -> UInt32? {
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    guard let first = digits.first, first != "+", first != "-" else { return nil }
    let value = first == "x" || first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    // NUL ends strings in the libraries that draw the text.
    return value.map { $0 == 0 ? 0xFFFD : $0 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

extension SubtitleCue {
  /// A cue from a container: text with the markup of SubRip and Pango.
  ///
  /// - Returns: nil for a text with nothing visible, or for an empty stretch of time.
  public init?(markup raw: String, from start: Duration, to end: Duration) {
    let markup = CueMarkup(Array(raw.utf8))
    guard !markup.isBlank, start >= .zero, start < end else { return nil }
    self.init(
      start: start, end: end, text: markup.text, spans: markup.spans, speaker: markup.speaker,
      placement: markup.placement)
  }
}
