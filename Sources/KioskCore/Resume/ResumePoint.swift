public import PlaybackCore

/// A place in a playlist at which playback can go on, whoever has kept it.
public struct ResumePoint: Hashable, Sendable {
  /// Name of the playlist; nil where that isn't known, and the address has to do.
  public var list: String?
  /// Of the item.
  public var address: String
  /// Of the item in its list, from 0: an address may be listed more than once.
  public var index: Int
  /// In times of the item.
  public var position: Duration

  public init(list: String?, address: String, index: Int, position: Duration) {
    self.list = list
    self.address = address
    self.index = index
    self.position = position
  }

  /// Items that are shorter begin at their start. What is kept is up to `ResumeMachine.interval` old: in a shorter item that place
  /// says nothing.
  public static let longItem: Duration = .seconds(600)
  /// Longer films there are none; what is written as further on is damage.
  public static let furthest: Duration = .seconds(7 * 86400)

  /// The item of a queue that is meant; nil where it isn't there any more, or another list is played.
  public func index(in queue: [MediaItem], of list: String?) -> Int? {
    if let known = self.list, let list, known != list { return nil }
    if queue.indices.contains(index), queue[index].uri == address { return index }
    return queue.firstIndex { $0.uri == address }
  }

  /// The same as worth keeping by what the settings want; nil for nothing.
  ///
  /// - Parameter duration: how long what is played of the item is; nil for what has no end, or none that is known.
  public func kept(by choice: ResumeChoice, duration: Duration?) -> ResumePoint? {
    guard choice != .off else { return nil }
    var kept = self
    if choice == .item || (duration ?? .zero) < Self.longItem { kept.position = .zero }
    return kept
  }
}

/// The places of all screens, and when that was. One small file holds them: its text and back.
///
/// ```
/// vitrine-places 1 1700000000
/// screen	<name>	<list>	<index>	<milliseconds>	<address>
/// end 1
/// ```
///
/// Names and addresses have '%', control characters and what isn't ASCII in percent notation. A file that is anything else, cut off,
/// from another version, or from somebody else, is no file.
public struct SavedPlaces: Hashable, Sendable {
  /// By the name of the screen; the only one, without a name, is "".
  public var screens: [String: ResumePoint]
  /// Seconds since 1970, for people.
  public var savedAt: Int64

  /// More is damage: eight screens with addresses of 4 KB.
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

  /// Nil for whatever `text` doesn't write.
  public init?(bytes: [UInt8]) {
    guard bytes.count <= Self.longestText, bytes.allSatisfy({ $0 < 0x7F && ($0 >= 0x20 || $0 == 0x09 || $0 == 0x0A) })
    else { return nil }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    // The last line ends too.
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

  /// Decimal, as we write it: no sign, no zero before it.
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

  /// Nil for what `escaped` doesn't give, such as bytes that are no text.
  private static func plain(_ text: Substring) -> String? {
    guard let bytes = PercentEncoding.decoded(text), let plain = String(validating: bytes, as: UTF8.self),
      escaped(plain) == text
    else { return nil }
    return plain
  }
}
