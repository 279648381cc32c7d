/// How a scaling plane shows a frame on its screen: the part of it that is shown, and the shape that its pixels are
/// taken to have.
///
/// Panels count as having square pixels, whatever size in millimetres they report:
/// decision 0107.
public struct PlanePlacement: Hashable, Sendable {
  /// In the frame's pixels.
  public var part: PixelRect
  /// Width over height that a pixel of the frame is taken to have, so that the part fills the intended area of the
  /// screen.
  public var pixelAspect: Ratio
  /// Whether the plane has to enlarge or reduce the part. A frame shown 1:1 needs no scaling plane.
  public var isScaled: Bool

  /// - Parameters:
  ///   - frame: size and pixel shape of the frame as it comes.
  ///   - screen: size of the screen in the plane's pixels; must not be empty.
  public init(_ frame: PresentationSize, fit: ScreenFit, screen: PixelSize) {
    let whole = PixelRect(x: 0, y: 0, width: frame.pixels.width, height: frame.pixels.height)
    switch fit {
    case .contain:
      part = whole
      pixelAspect = frame.pixelAspect
      // Fitted frames have even sides.
      isScaled = ![1, 2].contains { PictureFit.contain(frame, in: screen, multiple: $0).size == frame.pixels }
    case .cover:
      part = PictureFit.cover(frame, of: screen)
      pixelAspect = Self.filling(part.size, screen)
      isScaled = part.size != screen
    case .stretch:
      part = whole
      pixelAspect = Self.filling(whole.size, screen)
      isScaled = whole.size != screen
    }
  }

  /// The pixel shape with which `part` gets the screen's aspect.
  private static func filling(_ part: PixelSize, _ screen: PixelSize) -> Ratio {
    guard !part.isEmpty, !screen.isEmpty else { return .one }
    return Ratio(numerator: screen.width, denominator: screen.height)
      .times(Ratio(numerator: part.height, denominator: part.width))
  }
}

extension Ratio {
  /// Largest part of a product: GStreamer multiplies such a ratio by a size and by another ratio, in 32 bits.
  static let largestPart = 1 << 12

  /// The product, in small numbers: exact where both parts are at most `largestPart`, else the nearest such ratio.
  public func times(_ other: Ratio) -> Ratio {
    let (n, d) = (Double(numerator) * Double(other.numerator), Double(denominator) * Double(other.denominator))
    // Computed by continued fractions: each step is the nearest ratio of its size.
    var (older, newer) = ((0, 1), (1, 0))
    var (rest, divisor) = (n, d)
    while divisor >= 1 {
      let whole = (rest / divisor).rounded(.down)
      guard whole <= Double(Self.largestPart) else { break }
      let next = (Int(whole) * newer.0 + older.0, Int(whole) * newer.1 + older.1)
      guard next.0 <= Self.largestPart, next.1 <= Self.largestPart else { break }
      (older, newer) = (newer, next)
      (rest, divisor) = (divisor, rest - whole * divisor)
    }
    return Ratio(numerator: newer.0, denominator: newer.1)
  }

  public var inverse: Ratio { Ratio(numerator: denominator, denominator: numerator) }
}
