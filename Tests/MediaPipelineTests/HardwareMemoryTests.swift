import CGStreamer
import CGStreamerShims
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Frames as kmssink and decoders have them from GStreamer 1.26 on, with constructed caps, so that they are tested on
/// Debian 12 too.
@Suite("Frames in memory for hardware")
struct HardwareMemoryTests {
  private static func caps(_ format: String, _ more: String = "") throws -> Caps {
    try GStreamerLibrary.start()
    return try #require(
      Caps(
        "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=\(format),width=64,height=32,framerate=25/1,"
          + "pixel-aspect-ratio=16/15\(more)"))
  }

  @Test("Size, pixel shape, frame interval and layout are read from caps of any layout")
  func facts() throws {
    try GStreamerLibrary.start()
    for format in ["NV12", "NV12:0x0700000000000004", "NC12:0x0000000000000001"] {
      let caps = try Self.caps("(string)\(format)")
      let video = try #require(caps.video, "\(format)")
      #expect(video.size.pixels == PixelSize(width: 64, height: 32))
      #expect(video.size.pixelAspect == Ratio(numerator: 16, denominator: 15))
      #expect(video.frameInterval == .milliseconds(40))
      #expect(caps.memory == .hardware(DRMFormat(format)))
      #expect(caps.frameSize == 0)
    }
    #expect(try #require(Caps("video/x-raw,format=NV12,width=64,height=32,framerate=0/1")).memory == .plain)
    #expect(try #require(Caps("video/x-raw(memory:DMABuf),format=NV12,width=64,height=32")).memory == .plain)
  }

  @Test("Decoders are offered plain memory only where their frames have to be changed")
  func offers() throws {
    try GStreamerLibrary.start()
    let sink = try #require(
      Caps(
        "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format={(string)NV12, (string)\"NV12:0x0700000000000004\"};"
          + "video/x-raw,format={NV12,I420}; video/x-raw(memory:DMABuf),format={NV12}"))
    let plain = sink.withoutHardwareMemory()
    #expect(!plain.text.contains("DMA_DRM") && plain.text.contains("I420"), "\(plain.text)")
    #expect(plain.intersects(try #require(Caps("video/x-raw(memory:DMABuf),format=NV12"))))
    #expect(sink.text.contains("DMA_DRM"))
  }

  /// The capture of a black frame that a sink has shown.
  private func capture(_ caps: Caps) async throws -> FrameCapture {
    try GStreamerLibrary.start()
    let pipeline = try Element.pipeline(name: "made")
    defer { _ = pipeline.setState(GST_STATE_NULL) }
    let source = try Element.make("appsrc")
    let sink = try Element.make("fakesink")
    source.set("format", nick: "time")
    source.set("caps", caps)
    sink.set("enable-last-sample", true)
    pipeline.add(source, sink)
    try source.link(to: sink)
    _ = pipeline.setState(GST_STATE_PLAYING)
    var bytes = [UInt8](repeating: 16, count: 64 * 32)
    bytes += [UInt8](repeating: 128, count: 64 * 16)
    bytes.withUnsafeBytes { if let start = $0.baseAddress { vit_push_bytes(source.pointer, start, 64 * 48, 0, 0) } }
    // The frame has come once the state is reached.
    var state = GST_STATE_VOID_PENDING
    #expect(gst_element_get_state(pipeline.pointer, &state, nil, 10_000_000_000) == GST_STATE_CHANGE_SUCCESS)
    return FrameCapture.of(sink)
  }

  @Test("A frame that is stored row by row is copied in its own format")
  func rows() async throws {
    guard case .frame(let frame) = try await capture(Self.caps("(string)NV12")) else {
      Issue.record("no frame")
      return
    }
    #expect(frame.size.pixels == PixelSize(width: 64, height: 32))
    #expect(frame.pixels.allSatisfy { $0 == 0xFF00_0000 }, "\(frame.pixels.prefix(2))")
  }

  @Test(
    "A frame in a layout that only the screen can read is refused with its number",
    arguments: ["NV12:0x0700000000000004", "NC12", "NV12:0x00ffffffffffffff"])
  func tiled(format: String) async throws {
    guard case .unreadable(let error) = try await capture(Self.caps("(string)\"\(format)\"")) else {
      Issue.record("not refused")
      return
    }
    #expect(error.number == 3050)
  }

  @Test(
    "A decoder's ALLOCATION query is answered with the number of held frames, and no plain pool for hardware frames"
  )
  func pool() throws {
    try GStreamerLibrary.start()
    for (caps, isForHardware) in [
      (try Self.caps("(string)NV12"), true),
      (try #require(Caps("video/x-raw,format=NV12,width=64,height=32,framerate=25/1")), false),
    ] {
      let query = try #require(gst_query_new_allocation(caps.pointer, 1))
      defer { vit_query_unref(query) }
      #expect((vit_query_is_for_hardware(query) != 0) == isForHardware)
      vit_answer_allocation(query, 3)
      try #require(gst_query_get_n_allocation_pools(query) == 1)
      var pool: UnsafeMutablePointer<GstBufferPool>?
      var least: guint = 0
      gst_query_parse_nth_allocation_pool(query, 0, &pool, nil, &least, nil)
      #expect((pool == nil) == isForHardware && least == 3)
      if let pool { gst_object_unref(pool) }
    }
  }

  /// The caps that a decoder can produce, as in GStreamer 1.26.
  private static let bothKinds =
    "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12; video/x-raw,format={ NV12, I420 }"

  @Test("A decoder that queries before it is linked is offered plain memory; one with tiled layouts only gets those")
  func unlinked() throws {
    try GStreamerLibrary.start()
    let decoder = try Element.make("identity", name: "decoder")
    vit_answer_for_hardware(decoder.pointer, 3)
    let pad = try #require(decoder.staticPad("src"))
    let tiles = "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NC12"
    for (wish, right) in [(Self.bothKinds, "video/x-raw,format={ NV12, I420 }"), (tiles, tiles)] {
      let (caps, expected) = (try #require(Caps(wish)), try #require(Caps(right)))
      let answer = Caps(adopting: try #require(gst_pad_peer_query_caps(pad.pointer, caps.pointer)))
      #expect(gst_caps_is_equal(answer.pointer, expected.pointer) != 0, "\(answer.text)")
    }
  }

  @Test("Once linked, a decoder is offered what the elements behind it accept, without hardware frames")
  func linked() throws {
    try GStreamerLibrary.start()
    let decoder = try Element.make("identity", name: "decoder")
    let sink = try Element.make("capsfilter", name: "sink")
    sink.set("caps", try #require(Caps("video/x-raw(memory:DMABuf),format=DMA_DRM; video/x-raw,format=NV12")))
    vit_answer_for_hardware(decoder.pointer, 3)
    try decoder.link(to: sink)
    let pad = try #require(decoder.staticPad("src"))
    let wish = try #require(Caps(Self.bothKinds))
    let answer = Caps(adopting: try #require(gst_pad_peer_query_caps(pad.pointer, wish.pointer)))
    let expected = try #require(Caps("video/x-raw,format=NV12"))
    #expect(gst_caps_is_equal(answer.pointer, expected.pointer) != 0, "\(answer.text)")
  }
}
