import CPangoCairo
import PlaybackCore

/// The longest side of a picture that Cairo accepts.
let longestCairoSide = 32_767

/// An image surface over memory that it doesn't own: it must not outlive that memory. Frees itself.
struct ImageSurface: ~Copyable {
  let pointer: OpaquePointer

  /// - Parameters:
  ///   - pixels: at least `stride * size.height` bytes, 4-byte aligned. Written to only if a canvas is made on it.
  ///   - stride: bytes from row to row, a multiple of 4.
  /// - Returns: nil if Cairo refuses the size or the stride, or memory is short.
  init?(_ format: cairo_format_t, pixels: UnsafeMutableRawPointer, size: PixelSize, stride: Int) {
    guard (1...longestCairoSide).contains(size.width), (1...longestCairoSide).contains(size.height),
      stride <= Int(Int32.max)
    else { return nil }
    let surface = cairo_image_surface_create_for_data(
      pixels.assumingMemoryBound(to: UInt8.self), format, Int32(size.width), Int32(size.height), Int32(stride))
    guard let surface else { return nil }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(surface)
      return nil
    }
    pointer = surface
  }

  /// Writes a PNG file; returns Cairo's status.
  func writePNG(to path: String) -> cairo_status_t { cairo_surface_write_to_png(pointer, path) }

  /// Writes a PNG piece by piece; returns Cairo's status.
  func writePNG(to written: WrittenBytes) -> cairo_status_t {
    cairo_surface_write_to_png_stream(
      pointer,
      { closure, data, length in
        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
        let written = Unmanaged<WrittenBytes>.fromOpaque(closure).takeUnretainedValue()
        written.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
        return CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(written).toOpaque())
  }

  deinit {
    // Finished first: should Cairo hold another reference, the surface must stop using the memory now.
    cairo_surface_finish(pointer)
    cairo_surface_destroy(pointer)
  }
}

/// The bytes that Cairo has written so far.
final class WrittenBytes {
  var bytes: [UInt8] = []
}

/// Draws on a surface, which it owns, in screen coordinates. Frees itself and the surface.
struct Canvas: ~Copyable {
  let pointer: OpaquePointer
  private let surface: ImageSurface

  /// - Parameter originX, originY: the point of the screen at the surface's top left pixel.
  init?(on surface: consuming ImageSurface, originX: Int = 0, originY: Int = 0) {
    guard let context = cairo_create(surface.pointer) else { return nil }
    guard cairo_status(context) == CAIRO_STATUS_SUCCESS else {
      cairo_destroy(context)
      return nil
    }
    cairo_translate(context, Double(-originX), Double(-originY))
    pointer = context
    self.surface = surface
  }

  /// The context is destroyed before its surface: stored properties are destroyed after this.
  deinit { cairo_destroy(pointer) }

  /// Whether all drawing has succeeded so far. Cairo remembers the first error and then draws nothing.
  var isIntact: Bool { cairo_status(pointer) == CAIRO_STATUS_SUCCESS }

  func setColor(_ color: RGBColor, opacity: Double = 1) {
    cairo_set_source_rgba(
      pointer, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, opacity)
  }

  func fill(_ box: Box, _ color: RGBColor, opacity: Double = 1) {
    guard box.width > 0, box.height > 0 else { return }
    setColor(color, opacity: opacity)
    cairo_rectangle(pointer, box.x, box.y, box.width, box.height)
    cairo_fill(pointer)
  }

  func fillRounded(_ box: Box, corner: Double, _ color: RGBColor, opacity: Double = 1) {
    setColor(color, opacity: opacity)
    addRounded(box, corner: corner)
    cairo_fill(pointer)
  }

  func fillCircle(x: Double, y: Double, radius: Double, _ color: RGBColor, opacity: Double = 1) {
    setColor(color, opacity: opacity)
    cairo_new_sub_path(pointer)
    cairo_arc(pointer, x, y, radius, 0, 2 * .pi)
    cairo_fill(pointer)
  }

  /// Strokes a part of a circle with round ends, clockwise from the top. `share` is 0...1.
  func strokeArc(
    x: Double, y: Double, radius: Double, width: Double, share: Double, _ color: RGBColor, opacity: Double = 1
  ) {
    setColor(color, opacity: opacity)
    cairo_set_line_width(pointer, width)
    cairo_set_line_cap(pointer, CAIRO_LINE_CAP_ROUND)
    cairo_new_sub_path(pointer)
    cairo_arc(pointer, x, y, radius, -.pi / 2, (2 * share - 0.5) * .pi)
    cairo_stroke(pointer)
  }

