import PlaybackCore

/// The shade under the transport bar, so that white type can be read over any film.
///
/// Each row has one colour, so rows are filled as a whole, without computing a gradient for every pixel.
enum Scrim {
  static func box(_ metrics: OverlayMetrics) -> Box {
    let height = metrics.pixels(metrics.scrimHeight)
    let below = min(metrics.lower, metrics.pixels(OverlayMetrics.scrimFade))
    return Box(x: 0, y: metrics.height - metrics.lower - height, width: metrics.width, height: height + below)
  }

  /// Draws the scrim into an image that has one colour.
  /// - Parameters:
  ///   - pixels: `frame.width * frame.height` premultiplied ARGB values.
  ///   - frame: the image's place on the screen; as wide as the screen.
  static func fill(_ pixels: UnsafeMutableBufferPointer<UInt32>, frame: PixelRect, metrics: OverlayMetrics) {
    let box = box(metrics)
    let firstRow = max(0, Int(box.y.rounded(.down)) - frame.y)
    let end = min(frame.height, Int(box.bottom.rounded(.up)) - frame.y)
    guard firstRow < end else { return }
    for row in firstRow..<end {
      let above = metrics.height - metrics.lower - Double(frame.y + row) - 0.5
      let alpha = UInt32((metrics.scrimOpacity(pixelsAbove: above) * 255).rounded())
      let part = pixels.extracting(row * frame.width..<(row + 1) * frame.width)
      part.update(repeating: black(alpha, over: part.first ?? 0))
    }
  }

  /// Black of an opacity over a colour; both premultiplied ARGB.
  private static func black(_ alpha: UInt32, over below: UInt32) -> UInt32 {
    guard below != 0 else { return alpha << 24 }
    func part(_ shift: UInt32) -> UInt32 { (((below >> shift & 0xff) * (255 - alpha) + 127) / 255) << shift }
    return (alpha << 24) + (part(24) | part(16) | part(8) | part(0))
  }
}
