import CWaylandClient
import Glibc
import InteractionCore
import MainLoop
import PlaybackCore

/// The compositor's seat: its touchscreen, pointer and keyboard, as they come and go.
///
/// Listeners only record events; the connection's reader collects them with `drainEvents`. Only events on the window's
/// own surface count: the surfaces above it let input through.
final class WaylandSeat {
  /// From version 5 on, devices can be released.
  static let newestVersion: UInt32 = 5

  private let connection: WaylandConnection
  private let version: UInt32
  private var seat: WaylandObject?
  private let pointer: OpaquePointer
  private var touch: Device?
  private var mouse: Device?
  private var keyboard: Device?
  private var lastNumber: UInt32 = 0
  private var events: [(event: InputEvent, time: Instant)] = []
  private var fingers: FingerTracker?
  private var arrow = Arrow()
  private var keysDown: Set<UInt32> = []
  private var window: OpaquePointer?

  /// The pointer over a surface.
  private struct Arrow {
    /// Its left button, as a finger.
    var finger: FingerTracker?
    var place = ScreenPoint(x: 0, y: 0)
    /// The surface that it is on.
    var surface: OpaquePointer?
    /// The serial of its last entry to a surface; setting its picture needs it.
    var serial: UInt32 = 0
    /// Its picture since that entry.
    var picture: OpaquePointer?
  }

  private struct Device: ~Copyable {
    let id: InputDeviceID
    let object: WaylandObject
  }

