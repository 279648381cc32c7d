public import PlaybackCore

/// A place in a playlist at which playback can go on.
public struct ResumePoint: Hashable, Sendable {
  /// The playlist's name; nil where it isn't known, and the address has to suffice.
  public var list: String?
  /// The item's address.
  public var address: String
  /// The item's index in its list, from 0: an address may be listed more than once.
  public var index: Int
  /// The position in the item.
  public var position: Duration

  public init(list: String?, address: String, index: Int, position: Duration) {
    self.list = list
    self.address = address
    self.index = index
    self.position = position
  }

  /// Shorter items begin at their start: a kept place is up to `ResumeMachine.interval` old, which is too old for them.
  public static let longItem: Duration = .seconds(600)
  /// No film is longer; a place beyond it is damage.
  public static let furthest: Duration = .seconds(7 * 86400)

  /// The index of the item in a queue; nil where it isn't listed any more, or another list plays.
  public func index(in queue: [MediaItem], of list: String?) -> Int? {
    if let known = self.list, let list, known != list { return nil }
    if queue.indices.contains(index), queue[index].uri == address { return index }
    return queue.firstIndex { $0.uri == address }
  }

  /// The place to keep by the settings; nil for none.
  ///
  /// - Parameter duration: the length of the played part of the item; nil where it is endless or unknown.
  public func kept(by choice: ResumeChoice, duration: Duration?) -> ResumePoint? {
    guard choice != .off else { return nil }
    var kept = self
    if choice == .item || (duration ?? .zero) < Self.longItem { kept.position = .zero }
    return kept
  }
}

/// The places of all screens and the time of their writing, as one small file holds them.
///
/// ```
/// vitrine-places 1 1700000000
/// screen	<name>	<list>	<index>	<milliseconds>	<address>
/// end 1
/// ```
///
/// In names and addresses, '%', control characters and characters outside ASCII are in percent notation. A file in any
/// other form, incomplete or of another version, counts as missing.
public struct SavedPlaces: Hashable, Sendable {
  /// The places by the screens' names; the name of an only screen is "".
  public var screens: [String: ResumePoint]
  /// Seconds since 1970, for people.
  public var savedAt: Int64

  /// In bytes: eight screens with addresses of 4 KB. A longer file is damaged.
  public static let longestText = 64 * 1024
  private static let header = "vitrine-places 1 "

  public init(screens: [String: ResumePoint], savedAt: Int64) {
    self.screens = screens
    self.savedAt = savedAt
  }

  public var text: String {
    var text = Self.header + "\(savedAt)\n"
    for (name, point) in screens.sorted(by: { $0.key < $1.key }) {
      let position = Int64(point.position.inMilliseconds.rounded(.down))
      let fields = [
        "screen", Self.escaped(name), point.list.map { "=" + Self.escaped($0) } ?? "", "\(point.index)", "\(position)",
        Self.escaped(point.address),
      ]
      text += fields.joined(separator: "\t") + "\n"
    }
    return text + "end \(screens.count)\n"
  }

  /// Nil for bytes that `text` doesn't write.
  public init?(bytes: [UInt8]) {
    guard bytes.count <= Self.longestText, bytes.allSatisfy({ $0 < 0x7F && ($0 >= 0x20 || $0 == 0x09 || $0 == 0x0A) })
    else { return nil }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    // The last line has a newline, too.
    guard lines.popLast() == "", let first = lines.first, first.hasPrefix(Self.header),
      let time = Self.number(first.dropFirst(Self.header.count), to: .max), lines.count >= 2,
      lines.last == "end \(lines.count - 2)"
    else { return nil }
    screens = [:]
    savedAt = time
    for line in lines.dropFirst().dropLast() {
      guard let (name, point) = Self.point(of: line), screens.updateValue(point, forKey: name) == nil else {
        return nil
      }
    }
  }

  private static func point(of line: Substring) -> (String, ResumePoint)? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == 6, fields[0] == "screen", let name = plain(fields[1]),
      fields[2].isEmpty || fields[2].hasPrefix("="), let list = plain(fields[2].dropFirst()),
      let index = number(fields[3], to: 1 << 30),
      let position = number(fields[4], to: Int64(ResumePoint.furthest.inMilliseconds)),
      let address = plain(fields[5]), !address.isEmpty
    else { return nil }
    return (
      name,
      ResumePoint(
        list: fields[2].isEmpty ? nil : list, address: address, index: Int(index), position: .milliseconds(position))
    )
  }

  /// A decimal number as `text` writes it: without a sign or leading zeros.
  private static func number(_ text: Substring, to highest: Int64) -> Int64? {
    guard let value = Int64(text), value >= 0, value <= highest, "\(value)" == text else { return nil }
    return value
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { escaped, byte in
      if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        escaped += PercentEncoding.escape(byte)
      }
    }
  }

  /// Nil for a text that `escaped` doesn't give, such as bytes that aren't UTF-8.
  private static func plain(_ text: Substring) -> String? {
    guard let bytes = PercentEncoding.decoded(text), let plain = String(validating: bytes, as: UTF8.self),
      escaped(plain) == text
    else { return nil }
    return plain
  }
}
