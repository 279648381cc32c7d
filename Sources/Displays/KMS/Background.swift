import InteractionCore
import PlaybackCore

/// The content of the primary plane until video plays there: one colour, or a picture. If no plane is above it,
/// messages are drawn into it.
final class Background {
  let framebuffer: DumbFramebuffer
  private let clean: [UInt32]
  private var shown: [UInt32]

  /// - Parameters:
  ///   - colour: 0xRRGGBB.
  ///   - picture: XRGB pixels of the whole screen; nil for the colour alone.
  init(_ card: Card, size: PixelSize, colour: UInt32, picture: [UInt32]?) throws(DRMFailure) {
    framebuffer = try DumbFramebuffer(card, size: size, format: .xrgb8888)
    let plain = colour & 0xFF_FFFF
    if let picture, picture.count == size.width * size.height {
      clean = picture
    } else {
      clean = Array(repeating: plain, count: size.width * size.height)
    }
    shown = clean
    try framebuffer.write(clean)
  }

  /// Draws `image` in place of the one before; nil removes it.
  func draw(_ image: OverlayImage?) throws(DRMFailure) {
    var pixels = clean
    if let image { Self.blend(image, over: &pixels, width: framebuffer.size.width, height: framebuffer.size.height) }
    try framebuffer.write(pixels, over: shown)
    framebuffer.flush()
    shown = pixels
  }

  /// Blends premultiplied ARGB over opaque pixels, clipped to the screen.
  static func blend(_ image: OverlayImage, over pixels: inout [UInt32], width: Int, height: Int) {
    let frame = image.frame
    guard image.pixels.count == frame.width * frame.height, pixels.count == width * height else { return }
    for row in max(0, -frame.y)..<max(0, -frame.y, min(frame.height, height - frame.y)) {
      for column in max(0, -frame.x)..<max(0, -frame.x, min(frame.width, width - frame.x)) {
        let source = image.pixels[row * frame.width + column]
        let index = (frame.y + row) * width + frame.x + column
        let rest = 255 - (source >> 24)
        let below = pixels[index]
        var result: UInt32 = 0
        for shift in [UInt32(0), 8, 16] {
          let value = (source >> shift & 0xFF) + ((below >> shift & 0xFF) * rest + 127) / 255
          result |= min(255, value) << shift
        }
        pixels[index] = result
      }
    }
  }
}
