import CWaylandClient
import Displays
import Foundation
import InteractionCore
import MainLoop
import PlaybackCore
import Testing

@Suite("Wayland display and a compositor's odd sides", .timeLimit(.minutes(10)))
struct WaylandFakeTests {
  @Test("Another size changes the target and the background, and is acknowledged")
  func resize() async throws {
    let compositor = try #require(FakeCompositor())
    defer { compositor.stop() }
    let stage = try WaylandStage()
    try await stage.open(compositor.path)
    let first = try #require(await stage.target)
    #expect(first.size == PixelSize(width: 800, height: 480))
    compositor.configure(1920, 1080, serial: 7)
    var events = stage.events.makeAsyncIterator()
    guard case .changed = await events.next() else {
      Issue.record("no change")
      return
    }
    let second = try #require(await stage.target)
    #expect(second.size == PixelSize(width: 1920, height: 1080))
    if case .waylandSurface(let display, let surface, _) = first {
      #expect(second == .waylandSurface(display: display, surface: surface, size: second.size))
    }
    // xdg_surface.ack_configure and wp_viewport.set_destination.
    #expect(try await compositor.wait("xdg_surface", 4, count: 2).map(\.words) == [[1], [7]])
    #expect(try await compositor.wait("wp_viewport", 2, count: 2).map(\.words) == [[800, 480], [1920, 1080]])

    // A configure event with the same size is acknowledged, and isn't a change.
    compositor.configure(1920, 1080, serial: 8)
    #expect(try await compositor.wait("xdg_surface", 4, count: 3).map(\.words) == [[1], [7], [8]])
    compositor.closeWindow()
    guard case .lost(let error) = await events.next() else {
      Issue.record("not lost")
      return
    }
    #expect(error.number == 5205)
    await stage.close()
  }

