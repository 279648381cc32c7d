import CGStreamer
import CGStreamerShims
import CStandInDecoder
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// A stand-in for `vah264dec`, in front of a deck's chain and of sinks that accept the same caps as GStreamer 1.26's,
/// so that the choices are tested on Debian 12 too. GStreamer 1.22 only: none of its own sinks accepts layouts.
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
    /// The sink's caps, in order.
    var caps: [String]
    var memories: Set<UInt>
    var strides: Set<Int32>
    /// Whether all of them came in dmabufs.
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
    // Through an `Element` that is released at once, as when a pipeline reports its elements.
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

  @Test("A layout that the screen reads passes unchanged: the decoder's own dmabufs, reused, with their strides")
  func untouched() async throws {
    let outcome = try await Self.play(into: Self.layouts(Self.tiled) + ";video/x-raw,format=NV12")
    #expect(!outcome.hasFailed && outcome.frames == 60 && outcome.isShared)
    #expect(outcome.use == DecoderUse("vah264dec", way: .untouched))
    #expect(
      outcome.caps.count == 1 && outcome.caps[0].contains("drm-format=(string)NV12:0x0100000000000002"),
      "\(outcome.caps)")
    // A picture's row has 640 bytes; the decoder's rows are a multiple of 128, and the number of its lines one of 16.
    #expect(outcome.strides == [640] && outcome.memories.count <= 4, "\(outcome.strides) \(outcome.memories.count)")
  }

  @Test("The chip converts a layout that the screen doesn't read, and scales to the screen where the plane doesn't")
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

  @Test("When a plane refuses to scale in the middle of a film, the chip scales the frames from there on")
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
    "Frames are read back: without layouts in caps (GStreamer 1.22), by the profile, and as the last resort"
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

  @Test("After each way that is given up the next one is used")
  func ladder() async throws {
    let rich = Self.layouts("\(Self.tiled),NV12") + ";video/x-raw,format=NV12"
    let next = try await Self.play(into: rich, givenUp: [.untouched])
    #expect(!next.hasFailed && next.frames == 60 && next.use?.way == .processed)
  }

  @Test("Before caps have come, and unlinked, a decoder is offered plain memory; never VA-API's own")
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

  @Test("Fields are known in front of the decoder, as the parsers of H.264 and of others tell them")
  func fields() throws {
    try GStreamerLibrary.start()
    for (told, hasFields) in [
      ("coded-picture-structure=field", true), ("coded-picture-structure=frame", false),
      ("interlace-mode=interleaved", true), ("interlace-mode=progressive", false),
    ] {
      let coded = try #require(Caps("video/x-h264,width=720,height=576,framerate=25/1,\(told)"))
      let decoded = Caps(adopting: try #require(vit_caps_of_decoded(coded.pointer)))
      #expect((decoded.video?.scan != .progressive) == hasFields, "\(told): \(decoded.text)")
    }
  }

  @Test("VA-API's own memory is never taken for readable pixels")
  func memory() throws {
    try GStreamerLibrary.start()
    let caps = try #require(Caps("video/x-raw(memory:VAMemory),format=NV12,width=64,height=32,framerate=25/1"))
    #expect(caps.memory == .hardware(nil) && caps.video?.size.pixels == PixelSize(width: 64, height: 32))
    #expect(caps.memory.handling(for: .copy) == .refuse && caps.withoutHardwareMemory().isEmpty)
  }
}
