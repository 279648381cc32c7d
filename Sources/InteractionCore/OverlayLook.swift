/// What the configuration may change of the overlay's look.
public struct OverlayLook: Hashable, Sendable {
  public enum Contrast: String, Hashable, Sendable, CaseIterable {
    case normal
    /// Solid grounds, thicker lines, nothing faint: for bright halls and for people who see badly.
    case high
  }

  /// 0xRRGGBB.
  public var accent: UInt32 = 0xFFC24B
  public var contrast = Contrast.normal
  /// Best first.
  public var fontFamilies = ["Inter", "Noto Sans"]
  /// How large everything is, 1 as designed.
  public var scale = 1.0
  /// Buttons of the bar; what would do nothing is left out.
  public var buttons = OverlayButton.allCases

  public init() {}
}
