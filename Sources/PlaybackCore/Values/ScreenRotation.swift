/// Angle by which a picture is rotated on its panel, clockwise, in degrees: 90 for a panel that was mounted with its
/// left side up.
///
/// The panel is the surface that the hardware scans out and a touchscreen measures on; the view is the picture as
/// people see it.
public enum ScreenRotation: Int, Hashable, Sendable, CaseIterable {
  case none = 0
  case clockwise = 90
  case half = 180
  case counterclockwise = 270

  /// The rotation that undoes this one.
  public var inverse: ScreenRotation {
    switch self {
    case .clockwise: .counterclockwise
    case .counterclockwise: .clockwise
    case .none, .half: self
    }
  }

  /// This rotation followed by `next`.
  public func plus(_ next: ScreenRotation) -> ScreenRotation {
    ScreenRotation(rawValue: (rawValue + next.rawValue) % 360) ?? .none
  }

  public var swapsSides: Bool { self == .clockwise || self == .counterclockwise }

  /// The size of a rotated picture: a view's size from its panel's, and the other way round.
  public func turned(_ size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }

  /// The rectangle on the panel that shows a rectangle of the view.
  ///
  /// - Parameter view: size of the whole view.
  public func panelRect(of rect: PixelRect, view: PixelSize) -> PixelRect {
    let size = turned(rect.size)
    return switch self {
    case .none: rect
    case .clockwise:
      PixelRect(x: view.height - rect.y - rect.height, y: rect.x, width: size.width, height: size.height)
    case .half:
      PixelRect(
        x: view.width - rect.x - rect.width, y: view.height - rect.y - rect.height, width: size.width,
        height: size.height)
    case .counterclockwise:
      PixelRect(x: rect.y, y: view.width - rect.x - rect.width, width: size.width, height: size.height)
    }
  }

  /// The point of the view at a point of the panel, such as a touched one. Both are in shares of width and height,
  /// 0...1 from the top left, so that the units of the touchscreen don't matter.
  public func viewPoint(ofPanel point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    switch self {
    case .none: point
    case .clockwise: (point.y, 1 - point.x)
    case .half: (1 - point.x, 1 - point.y)
    case .counterclockwise: (1 - point.y, point.x)
    }
  }

  /// Rotates a picture: `size.width * size.height` pixels, row by row; another number of pixels gives an empty result.
  public func turn(_ pixels: [UInt32], size: PixelSize) -> [UInt32] {
    let (width, height) = (size.width, size.height)
    guard pixels.count == width * height else { return [] }
    switch self {
    case .none: return pixels
    case .half: return pixels.reversed()
    case .clockwise, .counterclockwise: break
    }
    let isClockwise = self == .clockwise
    return [UInt32](unsafeUninitializedCapacity: pixels.count) { target, count in
      pixels.withUnsafeBufferPointer { source in
        for y in 0..<height {
          for x in 0..<width {
            let index = isClockwise ? x * height + height - 1 - y : (width - 1 - x) * height + y
            target[index] = source[y * width + x]
          }
        }
      }
      count = pixels.count
    }
  }
}
