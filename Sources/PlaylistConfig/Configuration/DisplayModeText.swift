import PlaybackCore

extension DisplayMode {
  /// Sides in pixels that a mode may have: more than any connector carries.
  private static let sides = 1...16_384
  /// Hertz that a mode may have.
  private static let rates = 1.0...1000.0

  /// Reads `auto`, `1920x1080` or `1920x1080@59.94`; nil for anything else.
  public init?(_ text: String) {
    if text == "auto" {
      self = .auto
      return
    }
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Self.side(sides[0]), let height = Self.side(sides[1]) else { return nil }
    let size = PixelSize(width: width, height: height)
    guard parts.count == 2 else {
      self = .fixed(size, refreshMillihertz: nil)
      return
    }
    guard let rate = Self.rate(parts[1]) else { return nil }
    self = .fixed(size, refreshMillihertz: Int((rate * 1000).rounded()))
  }

  private static func side(_ text: Substring) -> Int? {
    // Int takes a sign, a mode doesn't.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let side = Int(text), sides.contains(side) else {
      return nil
    }
    return side
  }

  private static func rate(_ text: Substring) -> Double? {
    // Double takes exponents, infinities and hexadecimals, a mode doesn't.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let rate = Double(text),
      rates.contains(rate)
    else { return nil }
    return rate
  }
}
