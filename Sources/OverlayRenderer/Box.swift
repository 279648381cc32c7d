import PlaybackCore

/// A rectangle in pixels with fractions; the origin is the top left of the screen.
struct Box {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  static let none = Box(x: 0, y: 0, width: 0, height: 0)

  var right: Double { x + width }
  var bottom: Double { y + height }
  var centreX: Double { x + width / 2 }
  var centreY: Double { y + height / 2 }

  /// The whole pixels of a screen that the rectangle touches; nil if there aren't any.
  func pixels(on screen: PixelSize) -> PixelRect? {
    let left = max(0, Int(x.rounded(.down)))
    let top = max(0, Int(y.rounded(.down)))
    let right = min(screen.width, Int(right.rounded(.up)))
    let bottom = min(screen.height, Int(bottom.rounded(.up)))
    guard right > left, bottom > top else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The rectangle mirrored left to right on a screen of `width`.
  func mirrored(in width: Double) -> Box { Box(x: width - right, y: y, width: self.width, height: height) }
}

extension PixelRect {
  /// The smallest rectangle that holds both.
  func union(_ other: PixelRect) -> PixelRect {
    let left = min(x, other.x)
    let top = min(y, other.y)
    let right = max(x + width, other.x + other.width)
    let bottom = max(y + height, other.y + other.height)
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
