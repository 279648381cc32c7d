internal import InteractionCore
internal import PlaybackCore

/// Makes texts of the bytes that come by a serial line. A value without a clock.
///
/// A text ends with CR, LF or both. Devices that send words without an end have a pause behind each: it ends a text that
/// is a word, or can't become one.
struct SerialReader: Hashable, Sendable {
  enum Found: Hashable {
    case text(String)
    /// Bytes that are no text in UTF-8, or have control characters in them.
    case noText
    case tooLong
  }

  /// A pause that ends a word. Bytes of a text follow each other within 33 ms at the lowest speed, and adapters hold
  /// them back for up to 16 ms.
  static let pause: Duration = .milliseconds(100)
  /// An unfinished text is forgotten after this time without a byte: its end was lost with the cable. Somebody who types
  /// needs less.
  static let patience: Duration = .seconds(30)

  let words: Set<String>
  private var input: [UInt8] = []
  /// Whether the rest of a line that was too long is passed over.
  private var isSkipping = false
  private var heardAt: Instant?
  private let longest: Int

  init(words: Set<String>) {
    self.words = words
    longest = words.isEmpty ? ControlLimits.lineBytes : SerialInput.mostBytesOfWord
  }

  var keptBytes: Int { input.count }

  /// When `timePassed` is due; nil where nothing is unfinished.
  var deadline: Instant? {
    guard let heardAt, !input.isEmpty || isSkipping else { return nil }
    return heardAt + (endsWithPause ? Self.pause : Self.patience)
  }

  private var endsWithPause: Bool {
    guard !words.isEmpty, !isSkipping else { return false }
    let begun = words.filter { $0.utf8.starts(with: input) }
    return begun.isEmpty || begun.contains { $0.utf8.count == input.count }
  }

  mutating func received(_ bytes: [UInt8], at now: Instant) -> [Found] {
    // The loop may have been busy when the pause was over.
    var found = timePassed(at: now)
    heardAt = now
    for byte in bytes {
      if byte == 0x0A || byte == 0x0D {
        found += end()
      } else if !isSkipping {
        input.append(byte)
        if input.count > longest {
          (input, isSkipping) = ([], true)
          found.append(.tooLong)
        }
      }
    }
    return found
  }

  /// The text that a pause has ended.
  mutating func timePassed(at now: Instant) -> [Found] {
    guard let deadline, now >= deadline else { return [] }
    if !words.isEmpty { return end() }
    // Half a command isn't carried out.
    (input, isSkipping) = ([], false)
    return []
  }

  private mutating func end() -> [Found] {
    defer { (input, isSkipping) = ([], false) }
    // CR LF, and blank lines.
    guard !input.isEmpty else { return [] }
    guard let text = String(validating: input, as: UTF8.self) else { return [.noText] }
    if words.contains(text) { return [.text(text)] }
    let hasControl = text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }
    return hasControl ? [.noText] : [.text(text)]
  }
}
