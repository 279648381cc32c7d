import CGStreamer
import CGStreamerShims
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Frames go from a deck to the sink without a copy, and no more of them are held than promised.
@Suite("Memory on its way through the bridge")
struct BridgeMemoryTests {
  /// A deck's end and an output's head with a sink, without a decoder: the test pushes frames itself.
  private final class Bridge: Sendable {
    let feed: Element
    let sink: Element
    private let deck: Element
    private let output: Element
    private let passed: AsyncStream<Void>

    /// - Parameter keepsLast: the sink holds the last frame, as a sink with a screen does.
    init(keepsLast: Bool = false) throws {
      try GStreamerLibrary.start()
      let format = DeckFormat(
        videoCaps: try #require(Caps("video/x-raw(ANY)")), video: VideoDemand(shape: .asDecoded), soundCaps: nil,
        soundLead: .zero,
        screen: PixelSize(width: 64, height: 32))
      deck = try Element.pipeline(name: "deck")
      feed = try Element.make("appsrc")
      feed.set("format", nick: "time")
      let end = try DeckPipeline.appsink("video", caps: format.videoCaps, lead: .zero, of: format)
      // Frames pass when the test pushes them.
      end.set("sync", false)
      end.staticPad("sink")?.answerAllocation()
      deck.add(feed, end)
      try feed.link(to: end)

      output = try Element.pipeline(name: "output")
      let head = try AppSource(name: "head", maxBuffers: MediaOutput.heldFrames)
      sink = try Element.make("fakesink")
      sink.set("enable-last-sample", keepsLast)
      output.add(head.element, sink)
      try head.element.link(to: sink)

      let (passed, hasPassed) = AsyncStream<Void>.makeStream()
      self.passed = passed
      let gate = DeckGate(deck: DeckID(generation: 1), destination: Forwarder(to: head) { hasPassed.yield() })
      gate.attach(to: end)
      gate.setMode(.open(base: .monotonicNow))
      for pipeline in [output, deck] { _ = pipeline.setState(GST_STATE_PLAYING) }
    }

    /// The number of frames that a decoder is told to allocate for the elements behind it.
    func promised() throws -> Int {
      let caps = try #require(Caps("video/x-raw,format=NV12,width=64,height=32,framerate=30/1"))
      let query = try #require(gst_query_new_allocation(caps.pointer, 1))
      defer { gst_mini_object_unref(UnsafeMutableRawPointer(query).assumingMemoryBound(to: GstMiniObject.self)) }
      let end = try #require(deck.child(madeBy: "appsink")?.staticPad("sink"))
      try #require(gst_pad_query(end.pointer, query) != 0 && gst_query_get_n_allocation_pools(query) == 1)
      var least: guint = 0
      gst_query_parse_nth_allocation_pool(query, 0, nil, nil, &least, nil)
      return Int(least)
    }

    /// Waits until the gate has passed on one more frame to the output's head.
    func pass() async throws { try await first(of: passed) { () } }

    deinit { for pipeline in [deck, output] { _ = pipeline.setState(GST_STATE_NULL) } }
  }

