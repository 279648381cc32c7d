import FileSystem
import Glibc
import InteractionCore
import MainLoop
import PlaybackCore
import Testing

@testable import Displays

/// Several screens in one process, on two cards and on two connectors of one. On the virtual board, in virtual time, as
/// KMSBoardTests.
@Suite("Several KMS screens on the virtual board", .serialized, .enabled(if: getenv("VITRINE_ON_BOARD") != nil))
struct KMSScreensBoardTests {
  private static let mode = DisplayMode.size(PixelSize(width: 640, height: 480), refreshMillihertz: nil)
  private static let (red, green, blue) = (UInt32(0xFF_0000), UInt32(0x00_FF00), UInt32(0x00_00FF))

  private static func request(_ device: VirtualDevice, _ connector: String, _ background: UInt32 = 0) -> KMSRequest {
    KMSRequest(card: device.cardPath, connector: connector, mode: mode, background: background)
  }

  @Test("Two cards: each screen is master of its own, whichever opens first; one closes, the other stays")
  func twoCards() async throws {
    let (a, b) = (try VirtualDevice(name: "left", overlays: 2), try VirtualDevice(name: "right", overlays: 2))
    defer {
      a.remove()
      b.remove()
    }
    let screens = try Screens()
    await screens.want([
      "left": Self.request(a, KMSRequest.auto, Self.red), "right": Self.request(b, KMSRequest.auto, Self.blue),
    ])
    _ = try await screens.open("right")
    _ = try await screens.open("left")
    #expect(litPlanes(card: a.number).count == 1 && litPlanes(card: b.number).count == 1)
    #expect(openFiles(of: a.cardPath) == 1 && openFiles(of: b.cardPath) == 1, "no lease where none is needed")
    await screens.close("right")
    #expect(litPlanes(card: a.number).count == 1 && litPlanes(card: b.number).isEmpty)
    #expect(openFiles(of: a.cardPath) == 1 && openFiles(of: b.cardPath) == 0)
    _ = try await screens.open("right")
    #expect(litPlanes(card: b.number).count == 1)
    await screens.closeAll()
    #expect(litPlanes(card: a.number).isEmpty && litPlanes(card: b.number).isEmpty)
  }

  @Test("Two connectors of one card: a lease each, a video on each, both pictures as they should be")
  func leases() async throws {
    let device = try VirtualDevice(name: "pair", overlays: 4, connectors: 2, writeback: true)
    defer { device.remove() }
    let screens = try Screens()
    await screens.want([
      "left": Self.request(device, "Virtual-1", Self.red), "right": Self.request(device, "Virtual-2", Self.blue),
    ])
    let left = try await screens.open("left")
    #expect(try screenshot(device, crtc: 0) == Self.red)
    let right = try await screens.open("right")
    // The card's own and two leases.
    #expect(openFiles(of: device.cardPath) == 3)
    #expect(left.cardDescriptor != right.cardDescriptor && left.planeID != right.planeID)
    #expect(try screenshot(device, crtc: 0) == Self.red && screenshot(device, crtc: 1) == Self.blue)

    // At different rates: each has the vertical blanks of its own screen.
    let (one, two) = (
      try BoardVideo(left, source: solid(Self.green, rate: 30)),
      try BoardVideo(right, source: solid(Self.red, rate: 50))
    )
    one.start()
    await two.playToTheEnd()
    await one.playToTheEnd()
    #expect(one.frames.count == 90 && two.frames.count == 150, "\(one.frames.count) \(two.frames.count)")
    await screens.closeAll()
    #expect(litPlanes(card: device.number).isEmpty && openFiles(of: device.cardPath) == 0)
  }

  @Test("A screen of two is unplugged and comes back: only its slot hears of it, and the other's video misses no frame")
  func unplugged() async throws {
    let device = try VirtualDevice(name: "plug", overlays: 4, connectors: 2, writeback: true)
    defer { device.remove() }
    let screens = try Screens()
    await screens.want([
      "left": Self.request(device, "Virtual-1", Self.red), "right": Self.request(device, "Virtual-2", Self.blue),
    ])
    let left = try await screens.open("left")
    let right = try await screens.open("right")
    let video = try BoardVideo(right, source: solid(Self.green, rate: 30))
    video.start()
    #expect(await eventually { video.frames.count > 10 ? true : nil } == true)
    let files = openFiles(of: device.cardPath)

    device.setConnected(false, connector: 0)
    try await screens.waitUntil("left") { $0.events == ["unplugged"] }
    await screens.close("left")
    await #expect(throws: VitrineError.self) { try await screens.open("left") }
    let before = await screens.state("left").changes
    device.setConnected(true, connector: 0)
    try await screens.waitUntil("left") { $0.changes > before }
    let again = try await screens.open("left")
    let frames = video.frames
    #expect(Self.longest(frames) < 0.05, "\(Self.longest(frames))")
    #expect(again.cardDescriptor == left.cardDescriptor, "the lease was kept")
    #expect(openFiles(of: device.cardPath) == files)
    #expect(try screenshot(device, crtc: 0) == Self.red && screenshot(device, crtc: 1) == Self.green)

    await video.playToTheEnd()
    #expect(video.frames.count == 90)
    #expect(await screens.state("right").events.isEmpty)
    await screens.closeAll()
  }