  init(_ seat: OpaquePointer?, version: UInt32, on connection: WaylandConnection) throws(VitrineError) {
    let object = try WaylandObject(
      seat, on: connection, destroy: version >= 5 ? wl_seat_release : wl_seat_destroy)
    pointer = object.pointer
    self.connection = connection
    self.version = version
    self.seat = consume object
    wl_seat_add_listener(pointer, Self.seatTable.pointer, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { destroy() }

  /// Returns the events since the last call.
  ///
  /// - Parameter window: the surface whose input counts from now on.
  func drainEvents(for window: OpaquePointer) -> [(event: InputEvent, time: Instant)] {
    self.window = window
    defer { events = [] }
    return events
  }

  /// A second call does nothing.
  func destroy() {
    touch = nil
    mouse = nil
    keyboard = nil
    seat = nil
    events = []
  }

  private func enqueueEvent(_ event: InputEvent, _ time: Instant = .loopNow) { events.append((event, time)) }

  private func enqueueFrame(_ frame: TouchFrame?, _ time: Instant) {
    if let frame { enqueueEvent(.touch(frame), time) }
  }

  /// Compositors stamp events in milliseconds, presumably of the monotonic clock; a stamp that can't be from that clock
  /// is replaced by the present time.
  static func time(_ stamp: UInt32, now: Int64 = EventLoop.monotonicNanoseconds()) -> Instant {
    let milliseconds = now / 1_000_000
    let age = UInt32(truncatingIfNeeded: milliseconds) &- stamp
    guard age <= 2000 else { return Instant(nanoseconds: now) }
    return Instant(nanoseconds: (milliseconds - Int64(age)) * 1_000_000)
  }

  // MARK: Devices

  private func abilitiesChanged(_ mask: UInt32) {
    func has(_ ability: wl_seat_capability) -> Bool { mask & ability.rawValue != 0 }
    let context = Unmanaged.passUnretained(self).toOpaque()
    switch (has(WL_SEAT_CAPABILITY_TOUCH), touch == nil) {
    case (true, true):
      touch = add("touch", .touch, wl_seat_get_touch(pointer), version >= 3 ? wl_touch_release : wl_touch_destroy) {
        wl_touch_add_listener($0, Self.touchTable.pointer, context)
      }
      fingers = Self.id(of: touch).map(FingerTracker.init)
    case (false, false):
      remove(Self.id(of: touch))
      touch = nil
      fingers = nil
    default: break
    }
    switch (has(WL_SEAT_CAPABILITY_POINTER), mouse == nil) {
    case (true, true):
      mouse = add(
        "pointer", .pointer, wl_seat_get_pointer(pointer), version >= 3 ? wl_pointer_release : wl_pointer_destroy
      ) {
        wl_pointer_add_listener($0, Self.pointerTable.pointer, context)
      }
      arrow.finger = Self.id(of: mouse).map(FingerTracker.init)
    case (false, false):
      remove(Self.id(of: mouse))
      mouse = nil
      arrow.finger = nil
    default: break
    }
    switch (has(WL_SEAT_CAPABILITY_KEYBOARD), keyboard == nil) {
    case (true, true):
      keyboard = add(
        "keyboard", .keys, wl_seat_get_keyboard(pointer), version >= 3 ? wl_keyboard_release : wl_keyboard_destroy
      ) {
        wl_keyboard_add_listener($0, Self.keyboardTable.pointer, context)
      }
    case (false, false):
      remove(Self.id(of: keyboard))
      keyboard = nil
      keysDown = []
    default: break
    }
  }

  private func add(
    _ name: String, _ ability: InputDevice.Ability, _ object: OpaquePointer?,
    _ destroy: @escaping (OpaquePointer) -> Void, _ listen: (OpaquePointer) -> Int32
  ) -> Device? {
    // Without memory for the object, the device is ignored.
    guard let object = try? WaylandObject(object, on: connection, destroy: destroy) else { return nil }
    _ = listen(object.pointer)
    lastNumber += 1
    let id = InputDeviceID(lastNumber)
    enqueueEvent(.deviceAdded(InputDevice(id: id, name: "compositor's \(name)", path: "seat", abilities: [ability])))
    return Device(id: id, object: object)
  }

  private func remove(_ id: InputDeviceID?) {
    if let id { enqueueEvent(.deviceRemoved(id)) }
  }

  private static func id(of device: borrowing Device?) -> InputDeviceID? {
    switch device {
    case .some(let device): device.id
    case .none: nil
    }
  }

  // MARK: Touch

  private func touchDown(_ surface: OpaquePointer?, _ finger: Int32, _ point: ScreenPoint) {
    guard let surface, surface == window else { return }
    fingers?.put(down: finger, at: point)
  }

  // MARK: Pointer

  /// Sets the pointer's picture while it is over the window; nil hides it.
  func setCursor(_ surface: OpaquePointer?) {
    guard let pointer = mouse?.object.pointer, arrow.surface != nil, arrow.picture != surface else { return }
    arrow.picture = surface
    wl_pointer_set_cursor(pointer, arrow.serial, surface, 0, 0)
  }

  /// The pointer is over another surface. It may not have moved: the window may have opened under it. It is hidden
  /// until a mouse moves.
  private func mouseEntered(_ surface: OpaquePointer?, _ serial: UInt32, at point: ScreenPoint) {
    arrow.surface = surface
    arrow.serial = serial
    arrow.picture = nil
    if let pointer = mouse?.object.pointer { wl_pointer_set_cursor(pointer, serial, nil, 0, 0) }
    moveFinger(to: point, .loopNow)
  }

  private func mouseMoved(to point: ScreenPoint, _ time: Instant) {
    if arrow.surface == window, let id = Self.id(of: mouse) { enqueueEvent(.pointerMoved(point, by: id), time) }
    moveFinger(to: point, time)
  }

  private func moveFinger(to point: ScreenPoint, _ time: Instant) {
    arrow.place = point
    arrow.finger?.move(0, to: point)
    enqueueFrame(arrow.finger?.drainFrame(), time)
  }

  private func mouseButton(_ button: UInt32, isDown: Bool, _ time: Instant) {
    guard button == KeyName.leftButton else {
      guard let id = Self.id(of: mouse), !isDown || arrow.surface == window else { return }
      return enqueueEvent(.key(KeyChange(device: id, key: KeyName.of(button), isDown ? .down : .up)), time)
    }
    if isDown {
      guard arrow.surface != nil, arrow.surface == window else { return }
      // Read before: the change below has the pointer for itself.
      let place = arrow.place
      arrow.finger?.put(down: 0, at: place)
      enqueueFrame(arrow.finger?.drainFrame(), time)
    } else {
      enqueueFrame(arrow.finger?.lift(0), time)
    }
  }

  // MARK: Keys

  private func key(_ code: UInt32, isDown: Bool, _ time: Instant) {
    guard let id = Self.id(of: keyboard) else { return }
    if isDown { keysDown.insert(code) } else if keysDown.remove(code) == nil { return }
    enqueueEvent(.key(KeyChange(device: id, key: KeyName.of(code), isDown ? .down : .up)), time)
  }

  /// The window has lost the keyboard: all keys that are down count as released.
  private func keysLeft() {
    for code in keysDown.sorted() { key(code, isDown: false, .loopNow) }
  }

  // MARK: Listeners

  private static func of(_ data: UnsafeMutableRawPointer?) -> WaylandSeat? {
    data.map { Unmanaged<WaylandSeat>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func point(_ x: wl_fixed_t, _ y: wl_fixed_t) -> ScreenPoint {
    ScreenPoint(x: Double(x) / 256, y: Double(y) / 256)
  }

  private static let seatTable = ListenerTable(
    wl_seat_listener(
      capabilities: { data, _, mask in of(data)?.abilitiesChanged(mask) },
      name: { _, _, _ in }))

  private static let touchTable: ListenerTable<wl_touch_listener> = {
    var table = wl_touch_listener()
    table.down = { data, _, _, _, surface, finger, x, y in
      WaylandSeat.of(data)?.touchDown(surface, finger, point(x, y))
    }
    table.up = { data, _, _, time, finger in
      guard let seat = WaylandSeat.of(data) else { return }
      seat.enqueueFrame(seat.fingers?.lift(finger), WaylandSeat.time(time))
    }
    table.motion = { data, _, time, finger, x, y in
      WaylandSeat.of(data)?.fingers?.move(finger, to: point(x, y))
    }
    table.frame = { data, _ in
      guard let seat = WaylandSeat.of(data) else { return }
      seat.enqueueFrame(seat.fingers?.drainFrame(), .loopNow)
    }
    table.cancel = { data, _ in
      guard let seat = WaylandSeat.of(data) else { return }
      seat.enqueueFrame(seat.fingers?.cancelAll(), .loopNow)
    }
    table.shape = { _, _, _, _, _ in }
    table.orientation = { _, _, _, _ in }
    return ListenerTable(table)
  }()

  private static let pointerTable: ListenerTable<wl_pointer_listener> = {
    var table = wl_pointer_listener()
    table.enter = { data, _, serial, surface, x, y in
      WaylandSeat.of(data)?.mouseEntered(surface, serial, at: point(x, y))
    }
    // The compositor leaves the pointer to this window while a button is down. If it takes the pointer away, the drag
    // is cancelled.
    table.leave = { data, _, _, _ in
      guard let seat = WaylandSeat.of(data) else { return }
      seat.arrow.surface = nil
      seat.enqueueFrame(seat.arrow.finger?.cancelAll(), .loopNow)
    }
    table.motion = { data, _, time, x, y in WaylandSeat.of(data)?.mouseMoved(to: point(x, y), WaylandSeat.time(time)) }
    table.button = { data, _, _, time, button, state in
      WaylandSeat.of(data)?.mouseButton(
        button, isDown: state == WL_POINTER_BUTTON_STATE_PRESSED.rawValue, WaylandSeat.time(time))
    }
    table.axis = { _, _, _, _, _ in }
    table.frame = { _, _ in }
    table.axis_source = { _, _, _ in }
    table.axis_stop = { _, _, _, _ in }
    table.axis_discrete = { _, _, _, _ in }
    return ListenerTable(table)
  }()

  private static let keyboardTable: ListenerTable<wl_keyboard_listener> = {
    var table = wl_keyboard_listener()
    // Keys are named by their position, whatever is printed on them.
    table.keymap = { _, _, _, descriptor, _ in close(descriptor) }
    // Keys that are down already were pressed for the window that had the focus before.
    table.enter = { _, _, _, _, _ in }
    table.leave = { data, _, _, _ in WaylandSeat.of(data)?.keysLeft() }
    table.key = { data, _, _, time, code, state in
      WaylandSeat.of(data)?.key(
        code, isDown: state == WL_KEYBOARD_KEY_STATE_PRESSED.rawValue, WaylandSeat.time(time))
    }
    table.modifiers = { _, _, _, _, _, _, _ in }
    table.repeat_info = { _, _, _, _ in }
    return ListenerTable(table)
  }()
}
