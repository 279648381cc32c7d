import Glibc
import InteractionCore
import MainLoop
import PlaybackCore
import Testing

@testable import Displays

/// These need a kernel with vkms and nothing else that drives a screen: board/virtual runs them in its guest, with
/// VITRINE_ON_BOARD=1. They look at the screen from outside, through the kernel's debugfs.
@Suite("KMS on the virtual board", .serialized, .enabled(if: getenv("VITRINE_ON_BOARD") != nil))
struct KMSBoardTests {
  @Test("Opening lights the background; closing leaves nothing lit; both can be repeated")
  func openAndClose() async throws {
    for _ in 0..<2 {
      let screen = try Screen()
      let opened = try await screen.open(
        KMSRequest(mode: .size(PixelSize(width: 1280, height: 720), refreshMillihertz: nil)))
      #expect(opened.summary == "kms card0 Virtual-1 1280x720@60.00")
      #expect(opened.target.size == PixelSize(width: 1280, height: 720))
      let lit = litPlanes()
      #expect(lit.count == 1)
      #expect(lit.first?.contains("format=XR24") == true)
      #expect(lit.first?.contains("crtc-pos=1280x720+0+0") == true)
      #expect(KMSDisplay.canOpenACard() == false)
      await screen.close()
      await screen.close()
      #expect(litPlanes() == [])
      #expect(!debugState().contains("active=1"))
    }
    #expect(KMSDisplay.canOpenACard())
  }

  @Test("vkms can't scale, and the target says so; its video plane reads YUV as video is made")
  func target() async throws {
    let screen = try Screen()
    let opened = try await screen.open(KMSRequest())
    guard case .drmPlane(let plane) = opened.target else { throw Unexpected() }
    #expect(!plane.canScale)
    let section = try #require(planeSections().first { planeID($0) == plane.planeID })
    #expect(section.contains("color-encoding=ITU-R BT.709 YCbCr"))
    #expect(section.contains("color-range=YCbCr limited range"))
    #expect(opened.notes == ["the video plane of card0 can't scale: pictures are scaled before it"])
    await screen.close()
  }

  @Test("The overlay has its own plane above the video, as large as the image, and leaves it without an image")
  func overlay() async throws {
    let screen = try Screen()
    let opened = try await screen.open(KMSRequest())
    guard case .drmPlane(let target) = opened.target else { throw Unexpected() }
    await screen.show(image(x: 100, y: 600, width: 400, height: 80))
    let lit = try #require(await eventually { litPlanes().count == 2 ? litPlanes() : nil })
    let overlay = try #require(lit.first { $0.contains("format=AR24") })
    #expect(overlay.contains("crtc-pos=400x80+100+600"))
    #expect(overlay.contains("size=400x80"))
    #expect(planeID(overlay) > target.planeID)
    // An image at the same place is written over the old one; a new place needs a commit.
    await screen.show(image(x: 100, y: 600, width: 400, height: 80, colour: 0xFF00_FF00))
    await screen.show(image(x: 101, y: 600, width: 400, height: 80))
    let moved = await eventually { litPlanes().first { $0.contains("crtc-pos=400x80+101+600") } }
    #expect(moved != nil)
    await screen.show(nil)
    #expect(await eventually { litPlanes().count == 1 ? true : nil } == true)
    await screen.close()
    #expect(litPlanes() == [])
  }

  @Test("The newest of many images shown at once stays, and no buffers pile up")
  func newestWins() async throws {
    let screen = try Screen()
    _ = try await screen.open(KMSRequest())
    await screen.showAll((0..<200).map { image(x: $0, y: 0, width: 64 + $0 / 50, height: 16) })
    #expect(await eventually { litPlanes().contains { $0.contains("crtc-pos=67x16+199+0") } ? true : nil } == true)
    await screen.showAll((0..<50).map { image(x: $0, y: 0, width: 64, height: 16) } + [nil])
    #expect(await eventually { litPlanes().count == 1 ? true : nil } == true)
    let framebuffers = (readText("/sys/kernel/debug/dri/0/framebuffer") ?? "").split(separator: "\n")
    #expect(framebuffers.filter { $0.hasPrefix("framebuffer[") }.count <= 4)
    await screen.close()
  }

