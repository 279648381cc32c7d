public import PlaybackCore

/// An opaque picture in memory.
public struct Picture: Hashable, Sendable {
  public let size: PixelSize
  /// XRGB, 32 bits a pixel in native byte order, row by row without padding; the X byte is 0xFF, so that the pixels are
  /// valid opaque ARGB too.
  public let pixels: [UInt32]

  /// - Returns: nil unless there are `size.width * size.height` pixels and at least one.
  public init?(size: PixelSize, pixels: [UInt32]) {
    guard !size.isEmpty, pixels.count == size.width * size.height else { return nil }
    self.init(checked: size, pixels: pixels)
  }

  init(checked size: PixelSize, pixels: [UInt32]) {
    self.size = size
    self.pixels = pixels
  }
}

/// The memory layout of a video frame, and its place on the screen.
public struct VideoFrameLayout: Hashable, Sendable {
  public var size: PixelSize
  /// Bytes from row to row; a multiple of 4, at least `4 * size.width`.
  public var stride: Int
  /// The rectangle of the screen that the frame is scaled to; may reach beyond the screen.
  public var destination: PixelRect

  public init(size: PixelSize, stride: Int, destination: PixelRect) {
    self.size = size
    self.stride = stride
    self.destination = destination
  }

  /// The least number of bytes of a frame: the last row may lack its padding. Nil when the layout is invalid.
  public var byteCount: Int? {
    guard !size.isEmpty, max(size.width, size.height) <= longestCairoSide, stride % 4 == 0,
      stride >= 4 * size.width, stride <= 64 * longestCairoSide
    else { return nil }
    return stride * (size.height - 1) + 4 * size.width
  }
}

/// A video frame as BGRx bytes (BGRx in GStreamer, XRGB8888 in DRM).
public struct VideoFrame: Sendable {
  public var pixels: [UInt8]
  public var layout: VideoFrameLayout

  public init(pixels: [UInt8], layout: VideoFrameLayout) {
    self.pixels = pixels
    self.layout = layout
  }
}
