import PlaybackCore

/// Texts that are nearly configurations: pieces of TOML in random order with random bytes between them. The same in every
/// run.
struct HostileTexts {
  /// Whole lines, wrong and right.
  private static let lines: [[UInt8]] = [
    "[a]\n", "[[a]]\n", "a.b = {c = 1}\n", "[[playlist.main.item]]\n", "[[playlist.b.item]]\n", "[playlist]\n",
    "[playback]\n", "[display]\n", "uri = \"x\"\n", "uri = \"http://\"\n", "title = \"\\u0000\"\n", "volume = nan\n",
    "loop = 3\n", "mode = \"1x1@1\"\n", "output = []\n", "item = [1, {}]\n", "display = inf\n", "\n", "# é\n",
  ].map { Array($0.utf8) }

  private static let scraps: [[UInt8]] = [
    "[", "]", "[[", "]]", "=", "\n", "\r\n", "a", "b.c", ".", "\"", "'", "\"\"\"", "'''", "{", "}", ",", "1", "-", "0x",
    "1979-05-27", "T07:32:00", "inf", "nan", "true", "#", "\\", "\\u00e9", " ", "é", "\u{FEFF}", "a = ", "item = [\n",
  ].map { Array($0.utf8) }

  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(state: seed) }

  mutating func next() -> [UInt8] {
    var text: [UInt8] = []
    // A text ends at its first fault, so half of them have whole lines only.
    let hasScraps = Bool.random(using: &generator)
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      switch hasScraps ? Int.random(in: 0..<12, using: &generator) : 11 {
      case 0: text.append(UInt8.random(in: .min ... .max, using: &generator))
      case 1..<8: text += Self.scraps.randomElement(using: &generator) ?? []
      default: text += Self.lines.randomElement(using: &generator) ?? []
      }
    }
    return text
  }
}