  @Test("A single screen has the whole card; a second one leases a part of the rest, and stays when the first goes")
  func later() async throws {
    let device = try VirtualDevice(name: "later", overlays: 4, connectors: 2, writeback: true)
    defer { device.remove() }
    let screens = try Screens()
    await screens.want(["left": Self.request(device, "Virtual-1", Self.red)])
    _ = try await screens.open("left")
    #expect(openFiles(of: device.cardPath) == 1)
    await screens.want(["right": Self.request(device, "Virtual-2", Self.blue)])
    let right = try await screens.open("right")
    #expect(openFiles(of: device.cardPath) == 2)
    await screens.close("left")
    #expect(try screenshot(device, crtc: 1) == Self.blue)
    let video = try BoardVideo(right, source: solid(Self.green, rate: 30))
    await video.playToTheEnd()
    #expect(video.frames.count == 90)
    _ = try await screens.open("left")
    #expect(openFiles(of: device.cardPath) == 3)
    #expect(try screenshot(device, crtc: 0) == Self.red && screenshot(device, crtc: 1) == Self.blue)
    await screens.closeAll()
    #expect(openFiles(of: device.cardPath) == 0)
  }

  @Test("A sink that hangs keeps its duplicate of a lease, and not the screen")
  func hangingSink() async throws {
    let device = try VirtualDevice(name: "hang", overlays: 4, connectors: 2, writeback: true)
    defer { device.remove() }
    let screens = try Screens()
    await screens.want([
      "left": Self.request(device, "Virtual-1", Self.red), "right": Self.request(device, "Virtual-2", Self.blue),
    ])
    let left = try await screens.open("left")
    _ = try await screens.open("right")
    let duplicate = dup(left.cardDescriptor)
    await screens.close("left")
    _ = try await screens.open("left")
    #expect(try screenshot(device, crtc: 0) == Self.red && screenshot(device, crtc: 1) == Self.blue)
    close(duplicate)
    #expect(try screenshot(device, crtc: 0) == Self.red, "what is let go of late changes nothing")
    await screens.closeAll()
    #expect(openFiles(of: device.cardPath) == 0)
  }

  @Test("The end of a lease, which the kernel reports like a hotplug, isn't reported as a change")
  func leaseEvents() async throws {
    let device = try VirtualDevice(name: "news", overlays: 2, connectors: 2)
    defer { device.remove() }
    let screens = try Screens()
    await screens.want(["left": Self.request(device, "Virtual-1"), "right": Self.request(device, "Virtual-2")])
    _ = try await screens.open("left")
    _ = try await screens.open("right")
    // After the events of the card's own arrival.
    let before = try await changesToldSoFar(screens)
    await screens.close("left")
    #expect(try await changesToldSoFar(screens) == before)
    // A hotplug is reported, to the screen that isn't open.
    device.setConnected(false, connector: 0)
    try await screens.waitUntil("left") { $0.changes > before }
    device.setConnected(true, connector: 0)
    await screens.closeAll()
  }

