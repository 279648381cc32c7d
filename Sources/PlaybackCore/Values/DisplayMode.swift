/// The requested video mode.
public enum DisplayMode: Hashable, Sendable {
  /// The screen's preferred mode.
  case auto
  /// This size; with no refresh rate given, the one nearest to 60 Hz. The rate is in thousandths of a hertz.
  case size(PixelSize, refreshMillihertz: Int?)
  /// The rate that fits each film, at this size, or without one at the screen's preferred size.
  case match(PixelSize?)

  /// Allowed width and height in pixels: more than any connector carries.
  private static let sides = 1...16_384
  /// Allowed refresh rate in thousandths of a hertz.
  private static let millihertzRange = 1_000...1_000_000

  /// The allowed forms, for messages.
  public static let allowed = "auto, match, 1920x1080, 1920x1080@60 or 1920x1080@match"

  /// Reads `auto`, `match`, `1280x720`, `1280x720@60`, `1280x720@59.94` or `1280x720@match`; nil for any other form.
  public init?(parsing text: String) {
    if text == "auto" {
      self = .auto
      return
    }
    if text == "match" {
      self = .match(nil)
      return
    }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let sides = (parts.first ?? "").split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count <= 2, sides.count == 2,
      let width = Self.number(sides[0], digits: 5), let height = Self.number(sides[1], digits: 5),
      Self.sides.contains(width), Self.sides.contains(height)
    else { return nil }
    let size = PixelSize(width: width, height: height)
    if parts.count == 2, parts[1] == "match" {
      self = .match(size)
      return
    }
    var refresh: Int?
    if parts.count == 2 {
      guard let rate = Self.millihertz(parts[1]), Self.millihertzRange.contains(rate) else { return nil }
      refresh = rate
    }
    self = .size(size, refreshMillihertz: refresh)
  }

  /// Whether the rate follows the film's.
  public var followsFilms: Bool { if case .match = self { true } else { false } }

  private static func millihertz(_ text: Substring) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = number(parts[0], digits: 4) else { return nil }
    guard parts.count == 2 else { return whole * 1000 }
    guard let fraction = number(parts[1], digits: 3) else { return nil }
    return whole * 1000 + fraction * [100, 10, 1][parts[1].utf8.count - 1]
  }

  /// A number of plain digits: `Int.init` would also take a sign.
  private static func number(_ text: Substring, digits: Int) -> Int? {
    guard (1...digits).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}

extension DisplayMode: CustomStringConvertible {
  /// A rate in hertz: 59940 gives 59.94.
  public static func hertz(_ millihertz: Int) -> String {
    let hundredths = (millihertz + 5) / 10
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  public var description: String {
    switch self {
    case .auto: "auto"
    case .match(nil): "match"
    case .match(let size?): "\(size.width)x\(size.height)@match"
    case .size(let size, nil): "\(size.width)x\(size.height)"
    case .size(let size, let rate?): "\(size.width)x\(size.height)@\(Self.hertz(rate))"
    }
  }
}
