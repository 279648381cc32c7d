import InteractionCore
import PlaybackCore
import Testing

@Suite("Routing of input devices to screens")
struct TouchRoutingTests {
  private let wide = TouchMapping(view: PixelSize(width: 1920, height: 1080))
  private let tall = TouchMapping(view: PixelSize(width: 480, height: 800), rotation: .clockwise)

  private func device(_ number: UInt32, _ name: String, place: String = "") -> InputDevice {
    InputDevice(id: InputDeviceID(number), name: name, place: place, abilities: [.touch])
  }

  private var routing: TouchRouting {
    TouchRouting(
      first: .init(name: "window", mapping: wide, devices: ["usb-0:1.1"]),
      others: [
        .init(name: "till", mapping: tall, devices: ["ilitek", ""]),
        .init(name: "door", mapping: wide, devices: ["usb-0:1.3", "ILITEK Pen"]),
      ])
  }

  @Test(
    "A part of a device's name or port picks its screen, in any case; other devices go to the first screen")
  func screens() {
    #expect(routing.screen(of: device(1, "ILITEK Multi-Touch")).name == "till")
    #expect(routing.screen(of: device(2, "FT5406", place: "platform-usb-0:1.3:1.0")).name == "door")
    #expect(routing.screen(of: device(3, "FT5406")).name == "window")
    #expect(routing.screen(of: device(4, "ILITEK", place: "pci-usb-0:1.1:1.0")).name == "window", "its place first")
    #expect(routing.screen(of: device(5, "ILITEK Pen")).name == "till", "the screen that is listed first")
    #expect(routing.screen(named: "door").mapping == wide && routing.screen(named: "gone").name == "window")
    #expect(TouchRouting(tall).screen(of: device(6, "any")).mapping == tall)
  }

  @Test("A device's events go to its screen; those of an unknown device to the first screen")
  func events() {
    var router = InputRouter(routing)
    let glass = device(1, "ILITEK")
    let touch = InputEvent.touch(TouchFrame(device: glass.id, []))
    let moved = InputEvent.pointerMoved(ScreenPoint(x: 1, y: 2), by: InputDeviceID(7))
    let key = InputEvent.key(KeyChange(device: glass.id, key: "KEY_A", .down))
    #expect(router.route(.deviceAdded(glass)) == [.init("till", .deviceAdded(glass))])
    #expect(router.route(touch) == [.init("till", touch)] && router.route(key) == [.init("till", key)])
    #expect(router.route(moved) == [.init("window", moved)])
    #expect(router.route(.deviceRemoved(glass.id)) == [.init("till", .deviceRemoved(glass.id))])
    #expect(router.route(touch) == [.init("window", touch)], "it is gone")
  }

  @Test("A device added again after a change moves to its new screen, and is removed from the old one")
  func changes() {
    var router = InputRouter(routing)
    let glass = device(1, "ILITEK")
    _ = router.route(.deviceAdded(glass))
    router.routing = TouchRouting(
      first: .init(name: "window", mapping: wide), others: [.init(name: "door", mapping: wide, devices: ["ilitek"])])
    let touch = InputEvent.touch(TouchFrame(device: glass.id, [FingerChange(finger: 0, .cancelled)]))
    #expect(router.route(touch) == [.init("till", touch)], "its last touch ends where it began")
    #expect(
      router.route(.deviceAdded(glass)) == [
        .init("till", .deviceRemoved(glass.id)), .init("door", .deviceAdded(glass)),
      ])
    #expect(router.route(.deviceAdded(glass)) == [.init("door", .deviceAdded(glass))])
    router.routing = TouchRouting(wide)
    #expect(
      router.route(.deviceAdded(glass)) == [.init("door", .deviceRemoved(glass.id)), .init("", .deviceAdded(glass))])
  }
}