  @Test(
    "A lease can do what a card can: overlay, modes, sleep, last frame; the other screen isn't affected")
  func everything() async throws {
    let device = try VirtualDevice(name: "whole", overlays: 4, connectors: 2, writeback: true)
    defer { device.remove() }
    let screens = try Screens()
    await screens.want([
      "left": Self.request(device, "Virtual-1", Self.red), "right": Self.request(device, "Virtual-2", Self.blue),
    ])
    let right = try await screens.open("right")
    let video = try BoardVideo(right, source: solid(Self.green, rate: 30))
    _ = try await screens.open("left")
    // As in the player: only a screen's owner draws on its planes.
    await screens.show("left", Self.square)
    #expect(await eventually { litPlanes(card: device.number).count == 3 ? true : nil } == true)
    #expect(try screenshot(device, crtc: 0) == 0xFF_FFFF)
    video.start()
    #expect(await eventually { video.frames.count > 10 ? true : nil } == true)
    #expect(await screens.setPower("left", false))
    #expect(debugState(card: device.number).contains("active=0"))
    #expect(await screens.setPower("left", true))
    #expect(await screens.keep("left", [UInt32](repeating: Self.blue, count: 640 * 480)) == nil)
    await screens.close("left")
    await video.playToTheEnd()
    #expect(video.frames.count == 90)
    #expect(try screenshot(device, crtc: 0) == Self.blue, "the last frame stays")
    _ = try await screens.open("left")
    #expect(try screenshot(device, crtc: 0) == Self.red)
    await screens.closeAll()
    #expect(litPlanes(card: device.number).isEmpty)
  }

  @Test("A picture by the card that the kernel won't have without a change of modes is refused before memory is taken")
  func writebackIsAskedFirst() async throws {
    let device = try VirtualDevice(name: "asked", overlays: 2, writeback: true)
    defer { device.remove() }
    let screens = try Screens()
    await screens.want(["only": Self.request(device, KMSRequest.auto, Self.red)])
    _ = try await screens.open("only")
    // No card takes one this large; a code path that allocates its memory first fails at that.
    let huge = PixelSize(width: 40_000, height: 40_000)
    let refusal = await screens.writeBack("only", huge, mayBlink: false)
    #expect(refusal == DRMFailure(call: "writeback", code: EINVAL), "\(String(describing: refusal))")
    let other = await screens.writeBack("only", huge, mayBlink: true)
    #expect(other != nil && other?.call != "writeback", "\(String(describing: other))")
    #expect(await screens.writeBack("only", PixelSize(width: 640, height: 480), mayBlink: true) == nil)
    await screens.closeAll()
  }

  /// How often the left screen had to look, after all events that udev has handled.
  private func changesToldSoFar(_ screens: Screens) async throws -> Int {
    let settle = try spawn(["/bin/sh", "-c", "exec udevadm settle"])
    var status: Int32 = 0
    waitpid(settle, &status, 0)
    #expect(status == 0)
    // A turn of the loop between two questions has taken what udev sent.
    _ = await screens.state("left")
    return await screens.state("left").changes
  }

  /// White, in the middle of the screen.
  private static let square = OverlayImage(
    frame: PixelRect(x: 300, y: 220, width: 40, height: 40), pixels: Array(repeating: 0xFFFF_FFFF, count: 40 * 40))

  @Test("A connector that another screen has is 5040; `auto` takes one that no screen names")
  func conflicts() async throws {
    let device = try VirtualDevice(name: "conflict", overlays: 2, connectors: 2)
    defer { device.remove() }
    let screens = try Screens()
    await screens.want([
      "left": Self.request(device, "Virtual-1"), "double": Self.request(device, "Virtual-1"),
      "any": Self.request(device, KMSRequest.auto),
    ])
    let any = try await screens.open("any")
    let left = try await screens.open("left")
    #expect(any.connectorID != left.connectorID)
    let failure = await #expect(throws: VitrineError.self) { try await screens.open("double") }
    #expect(failure?.number == 5040, "\(failure?.line ?? "")")
    await screens.closeAll()
  }

  @Test("Holds two screens until it is killed", .enabled(if: getenv("VITRINE_HOLD_SCREENS") != nil))
  func holdScreens() async throws {
    let path = try #require(getenv("VITRINE_HOLD_SCREENS").map { String(cString: $0) })
    let screens = try Screens()
    await screens.want([
      "left": KMSRequest(card: path, connector: "Virtual-1", mode: Self.mode),
      "right": KMSRequest(card: path, connector: "Virtual-2", mode: Self.mode),
    ])
    for name in ["left", "right"] { try await screens.holdOpen(name) }
    try await Task.sleep(for: .seconds(100))
    await screens.closeAll()
  }

  private static func longest(_ frames: [Instant]) -> Double {
    zip(frames.dropFirst(2), frames.dropFirst(3)).map { ($1 - $0).inSeconds }.max() ?? 0
  }

  /// Three seconds of one colour that fill the screen.
  private func solid(_ colour: UInt32, rate: Int) -> String {
    "videotestsrc pattern=solid-color foreground-color=\(colour | 0xFF00_0000) num-buffers=\(3 * rate) "
      + "! video/x-raw,format=BGRx,width=640,height=480,framerate=\(rate)/1"
  }