  private struct Forwarder: SampleDestination {
    let destination: AppSource
    let done: @Sendable () -> Void
    init(to destination: AppSource, done: @escaping @Sendable () -> Void) {
      self.destination = destination
      self.done = done
    }
    func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
      defer { done() }
      return destination.push(sample, stamp)
    }
  }

  /// Makes frames in dmabufs, with GStreamer's own allocator over unnamed files.
  private struct Exporter {
    static let stride: Int32 = 128
    static let size = 128 * 32 * 3 / 2
    let allocator = gst_dmabuf_allocator_new()
    let alive: Locked<Int> = Locked(0)

    /// Pushes a frame to the appsrc; returns the address of its memory and its descriptor.
    func push(_ number: Int, to source: Element) throws -> PadLog.Frame {
      let file = try #require(tmpfile())
      let descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0)
      fclose(file)
      try #require(descriptor >= 0 && ftruncate(descriptor, Self.size) == 0)
      let memory = try #require(gst_dmabuf_allocator_alloc(allocator, descriptor, gsize(Self.size)))
      alive.withLock { $0 += 1 }
      let object = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: GstMiniObject.self)
      gst_mini_object_weak_ref(
        object,
        { data, _ in
          guard let data else { return }
          Unmanaged<Locked<Int>>.fromOpaque(data).takeRetainedValue().withLock { $0 -= 1 }
        }, Unmanaged.passRetained(alive).toOpaque())
      let buffer = try #require(gst_buffer_new())
      gst_buffer_append_memory(buffer, memory)
      var offsets: [gsize] = [0, 128 * 32, 0, 0]
      var strides: [gint] = [Self.stride, Self.stride, 0, 0]
      gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_NV12, 64, 32, 2, &offsets, &strides)
      buffer.pointee.pts = GstClockTime(number) * 33_333_333
      buffer.pointee.duration = 33_333_333
      let caps = try #require(Caps("video/x-raw(memory:DMABuf),format=NV12,width=64,height=32,framerate=30/1"))
      let sample = try #require(gst_sample_new(buffer, caps.pointer, nil, nil))
      let frame = PadLog.Frame(memory: UInt(bitPattern: memory), descriptor: descriptor, stride: Self.stride)
      gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
      gst_app_src_push_sample(UnsafeMutableRawPointer(source.pointer).assumingMemoryBound(to: GstAppSrc.self), sample)
      vit_sample_unref(sample)
      return frame
    }
  }

  @Test("A dmabuf reaches the sink as the same memory and descriptor, with its format and its stride")
  func dmabuf() async throws {
    let bridge = try Bridge()
    let (arrivals, arrived) = AsyncStream<Int>.makeStream()
    let pad = try #require(bridge.sink.staticPad("sink"))
    let log = PadLog(pad) { arrived.yield($0) }
    let exporter = Exporter()
    var sent: [PadLog.Frame] = []
    for number in 0..<8 {
      sent.append(try exporter.push(number, to: bridge.feed))
      try await first(of: arrivals) { $0 == number + 1 ? () : nil }
    }
    #expect(log.frames == sent)
    let caps = try #require(gst_pad_get_current_caps(pad.pointer).map(Caps.init(adopting:)))
    #expect(caps.text.contains("memory:DMABuf") && caps.text.contains("NV12"), "\(caps.text)")
  }

  @Test("While the sink holds one frame the bridge holds two more, and releases the older ones")
  func held() async throws {
    let bridge = try Bridge()
    let isBlocked = DispatchSemaphore(value: 0)
    defer { isBlocked.signal() }
    let (arrivals, arrived) = AsyncStream<Int>.makeStream()
    let log = PadLog(try #require(bridge.sink.staticPad("sink"))) { count in
      arrived.yield(count)
      if count == 1 { isBlocked.wait() }
    }
    let exporter = Exporter()
    _ = try exporter.push(0, to: bridge.feed)
    try await bridge.pass()
    try await first(of: arrivals) { $0 == 1 ? () : nil }
    for number in 1..<12 {
      _ = try exporter.push(number, to: bridge.feed)
      try await bridge.pass()
    }
    #expect(log.frames.count == 1)
    // The appsink's own reference is to the newest frame, which the bridge holds too.
    #expect(exporter.alive.withLock { $0 } == 3)
  }

  /// A pool that can't grow.
  private final class SmallPool {
    private let pool = gst_buffer_pool_new()

    init(_ count: Int) throws {
      let config = gst_buffer_pool_get_config(pool)
      gst_buffer_pool_config_set_params(config, nil, 64, guint(count), guint(count))
      try #require(gst_buffer_pool_set_config(pool, config) != 0 && gst_buffer_pool_set_active(pool, 1) != 0)
    }

    deinit {
      gst_buffer_pool_set_active(pool, 0)
      gst_object_unref(pool)
    }

    /// Pushes a frame to the appsrc; false where all frames are held.
    func push(_ number: Int, to source: Element) throws -> Bool {
      var wish = GstBufferPoolAcquireParams()
      wish.flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
      var buffer: UnsafeMutablePointer<GstBuffer>?
      guard gst_buffer_pool_acquire_buffer(pool, &buffer, &wish) == GST_FLOW_OK, let buffer else { return false }
      buffer.pointee.pts = GstClockTime(number) * 33_333_333
      buffer.pointee.duration = 33_333_333
      let caps = try #require(Caps("video/x-raw,format=GRAY8,width=8,height=8,framerate=30/1"))
      let feed = UnsafeMutableRawPointer(source.pointer).assumingMemoryBound(to: GstAppSrc.self)
      gst_app_src_set_caps(feed, caps.pointer)
      // Without another reference to the buffer: a source marks its first one, which would be a copy then, and the pool
      // would replace a buffer whose memory is in a copy.
      gst_app_src_push_buffer(feed, buffer)
      return true
    }
  }

  @Test(
    "A pool of as many frames as ALLOCATION promises never runs empty, even with a slow sink; one frame fewer does",
    arguments: [0, 1])
  func leastPool(lacking: Int) async throws {
    let bridge = try Bridge(keepsLast: true)
    let isBlocked = DispatchSemaphore(value: 0)
    defer { isBlocked.signal() }
    let (arrivals, arrived) = AsyncStream<Int>.makeStream()
    // One frame is on the screen, and the sink waits with the next one.
    let log = PadLog(try #require(bridge.sink.staticPad("sink"))) { count in
      arrived.yield(count)
      if count == 2 { isBlocked.wait() }
    }
    let promised = try bridge.promised()
    #expect(promised == MediaOutput.framesHeld)
    let pool = try SmallPool(promised - lacking)
    var starved: Int?
    for number in 0..<30 where starved == nil {
      guard try pool.push(number, to: bridge.feed) else {
        starved = number
        break
      }
      try await bridge.pass()
      if number < 2 { try await first(of: arrivals) { $0 == number + 1 ? () : nil } }
    }
    #expect(log.frames.count == 2)
    #expect(starved == (lacking == 0 ? nil : promised - lacking))
  }

  @Test("The sink gets the decoders' own frames, of one deck and the next: no frame is copied")
  func noCopies() async throws {
    try GStreamerLibrary.start()
    let output = try Element.pipeline(name: "output")
    let head = try AppSource(name: "head", maxBuffers: MediaOutput.heldFrames)
    let sink = try Element.make("fakesink")
    output.add(head.element, sink)
    try head.element.link(to: sink)
    output.useClock(.system)
    let base = Instant.monotonicNow
    output.setBaseTime(base)
    head.setBase(base)
    let shown = PadLog(try #require(sink.staticPad("sink")))
    _ = output.setState(GST_STATE_PLAYING)
    defer { _ = output.setState(GST_STATE_NULL) }
    let format = DeckFormat(
      videoCaps: try #require(Caps("video/x-raw,format={ I420, NV12 }")), video: VideoDemand(shape: .asDecoded),
      soundCaps: nil,
      soundLead: .zero, screen: PixelSize(width: 640, height: 360))
    var decoded: Set<UInt> = []
    for (generation, clip) in [(UInt32(1), "h264-640x360-30-2s.mp4"), (2, "vp8-vorbis-320x240-25.webm")] {
      let (events, post) = AsyncStream<DeckEvent>.makeStream()
      let item = MediaItem(uri: URL(filePath: try await Media.path(clip)).absoluteString, kind: .file)
      let deck = try Deck(
        DeckRecipe(
          id: DeckID(generation: generation), item: item, from: .zero, pictureDuration: .seconds(1),
          tracks: TrackPreferences(subtitles: .off)), format: format, video: head, sound: nil
      ) { post.yield($0) }
      deck.prepare()
      _ = try await first(of: events) { if case .ready = $0 { true } else { nil } }
      let decoder = try #require(deck.parts.pipeline.child(madeBy: generation == 1 ? "avdec_h264" : "vp8dec"))
      let log = PadLog(try #require(decoder.staticPad("src")))
      let end = PadLog(try #require(deck.parts.videoSink.staticPad("sink")))
      deck.play(base: .monotonicNow)
      _ = try await first(of: events) { if case .streamEnded(.video, _, _, _) = $0 { true } else { nil } }
      // The first few frames were decoded before the log began: those are known from the deck's end.
      #expect(log.frames.count > 40)
      decoded.formUnion(log.frames.map(\.memory))
      #expect(Set(end.frames.dropFirst(10).map(\.memory)).isSubset(of: decoded))
      deck.drop()
      _ = try await first(of: events) { if case .gone = $0 { true } else { nil } }
    }
    let late = shown.frames.map(\.memory).filter { !decoded.contains($0) }
    // Frames of each deck that were decoded before its log began.
    #expect(shown.frames.count > 100 && late.count < 10, "\(late.count) of \(shown.frames.count)")
  }

  @Test(
    "When two decks push at the same time, no frame of the older one follows the first frame of the newer one")
  func order() async throws {
    try GStreamerLibrary.start()
    for _ in 0..<200 {
      let output = try Element.pipeline(name: "output")
      let head = try AppSource(name: "head", maxBuffers: 1000)
      let sink = try Element.make("fakesink")
      sink.set("sync", false)
      output.add(head.element, sink)
      try head.element.link(to: sink)
      let seen = Locked<[UInt32]>([])
      try #require(sink.staticPad("sink")).probe(GST_PAD_PROBE_TYPE_BUFFER) { _, info in
        guard let buffer = gst_pad_probe_info_get_buffer(info) else { return }
        let tag = FrameTag(offset: UInt64(buffer.pointee.offset), offsetEnd: UInt64(buffer.pointee.offset_end))
        seen.withLock { $0.append(tag.deck.generation) }
      }
      _ = output.setState(GST_STATE_PLAYING)
      let source = head
      await withTaskGroup(of: Void.self) { group in
        for generation in [UInt32(1), 2] {
          group.addTask {
            guard let buffer = gst_buffer_new_memdup([1, 2, 3, 4], 4),
              let caps = Caps("video/x-raw,format=GRAY8,width=2,height=2"),
              let sample = gst_sample_new(buffer, caps.pointer, nil, nil)
            else { return }
            gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
            defer { vit_sample_unref(sample) }
            for index in 0..<UInt32(20) {
              let tag = FrameTag(deck: DeckID(generation: generation), index: index, streamTime: .zero)
              _ = source.push(
                sample, SampleStamp(tag: tag, due: .monotonicNow, running: .zero, epoch: 0))
            }
          }
        }
      }
      try await eventually("twenty of the second deck") { seen.withLock { $0.count { $0 == 2 } } >= 20 }
      _ = output.setState(GST_STATE_NULL)
      let order = seen.withLock { $0 }
      #expect(order == order.sorted(), "\(order)")
    }
  }
}
