import CGStreamer
import CGStreamerShims
import CStandInDecoder
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// A stand-in for `vah264dec`, in front of a deck's chain and of sinks that take what GStreamer 1.26's say that they take. What is chosen
/// and handed on is the same on 1.22, where no sink of its own takes layouts.
@Suite("Decoders of VA-API in front of a deck's chain", .serialized)
struct VideoAccelerationTests {
  private static let isRegistered: Bool = {
    guard (try? GStreamerLibrary.start()) != nil else { return false }
    for (name, value) in [
      ("STAND_IN_DECODES", "NV12:0x0100000000000002,P010:0x0100000000000002"), ("STAND_IN_WRITES", "NV12,P010"),
    ] { setenv(name, value, 1) }
    return stand_in_register(nil, 0) != 0
  }()

  private static let tiled = "\"NV12:0x0100000000000002\""
  private static func layouts(_ list: String) -> String {
    "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format={\(list)},width=[1,4096],height=[1,4096]"
  }

  private struct Outcome {
    /// Of the sink, in order.
    var caps: [String]
    var memories: Set<UInt>
    var strides: Set<Int32>
    /// All of them in dmabufs.
    var isShared: Bool
    var frames: Int
    var use: DecoderUse?
    var hasFailed: Bool
  }

  /// Plays a clip of 60 pictures in 640x360.
  private static func play(
    into accepted: String, shape: FrameShape = .asDecoded, givenUp: [FrameWay] = [],
    clip: String = "h264-640x360-30-2s.mp4",
    copies: Bool = false,
    mustFit: @escaping @Sendable (PixelSize) -> Bool = { _ in false }
  ) async throws -> Outcome {
    try #require(isRegistered)
    let format = DeckFormat(
      videoCaps: try #require(Caps(accepted)), video: VideoDemand(shape: shape), soundCaps: nil, soundLead: .zero,
      screen: PixelSize(width: 640, height: 360))
    let acceleration = VideoAcceleration(
      for: format, copies: copies, isGivenUp: { $0.way.map(givenUp.contains) ?? false }, mustFit: mustFit)
    let pipeline = try Element.pipeline(name: "stand-in")
    defer { _ = pipeline.setState(GST_STATE_NULL) }
    let path = try await Media.path(clip)
    let source = try #require(
      gst_parse_bin_from_description("filesrc location=\"\(path)\" ! qtdemux ! h264parse", 0, nil))
    let decoder = try Element.make("vah264dec")
    let filter = try Element.make("capsfilter")
    filter.set("caps", format.videoCaps)
    let sink = try Element.make("fakesink")
    let chain = try VideoChain(
      into: [filter, sink], accepting: format.videoCaps, demand: format.video, chip: { acceleration.chip },
      mustFit: mustFit)
    let feed = Element(sinking: UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstElement.self))
    let parsed = try #require(feed.child(madeBy: "h264parse")?.staticPad("src"))
    gst_element_add_pad(feed.pointer, gst_ghost_pad_new("src", parsed.pointer))
    pipeline.add(feed, decoder, chain.bin)
    vit_answer_for_hardware(decoder.pointer, 3)
    // By an owner that goes at once, as where a pipeline tells of its parts.
    let use = acceleration.attach(to: Element(sinking: decoder.pointer))
    try feed.link(to: decoder)
    try decoder.link(to: chain.bin)
    let pad = try #require(sink.staticPad("sink"))
    let log = PadLog(pad)
    let caps = Locked<[String]>([])
    pad.observeEvents { event in
      guard vit_event_type(event) == GST_EVENT_CAPS else { return }
      var told: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &told)
      if let told { caps.withLock { $0.append(Caps(borrowing: told).text) } }
    }
    _ = pipeline.setState(GST_STATE_PLAYING)
    let bus = try #require(gst_element_get_bus(pipeline.pointer))
    defer { gst_object_unref(bus) }
    let ends = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
    let message = try #require(gst_bus_timed_pop_filtered(bus, 60_000_000_000, ends))
    defer { gst_mini_object_unref(UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self)) }
    return Outcome(
      caps: caps.withLock { $0 }, memories: Set(log.frames.map(\.memory)),
      strides: Set(log.frames.compactMap(\.stride)),
      isShared: log.frames.allSatisfy { $0.descriptor != nil }, frames: log.frames.count, use: use?(),
      hasFailed: message.pointee.type == GST_MESSAGE_ERROR)
  }

  @Test("A layout that the screen reads goes by untouched: the decoder's own dmabufs, again and again, with their rows")
  func untouched() async throws {
    let outcome = try await Self.play(into: Self.layouts(Self.tiled) + ";video/x-raw,format=NV12")
    #expect(!outcome.hasFailed && outcome.frames == 60 && outcome.isShared)
    #expect(outcome.use == DecoderUse("vah264dec", way: .untouched))
    #expect(
      outcome.caps.count == 1 && outcome.caps[0].contains("drm-format=(string)NV12:0x0100000000000002"),
      "\(outcome.caps)")
    // 640 bytes of a picture's row; the decoder's are a multiple of 128, and its lines one of 16.
    #expect(outcome.strides == [640] && outcome.memories.count <= 4, "\(outcome.strides) \(outcome.memories.count)")
  }

  @Test("One that it doesn't read is written anew by the chip, in the screen's size where the plane doesn't scale")
  func processed() async throws {
    let rows = Self.layouts("NV12") + ";video/x-raw,format=NV12"
    let plain = try await Self.play(into: rows)
    #expect(!plain.hasFailed && plain.frames == 60 && plain.isShared)
    #expect(plain.use == DecoderUse("vah264dec", way: .processed))
    #expect(plain.caps.allSatisfy { $0.contains("drm-format=(string)NV12,") || $0.hasSuffix("NV12") }, "\(plain.caps)")
    let size = PixelSize(width: 1280, height: 720)
    let shape = FrameShape.onPlane(coversScreen: false, scales: false, screen: size)
    let scaled = try await Self.play(into: Self.layouts("NV12,\(Self.tiled)"), shape: shape)
    #expect(!scaled.hasFailed && scaled.frames == 60 && scaled.use?.way == .processed)
    #expect(scaled.caps.last?.contains("width=(int)1280") == true, "\(scaled.caps)")
  }

  @Test("A plane that refuses to scale in the middle of a film gets frames from the chip from there on")
  func refused() async throws {
    let size = PixelSize(width: 1280, height: 720)
    let shape = FrameShape.onPlane(coversScreen: false, scales: true, screen: size)
    let asked = Locked(0)
    let outcome = try await Self.play(into: Self.layouts("NV12,\(Self.tiled)"), shape: shape) { _ in
      asked.withLock {
        $0 += 1; return $0 > 20
      }
    }
    #expect(!outcome.hasFailed && outcome.frames == 60 && outcome.use?.way == .untouched)
    #expect(
      outcome.caps.first?.contains("width=(int)640") == true && outcome.caps.last?.contains("width=(int)1280") == true)
  }

  @Test(
    "Read back: where no layout is told (GStreamer 1.22), by the profile, and when all else has failed"
  )
  func downloaded() async throws {
    let rich = Self.layouts("\(Self.tiled),NV12") + ";video/x-raw,format=NV12"
    for outcome in [
      try await Self.play(into: "video/x-raw,format={NV12,I420}"), try await Self.play(into: rich, copies: true),
      try await Self.play(into: rich, givenUp: [.untouched, .processed]),
    ] {
      #expect(!outcome.hasFailed && outcome.frames == 60 && !outcome.isShared)
      #expect(outcome.use == DecoderUse("vah264dec", way: .downloaded))
      #expect(
        outcome.caps.count == 1 && outcome.caps[0].hasPrefix("video/x-raw, format=(string)NV12"), "\(outcome.caps)")
    }
  }

  @Test("Each way that is given up leads to the next one")
  func ladder() async throws {
    let rich = Self.layouts("\(Self.tiled),NV12") + ";video/x-raw,format=NV12"
    let next = try await Self.play(into: rich, givenUp: [.untouched])
    #expect(!next.hasFailed && next.frames == 60 && next.use?.way == .processed)
  }

  @Test("Before anything has come, and where nothing is linked, a decoder is told plain memory; never VA-API's own")
  func unasked() throws {
    try #require(Self.isRegistered)
    let decoder = try Element.make("vah264dec")
    vit_answer_for_hardware(decoder.pointer, 3)
    let format = DeckFormat(
      videoCaps: try #require(Caps(Self.layouts(Self.tiled))), video: VideoDemand(shape: .asDecoded), soundCaps: nil,
      soundLead: .zero, screen: PixelSize(width: 640, height: 360))
    let acceleration = VideoAcceleration(for: format, copies: false) { _ in false }
    let use = try #require(acceleration.attach(to: decoder))
    #expect(use().way == .downloaded && acceleration.chip == nil)
    let pad = try #require(decoder.staticPad("src"))
    let answer = Caps(adopting: try #require(gst_pad_peer_query_caps(pad.pointer, nil)))
    #expect(answer.text == "video/x-raw")
    #expect(acceleration.attach(to: try Element.make("identity")) == nil)
  }

  @Test("VA-API's own memory is never taken for pixels")
  func memory() throws {
    try GStreamerLibrary.start()
    let caps = try #require(Caps("video/x-raw(memory:VAMemory),format=NV12,width=64,height=32,framerate=25/1"))
    #expect(caps.memory == .hardware(nil) && caps.video?.size.pixels == PixelSize(width: 64, height: 32))
    #expect(caps.memory.handling(for: .copy) == .refuse && caps.withoutHardwareMemory().isEmpty)
  }
}
