import CGStreamer
import CGStreamerShims
import Glibc
import InteractionCore
import MainLoop
import OverlayRenderer
import PlaybackCore
import Testing

@testable import Displays

/// What the overlay costs, and that video doesn't suffer from it. On the virtual board, in virtual time, as KMSBoardTests.
@Suite("KMS overlay on the virtual board", .serialized, .enabled(if: getenv("VITRINE_ON_BOARD") != nil))
struct KMSOverlayBoardTests {
  private static let mode = PixelSize(width: 640, height: 480)
  private static let request = KMSRequest(mode: .size(mode, refreshMillihertz: nil))
  private let renderer = OverlayRenderer()

  private func bar(_ seconds: Double, of duration: Double = 60) -> OverlayImage? {
    let bar = TransportBar(title: "Hall", position: .seconds(seconds), duration: .seconds(duration))
    return renderer.render(OverlayModel(bar: bar), screen: Self.mode)
  }

  @Test(
    "An overlay that stands still costs nothing; one that plays on only its thumb and times; none commits twice a frame"
  )
  func work() async throws {
    let screen = try Screen()
    try await screen.open(Self.request)
    await screen.show(bar(10))
    #expect(await eventually { litPlanes().count == 2 ? true : nil } == true)
    let start = await screen.overlayWork
    #expect(start.commits == 1)
    for _ in 0..<10 { await screen.show(bar(10)) }
    try await Task.sleep(for: .seconds(1))
    #expect(await screen.overlayWork == start)

    // Idle: as the presenter has it, four times a second.
    for step in 1...40 {
      await screen.show(bar(10 + Double(step) / 4))
      try await Task.sleep(for: .milliseconds(250))
    }
    let idle = await screen.overlayWork
    print("overlay idle: \(Self.told(idle, since: start, seconds: 10))")
    #expect(idle.commits == start.commits)
    #expect(idle.rewrites - start.rewrites <= 40)

    // Scrubbing: a touchscreen that tells 240 times a second; each is there when the screen looks.
    for step in 0..<2400 {
      await screen.show(bar(20 + Double(step) / 60))
      try await Task.sleep(for: .nanoseconds(4_166_667))
    }
    let scrubbed = await screen.overlayWork
    print("overlay scrubbing: \(Self.told(scrubbed, since: idle, seconds: 10))")
    #expect(scrubbed.commits == idle.commits)
    #expect((2300...2400).contains(scrubbed.rewrites - idle.rewrites), "\(scrubbed)")

    // Another place each time: a commit each, and no more than frames.
    for step in 0..<2400 {
      await screen.show(image(x: step % 200))
      try await Task.sleep(for: .nanoseconds(4_166_667))
    }
    let moved = await screen.overlayWork
    print("overlay moving: \(Self.told(moved, since: scrubbed, seconds: 10))")
    #expect((500...610).contains(moved.commits - scrubbed.commits), "\(moved)")
    await screen.show(nil)
    #expect(await eventually { litPlanes().count == 1 ? true : nil } == true)
    await screen.close()
  }

  @Test("60 s of video: each frame comes when it would without an overlay, while somebody scrubs")
  func noFrameLate() async throws {
    let quiet = try await play(scrubbing: false)
    let busy = try await play(scrubbing: true)
    #expect(quiet.count == 1800 && busy.count == 1800, "\(quiet.count) \(busy.count)")
    // Intervals between frames, in vertical blanks: equal however the two runs lie to the screen's clock.
    let (a, b) = (Self.blanks(quiet), Self.blanks(busy))
    #expect(a == b, "\(zip(a, b).enumerated().filter { $0.element.0 != $0.element.1 }.prefix(20))")
    print("overlay and video: \(busy.count) frames, intervals of \(Set(b).sorted()) blanks")
  }

  /// When each frame of the clip was shown.
  private func play(scrubbing: Bool) async throws -> [Instant] {
    let media = try #require(getenv("MEDIA").map { String(cString: $0) })
    let screen = try Screen()
    let opened = try await screen.open(Self.request)
    guard case .drmPlane(let plane) = opened.target else { return [] }
    let video = try BoardVideo(plane, file: "\(media)/h264-60s-640x360-30.mp4")
    let bars = (0..<600).map { bar(Double($0) / 10) }
    let scrub = Task {
      var step = 0
      while scrubbing, !Task.isCancelled {
        await screen.show(bars[step % bars.count])
        step += 1
        try? await Task.sleep(for: .nanoseconds(8_333_333))
      }
    }
    await video.playToTheEnd()
    scrub.cancel()
    await scrub.value
    await screen.close()
    return video.frames
  }

  private static func blanks(_ frames: [Instant]) -> [Int] {
    // The first frames come as the pipeline starts.
    zip(frames.dropFirst(2), frames.dropFirst(3)).map { Int((($1 - $0).inSeconds * 60).rounded()) }
  }

  private static func told(_ work: OverlayWork, since before: OverlayWork, seconds: Int) -> String {
    "\(Double(work.commits - before.commits) / Double(seconds)) commits/s, "
      + "\(Double(work.rewrites - before.rewrites) / Double(seconds)) rewrites/s, "
      + "\((work.bytes - before.bytes) / seconds) bytes/s"
  }

  private func image(x: Int) -> OverlayImage {
    OverlayImage(
      frame: PixelRect(x: x, y: 0, width: 64, height: 16), pixels: Array(repeating: 0x8080_0000, count: 64 * 16))
  }
}

/// A file on a plane, through kmssink as the player has it.
private final class BoardVideo {
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let times = Locked<[Instant]>([])
  var frames: [Instant] { times.withLock { $0 } }

  init(_ plane: DRMPlaneTarget, file: String) throws {
    gst_init(nil, nil)
    let text =
      "filesrc location=\(file) ! decodebin ! videoconvert ! kmssink name=screen fd=\(plane.cardDescriptor) "
      + "plane-id=\(plane.planeID) connector-id=\(plane.connectorID) skip-vsync=true force-modesetting=false "
      + "restore-crtc=false can-scale=false qos=false max-lateness=-1"
    guard let pipeline = gst_parse_launch(text, nil), let sink = gst_bin_get_by_name(vit_bin(pipeline), "screen") else {
      throw VirtualDevice.Failed()
    }
    self.pipeline = pipeline
    vit_watch_rendering(
      sink,
      { data, _, _, _, rendered in
        guard rendered != 0 else { return }
        Unmanaged<Locked<[Instant]>>.fromOpaque(data).takeUnretainedValue().withLock {
          $0.append(Instant(nanoseconds: EventLoop.monotonicNanoseconds()))
        }
      }, Unmanaged.passRetained(times).toOpaque(),
      { data in if let data { Unmanaged<Locked<[Instant]>>.fromOpaque(data).release() } })
    gst_object_unref(sink)
  }

  deinit {
    gst_element_set_state(pipeline, GST_STATE_NULL)
    gst_object_unref(pipeline)
  }

  func playToTheEnd() async {
    gst_element_set_state(pipeline, GST_STATE_PLAYING)
    guard let bus = gst_element_get_bus(pipeline) else { return }
    defer { gst_object_unref(bus) }
    let ends = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
    for _ in 0..<1200 {
      if let message = gst_bus_pop_filtered(bus, ends) {
        vit_message_unref(message)
        break
      }
      try? await Task.sleep(for: .milliseconds(100))
    }
    gst_element_set_state(pipeline, GST_STATE_NULL)
  }
}
