/// A size in whole pixels.
public struct PixelSize: Hashable, Sendable, Codable {
  public var width: Int
  public var height: Int
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Clamps both sides to what arithmetic allows: the value may come from a process that a malicious file has taken
  /// over.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let most = 0...Int(Int32.max)
    width = min(max(most.lowerBound, try container.decode(Int.self, forKey: .width)), most.upperBound)
    height = min(max(most.lowerBound, try container.decode(Int.self, forKey: .height)), most.upperBound)
  }
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}

/// A rectangle in whole pixels; the origin is the top left.
public struct PixelRect: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
  public var size: PixelSize { PixelSize(width: width, height: height) }
}

/// A ratio of whole numbers, such as the shape of a pixel. Never has a zero or negative part.
public struct Ratio: Hashable, Sendable, Codable {
  public let numerator: Int
  public let denominator: Int

  public static let one = Ratio(numerator: 1, denominator: 1)

  /// Parts that aren't positive make the ratio 1:1, which is the usual shape where a file states none.
  public init(numerator: Int, denominator: Int) {
    let isValid = numerator > 0 && denominator > 0
    self.numerator = isValid ? numerator : 1
    self.denominator = isValid ? denominator : 1
  }

  /// Applies the rule of the other initialiser: the value may come from a process that a malicious file has taken over.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      numerator: try container.decode(Int.self, forKey: .numerator),
      denominator: try container.decode(Int.self, forKey: .denominator))
  }
}

/// The size of a medium's picture: pixels, and the shape of one pixel.
public struct PresentationSize: Hashable, Sendable {
  public var pixels: PixelSize
  /// Width over height of one pixel.
  public var pixelAspect: Ratio
  public init(pixels: PixelSize, pixelAspect: Ratio = .one) {
    self.pixels = pixels
    self.pixelAspect = pixelAspect
  }
}

/// How a picture is fitted to a screen of another shape.
public enum ScreenFit: String, Hashable, Sendable, CaseIterable, Codable {
  /// Shows the whole picture, with the background beside it.
  case contain
  /// Fills the whole screen; the parts of the picture beyond it are cut off.
  case cover
  /// Shows the whole picture on the whole screen, distorted.
  case stretch
}

/// Computes where a picture is placed on a screen, and which part of it.
public enum PictureFit {
  /// The largest rectangle with the picture's aspect that fits in the screen, centred.
  ///
  /// - Parameters:
  ///   - picture: size of the medium and shape of its pixels.
  ///   - screen: size of the screen in its own pixels; must not be empty.
  ///   - screenPixelAspect: shape of the screen's pixels.
  ///   - multiple: width and height are rounded down to a multiple of this where room allows (2 for subsampled chroma).
  /// - Returns: a rectangle inside the screen, at least `multiple` pixels in each direction.
  public static func contain(
    _ picture: PresentationSize, in screen: PixelSize, screenPixelAspect: Ratio = .one, multiple: Int = 1
  ) -> PixelRect {
    guard !picture.pixels.isEmpty, !screen.isEmpty else {
      return PixelRect(x: 0, y: 0, width: max(screen.width, 0), height: max(screen.height, 0))
    }
    // The display aspect of the picture in the screen's pixels, as a fraction w:h. Double precision is exact here:
    // every factor is far below 2^26.
    let w =
      Double(picture.pixels.width) * Double(picture.pixelAspect.numerator) * Double(screenPixelAspect.denominator)
    let h =
      Double(picture.pixels.height) * Double(picture.pixelAspect.denominator) * Double(screenPixelAspect.numerator)
    var width = screen.width
    var height = screen.height
    if w * Double(screen.height) >= h * Double(screen.width) {
      height = Int((Double(screen.width) * h / w).rounded())
    } else {
      width = Int((Double(screen.height) * w / h).rounded())
    }
    width = roundedDown(width, to: multiple)
    height = roundedDown(height, to: multiple)
    return PixelRect(
      x: (screen.width - width) / 2, y: (screen.height - height) / 2, width: width, height: height)
  }

  /// The largest part of a picture with the screen's aspect, in the middle: it fills the whole screen undistorted.
  ///
  /// - Parameters:
  ///   - picture: size of the medium and shape of its pixels.
  ///   - screen: size of the screen in its own pixels; must not be empty.
  ///   - screenPixelAspect: shape of the screen's pixels.
  /// - Returns: a rectangle inside the picture, in its pixels. The number of pixels cut off at each side is even, for
  ///   subsampled chroma.
  public static func cover(
    _ picture: PresentationSize, of screen: PixelSize, screenPixelAspect: Ratio = .one
  ) -> PixelRect {
    let size = picture.pixels
    guard !size.isEmpty, !screen.isEmpty else {
      return PixelRect(x: 0, y: 0, width: max(size.width, 0), height: max(size.height, 0))
    }
    // Width over height of the picture's pixel on the screen.
    let shape =
      Double(picture.pixelAspect.numerator) * Double(screenPixelAspect.denominator)
      / (Double(picture.pixelAspect.denominator) * Double(screenPixelAspect.numerator))
    let wanted = Double(screen.width) / Double(screen.height) / shape
    let width = min(Double(size.width), Double(size.height) * wanted)
    let height = min(Double(size.height), Double(size.width) / wanted)
    let left = cut(size.width, to: width)
    let top = cut(size.height, to: height)
    return PixelRect(x: left, y: top, width: size.width - 2 * left, height: size.height - 2 * top)
  }

  /// Pixels to cut off at each end: even, and so that at least two pixels stay. A result that is whole but for the
  /// division's last bits is rounded to it.
  private static func cut(_ whole: Int, to part: Double) -> Int {
    max(0, Int(min(Double(whole) - 2, Double(whole) - part) / 2 + 1e-6) / 2 * 2)
  }

  private static func roundedDown(_ value: Int, to multiple: Int) -> Int {
    guard multiple > 1 else { return max(1, value) }
    return max(multiple, value / multiple * multiple)
  }
}