  @Test("Without a viewporter the background is as large as the screen")
  func noViewporter() async throws {
    let compositor = try #require(
      FakeCompositor(globals: ["wl_compositor", "wl_subcompositor", "wl_shm", "xdg_wm_base"]))
    defer { compositor.stop() }
    let stage = try WaylandStage()
    try await stage.open(compositor.path)
    // wl_shm_pool.create_buffer: number, offset, width, height, stride, format.
    let buffers = try await compositor.wait("wl_shm_pool", 0, count: 2)
    #expect(buffers.first.map { Array($0.words.dropFirst(2)) } == [800, 480, 3200, 1])
    compositor.configure(640, 360, serial: 2)
    let more = try await compositor.wait("wl_shm_pool", 0, count: 3)
    #expect(more.last.map { Array($0.words.dropFirst(2)) } == [640, 360, 2560, 1])
    await stage.close()
  }

  @Test("While three buffers are busy, the newest image waits for the first released one")
  func busyBuffers() async throws {
    let compositor = try #require(FakeCompositor())
    defer { compositor.stop() }
    let stage = try WaylandStage()
    try await stage.open(compositor.path)
    let images = (0..<10).map { OverlayImage.filled(0xff00_0000 | UInt32($0), x: $0, y: 3, width: 8, height: 8) }
    await stage.showOverlays(images)
    compositor.ping(5)
    #expect(try await compositor.wait("xdg_wm_base", 3, count: 1).map(\.words) == [[5]])
    // wl_subsurface.set_position.
    #expect(
      compositor.requests("wl_subsurface", 1).map(\.words) == [[0, 3], [1, 3], [2, 3]])
    let overlay = try #require(compositor.requests("wl_subsurface", 1).first?.object)
    #expect(compositor.requests("wl_subsurface", 1).allSatisfy { $0.object == overlay })
    let attached = compositor.requests("wl_surface", 1)
    let buffer = try #require(attached.last?.words.first)
    compositor.release(buffer)
    let positions = try await compositor.wait("wl_subsurface", 1, count: 4)
    #expect(positions.last?.words == [9, 3])
    #expect(compositor.requests("wl_surface", 1).last?.words == [buffer, 0, 0])
    await stage.showOverlay(nil)
    // After the null buffer nothing that was waiting comes back.
    compositor.ping(6)
    _ = try await compositor.wait("xdg_wm_base", 3, count: 2)
    #expect(compositor.requests("wl_surface", 1).last?.words == [0, 0, 0])
    await stage.close()
  }

  @Test("Only rows that changed are damaged")
  func damage() async throws {
    let compositor = try #require(FakeCompositor())
    defer { compositor.stop() }
    let stage = try WaylandStage()
    try await stage.open(compositor.path)
    var image = OverlayImage.filled(0xff00_00ff, x: 10, y: 20, width: 30, height: 40)
    await stage.showOverlay(image)
    image.pixels[5 * 30] = 0
    image.pixels[7 * 30 + 29] = 0
    await stage.showOverlay(image)
    // The same image again costs nothing; if only the position differs, only that is sent.
    await stage.showOverlay(image)
    image.frame.x = 11
    await stage.showOverlay(image)
    await stage.videoDidStart()
    // wl_surface.damage: T, V, the overlay twice, the mend of T.
    let damage = try await compositor.wait("wl_surface", 2, count: 5).map(\.words)
    #expect(damage == [[0, 0, 800, 480], [0, 0, 1, 1], [0, 0, 30, 40], [0, 5, 30, 3], [0, 0, 1, 1]])
    #expect(compositor.requests("wl_subsurface", 1).map(\.words) == [[10, 20], [11, 20]])
    await stage.close()
  }

  @Test("No event is missed while another thread reads the same connection, as waylandsink's does")
  func twoReaders() async throws {
    let compositor = try #require(FakeCompositor())
    defer { compositor.stop() }
    let stage = try WaylandStage()
    try await stage.open(compositor.path)
    guard case .waylandSurface(let display, _, _) = await stage.target else { return }
    let reader = OtherReader(display: display)
    do {
      for serial in 1...500 as ClosedRange<UInt32> {
        compositor.ping(serial)
        if serial.isMultiple(of: 5) {
          // If the loop missed a wake-up, pongs would be missing, however long `wait` waits.
          let pongs = try await compositor.wait("xdg_wm_base", 3, count: Int(serial))
          try #require(pongs.last?.words == [serial])
        }
      }
    } catch {
      // Before the connection goes that it reads.
      await reader.stop()
      throw error
    }
    await reader.stop()
    await stage.close()
  }

  @Test("Missing interfaces are named")
  func missing() async throws {
    let compositor = try #require(FakeCompositor(globals: ["wl_compositor", "wl_shm"]))
    defer { compositor.stop() }
    let stage = try WaylandStage()
    let error = await #expect(throws: VitrineError.self) { try await stage.open(compositor.path) }
    #expect(error?.number == 5203)
    #expect(error?.message == "the compositor lacks wl_subcompositor, xdg_wm_base")
  }

  @Test("A window that gets no size is an error after two seconds")
  func noConfigure() async throws {
    let compositor = try #require(FakeCompositor(sizeAtStart: nil))
    defer { compositor.stop() }
    let stage = try WaylandStage()
    let error = await #expect(throws: VitrineError.self) { try await stage.open(compositor.path) }
    #expect(error?.number == 5204)
  }

  @Test("A protocol error is reported with its object")
  func protocolError() async throws {
    let compositor = try #require(FakeCompositor())
    defer { compositor.stop() }
    let stage = try WaylandStage()
    try await stage.open(compositor.path)
    let surface = try #require(try await compositor.wait("wl_surface", 6, count: 1).first?.object)
    compositor.fail(surface, code: 3)
    var events = stage.events.makeAsyncIterator()
    guard case .lost(let error) = await events.next() else {
      Issue.record("not lost")
      return
    }
    #expect(error.number == 5206)
    #expect(error.detail == "protocol error 3 on wl_surface@\(surface)")
    await stage.close()
  }

  @Test("Closing takes the window away in the order that the protocols demand")
  func closing() async throws {
    let compositor = try #require(FakeCompositor())
    defer { compositor.stop() }
    let stage = try WaylandStage()
    try await stage.open(compositor.path)
    await stage.showOverlay(.filled(0xff00_00ff, x: 0, y: 0, width: 8, height: 8))
    await stage.close()
    let destructors: [String: UInt16] = [
      "wl_subsurface": 0, "wl_surface": 0, "wp_viewport": 0, "xdg_toplevel": 0, "xdg_surface": 0, "xdg_wm_base": 0,
      "wl_buffer": 0, "wl_subcompositor": 0, "wp_viewporter": 0,
    ]
    _ = try await compositor.wait("wl_buffer", 0, count: 2)
    let order = compositor.requests.filter { destructors[$0.kind] == $0.opcode }.map(\.kind)
    let window = [
      "wl_subsurface", "wl_surface", "wl_buffer", "wl_subsurface", "wl_surface", "wp_viewport", "xdg_toplevel",
      "xdg_surface", "wl_surface", "wl_buffer",
    ]
    // The globals go with the connection, after everything of the window.
    #expect(order.starts(with: window), "\(order)")
  }
}

/// Reads a connection on a thread of its own with a queue of its own.
private final class OtherReader: Sendable {
  private let isStopped = Locked(false)
  private let ended: AsyncStream<Never>

  init(display: UInt) {
    let (ended, end) = AsyncStream<Never>.makeStream()
    self.ended = ended
    let isStopped = isStopped
    Thread.detachNewThread {
      guard let display = OpaquePointer(bitPattern: display), let queue = wl_display_create_queue(display) else {
        return
      }
      while !isStopped.withLock({ $0 }) {
        while wl_display_prepare_read_queue(display, queue) != 0 { wl_display_dispatch_queue_pending(display, queue) }
        var entry = pollfd(fd: wl_display_get_fd(display), events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 20) > 0 { wl_display_read_events(display) } else { wl_display_cancel_read(display) }
        wl_display_dispatch_queue_pending(display, queue)
      }
      wl_event_queue_destroy(queue)
      end.finish()
    }
  }

  func stop() async {
    isStopped.withLock { $0 = true }
    for await _ in ended {}
  }
}
