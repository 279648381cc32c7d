import CGStreamer
import CGStreamerShims
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Frames that aren't copied: those that a decoder still reads, and those that a compositor reads.
@Suite("Memory of frames")
struct FrameMemoryTests {
  private static let caps = "video/x-raw,format=I420,width=64,height=32,framerate=30/1"

  /// A pool that gives buffers of `caps`.
  private final class Pool {
    let pool: UnsafeMutablePointer<GstBufferPool>

    init(_ pool: UnsafeMutablePointer<GstBufferPool>) throws {
      self.pool = pool
      let config = gst_buffer_pool_get_config(pool)
      let caps = try #require(Caps(FrameMemoryTests.caps))
      withExtendedLifetime(caps) { gst_buffer_pool_config_set_params(config, caps.pointer, 3072, 0, 0) }
      try #require(gst_buffer_pool_set_config(pool, config) != 0 && gst_buffer_pool_set_active(pool, 1) != 0)
    }

    deinit {
      gst_buffer_pool_set_active(pool, 0)
      gst_object_unref(pool)
    }

    func acquire() throws -> UnsafeMutablePointer<GstBuffer> {
      var buffer: UnsafeMutablePointer<GstBuffer>?
      try #require(gst_buffer_pool_acquire_buffer(pool, &buffer, nil) == GST_FLOW_OK)
      return try #require(buffer)
    }
  }

  private static func drop(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
  }

  /// The address of a buffer's bytes when it is mapped with these flags.
  private static func address(_ buffer: UnsafeMutablePointer<GstBuffer>, _ flags: GstMapFlags = GST_MAP_READ) throws
    -> UInt
  {
    var map = GstMapInfo()
    try #require(gst_buffer_map(buffer, &map, flags) != 0)
    defer { gst_buffer_unmap(buffer, &map) }
    return UInt(bitPattern: map.data)
  }

