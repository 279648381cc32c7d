import CGStreamer
import CGStreamerShims
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("The decoder settings of a board's profile", .serialized)
struct DecoderPolicyTests {
  @Test(
    "A forbidden exact seek goes to the key frame before, where one of the named decoders is in use",
    arguments: [
      (DecoderPolicy.ExactSeeks.forbidden, 1000), (.forbiddenWith(["avdec_h264"]), 1000),
      (.forbiddenWith(["v4l2slh265dec"]), 1240), (.allowed, 1240),
    ])
  func seeks(exactSeeks: DecoderPolicy.ExactSeeks, expected: Int) async throws {
    var policy = DecoderPolicy()
    policy.exactSeeks = exactSeeks
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4", decoders: policy)
    _ = try await rig.ready()
    deck.seek(to: .milliseconds(1240), .exact, rate: 1, seek: 7, preview: true)
    let shown = try await rig.frame(of: 1)
    #expect(abs(shown.streamTime.inMilliseconds - Double(expected)) < 34, "\(shown)")
    deck.drop()
  }

  @Test("The seek to an item's start position follows the same rule")
  func start() async throws {
    var policy = DecoderPolicy()
    policy.exactSeeks = .forbidden
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4", from: .milliseconds(1240), decoders: policy)
    _ = try await rig.ready()
    deck.play(base: rig.now)
    let shown = try await rig.frame(of: 1)
    #expect(abs(shown.streamTime.inMilliseconds - 1000) < 34, "\(shown)")
    deck.drop()
  }

  @Test("Only exact seeks are changed, and the deck's decoders are looked up only where it matters")
  func modes() {
    var policy = DecoderPolicy()
    policy.exactSeeks = .forbiddenWith(["bad"])
    var asked = 0
    func mode(_ wanted: SeekMode) -> SeekMode {
      policy.mode(wanted) {
        asked += 1
        return ["good", "bad"]
      }
    }
    #expect(mode(.keyframe) == .keyframe && mode(.keyframeAfter) == .keyframeAfter && asked == 0)
    #expect(mode(.exact) == .keyframeBefore && asked == 1)
  }

  @Test("Properties are set on a decoder inside of a deck before it runs")
  func properties() throws {
    try GStreamerLibrary.start()
    var policy = DecoderPolicy()
    // A property of this decoder, in place of one of V4L2's.
    policy.properties = ["max-threads": "3", "no-such-property": "1"]
    let pipeline = try Element.pipeline(name: "deck")
    policy.prepare(pipeline)
    let bin = try Element.bin(name: "inside")
    pipeline.add(bin)
    let decoder = try Element.make("avdec_h264")
    bin.add(decoder)
    #expect(vit_get_int(decoder.pointer, "max-threads") == 3)
  }

  @Test("The setting for copied frames is mapped memory, in V4L2's terms")
  func copies() {
    var policy = DecoderPolicy()
    policy.copyFrames()
    #expect(policy.properties == ["capture-io-mode": "mmap"])
  }

  @Test(
    "Partly known colours of a stream are completed before a hardware decoder gets them; complete ones stay",
    arguments: [
      ("0:3:0:1", 1080, "bt709"), ("0:0:0:4", 480, "bt601"), ("bt709", 480, "bt709"), ("bt2100-pq", 2160, "bt2100-pq"),
    ])
  func colours(told: String, height: Int, expected: String) async throws {
    try GStreamerLibrary.start()
    let pipeline = try Element.pipeline(name: "deck")
    let (feed, sink) = (try Element.make("appsrc"), try Element.make("fakesink"))
    pipeline.add(feed, sink)
    try feed.link(to: sink)
    feed.set("caps", try #require(Caps("video/x-h264,width=640,height=\(height),colorimetry=\(told)")))
    let pad = try #require(sink.staticPad("sink"))
    pad.completeColours()
    let (arrivals, arrived) = AsyncStream<Int>.makeStream()
    let log = PadLog(pad) { arrived.yield($0) }
    _ = pipeline.setState(GST_STATE_PLAYING)
    defer { _ = pipeline.setState(GST_STATE_NULL) }
    vit_push_bytes(feed.pointer, [1, 2, 3], 3, 0, 1)
    try await first(of: arrivals) { $0 == 1 ? () : nil }
    #expect(log.frames.count == 1)
    let caps = try #require(gst_pad_get_current_caps(pad.pointer).map(Caps.init(adopting:)))
    #expect(caps.text.contains("colorimetry=(string)\(expected)"), "\(caps.text)")
  }
}
