/// By how much a picture is turned on its panel, clockwise, in degrees: 90 for a panel that was hung with its left side up.
///
/// The panel is what the hardware scans out and what a touchscreen measures on; the view is what people look at.
public enum ScreenRotation: Int, Hashable, Sendable, CaseIterable {
  case none = 0
  case clockwise = 90
  case half = 180
  case counterclockwise = 270

  /// What undoes this.
  public var inverse: ScreenRotation {
    switch self {
    case .clockwise: .counterclockwise
    case .counterclockwise: .clockwise
    case .none, .half: self
    }
  }

  /// This and then `next`.
  public func plus(_ next: ScreenRotation) -> ScreenRotation {
    ScreenRotation(rawValue: (rawValue + next.rawValue) % 360) ?? .none
  }

  public var swapsSides: Bool { self == .clockwise || self == .counterclockwise }

  /// The size of a picture once it is turned; a view's from its panel's, and the other way round.
  public func turned(_ size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }

  /// Where a part of the view is on the panel.
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

  /// Which point of the view a point of the panel is, such as one that is touched. Both in shares of width and height,
  /// 0...1 from the top left, so that it holds for touchscreens with units of their own.
  public func viewPoint(ofPanel point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    switch self {
    case .none: point
    case .clockwise: (point.y, 1 - point.x)
    case .half: (1 - point.x, 1 - point.y)
    case .counterclockwise: (1 - point.y, point.x)
    }
  }

  /// Turns a picture: `size.width * size.height` pixels, row by row; any other number gives none.
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