  /// Strokes a straight line with round ends.
  func strokeLine(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double), width: Double, _ color: RGBColor) {
    setColor(color)
    cairo_set_line_width(pointer, width)
    cairo_set_line_cap(pointer, CAIRO_LINE_CAP_ROUND)
    cairo_new_path(pointer)
    cairo_move_to(pointer, from.x, from.y)
    cairo_line_to(pointer, to.x, to.y)
    cairo_stroke(pointer)
  }

  /// Strokes a part of a circle around the three o'clock side, `half` radians to either side of it.
  func strokeWave(x: Double, y: Double, radius: Double, half: Double, width: Double, _ color: RGBColor) {
    setColor(color)
    cairo_set_line_width(pointer, width)
    cairo_set_line_cap(pointer, CAIRO_LINE_CAP_ROUND)
    cairo_new_sub_path(pointer)
    cairo_arc(pointer, x, y, radius, -half, half)
    cairo_stroke(pointer)
  }

  /// Runs `body` with the canvas mirrored around a vertical line at `x`, if `isMirrored`.
  func turnedOver(_ isMirrored: Bool, around x: Double, _ body: () -> Void) {
    cairo_save(pointer)
    if isMirrored {
      cairo_translate(pointer, 2 * x, 0)
      cairo_scale(pointer, -1, 1)
    }
    body()
    cairo_restore(pointer)
  }

  /// Runs `body` with drawing limited to these boxes.
  func clipped(to boxes: [Box], _ body: () -> Void) {
    cairo_save(pointer)
    cairo_new_path(pointer)
    for box in boxes { cairo_rectangle(pointer, box.x, box.y, box.width, box.height) }
    cairo_clip(pointer)
    body()
    cairo_restore(pointer)
  }

  /// Fills a polygon with corners rounded by `corner`; the rounding adds to its size.
  func fillPolygon(_ points: [(x: Double, y: Double)], corner: Double, _ color: RGBColor) {
    setColor(color)
    cairo_new_path(pointer)
    for point in points { cairo_line_to(pointer, point.x, point.y) }
    cairo_close_path(pointer)
    cairo_set_line_width(pointer, 2 * corner)
    cairo_set_line_join(pointer, CAIRO_LINE_JOIN_ROUND)
    cairo_fill_preserve(pointer)
    cairo_stroke(pointer)
  }

  /// Runs `body` with drawing limited to the rounded box.
  func clipped(to box: Box, corner: Double, _ body: () -> Void) {
    cairo_save(pointer)
    addRounded(box, corner: corner)
    cairo_clip(pointer)
    body()
    cairo_restore(pointer)
  }

  /// Draws a whole picture with its top left at a point, without scaling.
  func paint(_ source: borrowing ImageSurface, x: Int, y: Int) {
    cairo_save(pointer)
    cairo_set_source_surface(pointer, source.pointer, Double(x), Double(y))
    cairo_paint(pointer)
    cairo_restore(pointer)
  }

  /// Draws a whole picture of `size`, scaled to a rectangle that isn't empty.
  func paint(_ source: borrowing ImageSurface, size: PixelSize, into place: PixelRect) {
    cairo_save(pointer)
    cairo_rectangle(pointer, Double(place.x), Double(place.y), Double(place.width), Double(place.height))
    cairo_clip(pointer)
    cairo_translate(pointer, Double(place.x), Double(place.y))
    cairo_scale(pointer, Double(place.width) / Double(size.width), Double(place.height) / Double(size.height))
    cairo_set_source_surface(pointer, source.pointer, 0, 0)
    let pattern = cairo_get_source(pointer)
    cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
    // Beyond its edge a picture repeats the edge: no dark seam around a scaled picture.
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    cairo_paint(pointer)
    cairo_restore(pointer)
  }

  private func addRounded(_ box: Box, corner: Double) {
    let radius = min(corner, box.width / 2, box.height / 2)
    cairo_new_sub_path(pointer)
    cairo_arc(pointer, box.right - radius, box.y + radius, radius, -.pi / 2, 0)
    cairo_arc(pointer, box.right - radius, box.bottom - radius, radius, 0, .pi / 2)
    cairo_arc(pointer, box.x + radius, box.bottom - radius, radius, .pi / 2, .pi)
    cairo_arc(pointer, box.x + radius, box.y + radius, radius, .pi, 1.5 * .pi)
    cairo_close_path(pointer)
  }
}
