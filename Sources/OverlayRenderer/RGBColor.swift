import Glibc

/// An opaque sRGB colour, 8 bits a channel.
public struct RGBColor: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public static let black = RGBColor(red: 0, green: 0, blue: 0)
  public static let white = RGBColor(red: 255, green: 255, blue: 255)

  /// - Parameter rgb: 0xRRGGBB.
  public init(_ rgb: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
      blue: UInt8(truncatingIfNeeded: rgb))
  }

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Reads `#RRGGBB`, in either case; fails for any other text.
  public init?(hex: String) {
    let digits = hex.utf8.dropFirst()
    guard hex.utf8.first == UInt8(ascii: "#"), digits.count == 6 else { return nil }
    var value = 0
    for digit in digits {
      guard let nibble = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      value = value << 4 | nibble
    }
    self.init(
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }

  /// This colour drawn over `background`.
  /// - Parameter opacity: 0...1; values outside are clamped.
  public func over(_ background: RGBColor, opacity: Double) -> RGBColor {
    let share = min(max(opacity, 0), 1)
    func blend(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
      UInt8((Double(top) * share + Double(bottom) * (1 - share)).rounded())
    }
    return RGBColor(
      red: blend(red, background.red), green: blend(green, background.green), blue: blend(blue, background.blue))
  }

  /// Relative luminance as WCAG 2 defines it, 0...1.
  public var relativeLuminance: Double {
    0.2126 * Self.linear[Int(red)] + 0.7152 * Self.linear[Int(green)] + 0.0722 * Self.linear[Int(blue)]
  }

  /// Contrast ratio as WCAG 2 defines it, 1...21; body text needs 4.5.
  public func contrast(with other: RGBColor) -> Double {
    let (a, b) = (relativeLuminance, other.relativeLuminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// The sRGB transfer curve for the 256 values of a channel.
  private static let linear: [Double] = (0...255).map { value in
    let share = Double(value) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }
}
