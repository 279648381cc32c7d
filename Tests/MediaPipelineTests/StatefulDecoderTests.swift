import CGStreamer
import CGStreamerShims
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import ScreenModel
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

  /// Without it 1.22 and vicodec never agree on a format. 1.26 keeps that of the film, whatever is asked for.
  fileprivate static var format: String { GStreamerHere.isNewer ? "I420" : "NV12" }

  /// Where kmssink shows frames: what kms-modeset has lit, as DecoderBoardTests hands it over.
  private static func plane() throws -> VideoTarget {
    let numbers = try #require(getenv("VITRINE_KMS_PLANE").map { String(cString: $0) }).split(separator: ",")
    let (card, connector, plane) = (
      try #require(Int32(numbers[0])), try #require(UInt32(numbers[1])), try #require(UInt32(numbers[2]))
    )
    return .drmPlane(
      DRMPlaneTarget(
        cardDescriptor: card, connectorID: connector, planeID: plane, canScale: false,
        screen: PixelSize(width: 640, height: 480)))
  }

  /// What is done to frames on their way, besides what the bridge does.
  private enum Meddling {
    case none
    /// The bridge is told to copy, as by a profile.
    case copies
    /// A copy of the buffer that doesn't know its original, with the same memory.
    case forgets
  }

  /// `appsrc ! v4l2fwhtdec ! appsink`, the gate, and an output: into nothing as fast as it goes, or onto a plane in time.
  private final class Stage {
    let feed: Element
    let deck: Element
    let output: Element
    let log: PadLog
    /// What comes to the sink.
    let shown: PadLog
    private let screen: VideoSink?
    private let decoder: Element

    /// Frames of the decoder that came as copies.
    var copied: Int { chain?.takeCopied() ?? 0 }
    private let chain: VideoChain?

    /// - Parameter path: with it a deck's whole chain is in front of the appsink, and tells what becomes of frames.
    init(
      onto target: VideoTarget? = nil, _ meddling: Meddling = .none, path: (@Sendable (_ isShared: Bool) -> Bool)? = nil
    ) throws {
      try GStreamerLibrary.start()
      deck = try Element.pipeline(name: "deck")
      feed = try Element.make("appsrc")
      feed.set("format", nick: "time")
      decoder = try Element.make("v4l2fwhtdec")
      let filter = try Element.make("capsfilter")
      filter.set("caps", try #require(Caps("video/x-raw,format=\(StatefulDecoderTests.format)")))
      let format = DeckFormat(
        videoCaps: try #require(Caps("video/x-raw,format=\(StatefulDecoderTests.format)")),
        video: VideoDemand(shape: .asDecoded), soundCaps: nil,
        soundLead: .zero, screen: PixelSize(width: 640, height: 480))
      let end = try DeckPipeline.appsink("video", caps: format.videoCaps, lead: DeckTiming.videoLead, of: format)
      end.set("sync", target != nil)
      chain = try path.map { path in
        let chain = try VideoChain(into: [end], accepting: format.videoCaps, demand: format.video)
        chain.observePath { _, isShared in path(isShared) }
        return chain
      }
      let last = chain?.bin ?? end
      deck.add(feed, decoder, filter, last)
      try feed.link(to: decoder)
      try decoder.link(to: filter)
      try filter.link(to: last)
      let pad = try #require(end.staticPad("sink"))
      pad.answerAllocation()
      log = PadLog(pad)
      if meddling == .forgets {
        pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
          guard let buffer = gst_pad_probe_info_get_buffer(info), let copy = gst_buffer_copy(buffer) else {
            return GST_PAD_PROBE_OK
          }
          vit_replace_buffer(info, copy)
          return GST_PAD_PROBE_OK
        }
      }

      output = try Element.pipeline(name: "output")
      let head = try AppSource(name: "head", maxBuffers: MediaOutput.heldFrames)
      let planeSink = try target.map { try VideoSink(target: $0) }
      let sink = try planeSink?.element ?? Element.make("fakesink")
      screen = planeSink
      output.add(head.element, sink)
      try head.element.link(to: sink)
      shown = PadLog(try #require(sink.staticPad("sink")))
      let gate = DeckGate(deck: DeckID(generation: 1), copies: meddling == .copies, destination: head)
      gate.attach(to: end)
      // Time for the decoder to begin.
      let base = Instant.monotonicNow + .milliseconds(500)
      for pipeline in [output, deck] {
        pipeline.useClock(.system)
        pipeline.setBaseTime(base)
      }
      head.setBase(base)
      gate.setMode(.open(base: base + DeckTiming.videoLead))
      _ = output.setState(GST_STATE_PLAYING)
      if let target { _ = try #require(planeSink?.format(for: target)) }
      _ = deck.setState(GST_STATE_PLAYING)
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

    /// Waits until so many frames have come to the sink.
    func waitForSink(_ count: Int) async -> [PadLog.Frame] {
      for _ in 0..<400 where shown.frames.count < count { try? await Task.sleep(for: .milliseconds(25)) }
      return shown.frames
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

  // MARK: On a plane; DecoderBoardTests counts the framebuffers

  /// Shows a clip; the frames that came to kmssink.
  private func show(_ meddling: Meddling = .none) async throws -> [PadLog.Frame] {
    let frames = try Self.frames("large")
    let stage = try Stage(onto: try Self.plane(), meddling)
    try stage.push(frames, width: 640, height: 480)
    stage.end()
    let shown = await stage.waitForSink(Self.least(of: 60))
    #expect(shown.count >= Self.least(of: 60), "\(shown.count)")
    let memories = Set(shown.map(\.memory)).count
    print("plane: \(shown.count) frames in \(memories) memories, \(shown.filter { $0.descriptor != nil }.count) shared")
    return shown
  }

  @Test(
    "What it gives is shown as it is, out of buffers that are used again",
    .enabled(if: getenv("VITRINE_KMS_PLANE") != nil))
  func planeUntouched() async throws {
    let shown = try await show()
    #expect(shown.allSatisfy { $0.descriptor != nil })
    #expect(Set(shown.map(\.memory)).count <= 16, "\(Set(shown.map(\.memory)).count)")
  }

  @Test("Where frames are to be copied none is shown as it is", .enabled(if: getenv("VITRINE_KMS_PLANE") != nil))
  func planeCopied() async throws {
    #expect(try await show(.copies).allSatisfy { $0.descriptor == nil })
  }

  @Test(
    "Frames that don't hold their original come in new memory each", .enabled(if: getenv("VITRINE_KMS_PLANE") != nil))
  func planeForgetful() async throws {
    // Some lie where one before lay: the card tells how many there were.
    #expect(try await show(.forgets).allSatisfy { $0.descriptor != nil })
  }

  @Test(
    "Of a pool that is too small some frames come as copies: none is missing, it is told once, and they are counted",
    .enabled(if: getenv("VITRINE_KMS_PLANE") != nil))
  func planeScarce() async throws {
    let told = Locked<[(isShared: Bool, isCopied: Bool)]>([])
    let frames = try Self.frames("large")
    let stage = try Stage(onto: try Self.plane()) { isShared in
      let path = FramePath(decoder: "v4l2fwhtdec", isHardware: true, isShared: isShared)
      told.withLock { $0.append((isShared, path.isCopied)) }
      return path.isCopied
    }
    try stage.push(frames, width: 640, height: 480)
    stage.end()
    let shown = await stage.waitForSink(Self.least(of: 60))
    #expect(shown.count >= Self.least(of: 60), "\(shown.count)")
    let copies = shown.filter { $0.descriptor == nil }.count
    #expect(copies > 0 && copies < shown.count, "\(copies) of \(shown.count)")
    #expect(stage.copied >= copies)
    #expect(told.withLock { $0 }.allSatisfy { $0.isShared != $0.isCopied })
    // What the decks make of that: the worst is told, once.
    var worst: FramePath?
    var news = 0
    for (isShared, _) in told.withLock({ $0 }) {
      let path = FramePath(isHardware: true, isShared: isShared)
      if path.isWorse(than: worst) { (worst, news) = (path, news + 1) }
    }
    #expect(worst?.word == "copied" && news <= 2)
  }
}