  @Test("A card in use by another program is error 5002 with that program's name")
  func inUse() async throws {
    let holder = try spawn(["/bin/sh", "-c", "exec sleep 100 <>/dev/dri/card0"])
    _ = await eventually { (readText("/sys/kernel/debug/dri/0/clients") ?? "").contains("sleep") ? true : nil }
    #expect(KMSDisplay.canOpenACard() == false)
    let failure = await #expect(throws: VitrineError.self) { try await Screen().open(KMSRequest()) }
    #expect(failure?.number == 5002)
    #expect(failure?.subject == "/dev/dri/card0")
    #expect(failure?.message == "another program drives the screen: sleep (pid \(holder))")
    killAndReap(holder)
    let screen = try Screen()
    _ = try await screen.open(KMSRequest())
    await screen.close()
  }

  @Test("After a SIGKILL of a player the next one opens")
  func killed() async throws {
    let holder = try spawn(
      ["/proc/self/exe", "--testing-library", "swift-testing", "--filter", "holdTheScreen"],
      environment: ["VITRINE_ON_BOARD=1", "VITRINE_HOLD_SCREEN=1"])
    let lit = await eventually { litPlanes().count == 2 ? true : nil }
    #expect(lit == true)
    killAndReap(holder)
    let screen = try Screen()
    _ = try await screen.open(KMSRequest())
    #expect(litPlanes().count == 1)
    await screen.close()
    #expect(litPlanes() == [])
  }

  @Test("Holds the screen until it is killed", .enabled(if: getenv("VITRINE_HOLD_SCREEN") != nil))
  func holdTheScreen() async throws {
    let screen = try Screen()
    _ = try await screen.open(KMSRequest(background: 0x20_4060))
    await screen.show(image(x: 0, y: 0, width: 320, height: 200))
    try await Task.sleep(for: .seconds(100))
    await screen.close()
  }

  @Test("Another program's picture goes, and comes back at the end, on all its planes")
  func leftovers() async throws {
    let other = try Card(path: "/dev/dri/card0")
    try other.becomeMaster()
    try other.enableAtomic()
    let card = try other.snapshot()
    let small = KMSRequest(mode: .size(PixelSize(width: 640, height: 480), refreshMillihertz: nil))
    let plan = try DisplayPlan.choose(card: card, request: small).get()
    let picture = try DumbFramebuffer(other, size: plan.mode.size, format: .xrgb8888)
    let blob = try PropertyBlob(other, bytes: plan.mode.timings)
    var change = plan.modeset(on: card, modeBlob: blob.id, background: picture.id)
    let video = try #require(card.plane(plan.planes.video))
    change.light(
      video, crtc: plan.crtcID, framebuffer: picture.id, source: plan.mode.size, on: plan.screen, zpos: nil)
    try other.commit(change, .modeset)
    other.dropMaster()
    #expect(litPlanes().count == 2)

    let screen = try Screen()
    try await screen.open(KMSRequest(mode: .size(PixelSize(width: 1280, height: 720), refreshMillihertz: nil)))
    #expect(litPlanes().count == 1)
    #expect(litPlanes().first?.contains("crtc-pos=1280x720+0+0") == true)
    await screen.close()
    #expect(litPlanes().count == 2)
    #expect(litPlanes().allSatisfy { $0.contains("crtc-pos=640x480+0+0") && $0.contains("fb=\(picture.id)\n") })
    withExtendedLifetime(picture) {}
  }

  @Test("A player that goes without closing takes its picture along")
  func dropped() async throws {
    do {
      let screen = try Screen()
      try await screen.open(KMSRequest())
      await screen.show(image(x: 0, y: 0, width: 64, height: 16))
    }
    #expect(await eventually { litPlanes().isEmpty && KMSDisplay.canOpenACard() ? true : nil } == true)
  }

