internal import CGStreamer
internal import CGStreamerShims
public import PlaybackCore

/// A copy of a video frame: 32 bits a pixel, XRGB in native byte order, rows without padding.
public struct CapturedFrame: Sendable {
  public var size: PresentationSize
  public var pixels: [UInt32]

  public init(size: PresentationSize, pixels: [UInt32]) {
    self.size = size
    self.pixels = pixels
  }

  public func turned(_ rotation: ScreenRotation) -> CapturedFrame {
    guard rotation != .none else { return self }
    let aspect = size.pixelAspect
    return CapturedFrame(
      size: PresentationSize(
        pixels: rotation.turned(size.pixels),
        pixelAspect: rotation.swapsSides ? Ratio(numerator: aspect.denominator, denominator: aspect.numerator) : aspect),
      pixels: rotation.turn(pixels, size: size.pixels))
  }

  /// The visible part of a frame, which a plane may crop. Conversions keep the whole frame.
  private static func part(of sample: OpaquePointer, _ whole: PixelSize) -> PixelRect {
    var (x, y, width, height): (guint, guint, guint, guint) = (0, 0, 0, 0)
    guard let buffer = gst_sample_get_buffer(sample), vit_shown_part(buffer, &x, &y, &width, &height) != 0,
      width > 0, height > 0, Int(x) + Int(width) <= whole.width, Int(y) + Int(height) <= whole.height
    else { return PixelRect(x: 0, y: 0, width: whole.width, height: whole.height) }
    return PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
  }

  /// The most time for a conversion: one 4K frame needs well below a second on the slowest board.
  private static let conversionLimit: Duration = .seconds(3)

  /// Converts a sample in plain memory. Blocks for the conversion.
  ///
  /// - Parameter pixelAspect: turns the pixel aspect in the sample's caps into the real one.
  fileprivate init?(_ sample: OpaquePointer, pixelAspect: (Ratio) -> Ratio) {
    let frame = vit_sample_whole(sample)
    defer { vit_sample_unref(frame) }
    guard let caps = Caps("video/x-raw,format=BGRx"),
      let converted = gst_video_convert_sample(
        frame, caps.pointer, GstClockTime(Self.conversionLimit.wholeNanoseconds), nil)
    else { return nil }
    defer { vit_sample_unref(converted) }
    guard let buffer = gst_sample_get_buffer(converted), let format = gst_sample_get_caps(converted) else { return nil }
    var info = GstVideoInfo()
    guard vit_video_info(&info, format) != 0 else { return nil }
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { gst_buffer_unmap(buffer, &map) }
    let whole = PixelSize(width: Int(info.width), height: Int(info.height))
    let stride = Int(info.stride.0)
    guard !whole.isEmpty, Int(map.size) >= stride * (whole.height - 1) + whole.width * 4, let data = map.data else {
      return nil
    }
    let part = Self.part(of: sample, whole)
    let (width, height) = (part.width, part.height)
    let bytes = UnsafeRawPointer(data) + part.y * stride + part.x * 4
    pixels = [UInt32](unsafeUninitializedCapacity: width * height) { target, count in
      for row in 0..<height {
        for column in 0..<width {
          target[row * width + column] =
            bytes.loadUnaligned(fromByteOffset: row * stride + column * 4, as: UInt32.self) | 0xFF00_0000
        }
      }
      count = width * height
    }
    size = PresentationSize(
      pixels: PixelSize(width: width, height: height),
      pixelAspect: pixelAspect(Ratio(numerator: Int(info.par_n), denominator: Int(info.par_d))))
  }
}

/// The result of copying the frame on the screen.
package enum FrameCapture: Sendable {
  /// No frame has been shown.
  case nothing
  case frame(CapturedFrame)
  /// The frame's bytes can't be read by the processor.
  case unreadable(VitrineError)

  package var frame: CapturedFrame? { if case .frame(let frame) = self { frame } else { nil } }

  /// Copies the last frame that `sink` has shown. Blocks for the conversion.
  ///
  /// - Parameter pixelAspect: turns the pixel aspect in the sample's caps into the real one.
  static func of(_ sink: Element, pixelAspect: (Ratio) -> Ratio = { $0 }) -> FrameCapture {
    guard let sample = vit_last_sample(sink.pointer) else { return .nothing }
    defer { vit_sample_unref(sample) }
    guard let told = gst_sample_get_caps(sample) else { return .nothing }
    let caps = Caps(borrowing: told)
    switch caps.memory.handling(for: .copy) {
    case .asItIs: return CapturedFrame(sample, pixelAspect: pixelAspect).map { .frame($0) } ?? .nothing
    case .readAs(let format):
      let plain = vit_sample_as_plain(sample, format)
      defer { vit_sample_unref(plain) }
      return CapturedFrame(plain, pixelAspect: pixelAspect).map { .frame($0) } ?? .nothing
    case .refuse:
      let format: DRMFormat? = if case .hardware(let format) = caps.memory { format } else { nil }
      return .unreadable(FrameMemory.unreadable(format))
    }
  }
}
