/// A picture to be drawn into video frames, for a screen without a plane for it.
public struct OverlayPixels: Hashable, Sendable {
  /// Place on the screen; not empty.
  public let frame: PixelRect
  /// Premultiplied ARGB, 32 bits a pixel in native byte order, row by row: `frame.width * frame.height` values.
  public let pixels: [UInt32]

  /// Nil where the frame is empty, or the number of pixels isn't the frame's.
  public init?(frame: PixelRect, pixels: [UInt32]) {
    guard !frame.size.isEmpty, pixels.count == frame.width * frame.height else { return nil }
    self.frame = frame
    self.pixels = pixels
  }

  /// The picture as it lies on the panel of a rotated screen.
  public func turned(_ rotation: ScreenRotation, view: PixelSize) -> OverlayPixels {
    guard rotation != .none else { return self }
    return OverlayPixels(
      frame: rotation.panelRect(of: frame, view: view), pixels: rotation.turn(pixels, size: frame.size)) ?? self
  }

  /// The picture's pixels as A, Y, U, V for frames of that colour, one byte each and not premultiplied.
  public func ayuv(_ colour: VideoColour) -> [UInt8] {
    let (kr, kb): (Double, Double) =
      switch colour.matrix {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    let (black, lumaSpan, chromaSpan): (Double, Double, Double) = colour.isFullRange ? (0, 255, 255) : (16, 219, 224)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pixels.count * 4)
    // Overlays consist of few colours in long runs.
    var last: (pixel: UInt32, value: (UInt8, UInt8, UInt8, UInt8))?
    for pixel in pixels {
      if last?.pixel != pixel {
        let alpha = Double(pixel >> 24)
        let (r, g, b) = (channel(pixel, 16, alpha), channel(pixel, 8, alpha), channel(pixel, 0, alpha))
        let y = kr * r + (1 - kr - kb) * g + kb * b
        let u = 0.5 * (b - y) / (1 - kb)
        let v = 0.5 * (r - y) / (1 - kr)
        last = (
          pixel,
          (
            UInt8(truncatingIfNeeded: pixel >> 24), Self.byte(black + lumaSpan * y), Self.byte(128 + chromaSpan * u),
            Self.byte(128 + chromaSpan * v)
          )
        )
      }
      if let (a, y, u, v) = last?.value { bytes += [a, y, u, v] }
    }
    return bytes
  }

  /// A colour component 0...1, with the premultiplication undone.
  private func channel(_ pixel: UInt32, _ shift: UInt32, _ alpha: Double) -> Double {
    alpha == 0 ? 0 : min(1, Double(pixel >> shift & 0xFF) / alpha)
  }

  private static func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
}
