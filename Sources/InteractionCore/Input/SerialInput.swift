public import PlaybackCore

/// A serial line by which commands come: an entry of `[[input.serial]]`.
public struct SerialInput: Hashable, Sendable {
  /// The device, such as `/dev/ttyUSB0`.
  public var path: String
  public var settings: SerialSettings
  /// The words of a device that sends its own, each of which is a button. Empty for one that sends commands.
  public var words: Set<String> = []

  public init(_ path: String = "", _ settings: SerialSettings = SerialSettings()) {
    self.path = path
    self.settings = settings
  }

  public var takesCommands: Bool { words.isEmpty }

  /// The key that a word has as an input event. No key of a keyboard has such a name.
  public func key(of word: String) -> String { "serial \(path) \(word)" }

  /// Whether a text may be a word: the end of its line isn't part of it.
  public static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= mostBytesOfWord && !text.utf8.contains { $0 == 0x0A || $0 == 0x0D }
  }

  /// The status lines of devices have some tens.
  public static let mostBytesOfWord = 200
}
