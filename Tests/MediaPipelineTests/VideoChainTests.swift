import CGStreamer
import CGStreamerShims
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// The stages between a decoder and the output, tested by the frames that come through them.
@Suite("Stages of a deck's video")
struct VideoChainTests {
  private static let size = PixelSize(width: 32, height: 24)
  private static let format = "video/x-raw,format=BGRx,width=32,height=24,framerate=25/1"

  /// Sends a picture that differs in all eight orientations through a chain, with a tag for its orientation.
  private func picture(_ tag: String?, _ demand: VideoDemand = VideoDemand(shape: .asDecoded)) throws -> CapturedFrame {
    try GStreamerLibrary.start()
    let pipeline = try Element.pipeline(name: "test")
    let (source, filter, inject) = (
      try Element.make("videotestsrc"), try Element.make("capsfilter"), try Element.make("taginject")
    )
    source.set("pattern", nick: "smpte100")
    source.set("num-buffers", int: 1)
    filter.set("caps", try #require(Caps(Self.format)))
    if let tag { inject.set("tags", "image-orientation=\(tag)") }
    let sink = try Element.make("fakesink")
    let chain = try VideoChain(
      into: [sink], accepting: try #require(Caps("video/x-raw,format=BGRx")), demand: demand)
    pipeline.add(source, filter, inject, chain.bin)
    for (element, next) in zip([source, filter, inject], [filter, inject, chain.bin]) { try element.link(to: next) }
    _ = pipeline.setState(GST_STATE_PAUSED)
    defer { _ = pipeline.setState(GST_STATE_NULL) }
    let limit = GstClockTime(patience.wholeNanoseconds)
    #expect(gst_element_get_state(pipeline.pointer, nil, nil, limit) == GST_STATE_CHANGE_SUCCESS)
    return try #require(FrameCapture.of(sink).frame)
  }

  @Test("All eight orientations come out upright, by the tags that files use", arguments: PictureOrientation.all)
  func orientations(orientation: PictureOrientation) throws {
    let name = "\(orientation.isMirrored ? "flip-" : "")rotate-\(orientation.rotation.rawValue)"
    #expect(PictureOrientation(name: name) == orientation)
    let plain = try picture(nil)
    var rows = stride(from: 0, to: plain.pixels.count, by: Self.size.width).map {
      Array(plain.pixels[$0..<($0 + Self.size.width)])
    }
    if orientation.isMirrored { rows = rows.map { $0.reversed() } }
    let expected = orientation.rotation.turn(rows.flatMap { $0 }, size: Self.size)
    let turned = try picture(name)
    #expect(turned.size.pixels == orientation.rotation.turned(Self.size))
    #expect(turned.pixels == expected)
  }

  @Test(
    "Caps without a colour range, or with a negative pixel aspect, are repaired",
    arguments: ["colorimetry=(string)0:3:0:0", "pixel-aspect-ratio=(fraction)-1/1"])
  func repairedCaps(word: String) throws {
    try GStreamerLibrary.start()
    let pipeline = try Element.pipeline(name: "test")
    let (source, filter, lie) = (
      try Element.make("videotestsrc"), try Element.make("capsfilter"), try Element.make("capssetter")
    )
    source.set("pattern", nick: "white")
    source.set("num-buffers", int: 1)
    filter.set(
      "caps", try #require(Caps("video/x-raw,format=Y42B,width=32,height=24,framerate=25/1,colorimetry=bt709")))
    lie.set("caps", try #require(Caps("video/x-raw,\(word)")))
    let sink = try Element.make("fakesink")
    let chain = try VideoChain(
      into: [sink], accepting: try #require(Caps("video/x-raw,format=BGRx")), demand: VideoDemand(shape: .asDecoded))
    pipeline.add(source, filter, lie, chain.bin)
    for (element, next) in zip([source, filter, lie], [filter, lie, chain.bin]) { try element.link(to: next) }
    _ = pipeline.setState(GST_STATE_PAUSED)
    defer { _ = pipeline.setState(GST_STATE_NULL) }
    let limit = GstClockTime(patience.wholeNanoseconds)
    #expect(gst_element_get_state(pipeline.pointer, nil, nil, limit) == GST_STATE_CHANGE_SUCCESS)
    let frame = try #require(FrameCapture.of(sink).frame)
    // White stays white but for rounding; taken for full range it would be grey (235).
    #expect(frame.size.pixels == Self.size && frame.pixels.allSatisfy { $0 & 0xF8F8F8 == 0xF8F8F8 })
  }

  @Test(
    "Frames in memory that only a sink understands reach a sink that accepts them, no other, and give no snapshot",
    arguments: [true, false])
  func onlyTheSink(isTaken: Bool) throws {
    try GStreamerLibrary.start()
    // The caps of Raspberry Pi's decoders for columns of 128 pixels, from GStreamer 1.26 on.
    let tiled = try #require(
      Caps(
        "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=(string)NV12:0x0700000000000004,width=32,height=24"))
    let pipeline = try Element.pipeline(name: "test")
    let (source, filter, sink) = (
      try Element.make("appsrc"), try Element.make("capsfilter"), try Element.make("fakesink")
    )
    source.set("format", nick: "time")
    let accepted = isTaken ? tiled : try #require(Caps("video/x-raw,format=BGRx"))
    filter.set("caps", accepted)
    let chain = try VideoChain(into: [filter, sink], accepting: accepted, demand: VideoDemand(shape: .asDecoded))
    pipeline.add(source, chain.bin)
    try source.link(to: chain.bin)
    defer { _ = pipeline.setState(GST_STATE_NULL) }
    _ = pipeline.setState(GST_STATE_PAUSED)
    let log = PadLog(try #require(sink.staticPad("sink")))
    let buffer = try #require(gst_buffer_new_memdup([UInt8](repeating: 7, count: 64), 64))
    buffer.pointee.pts = 0
    let sample = try #require(gst_sample_new(buffer, tiled.pointer, nil, nil))
    gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
    gst_app_src_push_sample(UnsafeMutableRawPointer(source.pointer).assumingMemoryBound(to: GstAppSrc.self), sample)
    vit_sample_unref(sample)
    let bus = try #require(gst_element_get_bus(pipeline.pointer))
    defer { gst_object_unref(bus) }
    let wanted = GstMessageType(rawValue: GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_ASYNC_DONE.rawValue)
    let message = try #require(
      gst_bus_timed_pop_filtered(bus, GstClockTime(patience.wholeNanoseconds), wanted))
    defer { gst_mini_object_unref(UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self)) }
    #expect(message.pointee.type == (isTaken ? GST_MESSAGE_ASYNC_DONE : GST_MESSAGE_ERROR))
    #expect(log.frames.count == (isTaken ? 1 : 0))
    // An unreadable frame gives no snapshot.
    #expect(FrameCapture.of(sink).frame == nil)
  }

  @Test("The film's orientation and the screen's rotation add up: a quarter and three quarters change nothing")
  func withScreen() throws {
    let demand = VideoDemand(shape: .asDecoded, rotation: .counterclockwise)
    #expect(try picture("rotate-90", demand).pixels == picture(nil).pixels)
  }

  @Test("Unknown words for an orientation are ignored")
  func unknownWords() {
    for name in ["", "rotate-", "rotate-45", "flip", "flip-rotate", "flip-flip-rotate-0", "rotate-90 ", "ROTATE-90"] {
      #expect(PictureOrientation(name: name) == nil, "\(name)")
    }
  }

  @Test(
    "Frames that need nothing pass no element; a change in the middle of a film holds from the next frame on")
  func change() async throws {
    try GStreamerLibrary.start()
    let pipeline = try Element.pipeline(name: "test")
    let source = try Element.make("appsrc")
    source.set("format", nick: "time")
    let sink = try Element.make("fakesink")
    let chain = try VideoChain(
      into: [sink], accepting: try #require(Caps("video/x-raw,format=BGRx")), demand: VideoDemand(shape: .asDecoded))
    pipeline.add(source, chain.bin)
    try source.link(to: chain.bin)
    let (told, tell) = AsyncStream<PixelSize>.makeStream()
    chain.observe { video, _ in tell.yield(video.uprightSize.pixels) }
    let (sizes, size) = AsyncStream<PixelSize>.makeStream()
    let end = try #require(sink.staticPad("sink"))
    end.probe(GST_PAD_PROBE_TYPE_BUFFER) { pad, _ in
      if let caps = gst_pad_get_current_caps(pad), let video = Caps(adopting: caps).video {
        size.yield(video.size.pixels)
      }
    }
    _ = pipeline.setState(GST_STATE_PLAYING)
    defer { _ = pipeline.setState(GST_STATE_NULL) }
    let appsrc = UnsafeMutableRawPointer(source.pointer).assumingMemoryBound(to: GstAppSrc.self)

    func push(_ width: Int, _ height: Int) throws {
      let caps = try #require(Caps("video/x-raw,format=BGRx,width=\(width),height=\(height),framerate=25/1"))
      let buffer = try #require(gst_buffer_new_allocate(nil, gsize(width * height * 4), nil))
      let sample = try #require(gst_sample_new(buffer, caps.pointer, nil, nil))
      gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
      gst_app_src_push_sample(appsrc, sample)
      vit_sample_unref(sample)
    }
    func turn(_ name: String) throws {
      let tags = try #require(gst_tag_list_new_from_string("taglist,image-orientation=(string)\(name)"))
      gst_element_send_event(source.pointer, gst_event_new_tag(tags))
    }
    func expect(_ width: Int, _ height: Int, stages: Set<String>) async throws {
      let next = try await first(of: sizes) { $0 }
      #expect(next == PixelSize(width: width, height: height))
      #expect(chain.bin.childFactories() == stages.union(["fakesink"]))
    }
    try push(32, 24)
    try await expect(32, 24, stages: [])
    try turn("rotate-90")
    try push(32, 24)
    try await expect(24, 32, stages: ["videoconvertscale", "videoflip"])
    // Another size, turned as before.
    try push(64, 24)
    try await expect(24, 64, stages: ["videoconvertscale", "videoflip"])
    try turn("rotate-0")
    try push(64, 24)
    try await expect(64, 24, stages: [])
    tell.finish()
    var all: [PixelSize] = []
    for await size in told { all.append(size) }
    #expect(all.map { [$0.width, $0.height] } == [[32, 24], [24, 32], [24, 64], [64, 24]])
  }

  /// Takes a deck's pictures: records the time of each in the item, and its number.
  private final class Log: SampleDestination {
    let numbers = Locked<[(time: Duration, number: Int?)]>([])

    func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
      let number = Self.number(of: sample)
      numbers.withLock { $0.append((stamp.tag.streamTime, number)) }
      return GST_FLOW_OK
    }

    /// The picture's number, read twice, from lines of either field: nil where the two differ.
    private static func number(of sample: OpaquePointer) -> Int? {
      guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample),
        let width = Caps(borrowing: caps).video?.size.pixels.width
      else { return nil }
      var map = GstMapInfo()
      guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0, let data = map.data else { return nil }
      defer { gst_buffer_unmap(buffer, &map) }
      let square = width / 20
      let rows = [square + square / 2, square + square / 2 + 1].map { row in
        (0..<16).map { data[(row * width + square + square / 2 + $0 * square) * 4] > 128 ? 1 : 0 }
      }
      return rows[0] == rows[1] ? rows[0].reduce(0) { $0 * 2 + $1 } : nil
    }
  }

  private func deck(
    _ clip: String, _ log: Log, _ deinterlacing: Deinterlacing = .fields
  ) async throws -> (Deck, AsyncStream<DeckEvent>) {
    try GStreamerLibrary.start()
    var decoders = DecoderPolicy()
    decoders.deinterlacing = deinterlacing
    let (events, post) = AsyncStream<DeckEvent>.makeStream()
    let deck = try Deck(
      DeckRecipe(
        id: DeckID(generation: 1),
        item: MediaItem(uri: URL(filePath: try await Media.path(clip)).absoluteString, kind: .file), from: .zero,
        pictureDuration: .seconds(1), decoders: decoders),
      format: DeckFormat(
        videoCaps: try #require(Caps("video/x-raw,format=BGRx")), video: VideoDemand(shape: .asDecoded),
        soundCaps: nil, soundLead: .zero, screen: PixelSize(width: 720, height: 576)),
      video: log, sound: nil
    ) { post.yield($0) }
    deck.prepare()
    return (deck, events)
  }

  static let interlaced = ["interlaced-320x192-25.ts", "interlaced-320x192-25.mpg", "interlaced-720x576-25.dv"]

  @Test("Each field becomes a picture, without combs, at its own time", arguments: VideoChainTests.interlaced)
  func fields(clip: String) async throws {
    let log = Log()
    let (deck, events) = try await deck(clip, log)
    let readiness = try await first(of: events) { if case .ready(let readiness) = $0 { readiness } else { nil } }
    // A step goes from frame to frame: a position inside of a frame gives that frame.
    #expect(readiness.frameInterval == .milliseconds(40))
    // The screen's refresh rate follows the pictures that are shown.
    #expect(readiness.pictureInterval == .milliseconds(20))
    deck.play(base: .monotonicNow + .milliseconds(500))
    _ = try await first(of: events) { if case .streamEnded(.video, _, _, _) = $0 { true } else { nil } }
    deck.drop()
    let pictures = log.numbers.withLock { $0 }
    let start = try #require(pictures.first?.time)
    // A busy machine may drop some pictures.
    #expect(pictures.count <= 50 && pictures.count > 25, "\(pictures.count)")
    for picture in pictures {
      let number = try #require(picture.number, "combs at \(picture.time)")
      let off = picture.time - start - .milliseconds(20) * number
      #expect(abs(off.wholeNanoseconds) < 1_000_000, "picture \(number) at \(picture.time - start)")
    }
  }

  @Test("A board's profile may ask for one picture of each frame", arguments: ["interlaced-320x192-25.ts"])
  func frames(clip: String) async throws {
    let log = Log()
    let (deck, events) = try await deck(clip, log, .frames)
    _ = try await first(of: events) { if case .ready = $0 { true } else { nil } }
    deck.play(base: .monotonicNow + .milliseconds(500))
    let last = try await first(of: events) { event -> Duration? in
      if case .streamEnded(.video, _, _, let last) = event { last } else { nil }
    }
    deck.drop()
    let numbers = log.numbers.withLock { $0.map(\.number) }
    #expect(numbers.count <= 25 && numbers.count > 12 && numbers.allSatisfy { $0 != nil && $0.map { $0 % 2 } == 0 })
    #expect(last == .milliseconds(40))
  }

  @Test("A seek into an interlaced film shows its frame at once, without combs, and so does a step")
  func seek() async throws {
    let log = Log()
    // A program stream can be sought only by its index; a DV film's frames all have one size.
    let (deck, events) = try await deck("interlaced-720x576-25.dv", log)
    _ = try await first(of: events) { if case .ready = $0 { true } else { nil } }
    for (seek, index) in [(UInt32(1), 10), (2, 11), (3, 3)] {
      deck.seek(
        to: .milliseconds(40) * index + .milliseconds(10), .exact, rate: 1, seek: seek, preview: true)
      _ = try await first(of: events) { if case .seekFinished(seek, _) = $0 { true } else { nil } }
      #expect(log.numbers.withLock { $0.last?.number } == index * 2)
    }
    deck.drop()
  }
}
