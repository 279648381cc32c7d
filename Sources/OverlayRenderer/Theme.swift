public import InteractionCore
public import PlaybackCore

/// The overlay's look, as the configuration sets it.
public struct Theme: Hashable, Sendable {
  /// The colour of the played track, error numbers and dots. Should keep `accentContrast` at 4.5 or more.
  public var accent: RGBColor
  /// Font families, the preferred one first; the generic `sans-serif` is always tried last.
  public var fontFamilies: [String]
  public var hasHighContrast = false
  /// The size of everything, 1 as designed.
  public var scale = 1.0

  /// `OverlayLook.heightMillimetres`.
  public var heightMillimetres = 0.0

  public var times = OverlayLook.Times.full
  /// The sentences that visitors read.
  public var texts: VisitorTexts
  /// Of titles: which of their shapes letters have. Other than that of `texts` where a language is wanted that has none
  /// here.
  public var language: LanguageTag
  /// Whether titles and messages begin at the right.
  public var isRightToLeft: Bool

  public static let standardAccent = RGBColor(red: 0xFF, green: 0xC2, blue: 0x4B)

  public init(
    accent: RGBColor = Self.standardAccent, fontFamilies: [String] = ["Inter", "Noto Sans"],
    language: LanguageTag? = nil, texts: VisitorTexts = .english
  ) {
    self.accent = accent
    self.fontFamilies = fontFamilies
    // A theme is compared and hashed with each text that is laid out.
    self.texts = texts.texts(in: nil)
    self.language = language ?? texts.language
    isRightToLeft = self.language.match(texts.language) > 0 ? texts.isRightToLeft : self.language.isRightToLeft
  }

  public init(_ look: OverlayLook, texts: VisitorTexts = .english) {
    self.init(
      accent: RGBColor(look.accent), fontFamilies: look.fontFamilies, language: look.language, texts: texts)
    hasHighContrast = look.contrast == .high
    scale = look.scale
    times = look.times
    heightMillimetres = look.heightMillimetres
  }

  /// - Parameter density: pixels in a millimetre; nil where nobody knows.
  func metrics(screen: PixelSize, density: Double? = nil) -> OverlayMetrics {
    OverlayMetrics(
      screen: screen, scale: scale, hasHighContrast: hasHighContrast, density: density,
      heightMillimetres: heightMillimetres)
  }

  /// The lowest contrast of the accent anywhere on the overlay: on the scrim at the height of the row, over a white
  /// film. A configuration check can warn below 4.5.
  public var accentContrast: Double {
    let row = OverlayMetrics.rowCentre + OverlayMetrics.timeType / 2
    let opacity = hasHighContrast ? 1 : OverlayMetrics.scrimOpacity(above: row)
    return accent.contrast(with: RGBColor.black.over(.white, opacity: opacity))
  }
}
