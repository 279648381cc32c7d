import CGStreamer
import CGStreamerShims
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Frames that a software decoder doesn't get")
struct SoftwareDecoderTests {
  /// The input and output of a decoder during an exact seek in half a second of film.
  private struct Seek: Sendable {
    var given = 0
    var frames: [Frame] = []

    struct Frame: Hashable, Sendable {
      var time: Duration?
      var sum: Int
    }
  }

  private static func seek(
    in clip: String, to target: Duration, format: String, rate: Double = 1, isEased: Bool
  ) async throws -> Seek {
    try GStreamerLibrary.start()
    let path = try await Media.path(clip)
    let line = """
      filesrc location="\(path)" ! qtdemux ! h264parse ! video/x-h264,alignment=au,stream-format=\(format) !
      avdec_h264 name=decoder max-threads=2 ! fakesink sync=false
      """
    let pipeline = Element(sinking: try #require(gst_parse_launch(line, nil)))
    defer { _ = pipeline.setState(GST_STATE_NULL) }
    let decoder = try #require(pipeline.child(madeBy: "avdec_h264"))
    if isEased { decoder.easeDecoding() }
    let seek = Locked(Seek())
    try #require(decoder.staticPad("sink")).probe(GST_PAD_PROBE_TYPE_BUFFER) { _, _ in seek.withLock { $0.given += 1 } }
    try #require(decoder.staticPad("src")).probe(GST_PAD_PROBE_TYPE_BUFFER) { _, info in
      guard let buffer = gst_pad_probe_info_get_buffer(info) else { return }
      var map = GstMapInfo()
      guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
      defer { gst_buffer_unmap(buffer, &map) }
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
      let frame = Seek.Frame(time: vit_buffer_pts(buffer).duration, sum: hasher.finalize())
      seek.withLock { $0.frames.append(frame) }
    }
    _ = pipeline.setState(GST_STATE_PAUSED)
    let second: guint64 = 1_000_000_000
    try #require(gst_element_get_state(pipeline.pointer, nil, nil, 20 * second) == GST_STATE_CHANGE_SUCCESS)
    seek.withLock { $0 = Seek() }
    let start = gint64(target.wholeNanoseconds)
    let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
    try #require(
      gst_element_seek(
        pipeline.pointer, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, start, GST_SEEK_TYPE_SET,
        start + gint64(second / 2)) != 0)
    _ = pipeline.setState(GST_STATE_PLAYING)
    let bus = try #require(gst_element_get_bus(pipeline.pointer))
    defer { gst_object_unref(bus) }
    let message = gst_bus_timed_pop_filtered(bus, 20 * second, GST_MESSAGE_EOS)
    try #require(message != nil, "it comes to its end")
    message.map { gst_mini_object_unref(UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstMiniObject.self)) }
    return seek.withLock { $0 }
  }

  @Test(
    "An exact seek leaves out frames that are never shown, and shows the same frames as without",
    arguments: ["avc", "byte-stream"])
  func seeks(format: String) async throws {
    // The film has a key frame each second.
    let (clip, target) = ("h264-60s-640x360-30.mp4", Duration.milliseconds(31_900))
    let all = try await Self.seek(in: clip, to: target, format: format, isEased: false)
    let eased = try await Self.seek(in: clip, to: target, format: format, isEased: true)
    #expect(all.frames.count >= 15 && all.frames.allSatisfy { $0.time.map { $0 + .milliseconds(34) > target } == true })
    #expect(eased.frames == all.frames)
    // Of the 27 frames before the target, about every second one.
    #expect(eased.given < all.given - 8, "\(eased.given) of \(all.given)")
  }

  @Test("Backwards, and in a seek to a key frame, no frame is left out")
  func others() async throws {
    let clip = "h264-60s-640x360-30.mp4"
    for (target, rate) in [(Duration.seconds(31), 1.0), (.milliseconds(31_900), -1)] {
      let all = try await Self.seek(in: clip, to: target, format: "avc", rate: rate, isEased: false)
      let eased = try await Self.seek(in: clip, to: target, format: "avc", rate: rate, isEased: true)
      #expect(eased.frames == all.frames && eased.given == all.given && !all.frames.isEmpty)
    }
  }
}
