/// Checks the addresses in HLS playlists and DASH manifests that a server sends.
///
/// GStreamer's demultiplexers open each address with the source element of its scheme, and that includes files of this
/// machine. So a list from the web may name web addresses only: docs/decisions/0087-web-origins.md.
public enum PartList {
  /// Whether a server may name every address that an HLS playlist contains.
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

  /// Tags whose address may be a `data:` URI that holds a key or a header. In all other tags such a URI would be a
  /// further playlist, which hasn't been checked.
  private static let dataTags = ["#EXT-X-KEY", "#EXT-X-SESSION-KEY", "#EXT-X-MAP"]

  private static func isData(_ address: ArraySlice<UInt8>) -> Bool {
    String(decoding: address.drop { $0 <= 0x20 }.prefix(5), as: UTF8.self).lowercased() == "data:"
  }

  /// Whether a server may name every address that a DASH manifest contains. False for a manifest that declares
  /// entities: they could be assembled into an address.
  public static func isHarmlessDASH<Text: Collection>(_ text: Text) -> Bool where Text.Element == UInt8 {
    var reader = ManifestReader(text: Array(text))
    // A zero byte means UTF-16 or UTF-32, in which none of the names below would be found.
    return !text.contains(0) && reader.isHarmless()
  }

  /// The schemes of addresses that a server may name. Keys come as `data`; `urn` and `skd` are names of keys, which no
  /// element opens.
  static let harmlessSchemes: Set<String> = ["http", "https", "data", "urn", "skd"]

  /// Whether an address is relative to the list, which came from the web, or has one of `harmlessSchemes`.
  static func isHarmless<Text: Collection>(_ address: Text) -> Bool where Text.Element == UInt8 {
    let address = address.drop { $0 <= 0x20 }
    guard let first = address.first, isLetter(first) else { return true }
    let scheme = address.prefix { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    guard address.dropFirst(scheme.count).first == UInt8(ascii: ":") else { return true }
    return harmlessSchemes.contains(String(decoding: scheme, as: UTF8.self).lowercased())
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Finds the values of each `URI=` in a tag, with or without quotes and spaces: a demultiplexer may be as lenient.
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

  /// Goes through a manifest's tags. It isn't an XML parser: it reports at least everything that a parser would take
  /// for an address.
  private struct ManifestReader {
    let text: [UInt8]
    /// Elements whose content is an address.
    private static let elements: Set<String> = ["BaseURL", "Location", "PatchLocation"]
    /// Attributes that are addresses, in any element. `value` belongs to UTCTiming and may hold several.
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

    /// Whether an XML declaration names an encoding that this reader understands: UTF-8 or ASCII.
    private func isPlain(_ open: Int, _ end: Int) -> Bool {
      guard starts(at: open, with: "<?xml"), let behind = find("encoding", from: open), behind < end else {
        return true
      }
      let value = text[behind..<end].drop { $0 <= 0x20 || "='\"".utf8.contains($0) }.prefix { Self.isName($0) }
      return ["utf-8", "us-ascii", "ascii"].contains(String(decoding: value, as: UTF8.self).lowercased())
    }

    /// Finds the `>` that ends a tag, outside of quotes.
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

    /// Returns the text of an element up to its end, without comments and with the content of its CDATA sections. Nil
    /// where the element has a child: no address has one, and a parser might join the text around it to an address.
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

    /// Finds the place after the next occurrence of a text.
    private func find(_ wanted: String, from index: Int) -> Int? {
      let first = wanted.utf8.first
      var index = index
      while let found = text[index...].firstIndex(where: { $0 == first }) {
        if starts(at: found, with: wanted) { return found + wanted.utf8.count }
        index = found + 1
      }
      return nil
    }

    /// Replaces `&#102;` and `&#x66;` by their characters. Named references stay, since none of them stands for a
    /// letter of a scheme.
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