  @Test("A single overlay plane goes to the overlay, and the video to the primary plane; an unplugged screen is 5004")
  func onePlane() async throws {
    let device = try VirtualDevice(name: "small", overlays: 1)
    defer { device.remove() }
    let request = KMSRequest(card: device.cardPath)
    let screen = try Screen()
    let opened = try await screen.open(request)
    guard case .drmPlane(let target) = opened.target else { throw Unexpected() }
    // vkms lets its primary plane be smaller than the screen.
    #expect(!target.mustCover && !target.drawsOverlay)
    let lit = litPlanes(card: device.number)
    #expect(lit.map(planeID) == [target.planeID])
    await screen.show(image(x: 0, y: 0, width: 64, height: 16))
    #expect(await eventually { litPlanes(card: device.number).count == 2 ? true : nil } == true)
    await screen.close()
    #expect(litPlanes(card: device.number) == [])
    device.setConnected(false)
    let failure = await #expect(throws: VitrineError.self) { try await Screen().open(request) }
    #expect(failure?.number == 5004)
  }

  @Test("With a primary plane only frames cover the screen and have the overlay in them")
  func noPlane() async throws {
    let device = try VirtualDevice(name: "bare", overlays: 0)
    defer { device.remove() }
    let screen = try Screen()
    let opened = try await screen.open(KMSRequest(card: device.cardPath))
    guard case .drmPlane(let target) = opened.target else { throw Unexpected() }
    #expect(target.mustCover && target.drawsOverlay)
    await screen.show(image(x: 0, y: 0, width: 64, height: 16))
    #expect(litPlanes(card: device.number).map(planeID) == [target.planeID])
    await screen.close()
  }

  @Test("A missing card is 5001")
  func noCard() async throws {
    let missing = await #expect(throws: VitrineError.self) {
      try await Screen().open(KMSRequest(card: "/dev/dri/card77"))
    }
    #expect(missing?.number == 5001)
  }

  @Test("The inventory agrees with the kernel, changes nothing, and leaves the card free")
  func inventory() throws {
    let before = debugState()
    let inventory = DisplayInventory.read(for: KMSRequest())
    #expect(debugState() == before)
    #expect(KMSDisplay.canOpenACard())
    #expect(inventory.problem == nil)
    let card = try #require(inventory.cards.first)
    #expect(card.driver == "vkms" && card.device == "vkms" && card.state == "free" && card.isChosen)
    #expect(card.connectors.map(\.name) == ["Virtual-1"])
    #expect(card.planes.count == 9)
    #expect(card.planes.prefix(3).map(\.role) == ["background", "video", "overlay"])
    #expect(card.planes.prefix(3).map(\.scales) == [false, false, false])
    #expect(card.planes.allSatisfy { $0.rotations == [0, 90, 180, 270] })
    #expect(inventory.choice?.layout == "separate")
  }

  @Test("The inventory names the program that drives a card, and distinguishes such a card from a free one")
  func inventoryInUse() async throws {
    let holder = try spawn(["/bin/sh", "-c", "exec sleep 100 <>/dev/dri/card0"])
    _ = await eventually { (readText("/sys/kernel/debug/dri/0/clients") ?? "").contains("sleep") ? true : nil }
    let inventory = DisplayInventory.read(for: KMSRequest())
    #expect(inventory.cards.first?.state == "in use")
    #expect(inventory.cards.first?.holders == ["sleep (pid \(holder))"])
    #expect(inventory.problem?.number == 5002)
    #expect(inventory.choice?.connector == "Virtual-1")
    killAndReap(holder)
  }
}

private struct Unexpected: Error {}

private func image(x: Int, y: Int, width: Int, height: Int, colour: UInt32 = 0x8080_0000) -> OverlayImage {
  OverlayImage(
    frame: PixelRect(x: x, y: y, width: width, height: height),
    pixels: Array(repeating: colour, count: width * height))
}

extension KMSDisplay {
  /// Whether there is a card with a screen that no other program uses.
  fileprivate static func canOpenACard() -> Bool {
    Card.paths().contains { path in
      guard let card = try? Card(path: path), card.hasScreens else { return false }
      return (try? card.becomeMaster()) != nil
    }
  }
}
