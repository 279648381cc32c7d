import CGStreamer
import CGStreamerShims
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// A stateful decoder of V4L2 (vicodec, which knows FWHT only) through the bridge, element by element: no demultiplexer knows its
/// format, so no film can be played with it. In the guest of the virtual board, which DecoderBoardTests starts.
@Suite(
  "A stateful decoder behind the bridge", .serialized,
  .enabled(if: getenv("VITRINE_FWHT") != nil, "DecoderBoardTests runs it on the virtual board"))
struct StatefulDecoderTests {
  /// Frames as v4l2-ctl has written them, by size; each begins with a header that has its length.
  private static func frames(_ name: String) throws -> [[UInt8]] {
    let folder = try #require(getenv("VITRINE_FWHT").map { String(cString: $0) })
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder).appending(path: name)))
    var frames: [[UInt8]] = []
    var place = 0
    while place + 44 <= bytes.count {
      let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[place + 40 + $1]) }
      guard place + 44 + length <= bytes.count else { break }
      frames.append(Array(bytes[place..<place + 44 + length]))
      place += 44 + length
    }
    return frames
  }

  /// While vicodec and GStreamer 1.22 agree on a size, the frames that are under way are lost: 6 of them at the most were.
  private static func least(of count: Int) -> Int { count - 10 }

  /// `appsrc ! v4l2fwhtdec ! appsink`, the gate, and an output into nothing.
  private final class Stage {
    let feed: Element
    let deck: Element
    let output: Element
    let log: PadLog
    private let decoder: Element

    init() throws {
      try GStreamerLibrary.start()
      deck = try Element.pipeline(name: "deck")
      feed = try Element.make("appsrc")
      feed.set("format", nick: "time")
      decoder = try Element.make("v4l2fwhtdec")
      // Without it the decoder and vicodec never agree on a format.
      let filter = try Element.make("capsfilter")
      filter.set("caps", try #require(Caps("video/x-raw,format=NV12")))
      let format = DeckFormat(
        videoCaps: try #require(Caps("video/x-raw,format=NV12")), video: VideoDemand(shape: .asDecoded), soundCaps: nil,
        soundLead: .zero, screen: PixelSize(width: 640, height: 480))
      let end = try DeckPipeline.appsink("video", caps: format.videoCaps, lead: .zero, of: format)
      end.set("sync", false)
      deck.add(feed, decoder, filter, end)
      try feed.link(to: decoder)
      try decoder.link(to: filter)
      try filter.link(to: end)
      let pad = try #require(end.staticPad("sink"))
      pad.answerAllocation()
      log = PadLog(pad)

      output = try Element.pipeline(name: "output")
      let head = try AppSource(name: "head", maxBuffers: MediaOutput.heldFrames)
      let sink = try Element.make("fakesink")
      output.add(head.element, sink)
      try head.element.link(to: sink)
      let gate = DeckGate(deck: DeckID(generation: 1), destination: head)
      gate.attach(to: end)
      gate.setMode(.open(base: .monotonicNow))
      for pipeline in [output, deck] { _ = pipeline.setState(GST_STATE_PLAYING) }
    }

    func push(_ frames: [[UInt8]], width: Int, height: Int) throws {
      let caps = try #require(
        Caps(
          "video/x-fwht,width=\(width),height=\(height),framerate=30/1,interlace-mode=progressive,colorimetry=bt601,"
            + "pixel-aspect-ratio=1/1,multiview-mode=mono"))
      feed.set("caps", caps)
      for (number, frame) in frames.enumerated() {
        frame.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          vit_push_bytes(feed.pointer, start, gsize(bytes.count), UInt64(number) * 33_333_333, 33_333_333)
        }
      }
    }

    /// Waits until so many frames have come in all.
    func wait(for count: Int) async -> Int {
      for _ in 0..<400 where log.frames.count < count { try? await Task.sleep(for: .milliseconds(25)) }
      return log.frames.count
    }

    func end() {
      gst_app_src_end_of_stream(UnsafeMutableRawPointer(feed.pointer).assumingMemoryBound(to: GstAppSrc.self))
    }

    func flush() {
      gst_element_send_event(feed.pointer, gst_event_new_flush_start())
      gst_element_send_event(feed.pointer, gst_event_new_flush_stop(1))
    }

    deinit { for pipeline in [deck, output] { _ = pipeline.setState(GST_STATE_NULL) } }
  }

  @Test("Frames come in dmabufs, and the end drains the decoder")
  func end() async throws {
    let frames = try Self.frames("large")
    try #require(frames.count == 60)
    let stage = try Stage()
    try stage.push(frames, width: 640, height: 480)
    stage.end()
    let count = await stage.wait(for: Self.least(of: 60))
    #expect(count >= Self.least(of: 60), "\(count)")
    let shared = stage.log.frames
    #expect(shared.allSatisfy { $0.descriptor != nil })
  }

  @Test("After a flush in the middle it goes on with what comes then")
  func flush() async throws {
    let frames = try Self.frames("large")
    let stage = try Stage()
    try stage.push(Array(frames.prefix(20)), width: 640, height: 480)
    let before = await stage.wait(for: 10)
    #expect(before >= 10)
    stage.flush()
    let kept = stage.log.frames.count
    try stage.push(Array(frames.suffix(30)), width: 640, height: 480)
    stage.end()
    let count = await stage.wait(for: kept + Self.least(of: 30))
    #expect(count >= kept + Self.least(of: 30), "\(kept), then \(count)")
  }

  @Test("Another size in the middle comes in that size")
  func sourceChange() async throws {
    let (large, other) = (try Self.frames("large"), try Self.frames("other"))
    let stage = try Stage()
    try stage.push(Array(large.prefix(20)), width: 640, height: 480)
    #expect(await stage.wait(for: Self.least(of: 20)) >= Self.least(of: 20))
    try stage.push(Array(other.prefix(20)), width: 960, height: 480)
    stage.end()
    for _ in 0..<400 where stage.log.frames.last?.stride != 960 { try await Task.sleep(for: .milliseconds(25)) }
    #expect(stage.log.frames.last?.stride == 960)
  }

  @Test("Decks dropped while frames are under way leave the decoder to the next one, 20 times")
  func drops() async throws {
    let frames = try Self.frames("large")
    for _ in 0..<20 {
      let stage = try Stage()
      try stage.push(frames, width: 640, height: 480)
      #expect(await stage.wait(for: 3) >= 3)
    }
  }
}
