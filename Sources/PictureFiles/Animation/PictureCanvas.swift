public import PlaybackCore

/// The canvas on which the frames of an animated PNG are drawn, one after the other.
public struct PictureCanvas: Sendable {
  public let size: PixelSize
  /// Red, green, blue, alpha; row by row; not premultiplied.
  public private(set) var pixels: [UInt8]
  /// The part to clear or restore before the next frame.
  private var clearing: (place: PixelRect, rows: [UInt8]?)?

  /// - Parameter size: must be within `PictureLimits`.
  public init(size: PixelSize) {
    self.size = size
    pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
  }

  /// Draws a frame.
  ///
  /// - Parameters:
  ///   - frame: its place must lie on the canvas.
  ///   - source: the frame's pixels, in the canvas's format and with the size of its place.
  public mutating func draw(_ frame: AnimatedPNG.Frame, _ source: [UInt8]) {
    settle()
    let place = frame.place
    guard source.count == place.width * place.height * 4 else { return }
    switch frame.disposal {
    case .none: break
    case .background: clearing = (place, nil)
    case .previous: clearing = (place, rows(of: place))
    }
    copy(source, to: place, isBlended: frame.isBlended)
  }

  /// Clears or restores the place of the previous frame.
  private mutating func settle() {
    guard let (place, rows) = clearing else { return }
    clearing = nil
    copy(rows ?? [UInt8](repeating: 0, count: place.width * place.height * 4), to: place, isBlended: false)
  }

  private func rows(of place: PixelRect) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(place.width * place.height * 4)
    for y in place.y..<place.y + place.height {
      let start = (y * size.width + place.x) * 4
      rows += pixels[start..<start + place.width * 4]
    }
    return rows
  }

  private mutating func copy(_ source: [UInt8], to place: PixelRect, isBlended: Bool) {
    let width = size.width
    pixels.withUnsafeMutableBufferPointer { target in
      source.withUnsafeBufferPointer { source in
        for row in 0..<place.height {
          let from = row * place.width * 4
          let to = ((place.y + row) * width + place.x) * 4
          for pixel in 0..<place.width {
            Self.set(target, to + pixel * 4, source, from + pixel * 4, isBlended: isBlended)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func set(
    _ target: UnsafeMutableBufferPointer<UInt8>, _ to: Int, _ source: UnsafeBufferPointer<UInt8>, _ from: Int,
    isBlended: Bool
  ) {
    let alpha = UInt32(source[from + 3])
    let below = UInt32(target[to + 3])
    guard isBlended, alpha < 255, below > 0 else {
      // A transparent pixel leaves the canvas unchanged.
      if isBlended, alpha == 0 { return }
      for part in 0..<4 { target[to + part] = source[from + part] }
      return
    }
    guard alpha > 0 else { return }
    // Both scaled by 255, so that integers are precise enough.
    let upper = alpha * 255
    let lower = below * (255 - alpha)
    let sum = upper + lower
    for part in 0..<3 {
      let mixed = (UInt32(source[from + part]) * upper + UInt32(target[to + part]) * lower + sum / 2) / sum
      target[to + part] = UInt8(truncatingIfNeeded: mixed)
    }
    target[to + 3] = UInt8(truncatingIfNeeded: (sum + 127) / 255)
  }
}
