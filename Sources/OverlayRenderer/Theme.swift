/// What the configuration may change of the overlay's look.
public struct Theme: Hashable, Sendable {
  /// Played part of the track, numbers of errors, dots. Should keep `accentContrast` at 4.5 or more.
  public var accent: RGBColor
  /// Families in the order of preference; the generic `sans-serif` is always tried last.
  public var fontFamilies: [String]
  /// Stands where the duration is for live items.
  public var liveWord: String

  public static let standardAccent = RGBColor(red: 0xFF, green: 0xC2, blue: 0x4B)

  public init(
    accent: RGBColor = Self.standardAccent, fontFamilies: [String] = ["Inter", "Noto Sans"],
    liveWord: String = "LIVE"
  ) {
    self.accent = accent
    self.fontFamilies = fontFamilies
    self.liveWord = liveWord
  }

  /// The lowest contrast that the accent has anywhere on the overlay: on the scrim at the height of the row, over a
  /// white film. A configuration check can warn below 4.5.
  public var accentContrast: Double {
    let row = OverlayMetrics.rowCentre + OverlayMetrics.timeType / 2
    return accent.contrast(with: RGBColor.black.over(.white, opacity: OverlayMetrics.scrimOpacity(above: row)))
  }
}
