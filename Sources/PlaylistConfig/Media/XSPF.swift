internal import PlaybackCore

/// Playlists in the XSPF format: the first `location` of each `track`, and its `title`.
///
/// Reads only the XML that this needs: tags, texts, CDATA, comments, the five entities and characters by number. Other
/// entities aren't expanded, so a list can't grow beyond its own size. Malformed parts give fewer tracks.
enum XSPF {
  static func entries(of bytes: [UInt8]) -> [MediaList.Entry] {
    var reader = Reader(bytes: bytes)
    reader.run()
    return reader.entries
  }

  private struct Reader {
    let bytes: [UInt8]
    var entries: [MediaList.Entry] = []
    private var index = 0
    private var line = 1
    /// Local names, outermost first. Deeper elements are counted, not kept.
    private var open: [String] = []
    /// `xml:base` of each of `open`, joined with those around it; empty where none says one.
    private var bases: [String] = []
    private var depthBeyond = 0
    private var text: [UInt8] = []
    private var location: (line: Int, address: [UInt8])?
    private var title: String?

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// `playlist`, `trackList`, `track`, `location`.
    private static let keptDepth = 4

    mutating func run() {
      while index < bytes.count {
        if bytes[index] != UInt8(ascii: "<") {
          readText()
        } else if skip("<!--") {
          advance(past: "-->")
        } else if skip("<![CDATA[") {
          let start = index
          let end = advance(past: "]]>")
          if isWanted { text += bytes[start..<end] }
        } else if skip("<?") {
          advance(past: "?>")
        } else if skip("<!") {
          advance(past: ">")
        } else {
          readTag()
        }
      }
    }

    private var isWanted: Bool {
      depthBeyond == 0 && open.count == Self.keptDepth && open[2] == "track" && ["location", "title"].contains(open[3])
    }

    private mutating func readText() {
      let start = index
      while index < bytes.count, bytes[index] != UInt8(ascii: "<") { step() }
      if isWanted { text += Self.expanded(bytes[start..<index]) }
    }

    private mutating func readTag() {
      step()
      let isEnd = index < bytes.count && bytes[index] == UInt8(ascii: "/")
      if isEnd { step() }
      let nameStart = index
      while index < bytes.count, !" \t\r\n/>".utf8.contains(bytes[index]) { step() }
      let qualified = bytes[nameStart..<index]
      let name = String(
        decoding: qualified.lastIndex(of: UInt8(ascii: ":")).map { qualified[($0 + 1)...] } ?? qualified, as: UTF8.self)
      let attributes = index
      var quote: UInt8?
      var previous: UInt8 = 0
      while index < bytes.count, quote != nil || bytes[index] != UInt8(ascii: ">") {
        let byte = bytes[index]
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        }
        previous = byte
        step()
      }
      let base = isEnd ? nil : Self.base(in: bytes[attributes..<index])
      if index < bytes.count { step() }
      if isEnd {
        end()
      } else {
        begin(name, base: base)
        if previous == UInt8(ascii: "/") { end() }
      }
    }

    /// The value of `xml:base` among a tag's attributes.
    private static func base(in attributes: ArraySlice<UInt8>) -> String? {
      let name = Array("xml:base".utf8)
      var rest = attributes
      while let start = rest.firstIndex(of: name[0]) {
        rest = rest[start...]
        guard rest.starts(with: name) else {
          rest = rest.dropFirst()
          continue
        }
        let value = rest.dropFirst(name.count).drop { " \t\r\n=".utf8.contains($0) }
        guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        return TextEncoding.text(expanded(value.dropFirst().prefix { $0 != quote }))
      }
      return nil
    }

    private mutating func begin(_ name: String, base: String?) {
      guard open.count < Self.keptDepth else {
        depthBeyond += 1
        return
      }
      open.append(name)
      let around = bases.last ?? ""
      bases.append(base.map { Self.joined(around, $0) } ?? around)
      if open.count == 3, name == "track" {
        location = nil
        title = nil
      }
      text = []
    }

    private mutating func end() {
      guard depthBeyond == 0 else {
        depthBeyond -= 1
        return
      }
      if isWanted {
        let value = Array(TextLines.trimmed(Self.onOneLine(text)[...]))
        if open[3] == "location", location == nil, !value.isEmpty {
          location = (line, Self.address(value, base: bases.last ?? ""))
        }
        if open[3] == "title", !value.isEmpty { title = TextEncoding.text(value) }
      } else if open.count == 3, open[2] == "track", let location {
        entries.append(MediaList.Entry(line: location.line, address: location.address, title: title))
      }
      _ = open.popLast()
      _ = bases.popLast()
      text = []
    }

    /// A reference within the folder of a base. Both may be long, and a base may stand at each of four depths.
    private static func joined(_ base: String, _ reference: String) -> String {
      guard !base.isEmpty, !hasScheme(reference), !reference.hasPrefix("/"), base.utf8.count <= 4096 else {
        return reference
      }
      return (base.lastIndex(of: "/").map { String(base[...$0]) } ?? "") + reference
    }

    private static func hasScheme(_ text: String) -> Bool { text.prefix { $0 != "/" }.contains(":") }

    /// A location is a URI, or a reference relative to the list or to `xml:base`; a reference becomes a path.
    private static func address(_ location: [UInt8], base: String) -> [UInt8] {
      let text = base.isEmpty ? String(decoding: location, as: UTF8.self) : joined(base, TextEncoding.text(location))
      let location = base.isEmpty ? location : Array(text.utf8)
      guard !hasScheme(text), let decoded = PercentEncoding.decoded(text) else { return location }
      return decoded
    }

    private static func onOneLine(_ text: [UInt8]) -> [UInt8] { text.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } }

    private static func expanded(_ text: ArraySlice<UInt8>) -> [UInt8] {
      var result: [UInt8] = []
      var rest = text
      while let byte = rest.first {
        // The longest that is known is `&#x10FFFF;`.
        if byte == UInt8(ascii: "&"), let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")),
          let scalar = scalar(of: String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self))
        {
          result += Array(String(Character(scalar)).utf8)
          rest = rest[(end + 1)...]
        } else {
          result.append(byte)
          rest = rest.dropFirst()
        }
      }
      return result
    }

    private static func scalar(of entity: String) -> Unicode.Scalar? {
      switch entity {
      case "amp": return "&"
      case "lt": return "<"
      case "gt": return ">"
      case "quot": return "\""
      case "apos": return "'"
      case _ where entity.hasPrefix("#x"): return UInt32(entity.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      case _ where entity.hasPrefix("#"): return UInt32(entity.dropFirst()).flatMap(Unicode.Scalar.init)
      default: return nil
      }
    }

    private mutating func step() {
      if bytes[index] == 0x0A { line += 1 }
      index += 1
    }

    private mutating func skip(_ token: String) -> Bool {
      guard bytes[index...].starts(with: token.utf8) else { return false }
      index += token.utf8.count
      return true
    }

    /// Gives the index of the token, or the end of the text.
    @discardableResult
    private mutating func advance(past token: String) -> Int {
      while index < bytes.count {
        let start = index
        if skip(token) { return start }
        step()
      }
      return index
    }
  }
}
