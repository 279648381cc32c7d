import Glibc
import InteractionCore
import MainLoop
import PlaybackCore
import Testing

@testable import Displays

/// libinput with devices of the kernel's, for two screens. On the virtual board, in virtual time, as KMSBoardTests.
@Suite("Input of two screens on the virtual board", .serialized, .enabled(if: getenv("VITRINE_ON_BOARD") != nil))
struct InputBoardTests {
  private let window = TouchRouting.Screen(
    name: "window", mapping: TouchMapping(view: PixelSize(width: 800, height: 600)))
  private let till = TouchRouting.Screen(
    name: "till", mapping: TouchMapping(view: PixelSize(width: 480, height: 800)), devices: ["VIRTUAL mouse"])

  @Test("A touchscreen and a mouse have a screen each; the touchscreen moves to the other with a finger down")
  func twoScreens() async throws {
    // A touchscreen of 1024 by 768 points, ten to a millimetre.
    let tools = try #require(getenv("PATH").map { String(cString: $0) })
    mkfifo("/tmp/fingers", 0o600)
    let hand = try spawn(["/bin/sh", "-c", "PATH='\(tools)' exec virtual-touch --mouse < /tmp/fingers > /dev/null"])
    let lines = open("/tmp/fingers", O_WRONLY)
    defer {
      close(lines)
      killAndReap(hand)
    }
    func say(_ line: String) { write(lines, line + "\n", line.utf8.count + 1) }

    let desk = try Desk()
    try await desk.listen(TouchRouting(first: window, others: [till]))
    try await desk.wait { $0.count == 3 }
    let added = await desk.drainLines().sorted()
    #expect(
      added == [
        "till: + virtual mouse", "window: + virtual keyboard", "window: + virtual touchscreen 7.8/mm",
      ])

    say("down 0 512 384")
    try await desk.wait { $0.count == 1 }
    #expect(await desk.drainLines() == ["window: down 400,300"])
    say("mouse 1 1")
    try await desk.wait { $0.count == 1 }
    // The mouse starts in the middle of its screen.
    #expect(await desk.drainLines() == ["till: mouse near 240,400"])

    var both = till
    both.devices.append("touchscreen")
    await desk.use(TouchRouting(first: window, others: [both]))
    #expect(
      await desk.drainLines() == [
        "window: cancelled", "window: -", "till: + virtual touchscreen 4.7/mm",
      ])
    // The finger that was down doesn't move over to the other screen.
    say("move 0 100 100")
    say("up 0")
    say("down 1 512 384")
    try await desk.wait { $0.count == 1 }
    #expect(await desk.drainLines() == ["till: down 240,400"])

    // Another mode changes the scale; no finger ends.
    both.mapping.view = PixelSize(width: 960, height: 800)
    await desk.use(TouchRouting(first: window, others: [both]))
    #expect(await desk.drainLines() == ["till: + virtual touchscreen 9.4/mm"])
    say("move 1 256 192")
    try await desk.wait { $0.count == 1 }
    #expect(await desk.drainLines() == ["till: moved 240,200"])
    await desk.close()
  }
}

/// Runs an input source on a loop of its own, and records its events as lines.
private actor Desk {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var source: LibinputSource?
  private var router: InputRouter?
  private var lines: [String] = []

  init() throws { executor = try GLibExecutor(name: "desk") }

  func listen(_ routing: TouchRouting) throws {
    router = InputRouter(routing)
    let source = try LibinputSource(on: EventLoop(executor: executor), settings: InputSettings(), routing: routing)
    self.source = source
    source.onInput = { [weak self] events in self?.assumeIsolated { $0.receive(events.map(\.event)) } }
  }

  func use(_ routing: TouchRouting) {
    router?.routing = routing
    source?.routing = routing
  }

  func close() { source?.close() }

  func drainLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Waits for events of udev and the kernel. Virtual time costs nothing.
  func wait(_ holds: ([String]) -> Bool) async throws {
    for _ in 0..<500 {
      if holds(lines) { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw VirtualDevice.Failed()
  }

  private func receive(_ events: [InputEvent]) {
    for event in events {
      for routed in router?.route(event) ?? [] { lines += Self.words(routed.event).map { "\(routed.screen): \($0)" } }
    }
  }

  private static func words(_ event: InputEvent) -> [String] {
    switch event {
    case .deviceAdded(let device):
      ["+ \(device.name)" + (device.pixelsPerMillimetre.map { " \(Double(Int(($0 * 10).rounded())) / 10)/mm" } ?? "")]
    case .deviceRemoved: ["-"]
    case .key(let change): ["key \(change.key)"]
    case .pointerMoved(let point, _):
      // libinput accelerates.
      ["mouse near \(Int((point.x / 20).rounded()) * 20),\(Int((point.y / 20).rounded()) * 20)"]
    case .touch(let frame):
      frame.changes.map { change in
        switch change.kind {
        case .down(let point): "down \(Int(point.x.rounded())),\(Int(point.y.rounded()))"
        case .moved(let point): "moved \(Int(point.x.rounded())),\(Int(point.y.rounded()))"
        case .up: "up"
        case .cancelled: "cancelled"
        }
      }
    }
  }
}
