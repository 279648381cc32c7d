import PlaybackCore

// Rules for values that are written in quotes.

extension ValueRule where Value == SoundDevice {
  static var soundDevice: Self {
    ValueRule(allowed: "\(SoundDevice.allowed) is allowed", shape: .text(pattern: nil)) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let device = SoundDevice(text) else { throw Refusal("is not a sound device") }
      return device
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ValueRule where Value == CECChoice {
  static var cec: Self {
    ValueRule(allowed: "\(CECChoice.allowed) is allowed", shape: .text(pattern: "^(auto|off|/dev/\\S+)$")) {
      (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let choice = CECChoice(text) else { throw Refusal("is not allowed") }
      return choice
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ValueRule where Value == String {
  /// A text with at least one character that isn't a space.
  static var text: Self { text(limit: ConfigurationLimits.nameCharacters) }

  static func text(limit: Int) -> Self {
    ValueRule(allowed: "a text in quotes is allowed", shape: .text(pattern: nil)) { (node) throws(Refusal) in
      guard case .string(let value) = node.value else { throw .kind(node, expected: "string") }
      guard value.contains(where: { !$0.isWhitespace }) else { throw Refusal("is empty") }
      guard !value.unicodeScalars.contains(where: { (0x08...0x0D).contains($0.value) }) else {
        throw Refusal(
          "a backslash with a letter is a code between double quotes, such as \\n for a line break",
          allowed: "write / in place of the backslash, or put the text in single quotes")
      }
      guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
        throw Refusal("has a control character in it", allowed: "a text of one line in quotes is allowed")
      }
      // Bytes bound characters, and are counted faster.
      guard value.utf8.count <= limit || value.unicodeScalars.count <= limit else {
        throw Refusal("is too long", allowed: "at most \(limit) characters are allowed")
      }
      return value
    } spell: {
      TOMLText.quoted($0)
    }
  }

  /// The address of something to play. Whether it is there is not looked at.
  static var mediaAddress: Self {
    let text = Self.text(limit: ConfigurationLimits.addressCharacters)
    return ValueRule(allowed: "a file, a directory, a playlist or a URI is allowed", shape: text.shape) {
      (node) throws(Refusal) in
      let address = try text.read(node)
      do throws(VitrineError) {
        _ = try MediaAddress.parse(address)
      } catch {
        throw Refusal(error.message, allowed: error.remedy)
      }
      return address
    } spell: {
      TOMLText.quoted($0)
    }
  }

  /// A playlist's name. Whether that playlist exists is checked once all files have been read.
  static var playlistName: Self { bareName("the name of a playlist is allowed: letters, digits, - and _") }

  /// A bare key of TOML: text that needs no quotes as a part of a key.
  static func bareName(_ allowed: String) -> Self {
    let text = Self.text
    return ValueRule(allowed: allowed, shape: .text(pattern: "^[A-Za-z0-9_-]+$")) { (node) throws(Refusal) in
      let name = try text.read(node)
      guard name.utf8.allSatisfy(TableContext.isBareKeyByte) else { throw Refusal("is not a name") }
      return name
    } spell: {
      TOMLText.quoted($0)
    }
  }

  /// The IANA name of a time zone. Whether the system knows it is for the system to say.
  static var timeZone: Self {
    let text = Self.text
    return ValueRule(
      allowed: "an IANA name such as \"Europe/Berlin\" or \"UTC\" is allowed",
      shape: .text(pattern: "^[A-Za-z0-9_+/-]+$")
    ) { (node) throws(Refusal) in
      let name = try text.read(node)
      let isName = name.utf8.allSatisfy { TableContext.isBareKeyByte($0) || $0 == UInt8(ascii: "/") || $0 == 0x2B }
      // With an absolute name, the user could choose any file of the system.
      guard isName, !name.hasPrefix("/") else {
        guard let meant = TimeZoneNames.meant(by: name, among: []) else {
          throw Refusal("is not the name of a time zone")
        }
        throw Refusal("is not the name of a time zone", allowed: "did you mean \"\(meant)\"?")
      }
      return name
    } spell: {
      TOMLText.quoted($0)
    }
  }

  /// Names of files with `*` and `?`.
  static var filePattern: Self {
    let text = Self.text
    return ValueRule(
      allowed: "a name with * for any characters and ? for one is allowed, such as \"*.mp4\"",
      shape: .text(pattern: "^[^/]+$")
    ) { (node) throws(Refusal) in
      let pattern = try text.read(node)
      guard !pattern.contains("/") else { throw Refusal("has a slash in it") }
      return pattern
    } spell: {
      TOMLText.quoted($0)
    }
  }

  /// A path from the root.
  static var absolutePath: Self {
    let text = Self.text(limit: ConfigurationLimits.addressCharacters)
    let allowed = "a path that begins with / is allowed"
    return ValueRule(allowed: allowed, shape: .text(pattern: "^/")) { (node) throws(Refusal) in
      let path = try text.read(node)
      guard path.hasPrefix("/") else { throw Refusal("is not an absolute path") }
      return path
    } spell: {
      TOMLText.quoted($0)
    }
  }

  /// The address of a proxy.
  static var proxy: Self {
    let text = Self.text(limit: ConfigurationLimits.addressCharacters)
    return ValueRule(allowed: "http://host:port is allowed", shape: .text(pattern: "^https?://")) {
      (node) throws(Refusal) in
      let address = try text.read(node)
      guard case .remote(let uri)? = try? MediaAddress.parse(address), uri.scheme == .http || uri.scheme == .https
      else {
        throw Refusal("is not the address of a proxy")
      }
      return address
    } spell: {
      TOMLText.quoted($0)
    }
  }

  /// `host` or `host:port`, as in addresses.
  static var serverName: Self {
    let text = Self.text
    return ValueRule(allowed: "host or host:port is allowed", shape: .text(pattern: "^[^/@?# ]+$")) {
      (node) throws(Refusal) in
      let name = try text.read(node)
      guard case .remote? = try? MediaAddress.parse("http://\(name)/"), !name.contains("@"), !name.contains("/") else {
        throw Refusal("is not the name of a server")
      }
      return name
    } spell: {
      TOMLText.quoted($0)
    }
  }

  static var sha256: Self {
    let text = Self.text
    return ValueRule(
      allowed: "the 64 hexadecimal digits that sha256sum prints are allowed, with or without \"sha256:\" before them",
      shape: .text(pattern: "^(sha256:)?[0-9A-Fa-f]{64}$")
    ) { (node) throws(Refusal) in
      let written = try text.read(node).lowercased()
      let digits = written.hasPrefix("sha256:") ? String(written.dropFirst(7)) : written
      let isHexadecimal = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      guard digits.utf8.count == 64, isHexadecimal else { throw Refusal("is not a SHA-256 checksum") }
      return digits
    } spell: {
      TOMLText.quoted($0)
    }
  }
}

extension ValueRule where Value == LanguageTag {
  static var language: Self {
    ValueRule(
      allowed: "a language such as \"ar\" or \"zh-TW\" is allowed", shape: .text(pattern: "^[A-Za-z0-9-]+$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let language = LanguageTag(text) else { throw Refusal("is not a language") }
      return language
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ValueRule where Value == [String] {
  /// One language or several, best first.
  static var languages: Self {
    let shape = ValueShape.list(of: .text(pattern: "^[A-Za-z0-9-]+$"), count: 1...ConfigurationLimits.words)
    return ValueRule(allowed: "languages such as [\"de\", \"en-GB\"] are allowed, best first", shape: shape) {
      (node) throws(Refusal) in
      guard case .array(let elements) = node.value else { throw .kind(node, expected: "array") }
      guard elements.count <= ConfigurationLimits.words else {
        throw Refusal("is too long", allowed: "at most \(ConfigurationLimits.words) languages are allowed")
      }
      var languages: [String] = []
      for element in elements {
        guard case .string(let text) = element.value, LanguageTag(text) != nil else {
          throw Refusal("has \(TOMLText.spelled(element)) in it, which is not a language")
        }
        languages.append(text)
      }
      return languages
    } spell: {
      "[" + $0.map { TOMLText.quoted($0) }.joined(separator: ", ") + "]"
    }
  }
}

extension ValueRule where Value == Int64 {
  private static var units: [(name: String, bytes: Int64)] {
    [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)]
  }

  /// An amount of data, such as "8 GB".
  static func bytes(in range: ClosedRange<Int64>) -> Self {
    let allowed = "\(spelled(range.lowerBound)) to \(spelled(range.upperBound)) is allowed, with kB, MB, GB or TB"
    return ValueRule(allowed: allowed, shape: .text(pattern: "^[0-9]+([.][0-9]+)? ?[kMGT]B$")) {
      (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let unit = units.first(where: { text.hasSuffix($0.name) }),
        let number = Double(text.dropLast(2).filter { $0 != " " }), number.isFinite, number >= 0
      else { throw Refusal("is not an amount of data") }
      let bytes = (number * Double(unit.bytes)).rounded()
      guard bytes >= Double(range.lowerBound) else { throw Refusal("is too small") }
      guard bytes <= Double(range.upperBound) else { throw Refusal("is too large") }
      return Int64(bytes)
    } spell: {
      TOMLText.quoted(spelled($0))
    }
  }

  static func spelled(_ bytes: Int64) -> String {
    guard let unit = units.first(where: { bytes % $0.bytes == 0 }) else { return "\(Double(bytes) / 1000) kB" }
    return "\(bytes / unit.bytes) \(unit.name)"
  }
}
