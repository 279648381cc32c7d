import Glibc
public import PlaybackCore

extension RGBColor {
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

  /// This colour, mixed with as much white or black as it needs to have a contrast with `ground`; white or black where
  /// even that has less.
  func legible(on ground: RGBColor, contrast: Double) -> RGBColor {
    let pole: RGBColor =
      RGBColor.white.contrast(with: ground) >= RGBColor.black.contrast(with: ground) ? .white : .black
    // Steps too small to be seen.
    let shares = stride(from: 0.0, to: 1, by: 1.0 / 32)
    return shares.lazy.map { pole.over(self, opacity: $0) }.first { $0.contrast(with: ground) >= contrast } ?? pole
  }

  /// The sRGB transfer curve for the 256 values of a channel.
  private static let linear: [Double] = (0...255).map { value in
    let share = Double(value) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }
}
