internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// Turns the file of a cover into pixels, as many as are shown of it. On a deck's worker: it blocks.
enum CoverDecoder {
  /// A cover takes no longer than a still picture, which is some tens of milliseconds; one that does is done without.
  private static let limit: Duration = .seconds(3)

  /// - Returns: nil for what isn't a JPEG or PNG of a sensible size, and for damaged files.
  static func decode(_ file: [UInt8], for screen: PixelSize) -> CoverPixels? {
    guard let header = CoverHeader(file), let pipeline = try? Element.pipeline(name: "cover") else { return nil }
    defer {
      Bus.release(pipeline)
      _ = pipeline.setState(GST_STATE_NULL)
    }
    // It is never shown larger than half of the screen's short side (`SoundCardPicture`), and never made larger here.
    let side = max(1, min(screen.width, screen.height) / 2)
    let share = min(1, Double(side) / Double(max(header.size.width, header.size.height)))
    let size = PixelSize(
      width: max(1, Int((Double(header.size.width) * share).rounded())),
      height: max(1, Int((Double(header.size.height) * share).rounded())))
    let kind = header.format == .jpeg ? ("image/jpeg", "jpegdec") : ("image/png", "pngdec")
    guard let source = try? Element.make("appsrc"), let decoder = try? Element.make(kind.1),
      let scale = try? Element.make("videoconvertscale"), let sink = try? Element.make("appsink"),
      let input = Caps(kind.0),
      let output = Caps("video/x-raw,format=BGRx,width=\(size.width),height=\(size.height),pixel-aspect-ratio=1/1")
    else { return nil }
    source.set("caps", input)
    source.set("max-bytes", uint64: 0)
    source.set("format", nick: "time")
    sink.set("caps", output)
    sink.set("sync", false)
    pipeline.add(source, decoder, scale, sink)
    guard (try? source.link(to: decoder)) != nil, (try? decoder.link(to: scale)) != nil,
      (try? scale.link(to: sink)) != nil
    else { return nil }
    Bus.receive(from: pipeline, computes: true) { _ in }
    guard pipeline.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE else { return nil }
    file.withUnsafeBytes { bytes in
      guard let memory = bytes.baseAddress else { return }
      vit_push_bytes(source.pointer, memory, gsize(bytes.count), 0, UInt64.max)
    }
    let head = UnsafeMutableRawPointer(source.pointer).assumingMemoryBound(to: GstAppSrc.self)
    _ = gst_app_src_end_of_stream(head)
    let tail = UnsafeMutableRawPointer(sink.pointer).assumingMemoryBound(to: GstAppSink.self)
    guard let sample = gst_app_sink_try_pull_sample(tail, GstClockTime(limit.wholeNanoseconds)) else { return nil }
    defer { vit_sample_unref(sample) }
    guard let buffer = gst_sample_get_buffer(sample) else { return nil }
    let count = size.width * size.height
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { memory, filled in
      filled = Int(gst_buffer_extract(buffer, 0, memory.baseAddress, gsize(count * 4))) / 4
    }
    return CoverPixels(size: size, pixels: pixels.map { $0 | 0xFF00_0000 })
  }
}
