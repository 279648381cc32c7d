/// What the lists of streams in parts name: playlists of HLS and manifests of DASH, as a server gives them.
///
/// Whoever takes such a stream apart opens what is named by whatever source there is for it, a file of this machine too. So a list
/// that comes from the web may only name what is on the web: docs/decisions/0087-web-origins.md.
public enum PartList {
  /// Whether every address in a list of HLS is one that a server may name.
  public static func isHarmlessHLS<Text: Collection>(_ text: Text) -> Bool where Text.Element == UInt8 {
    for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = line.drop { $0 <= 0x20 }
      let isTag = line.first == UInt8(ascii: "#")
      let addresses = isTag ? attributes(of: Array(line)) : [Array(line)[...]]
      let holdsData = dataTags.contains { line.starts(with: $0.utf8) }
      guard addresses.allSatisfy({ isHarmless($0) && (holdsData || !isData($0)) }) else { return false }
    }
    return true
  }

  /// Tags whose address may hold what it stands for. In all others that would be one more list, which nobody has looked at.
  private static let dataTags = ["#EXT-X-KEY", "#EXT-X-SESSION-KEY", "#EXT-X-MAP"]

  private static func isData(_ address: ArraySlice<UInt8>) -> Bool {
    String(decoding: address.drop { $0 <= 0x20 }.prefix(5), as: UTF8.self).lowercased() == "data:"
  }

  /// The same of a manifest of DASH. One that declares entities isn't: an address could be put together from them.
  public static func isHarmlessDASH<Text: Collection>(_ text: Text) -> Bool where Text.Element == UInt8 {
    var reader = ManifestReader(text: Array(text))
    // A byte of nothing is one of UTF-16 or UTF-32, in which nothing here would be found.
    return !text.contains(0) && reader.isHarmless()
  }

  /// The schemes of addresses that a server may name. Keys come as `data`; `urn` and `skd` are names of keys, which nothing opens.
  static let harmlessSchemes: Set<String> = ["http", "https", "data", "urn", "skd"]

  /// Whether an address is relative to the list, which came from the web, or has one of these schemes.
  static func isHarmless<Text: Collection>(_ address: Text) -> Bool where Text.Element == UInt8 {
    let address = address.drop { $0 <= 0x20 }
    guard let first = address.first, isLetter(first) else { return true }
    let scheme = address.prefix { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    guard address.dropFirst(scheme.count).first == UInt8(ascii: ":") else { return true }
    return harmlessSchemes.contains(String(decoding: scheme, as: UTF8.self).lowercased())
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// What follows each `URI=` of a tag, with or without quotes and spaces: whoever reads it may be as lenient.
  private static func attributes(of line: [UInt8]) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    let name = Array("URI".utf8)
    var index = line.startIndex
    while let start = line[index...].firstIndex(of: name[0]) {
      index = start + 1
      guard line[start...].starts(with: name) else { continue }
      let equals = line[(start + name.count)...].drop { $0 == 0x20 || $0 == 0x09 }
      guard equals.first == UInt8(ascii: "=") else { continue }
      let value = equals.dropFirst().drop { $0 <= 0x20 || $0 == UInt8(ascii: "\"") }
      found.append(value.prefix { $0 != UInt8(ascii: "\"") })
    }
    return found
  }

  /// Goes through a manifest's tags. No reader of XML: it sees at least what one would take for an address.
  private struct ManifestReader {
    let text: [UInt8]
    /// Elements whose content is an address.
    private static let elements: Set<String> = ["BaseURL", "Location", "PatchLocation"]
    /// Attributes that are addresses, whatever their element. `value` is UTCTiming's, which may have several.
    private static let attributes: Set<String> = [
      "media", "initialization", "index", "bitstreamSwitching", "sourceURL", "href", "value",
    ]

    mutating func isHarmless() -> Bool {
      var index = 0
      while let open = text[index...].firstIndex(of: UInt8(ascii: "<")) {
        if starts(at: open, with: "<!--") {
          guard let end = find("-->", from: open) else { return false }
          index = end
        } else if starts(at: open, with: "<![CDATA[") {
          guard let end = find("]]>", from: open) else { return false }
          index = end
        } else if starts(at: open, with: "<?") {
          guard let end = find("?>", from: open), isPlain(open, end) else { return false }
          index = end
        } else if starts(at: open, with: "<!") {
          return false
        } else {
          guard let close = endOfTag(open) else { return false }
          guard isHarmless(open..<close) else { return false }
          index = close
        }
      }
      return true
    }

    /// Whether the text after an instruction is written as it is read here: in UTF-8 or ASCII.
    private func isPlain(_ open: Int, _ end: Int) -> Bool {
      guard starts(at: open, with: "<?xml"), let behind = find("encoding", from: open), behind < end else {
        return true
      }
      let value = text[behind..<end].drop { $0 <= 0x20 || "='\"".utf8.contains($0) }.prefix { Self.isName($0) }
      return ["utf-8", "us-ascii", "ascii"].contains(String(decoding: value, as: UTF8.self).lowercased())
    }

    /// The place of the `>` that ends a tag: not one within quotes.
    private func endOfTag(_ open: Int) -> Int? {
      var quote: UInt8?
      for index in open..<text.endIndex {
        let byte = text[index]
        if let current = quote {
          if byte == current { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: ">") {
          return index
        }
      }
      return nil
    }

    private func isHarmless(_ tag: Range<Int>) -> Bool {
      let name = Self.localName(text[(tag.lowerBound + 1)..<tag.upperBound].prefix { Self.isName($0) })
      if Self.elements.contains(name), text[tag.upperBound - 1] != UInt8(ascii: "/") {
        guard let content = content(from: tag.upperBound + 1), PartList.isHarmless(content) else { return false }
      }
      var rest = tag
      while true {
        switch TagAttribute.first(in: rest, of: text, isName: Self.isName) {
        case .none: return true
        case .unreadable: return false
        case .found(let attribute):
          rest = (attribute.value.upperBound + 1)..<tag.upperBound
          guard Self.attributes.contains(Self.localName(text[attribute.name])) else { continue }
          let value = Self.decoded(text[attribute.value])
          guard value.split(separator: 0x20).allSatisfy({ PartList.isHarmless($0) }) else { return false }
        }
      }
    }

    /// The text of an element up to its end, without comments and with what is quoted in it. Nil where another element is in it: no
    /// address has one, and whoever reads on might put one together.
    private func content(from start: Int) -> [UInt8]? {
      var content: [UInt8] = []
      var index = start
      while index < text.endIndex, !starts(at: index, with: "</") {
        if starts(at: index, with: "<![CDATA[") {
          let end = find("]]>", from: index) ?? text.endIndex
          content += text[(index + 9)..<max(index + 9, end - 3)]
          index = end
        } else if starts(at: index, with: "<!--") {
          index = find("-->", from: index) ?? text.endIndex
        } else if starts(at: index, with: "<?") {
          index = find("?>", from: index) ?? text.endIndex
        } else if text[index] == UInt8(ascii: "<") {
          return nil
        } else {
          content.append(text[index])
          index += 1
        }
      }
      return Self.decoded(content[...])
    }

    private func starts(at index: Int, with wanted: String) -> Bool { text[index...].starts(with: wanted.utf8) }

    /// The place behind the next occurrence.
    private func find(_ wanted: String, from index: Int) -> Int? {
      let first = wanted.utf8.first
      var index = index
      while let found = text[index...].firstIndex(where: { $0 == first }) {
        if starts(at: found, with: wanted) { return found + wanted.utf8.count }
        index = found + 1
      }
      return nil
    }

    /// With characters in the place of `&#102;` and `&#x66;`; the named ones stay, since no scheme has any of them.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      guard bytes.contains(UInt8(ascii: "&")) else { return Array(bytes) }
      var result: [UInt8] = []
      var rest = bytes
      while let byte = rest.first {
        rest = rest.dropFirst()
        guard byte == UInt8(ascii: "&"), rest.first == UInt8(ascii: "#"),
          let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";"))
        else {
          result.append(byte)
          continue
        }
        let digits = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self).lowercased()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        if let scalar = number.flatMap(Unicode.Scalar.init) { result += Array(String(Character(scalar)).utf8) }
        rest = rest[(end + 1)...]
      }
      return result
    }

    private static func localName(_ name: ArraySlice<UInt8>) -> String {
      let name = String(decoding: name, as: UTF8.self)
      return name.split(separator: ":").last.map(String.init) ?? name
    }

    private static func isName(_ byte: UInt8) -> Bool {
      byte > 0x20 && !"=/<>\"'".utf8.contains(byte)
    }
  }
}
