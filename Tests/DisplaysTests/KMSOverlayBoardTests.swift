import Glibc
import InteractionCore
import MainLoop
import OverlayRenderer
import PlaybackCore
import ScreenModel
import Testing

@testable import Displays

/// Measures the overlay's cost, and that the video doesn't suffer from it. On the virtual board, in virtual time, like
/// KMSBoardTests.
@Suite("KMS overlay on the virtual board", .serialized, .enabled(if: getenv("VITRINE_ON_BOARD") != nil))
struct KMSOverlayBoardTests {
  private static let mode = PixelSize(width: 640, height: 480)
  private static let request = KMSRequest(mode: .size(mode, refreshMillihertz: nil))
  private let renderer = OverlayRenderer()

  private func bar(_ seconds: Double, of duration: Double = 60, on screen: PixelSize = Self.mode) -> OverlayImage? {
    let bar = TransportBar(title: "Hall", position: .seconds(seconds), duration: .seconds(duration))
    return renderer.render(OverlayModel(bar: bar), screen: screen)
  }

  @Test(
    "A still overlay costs nothing, a playing one only its thumb and times; at most one commit a frame"
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

    // Idle, at the presenter's pace: four times a second.
    for step in 1...40 {
      await screen.show(bar(10 + Double(step) / 4))
      try await Task.sleep(for: .milliseconds(250))
    }
    let idle = await screen.overlayWork
    print("overlay idle: \(Self.told(idle, since: start, seconds: 10))")
    #expect(idle.commits == start.commits)
    #expect(idle.rewrites - start.rewrites <= 40)

    // Scrubbing: a touchscreen with 240 events a second; each is handled before the screen refreshes.
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

  @Test("60 s of video: scrubbing the overlay delays no frame")
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
    let screen = try Screen()
    let opened = try await screen.open(Self.request)
    guard case .drmPlane(let plane) = opened.target else { return [] }
    let video = try BoardVideo(plane, source: try Self.clip())
    let bars = (0..<600).map { bar(Double($0) / 10) }
    await play(video, on: screen, with: scrubbing ? bars : [])
    await screen.close()
    return video.frames
  }

  /// Plays to the end, showing `bars` one after the other above the video, 120 times a second.
  private func play(_ video: BoardVideo, on screen: Screen, with bars: [OverlayImage?]) async {
    let scrub = Task {
      var step = 0
      while !bars.isEmpty, !Task.isCancelled {
        await screen.show(bars[step % bars.count])
        step += 1
        try? await Task.sleep(for: .nanoseconds(8_333_333))
      }
    }
    await video.playToTheEnd()
    scrub.cancel()
    await scrub.value
  }

  @Test("60 s of video: scrubbing beside it changes neither the composed pictures nor their times")
  func samePictures() async throws {
    let mode = PixelSize(width: 848, height: 480)
    let bars = (0..<600).compactMap { band(bar(Double($0) / 10, on: mode), from: 420) }
    try #require(bars.count == 600)
    // The checksum of the screen without video, in each state of the overlay; see ComposedSequenceBoardTests.
    let states = try await composed(mode) { screen, _ in
      for bar in bars {
        await screen.show(bar)
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    let empty = try #require(states.first)
    let known = Set(states.map { $0 ^ empty })
    #expect(known.count > 500, "\(known.count)")

    func play(scrubbing: Bool) async throws -> [UInt32] {
      try await composed(mode) { screen, target in
        let video = try BoardVideo(target, source: try Self.clip())
        await self.play(video, on: screen, with: scrubbing ? bars : [])
      }
    }
    // From the first picture that isn't the empty screen, with or without an overlay.
    let quiet = try await play(scrubbing: false).drop { $0 == empty }
    let busy = try await play(scrubbing: true).drop { known.contains($0 ^ empty) }
    // The first picture stays until the pipeline runs, some blanks more or less.
    let compared = 3580
    let overlays = (-10...10).map { shift in
      zip(quiet.dropFirst(6 + max(0, shift)), busy.dropFirst(6 + max(0, -shift))).prefix(compared).map { $0 ^ $1 }
    }
    func late(_ overlay: [UInt32]) -> [Int] { overlay.indices.filter { !known.contains(overlay[$0]) } }
    let overlay = try #require(overlays.min { late($0).count < late($1).count })
    #expect(overlay.count == compared && Set(quiet).count >= 1800)
    #expect(late(overlay) == [], "\(late(overlay).count) of \(overlay.count)")
    #expect(Set(overlay).count > 200, "the overlay has moved")
    print("composed pictures: \(overlay.count) compared, \(Set(overlay).count) states of the overlay")
  }

  /// The checksums of everything that the screen composes from its first commit on, while `body` runs.
  private func composed(_ mode: PixelSize, _ body: (Screen, DRMPlaneTarget) async throws -> Void) async throws
    -> [UInt32]
  {
    let screen = try Screen()
    let opened = try await screen.open(KMSRequest(mode: .size(mode, refreshMillihertz: nil)))
    guard case .drmPlane(let target) = opened.target else { throw VirtualDevice.Failed() }
    let path = "/tmp/checksums"
    let tools = try #require(getenv("PATH").map { String(cString: $0) })
    let reader = try spawn(["/bin/sh", "-c", "PATH='\(tools)' exec kms-crc > \(path)"])
    // The first blanks show the empty screen.
    try await Task.sleep(for: .milliseconds(200))
    try await body(screen, target)
    killAndReap(reader)
    await screen.close()
    return (readText(path) ?? "").split(separator: "\n").compactMap { line in
      line.split(separator: " ").last.flatMap { UInt32($0, radix: 16) }
    }
  }

  private static func clip() throws -> String {
    let media = try #require(getenv("MEDIA").map { String(cString: $0) })
    return "filesrc location=\(media)/h264-60s-640x360-30.mp4 ! decodebin ! videoconvert"
  }

  /// The part of an image below a row of the screen.
  private func band(_ image: OverlayImage?, from top: Int) -> OverlayImage? {
    guard let image, image.frame.y < top, image.frame.y + image.frame.height > top else { return nil }
    let rows = top - image.frame.y
    let frame = PixelRect(x: image.frame.x, y: top, width: image.frame.width, height: image.frame.height - rows)
    return OverlayImage(frame: frame, pixels: Array(image.pixels.dropFirst(rows * image.frame.width)))
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