  private static let both = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)

  @Test("A copy of a frame that a decoder keeps mapped shares its bytes, until one of the two is written to")
  func views() throws {
    try GStreamerLibrary.start()
    let pool = try Pool(vit_frame_pool_new())
    let frame = try pool.acquire()
    var map = GstMapInfo()
    try #require(gst_buffer_map(frame, &map, Self.both) != 0)
    memset(map.data, 7, Int(map.size))
    let copy = try #require(gst_buffer_copy(frame))
    let bytes = UInt(bitPattern: map.data)
    #expect(try Self.address(copy) == bytes)
    #expect(try Self.address(copy, Self.both) != bytes)
    var other = GstMapInfo()
    try #require(gst_buffer_map(copy, &other, Self.both) != 0)
    #expect(other.size == map.size && other.data[100] == 7)
    other.data[100] = 8
    #expect(map.data[100] == 7)
    gst_buffer_unmap(copy, &other)
    gst_buffer_unmap(frame, &map)
    for buffer in [copy, frame] { Self.drop(buffer) }
  }

  @Test("A decoder doesn't write into memory that is still read; later the memory is used again")
  func reuse() throws {
    try GStreamerLibrary.start()
    let pool = try Pool(vit_frame_pool_new())
    let frame = try pool.acquire()
    var map = GstMapInfo()
    try #require(gst_buffer_map(frame, &map, Self.both) != 0)
    let bytes = UInt(bitPattern: map.data)
    let copy = try #require(gst_buffer_copy(frame))
    gst_buffer_unmap(frame, &map)
    Self.drop(frame)
    // The pool has kept the buffer and given it other memory.
    let second = try pool.acquire()
    #expect(second == frame)
    #expect(try Self.address(second) != bytes)
    Self.drop(copy)
    let third = try pool.acquire()
    #expect(try Self.address(third) == bytes)
    for buffer in [second, third] { Self.drop(buffer) }
  }

  @Test("A frame that isn't mapped is copied in the usual way")
  func plainCopy() throws {
    try GStreamerLibrary.start()
    let pool = try Pool(vit_frame_pool_new())
    let frame = try pool.acquire()
    let copy = try #require(gst_buffer_copy_deep(frame))
    #expect(try Self.address(copy) != Self.address(frame))
    for buffer in [copy, frame] { Self.drop(buffer) }
  }

  @Test("FFmpeg's frames leave their decoder without a copy")
  func decoder() async throws {
    try GStreamerLibrary.start()
    let format = DeckFormat(
      videoCaps: try #require(Caps("video/x-raw,format=I420")), video: VideoDemand(shape: .asDecoded), soundCaps: nil,
      soundLead: .zero, screen: PixelSize(width: 640, height: 360))
    let head = try AppSource(name: "head", maxBuffers: MediaOutput.heldFrames)
    let (events, post) = AsyncStream<DeckEvent>.makeStream()
    let item = MediaItem(
      uri: URL(filePath: try await Media.path("h264-640x360-30-2s.mp4")).absoluteString, kind: .file)
    let deck = try Deck(
      DeckRecipe(
        id: DeckID(generation: 1), item: item, from: .zero, pictureDuration: .seconds(1),
        tracks: TrackPreferences(subtitles: .off)), format: format, video: head, sound: nil
    ) { post.yield($0) }
    deck.prepare()
    _ = try await first(of: events) { if case .ready = $0 { true } else { nil } }
    let counts = Locked((views: 0, others: 0))
    let decoder = try #require(deck.parts.pipeline.child(madeBy: "avdec_h264"))
    decoder.staticPad("src")?.probe(GST_PAD_PROBE_TYPE_BUFFER) { _, info in
      guard let memory = gst_pad_probe_info_get_buffer(info).flatMap({ gst_buffer_peek_memory($0, 0) }) else { return }
      // A copy would be writable.
      let isView = memory.pointee.mini_object.flags & GST_MEMORY_FLAG_READONLY.rawValue != 0
      counts.withLock { if isView || vit_is_pool_memory(memory) != 0 { $0.views += 1 } else { $0.others += 1 } }
    }
    deck.play(base: .monotonicNow)
    _ = try await first(of: events) { if case .streamEnded(.video, _, _, _) = $0 { true } else { nil } }
    deck.drop()
    let (views, others) = counts.withLock { $0 }
    #expect(views > 30 && others == 0)
  }

  /// Nil where GStreamer has no memory that it shares with compositors.
  private static func sharedPool() throws -> Pool? {
    // The sink's class provides the memory.
    guard let sink = try? Element.make("waylandsink") else { return nil }
    _ = sink
    let caps = try #require(Caps(Self.caps))
    let query = try #require(gst_query_new_allocation(caps.pointer, 1))
    defer { gst_mini_object_unref(UnsafeMutableRawPointer(query).assumingMemoryBound(to: GstMiniObject.self)) }
    try #require(vit_offer_shared_frames(query) != 0 && gst_query_get_n_allocation_pools(query) == 1)
    var pool: UnsafeMutablePointer<GstBufferPool>?
    gst_query_parse_nth_allocation_pool(query, 0, &pool, nil, nil, nil)
    return try Pool(try #require(pool))
  }

  @Test("Frames that a compositor reads are passed on in their own memory, which is used again")
  func sharedFrames() throws {
    try GStreamerLibrary.start()
    let found = try Self.sharedPool()
    let pool = try #require(found)
    let caps = try #require(Caps(Self.caps))
    var memories: [UInt] = []
    for number in 0..<12 {
      let frame = try pool.acquire()
      #expect(vit_is_shared_frame(frame) != 0)
      let memory = UInt(bitPattern: gst_buffer_peek_memory(frame, 0))
      memories.append(memory)
      let sample = try #require(gst_sample_new(frame, caps.pointer, nil, nil))
      Self.drop(frame)
      let stamped = try #require(vit_sample_restamped(sample, nil, 0, UInt64(number), 0, 0))
      vit_sample_unref(sample)
      let shown = try #require(gst_sample_get_buffer(stamped))
      // A sink recognises the frame by its memory, and needs no new buffer for it.
      #expect(UInt(bitPattern: gst_buffer_peek_memory(shown, 0)) == memory)
      vit_sample_unref(stamped)
    }
    vit_release_shared_frame()
    #expect(Set(memories).count <= 3, "\(memories)")
  }
}
