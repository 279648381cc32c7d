public import PlaybackCore

/// What the configuration may change of the overlay's look.
public struct OverlayLook: Hashable, Sendable {
  public enum Contrast: String, Hashable, Sendable, CaseIterable {
    case normal
    /// Solid grounds, thicker lines, nothing faint: for bright halls and for people who see badly.
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
  /// Best first.
  public var fontFamilies = ["Inter", "Noto Sans"]
  /// How large everything is, 1 as designed.
  public var scale = 1.0
  public var times = Times.full
  /// Of titles and messages. One that is written from the right has them begin there; controls stay where they are.
  public var language = LanguageTag.english
  /// Buttons of the bar; what would do nothing is left out.
  public var buttons = OverlayButton.allCases

  public init() {}
}
