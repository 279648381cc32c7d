public import InteractionCore
public import PlaybackCore

/// What the configuration may change of the overlay's look.
public struct Theme: Hashable, Sendable {
  /// Played part of the track, numbers of errors, dots. Should keep `accentContrast` at 4.5 or more.
  public var accent: RGBColor
  /// Families in the order of preference; the generic `sans-serif` is always tried last.
  public var fontFamilies: [String]
  /// Stands where the duration is for live items.
  public var liveWord: String
  /// Says in a badge that there is no network.
  public var offlineWord = "Offline"
  /// Says beside the title that the film is paused.
  public var pausedWord = "Paused"
  public var hasHighContrast = false
  /// How large everything is, 1 as designed.
  public var scale = 1.0

  public var times = OverlayLook.Times.full
  /// Of titles and messages: on which side they begin, and which of their shapes letters have.
  public var language = LanguageTag.english

  public static let standardAccent = RGBColor(red: 0xFF, green: 0xC2, blue: 0x4B)

  public init(
    accent: RGBColor = Self.standardAccent, fontFamilies: [String] = ["Inter", "Noto Sans"],
    liveWord: String = "LIVE"
  ) {
    self.accent = accent
    self.fontFamilies = fontFamilies
    self.liveWord = liveWord
  }

  public init(_ look: OverlayLook) {
    self.init(accent: RGBColor(look.accent), fontFamilies: look.fontFamilies)
    hasHighContrast = look.contrast == .high
    scale = look.scale
    times = look.times
    language = look.language
  }

  var isRightToLeft: Bool { language.isRightToLeft }

  /// - Parameter density: pixels in a millimetre; nil where nobody knows.
  func metrics(screen: PixelSize, density: Double? = nil) -> OverlayMetrics {
    OverlayMetrics(screen: screen, scale: scale, hasHighContrast: hasHighContrast, density: density)
  }

  /// The lowest contrast that the accent has anywhere on the overlay: on the scrim at the height of the row, over a
  /// white film. A configuration check can warn below 4.5.
  public var accentContrast: Double {
    let row = OverlayMetrics.rowCentre + OverlayMetrics.timeType / 2
    let opacity = hasHighContrast ? 1 : OverlayMetrics.scrimOpacity(above: row)
    return accent.contrast(with: RGBColor.black.over(.white, opacity: opacity))
  }
}
