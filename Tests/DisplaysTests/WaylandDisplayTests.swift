import Displays
import Glibc
import InteractionCore
import MainLoop
import PlaybackCore
import Testing

@Suite("Wayland display", .serialized)
struct WaylandDisplayTests {
  private static let red = Pixel(255, 0, 0)
  private static let green = Pixel(0, 255, 0)

  @Test(
    "The overlay is shown at its place, moves, blends and goes",
    .enabled(if: Weston.isInstalled, "weston or convert is not installed"))
  func overlay() async throws {
    let weston = try await Weston(width: 640, height: 360)
    let stage = try WaylandStage()
    try await stage.open(weston.socket)
    #expect(await stage.target?.size == PixelSize(width: 640, height: 360))
    #expect(await stage.summary == "wayland \(weston.socket) 640x360")
    try await weston.expect([(0, 0, .black), (320, 180, .black), (639, 359, .black)], "background")

    await stage.showOverlay(.filled(0xffff_0000, x: 40, y: 280, width: 560, height: 60))
    try await weston.expect(
      [(40, 280, Self.red), (599, 339, Self.red), (39, 280, .black), (600, 339, .black), (40, 340, .black)], "first")

    // Another size at another place, half transparent.
    await stage.showOverlay(.filled(0x8000_8000, x: 10, y: 20, width: 100, height: 50))
    try await weston.expect([(10, 20, Pixel(0, 128, 0)), (109, 69, Pixel(0, 128, 0)), (40, 280, .black)], "second")

    // An image of the same size and place with one changed row: the damage is that row.
    var image = OverlayImage.filled(0x8000_8000, x: 10, y: 20, width: 100, height: 50)
    for x in 0..<100 { image.pixels[25 * 100 + x] = 0xff00_ff00 }
    await stage.showOverlay(image)
    try await weston.expect([(10, 45, Self.green), (10, 44, Pixel(0, 128, 0)), (10, 46, Pixel(0, 128, 0))], "row")

    await stage.showOverlay(nil)
    try await weston.expect([(10, 20, .black), (40, 280, .black)], "removed")

    await stage.showOverlay(.filled(0xffff_0000, x: 0, y: 0, width: 640, height: 360))
    try await weston.expect([(0, 0, Self.red), (639, 359, Self.red)], "again, as large as the screen")
    await stage.close()
    try await weston.expect([(0, 0, Weston.background), (320, 180, Weston.background)], "closed")
  }

  @Test(
    "Of many overlays in one turn the newest is shown",
    .enabled(if: Weston.isInstalled, "weston or convert is not installed"))
  func newestWins() async throws {
    let weston = try await Weston(width: 320, height: 200)
    let stage = try WaylandStage()
    try await stage.open(weston.socket)
    var images = (0..<20).map { OverlayImage.filled(0xff00_0000 | UInt32($0), x: $0, y: 0, width: 50, height: 50) }
    images.append(.filled(0xff00_ff00, x: 100, y: 100, width: 60, height: 60))
    await stage.showOverlays(images)
    try await weston.expect([(100, 100, Self.green), (159, 159, Self.green), (10, 10, .black)], "newest")
    await stage.showOverlays(images + [.filled(0, x: 0, y: 0, width: 0, height: 0)])
    try await weston.expect([(100, 100, .black)], "an empty image hides")
    await stage.close()
  }

  @Test(
    "The death of a compositor is reported once",
    .enabled(if: Weston.isInstalled, "weston or convert is not installed"), .timeLimit(.minutes(10)))
  func lost() async throws {
    let weston = try await Weston(width: 320, height: 200)
    let stage = try WaylandStage()
    #expect(WaylandDisplay.answers(socket: weston.socket))
    try await stage.open(weston.socket)
    await stage.showOverlay(.filled(0xffff_0000, x: 0, y: 0, width: 50, height: 50))
    weston.kill()
    var iterator = stage.events.makeAsyncIterator()
    let event = await iterator.next()
    guard case .lost(let error) = event else {
      Issue.record("\(String(describing: event))")
      return
    }
    #expect(error.number == 5206)
    #expect(error.subject == weston.socket)
    // A dead display takes all calls.
    await stage.showOverlay(.filled(0xffff_0000, x: 5, y: 0, width: 50, height: 50))
    await stage.videoDidStart()
    await stage.showOverlay(nil)
    await stage.close()
    await stage.finishEvents()
    let more = await iterator.next()
    #expect(more == nil)
    #expect(!WaylandDisplay.answers(socket: weston.socket))
  }

  @Test("A missing socket is an error with its path")
  func noSocket() async throws {
    let stage = try WaylandStage()
    let error = await #expect(throws: VitrineError.self) { try await stage.open("/nonexistent/wl") }
    #expect(error?.number == 5202)
    #expect(error?.subject == "/nonexistent/wl")
    #expect(error?.remedy.isEmpty == false)
    let long = await #expect(throws: VitrineError.self) {
      try await stage.open("/" + String(repeating: "x", count: 200))
    }
    #expect(long?.remedy == "use a socket path of at most 107 bytes")
    #expect(!WaylandDisplay.answers(socket: "/nonexistent/wl"))
  }

  @Test("A socket without an answer doesn't hang the player", .timeLimit(.minutes(10)))
  func silentSocket() async throws {
    let path = "/tmp/vitrine-silent-\(getpid())"
    let listener = try #require(Listener(path: path))
    #expect(!WaylandDisplay.answers(socket: path))
    let stage = try WaylandStage()
    let error = await #expect(throws: VitrineError.self) { try await stage.open(path) }
    #expect(error?.number == 5202)
    withExtendedLifetime(listener) {}
  }
}

/// A socket that accepts connections into its backlog and never answers.
private final class Listener {
  private let path: String
  private let descriptor: Int32

  init?(path: String) {
    self.path = path
    unlink(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard bound == 0, listen(descriptor, 4) == 0 else { return nil }
  }

  deinit {
    Glibc.close(descriptor)
    unlink(path)
  }
}
