import CGStreamer
import CGStreamerShims
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import ScreenModel
import Testing

@testable import MediaPipeline

/// A stateful V4L2 decoder (vicodec, which decodes only FWHT) in front of the bridge, element by element: no
/// demultiplexer has its format, so it can't play a film. Runs in the guest of the virtual board, which
/// DecoderBoardTests starts.
@Suite(
  "A stateful decoder behind the bridge", .serialized,
  .enabled(if: getenv("VITRINE_FWHT") != nil, "DecoderBoardTests runs it on the virtual board"))
struct StatefulDecoderTests {
  /// Frames that v4l2-ctl has written, by size; each begins with a header that holds its length.
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

  /// GStreamer 1.22 only: frames that are under way while vicodec and the decoder agree on a size are lost; at most 6
  /// of them were.
  private static func least(of count: Int) -> Int { count - 10 }

  /// GStreamer 1.22 only: without this the decoder and vicodec never agree on a format. GStreamer 1.26: the film's
  /// format is kept, whatever is asked for.
  fileprivate static var format: String { GStreamerHere.isNewer ? "I420" : "NV12" }

  /// The plane on which kmssink shows frames: the one that kms-modeset has lit, as DecoderBoardTests passes it on.
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

  /// Changes to frames on their way, besides those of the bridge.
  private enum Meddling {
    case none
    /// The bridge is told to copy, as by a board's profile.
    case copies
    /// A copy of the buffer with the same memory, but without a reference to its original.
    case forgets
  }

  /// `appsrc ! v4l2fwhtdec ! appsink`, the gate, and an output: into a fakesink as fast as possible, or onto a plane in
  /// time.
  private final class Stage {
    let feed: Element
    let deck: Element
    let output: Element
    let log: PadLog
    /// The frames that come to the sink.
    let shown: PadLog
    private let screen: VideoSink?
    private let decoder: Element

    /// Frames of the decoder that came as copies.
    var copied: Int { chain?.drainCopiedCount() ?? 0 }
    private let chain: VideoChain?

    /// - Parameter path: with it, a deck's whole chain stands before the appsink and reports what is done with frames.
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
      // Leaves the decoder time to start.
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

    /// Waits until this many frames have come to the sink.
    func waitForSink(_ count: Int) async -> [PadLog.Frame] {
      try? await eventually("\(count) frames at the sink") { shown.frames.count >= count }
      return shown.frames
    }

    /// Waits until this many frames have been decoded.
    func wait(for count: Int) async -> Int {
      try? await eventually("\(count) decoded frames") { log.frames.count >= count }
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

  @Test("Frames come in dmabufs, and the end of the stream drains the decoder")
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

  @Test("After a flush in the middle of a stream, decoding goes on with the next frames")
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

  @Test("A new frame size in the middle of a stream is decoded in that size")
  func sourceChange() async throws {
    let (large, other) = (try Self.frames("large"), try Self.frames("other"))
    let stage = try Stage()
    try stage.push(Array(large.prefix(20)), width: 640, height: 480)
    #expect(await stage.wait(for: Self.least(of: 20)) >= Self.least(of: 20))
    try stage.push(Array(other.prefix(20)), width: 960, height: 480)
    stage.end()
    try await eventually("a frame of the second size") { stage.log.frames.last?.stride == 960 }
  }

  @Test("Decks that are dropped while frames are under way release the decoder for the next deck, 20 times")
  func drops() async throws {
    let frames = try Self.frames("large")
    for _ in 0..<20 {
      let stage = try Stage()
      try stage.push(frames, width: 640, height: 480)
      #expect(await stage.wait(for: 3) >= 3)
    }
  }

  // MARK: On a plane; DecoderBoardTests counts the framebuffers

  /// Shows a clip; returns the frames that came to kmssink.
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
    "The decoder's frames are shown unchanged, from buffers that are used again",
    .enabled(if: getenv("VITRINE_KMS_PLANE") != nil))
  func planeUntouched() async throws {
    let shown = try await show()
    #expect(shown.allSatisfy { $0.descriptor != nil })
    #expect(Set(shown.map(\.memory)).count <= 16, "\(Set(shown.map(\.memory)).count)")
  }

  @Test("No original frame is shown where frames are to be copied", .enabled(if: getenv("VITRINE_KMS_PLANE") != nil))
  func planeCopied() async throws {
    #expect(try await show(.copies).allSatisfy { $0.descriptor == nil })
  }

  @Test(
    "Frames that don't refer to their original need new memory each", .enabled(if: getenv("VITRINE_KMS_PLANE") != nil))
  func planeForgetful() async throws {
    // Some lie where an earlier frame lay: DecoderBoardTests counts the framebuffers on the card.
    #expect(try await show(.forgets).allSatisfy { $0.descriptor != nil })
  }

  @Test(
    "With a pool that is too small some frames are copied: none is lost, it is reported once, copies are counted",
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
    // The decks report the worst of these paths, once.
    var worst: FramePath?
    var news = 0
    for (isShared, _) in told.withLock({ $0 }) {
      let path = FramePath(isHardware: true, isShared: isShared)
      if path.isWorse(than: worst) { (worst, news) = (path, news + 1) }
    }
    #expect(worst?.word == "copied" && news <= 2)
  }
}
