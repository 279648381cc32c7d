/// The colours of captions: the classes that WebVTT defines (`<c.yellow.bg_blue>`), and a file's own STYLE blocks.
///
/// Of a style sheet it reads rules for `::cue`, alone or with one compound selector such as `(v[voice="Ann"].loud)` or
/// `(#intro)`, and of those `color`, `background-color` and `background`. All else is skipped, as CSS demands of what a
/// reader doesn't know.
struct CueStyleSheet: Sendable {
  /// The tags that a selector can name.
  enum Tag: String, Hashable, Sendable {
    case i, b, u, c, v, lang, ruby, rt, font, s
  }

  /// A tag with its classes, or with an identifier the whole cue.
  struct Element {
    /// Nil for the whole cue.
    var tag: Tag?
    var classes: [ArraySlice<UInt8>] = []
    var voice: ArraySlice<UInt8>?
    var id: ArraySlice<UInt8>?
  }

  struct Colors: Hashable, Sendable {
    var color: RGBColor?
    var background: RGBColor?

    /// Replaces the colours that a stronger rule sets.
    fileprivate mutating func override(with stronger: Colors) {
      color = stronger.color ?? color
      background = stronger.background ?? background
    }
  }

  private struct Selector: Sendable {
    var tag: Tag?
    var classes: [[UInt8]] = []
    var voice: [UInt8]?
    var id: [UInt8]?
    /// `::cue` without parentheses.
    var isWholeCue = false

    /// CSS lets an identifier win over classes and attributes, those over a tag.
    var weight: Int { (id == nil ? 0 : 10_000) + (classes.count + (voice == nil ? 0 : 1)) * 10 + (tag == nil ? 0 : 1) }
  }

  private struct Rule: Sendable {
    var selector: Selector
    var colors: Colors
  }

  /// Most rules, and most bytes of all STYLE blocks. A rule for each speaker of a play, and more; each tag of the file
  /// is held against each rule.
  static let (maximumRules, maximumLength) = (64, 16 << 10)

  /// The weakest first.
  private var rules: [Rule] = []
  private var length = 0

  init() {}

  /// Takes the rules of a STYLE block; those beyond the limits are left out.
  mutating func read(_ block: [UInt8]) {
    length += block.count
    guard length <= Self.maximumLength else { return }
    var rest = Self.withoutComments(block)[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      let close = rest[open...].firstIndex(of: UInt8(ascii: "}")) ?? rest.endIndex
      let colors = Self.colors(rest[rest.index(after: open)..<close])
      for text in Self.selectors(rest[..<open]) {
        guard rules.count < Self.maximumRules, let selector = Self.selector(text) else { continue }
        rules.append(Rule(selector: selector, colors: colors))
      }
      rest = rest[close...].dropFirst()
    }
    // Of equal weight, the later one wins: sorted by place, too.
    rules = rules.enumerated().sorted {
      ($0.element.selector.weight, $0.offset) < ($1.element.selector.weight, $1.offset)
    }
    .map(\.element)
  }

  /// The colours of a tag, or of a whole cue.
  func colors(of element: Element) -> Colors {
    var colors = Colors()
    for name in element.classes {
      if let color = Self.classColors[name] { colors.color = color }
      if name.starts(with: "bg_".utf8), let color = Self.classColors[name.dropFirst(3)] { colors.background = color }
    }
    for rule in rules where Self.isMeant(element, by: rule.selector) { colors.override(with: rule.colors) }
    return colors
  }

  private static func isMeant(_ element: Element, by selector: Selector) -> Bool {
    guard let tag = element.tag else {
      // A rule for parts of cues isn't one for the whole, but an identifier is a cue's.
      return selector.isWholeCue || selector.id.map { element.id?.elementsEqual($0) == true } ?? false
    }
    guard !selector.isWholeCue, selector.id == nil, selector.tag ?? tag == tag else { return false }
    if let voice = selector.voice, element.voice?.elementsEqual(voice) != true { return false }
    return selector.classes.allSatisfy { name in element.classes.contains { $0.elementsEqual(name) } }
  }

  /// The classes that each reader of WebVTT knows.
  private static let classColors: [ArraySlice<UInt8>: RGBColor] = Dictionary(
    ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"].compactMap { name in
      CSSColor.read(Array(name.utf8)[...]).map { (Array(name.utf8)[...], $0) }
    }, uniquingKeysWith: { first, _ in first })

  // MARK: CSS

  private static func withoutComments(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      guard text[index...].starts(with: "/*".utf8) else {
        result.append(text[index])
        index += 1
        continue
      }
      index += 2
      while index < text.count, !text[index...].starts(with: "*/".utf8) { index += 1 }
      index += 2
    }
    return result
  }

  /// A list of selectors at its commas, but not at those within brackets.
  private static func selectors(_ list: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var depth = 0
    return list.split { byte in
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth <= 0: return true
      default: break
      }
      return false
    }
  }

  /// Nil for what has no place in a caption, such as a rule for words that weren't said yet.
  private static func selector(_ text: ArraySlice<UInt8>) -> Selector? {
    var rest = CSSColor.trimmed(text)
    guard rest.starts(with: "::cue".utf8) else { return nil }
    rest = rest.dropFirst(5)
    if rest.isEmpty { return Selector(isWholeCue: true) }
    guard rest.first == UInt8(ascii: "("), rest.last == UInt8(ascii: ")") else { return nil }
    rest = CSSColor.trimmed(rest.dropFirst().dropLast())
    var selector = Selector()
    if rest.first == UInt8(ascii: "*") {
      rest = rest.dropFirst()
    } else {
      let name = word(&rest)
      if !name.isEmpty {
        guard let tag = Tag(rawValue: String(decoding: name, as: UTF8.self).lowercased()) else { return nil }
        selector.tag = tag
      }
    }
    while let sign = rest.popFirst() {
      switch sign {
      case UInt8(ascii: "."):
        let name = word(&rest)
        guard !name.isEmpty else { return nil }
        selector.classes.append(name)
      case UInt8(ascii: "#"):
        let name = word(&rest)
        guard !name.isEmpty else { return nil }
        selector.id = name
      case UInt8(ascii: "["):
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")), let voice = voice(rest[..<end]) else { return nil }
        selector.voice = voice
        rest = rest[end...].dropFirst()
      default: return nil
      }
    }
    return selector
  }

  /// `voice="Ann"`
  private static func voice(_ attribute: ArraySlice<UInt8>) -> [UInt8]? {
    guard let equals = attribute.firstIndex(of: UInt8(ascii: "=")),
      CSSColor.trimmed(attribute[..<equals]).elementsEqual("voice".utf8)
    else { return nil }
    var value = CSSColor.trimmed(attribute[equals...].dropFirst())
    for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")]
    where value.count >= 2 && value.first == quote && value.last == quote {
      value = value.dropFirst().dropLast()
      break
    }
    return Array(value)
  }

  private static func word(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let word = rest.prefix { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF, UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
    rest = rest[word.endIndex...]
    return Array(word)
  }

  private static func colors(_ declarations: ArraySlice<UInt8>) -> Colors {
    var colors = Colors()
    for declaration in declarations.split(separator: UInt8(ascii: ";")) {
      guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(decoding: CSSColor.trimmed(declaration[..<colon]), as: UTF8.self).lowercased()
      guard let color = CSSColor.read(declaration[colon...].dropFirst()) else { continue }
      switch name {
      case "color": colors.color = color
      case "background", "background-color": colors.background = color
      default: break
      }
    }
    return colors
  }
}