  /// The colour in the middle of a screen, by the card's writeback.
  private func screenshot(_ device: VirtualDevice, crtc: Int) throws -> UInt32 {
    let card = try Card(path: device.cardPath).snapshot()
    let (path, tools) = ("/tmp/screen.ppm", getenv("PATH").map { String(cString: $0) } ?? "")
    let tool = try spawn([
      "/bin/sh", "-c", "PATH='\(tools)' exec kms-screenshot -d \(device.cardPath) -c \(card.crtcs[crtc].id) \(path)",
    ])
    var status: Int32 = 0
    waitpid(tool, &status, 0)
    guard status == 0, let file = fopen(path, "r") else { throw VirtualDevice.Failed() }
    defer { fclose(file) }
    // The picture's bytes come last: RGB, 640 by 480.
    fseek(file, -(240 * 640 + 320) * 3, SEEK_END)
    let (r, g, b) = (fgetc(file), fgetc(file), fgetc(file))
    return UInt32(r << 16 | g << 8 | b)
  }

  /// How many open files of a card this process has.
  private func openFiles(of card: String) -> Int {
    SmallFile.names(in: "/proc/self/fd").count { realpath("/proc/self/fd/\($0)", nil).map(text) == card }
  }

  private func text(_ allocated: UnsafeMutablePointer<CChar>) -> String {
    defer { free(allocated) }
    return String(cString: allocated)
  }
}

/// Screens by name, on one loop.
private actor Screens {
  struct State: Sendable {
    var events: [String] = []
    /// How often it had to look.
    var changes = 0
  }

  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var screens: KMSScreens?
  private var displays: [String: KMSDisplay] = [:]
  private var states: [String: State] = [:]

  init() throws { executor = try GLibExecutor(name: "screens") }

  private func cards() -> KMSScreens {
    if let screens { return screens }
    let made = KMSScreens(on: EventLoop(executor: executor))
    screens = made
    return made
  }

  func want(_ requests: KeyValuePairs<String, KMSRequest>) {
    for (name, request) in requests {
      let slot = cards().slot(name)
      slot.wanted = request
      slot.onChange = { [weak self] in self?.assumeIsolated { $0.states[name, default: State()].changes += 1 } }
    }
  }

  func open(_ name: String) throws -> DRMPlaneTarget {
    let slot = cards().slot(name)
    let display = try slot.open(slot.wanted ?? KMSRequest())
    display.onEvent = { [weak self] event in
      guard case .unplugged = event else { return }
      self?.assumeIsolated { $0.states[name, default: State()].events.append("unplugged") }
    }
    displays[name] = display
    guard case .drmPlane(let target) = display.target else { throw VirtualDevice.Failed() }
    return target
  }

  /// Acts like a player: closes a display that is taken away, and opens it again when it may.
  func holdOpen(_ name: String) throws {
    _ = try open(name)
    displays[name]?.onEvent = { [weak self] event in
      if case .unplugged = event { self?.assumeIsolated { $0.close(name) } }
    }
    cards().slot(name).onChange = { [weak self] in self?.assumeIsolated { try? $0.holdOpen(name) } }
  }

  func show(_ name: String, _ image: OverlayImage?) { displays[name]?.showOverlay(image) }
  func setPower(_ name: String, _ isOn: Bool) -> Bool { displays[name]?.setPower(isOn) == true }
  func keep(_ name: String, _ picture: [UInt32]) -> String? { displays[name]?.keep(picture) ?? nil }

  /// - Returns: why there is no picture by the card.
  func writeBack(_ name: String, _ size: PixelSize, mayBlink: Bool) -> DRMFailure? {
    guard let session = displays[name]?.session,
      let writeback = Writeback(session.card, crtc: session.plan.crtcID, size: size)
    else { return DRMFailure(call: "none", code: 0) }
    do throws(DRMFailure) {
      _ = try writeback.pixels(mayBlink: mayBlink)
      return nil
    } catch {
      return error
    }
  }

  func close(_ name: String) { displays.removeValue(forKey: name)?.close() }

  func closeAll() {
    for name in displays.keys { close(name) }
    screens?.close()
    screens = nil
  }

  func state(_ name: String) -> State { states[name] ?? State() }

  /// Waits for events of udev. Virtual time costs nothing.
  func waitUntil(_ name: String, _ holds: (State) -> Bool) async throws {
    for _ in 0..<500 {
      if holds(state(name)) { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw VirtualDevice.Failed()
  }
}
