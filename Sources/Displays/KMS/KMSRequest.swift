public import PlaybackCore

/// What is asked of the KMS output.
public struct KMSRequest: Hashable, Sendable {
  /// Such as `/dev/dri/card1`; nil tries every card in turn.
  public var cardPath: String?
  /// The kernel's name for the connector, such as `HDMI-A-1` (see /sys/class/drm); `auto` is the first with a screen.
  public var connector: String
  public var mode: ModeRequest
  /// Colour of the screen where there is no picture: 0xRRGGBB.
  public var background: UInt32

  public init(
    cardPath: String? = nil, connector: String = KMSRequest.autoConnector, mode: ModeRequest = .auto,
    background: UInt32 = 0
  ) {
    self.cardPath = cardPath
    self.connector = connector
    self.mode = mode
    self.background = background
  }

  public static let autoConnector = "auto"
}

/// The video mode that is asked for.
public enum ModeRequest: Hashable, Sendable {
  /// What the screen prefers.
  case auto
  /// This size; with no refresh rate given, the one nearest to 60 Hz. The rate is in thousandths of a hertz.
  case size(PixelSize, refreshMillihertz: Int?)

  /// Reads `auto`, `1280x720`, `1280x720@60` or `1280x720@59.94`; nil when it is none of these.
  public init?(parsing text: String) {
    if text == "auto" {
      self = .auto
      return
    }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let sides = (parts.first ?? "").split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count <= 2, sides.count == 2,
      let width = Self.number(sides[0], digits: 5), let height = Self.number(sides[1], digits: 5),
      width > 0, height > 0
    else { return nil }
    var refresh: Int?
    if parts.count == 2 {
      guard let rate = Self.millihertz(parts[1]), rate > 0 else { return nil }
      refresh = rate
    }
    self = .size(PixelSize(width: width, height: height), refreshMillihertz: refresh)
  }

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

extension ModeRequest: CustomStringConvertible {
  public var description: String {
    switch self {
    case .auto: "auto"
    case .size(let size, nil): "\(size.width)x\(size.height)"
    case .size(let size, let rate?): "\(size.width)x\(size.height)@\(ModeSnapshot.hertz(rate))"
    }
  }
}
