public import PlaybackCore

/// The part of the overlay's look that the configuration can change.
public struct OverlayLook: Hashable, Sendable {
  public enum Contrast: String, Hashable, Sendable, CaseIterable {
    case normal
    /// Opaque backgrounds, thicker lines, no faint colours: for bright halls and for people with poor sight.
    case high
  }

  /// How times are written.
  public enum Times: String, Hashable, Sendable, CaseIterable {
    /// `00:00:06`
    case full
    /// `0:06`, and hours only in films that have some.
    case short
  }

  /// 0xRRGGBB.
  public var accent: UInt32 = 0xFFC24B
  public var contrast = Contrast.normal
  /// The preferred family first.
  public var fontFamilies = ["Inter", "Noto Sans"]
  /// The size of everything, 1 as designed.
  public var scale = 1.0
  public var times = Times.full
  /// From the lower edge of the screen to that of the bar, of the tiles and of the panel of choices, in millimetres, on
  /// screens that tell their size; at most half of the screen.
  public var heightMillimetres = 0.0
  /// Of titles and messages; nil is the system's. One that is written from the right has them begin there; controls
  /// stay where they are.
  public var language: LanguageTag?
  /// Buttons of the bar; what would do nothing is left out.
  public var buttons = OverlayButton.allCases

  public init() {}
}
