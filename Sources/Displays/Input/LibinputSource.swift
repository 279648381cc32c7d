import CDevices
import CLinux
import Glibc
public import InteractionCore
public import MainLoop
public import PlaybackCore

/// Touchscreens, mice, keyboards and buttons of a machine without a compositor, by libinput.
///
/// Devices come from udev, for the seat `seat0`, and may go at any time; or they are named by path. The source grabs
/// them from the console while it runs, so that no typing reaches a shell. Confined to the loop's thread.
///
/// This file is the only one that calls libinput.
public final class LibinputSource: InputSource {
  public var onInput: (([(event: InputEvent, time: Instant)]) -> Void)? {
    didSet { deliverEvents() }
  }
  /// Devices that couldn't be opened, each reported once; the owner reads them after changes. For the log.
  public private(set) var problems: [VitrineError] = []
  /// Devices that aren't used, and why; for the log and for `vitrine inputs`.
  public private(set) var ignored: [(device: InputDevice, reason: String)] = []
  /// Which device belongs to which screen, and where touches are on it. Follows the screens; touches that are under way are as they
  /// were, but for those of a device that goes over to another screen, which end.
  public var routing: TouchRouting {
    didSet { if routing != oldValue { routingChanged(from: oldValue) } }
  }
  /// The mapping of the first screen: the only one on a board with one screen.
  public var mapping: TouchMapping {
    get { routing.first.mapping }
    set { routing.first.mapping = newValue }
  }

  private let settings: InputSettings
  private let grabs: Bool
  private var libinput: OpaquePointer?
  private var udev: OpaquePointer?
  private var source: EventSource?
  private var devices: [OpaquePointer: Known] = [:]
  private var events: [(event: InputEvent, time: Instant)] = []
  private var lastNumber: UInt32 = 0
  /// The mouse pointers by the screens' names; a pointer starts in the middle of its screen.
  private var mouse: [String: PointerTrail] = [:]
  private var unopened: Set<String> = []

  private struct Known {
    var device: InputDevice
    var fingers: FingerTracker
    var isIgnored: Bool
    /// The screen that it belongs to.
    var screen: String
    /// The width of the touch surface in millimetres, if the device reports it.
    var glassWidth: Double?
  }

  /// The source for one screen, which gets all devices.
  public convenience init(on loop: EventLoop, settings: InputSettings, mapping: TouchMapping, grabs: Bool = true)
    throws(VitrineError)
  {
    try self.init(on: loop, settings: settings, routing: TouchRouting(mapping), grabs: grabs)
  }

  /// - Parameters:
  ///   - loop: where devices are read from now on; the caller runs on it.
  ///   - grabs: whether other programs get none of the devices' events meanwhile.
  /// - Throws: 6001, and 6003 for a path that is no input device.
  public init(on loop: EventLoop, settings: InputSettings, routing: TouchRouting, grabs: Bool = true)
    throws(VitrineError)
  {
    self.settings = settings
    self.routing = routing
    self.grabs = grabs
    let context = Unmanaged.passUnretained(self).toOpaque()
    if settings.devicePaths.isEmpty {
      udev = udev_new()
      libinput = udev.flatMap { libinput_udev_create_context(Self.table.pointer, context, $0) }
      guard let libinput, libinput_udev_assign_seat(libinput, "seat0") == 0 else { throw LibinputErrors.noInput() }
    } else {
      libinput = libinput_path_create_context(Self.table.pointer, context)
      guard let libinput else { throw LibinputErrors.noInput() }
      for path in settings.devicePaths where libinput_path_add_device(libinput, path) == nil {
        if !unopened.contains(path) { problems.append(LibinputErrors.noSuchDevice(path)) }
      }
    }
    guard let libinput else { throw LibinputErrors.noInput() }
    // libinput's warnings are for driver developers; its errors also come as return values.
    vit_silence_libinput(libinput)
    source = loop.watch(fileDescriptor: libinput_get_fd(libinput), for: .readable) { [weak self] _ in self?.read() }
    read()
    nameUnheard()
  }

  deinit { close() }

  /// Gives all devices back. Harmless when called twice.
  public func close() {
    onInput = nil
    source?.cancel()
    source = nil
    devices = [:]
    events = []
    if let libinput { libinput_unref(libinput) }
    libinput = nil
    if let udev { udev_unref(udev) }
    udev = nil
  }

  // MARK: Reading

  private func read() {
    guard let libinput, libinput_dispatch(libinput) == 0 else { return }
    while let event = libinput_get_event(libinput) {
      if let device = libinput_event_get_device(event) { handleEvent(event, of: device) }
      libinput_event_destroy(event)
    }
    deliverEvents()
  }

  /// Delivers the events. The callback may close this source.
  private func deliverEvents() {
    guard let onInput, !events.isEmpty else { return }
    let batch = events
    events = []
    onInput(batch)
  }

  private func enqueueEvent(_ event: InputEvent, microseconds: UInt64) {
    events.append((event, Instant(nanoseconds: Int64(clamping: microseconds) &* 1000)))
  }

  private func enqueueFrame(_ frame: TouchFrame?, microseconds: UInt64) {
    if let frame { enqueueEvent(.touch(frame), microseconds: microseconds) }
  }

  private func handleEvent(_ event: OpaquePointer, of device: OpaquePointer) {
    let type = libinput_event_get_type(event)
    switch type {
    case LIBINPUT_EVENT_DEVICE_ADDED: return added(device)
    case LIBINPUT_EVENT_DEVICE_REMOVED:
      guard let known = devices.removeValue(forKey: device) else { return }
      ignored.removeAll { $0.device.id == known.device.id }
      if !known.isIgnored { events.append((.deviceRemoved(known.device.id), .loopNow)) }
      return
    default: break
    }
    guard let known = devices[device], !known.isIgnored else { return }
    switch type {
    case LIBINPUT_EVENT_TOUCH_DOWN, LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_UP, LIBINPUT_EVENT_TOUCH_CANCEL,
      LIBINPUT_EVENT_TOUCH_FRAME:
      if let touch = libinput_event_get_touch_event(event) { handleTouch(type, touch, device) }
    case LIBINPUT_EVENT_TABLET_TOOL_TIP, LIBINPUT_EVENT_TABLET_TOOL_AXIS:
      if let tool = libinput_event_get_tablet_tool_event(event) { handlePen(type, tool, device) }
    case LIBINPUT_EVENT_POINTER_MOTION, LIBINPUT_EVENT_POINTER_MOTION_ABSOLUTE, LIBINPUT_EVENT_POINTER_BUTTON:
      if let pointer = libinput_event_get_pointer_event(event) { handlePointer(type, pointer, device, known.device.id) }
    case LIBINPUT_EVENT_KEYBOARD_KEY:
      guard let key = libinput_event_get_keyboard_event(event) else { return }
      let isDown = libinput_event_keyboard_get_key_state(key) == LIBINPUT_KEY_STATE_PRESSED
      let name = KeyName.of(libinput_event_keyboard_get_key(key))
      enqueueEvent(
        .key(KeyChange(device: known.device.id, key: name, isDown ? .down : .up)),
        microseconds: libinput_event_keyboard_get_time_usec(key))
    default: break
    }
  }

  // MARK: Devices

  private func added(_ pointer: OpaquePointer) {
    var abilities: Set<InputDevice.Ability> = []
    func has(_ ability: libinput_device_capability) -> Bool {
      libinput_device_has_capability(pointer, ability) != 0
    }
    // Many an infrared frame says that it is a pen, and so does the glass of a pen display.
    if has(LIBINPUT_DEVICE_CAP_TOUCH) || has(LIBINPUT_DEVICE_CAP_TABLET_TOOL) { abilities.insert(.touch) }
    if has(LIBINPUT_DEVICE_CAP_POINTER) { abilities.insert(.pointer) }
    if has(LIBINPUT_DEVICE_CAP_KEYBOARD) { abilities.insert(.keys) }
    lastNumber += 1
    var device = InputDevice(
      id: InputDeviceID(lastNumber), name: PlainText.shown(Self.text(libinput_device_get_name(pointer))),
      path: "/dev/input/" + Self.text(libinput_device_get_sysname(pointer)), place: Self.place(of: pointer),
      abilities: abilities)
    let screen = routing.screen(of: device)
    let glassWidth = abilities.contains(.touch) ? Self.glassWidth(of: pointer) : nil
    device.pixelsPerMillimetre = glassWidth.flatMap(screen.mapping.pixelsPerMillimetre)
    let reason =
      abilities.isEmpty
      ? Self.unheard : settings.reasonToIgnore(name: device.name, isKeyboard: isKeyboard(pointer, abilities))
    devices[pointer] = Known(
      device: device, fingers: FingerTracker(device: device.id), isIgnored: reason != nil, screen: screen.name,
      glassWidth: glassWidth)
    if let reason { return ignored.append((device, reason)) }
    calibrate(pointer)
    events.append((.deviceAdded(device), .loopNow))
  }

  /// Names the panels of the start that libinput doesn't list.
  private func nameUnheard() {
    guard let udev else { return }
    let known = devices.values.map(\.device.path) + problems.map(\.subject)
    for panel in UnheardPanels.find(udev, besides: Set(known)) {
      lastNumber += 1
      let device = InputDevice(
        id: InputDeviceID(lastNumber), name: PlainText.shown(panel.name), path: panel.path, place: panel.place,
        abilities: [])
      ignored.append((device, UnheardPanels.reason))
    }
  }

  /// The reason for lids, for buttons beside a tablet, and for kinds that libinput has added since.
  static let unheard = "it is neither a touchscreen, a pen, a mouse nor keys"

  /// The letters and the space bar of a full keyboard; a remote control, a pedal or a row of buttons has not all of them.
  private func isKeyboard(_ pointer: OpaquePointer, _ abilities: Set<InputDevice.Ability>) -> Bool {
    guard abilities.contains(.keys) else { return false }
    let keys = [16, 30, 44, 50, 57] as [UInt32]  // Q A Z M space
    return keys.allSatisfy { libinput_device_keyboard_has_key(pointer, $0) == 1 }
  }

  private static func glassWidth(of pointer: OpaquePointer) -> Double? {
    var (width, height) = (0.0, 0.0)
    return libinput_device_get_size(pointer, &width, &height) == 0 ? width : nil
  }

  private static func place(of pointer: OpaquePointer) -> String {
    guard let device = libinput_device_get_udev_device(pointer) else { return "" }
    defer { udev_device_unref(device) }
    return text(udev_device_get_property_value(device, "ID_PATH"))
  }

  /// Reports devices once more whose screen or scale has changed.
  private func routingChanged(from before: TouchRouting) {
    for screen in [routing.first] + routing.others {
      let old = before.screen(named: screen.name)
      if old.name != screen.name || old.mapping.view != screen.mapping.view { mouse[screen.name] = nil }
    }
    for (pointer, known) in devices.sorted(by: { $0.value.device.id < $1.value.device.id }) where !known.isIgnored {
      var now = known
      let screen = routing.screen(of: known.device)
      now.screen = screen.name
      now.device.pixelsPerMillimetre = known.glassWidth.flatMap(screen.mapping.pixelsPerMillimetre)
      guard now.screen != known.screen || now.device != known.device else { continue }
      if now.screen != known.screen, let frame = now.fingers.cancelAll() { events.append((.touch(frame), .loopNow)) }
      devices[pointer] = now
      events.append((.deviceAdded(now.device), .loopNow))
    }
    deliverEvents()
  }

  private func calibrate(_ pointer: OpaquePointer) {
    guard let matrix = settings.calibration, libinput_device_config_calibration_has_matrix(pointer) != 0 else { return }
    let values = matrix.values.map { Float($0) }
    values.withUnsafeBufferPointer { values in
      guard values.count == 6, let base = values.baseAddress else { return }
      base.withMemoryRebound(to: Float.self, capacity: 6) {
        _ = libinput_device_config_calibration_set_matrix(pointer, $0)
      }
    }
  }

  static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

  // MARK: Fingers and mice

  private func handleTouch(_ type: libinput_event_type, _ touch: OpaquePointer, _ device: OpaquePointer) {
    let time = libinput_event_touch_get_time_usec(touch)
    guard type != LIBINPUT_EVENT_TOUCH_FRAME else {
      return enqueueFrame(devices[device]?.fingers.drainFrame(), microseconds: time)
    }
    // Glasses that know one finger only have no slots.
    let finger = max(0, libinput_event_touch_get_slot(touch))
    switch type {
    case LIBINPUT_EVENT_TOUCH_DOWN:
      // Asks for the device: not within the access that changes it.
      let point = point(touch, of: device)
      devices[device]?.fingers.put(down: finger, at: point)
    case LIBINPUT_EVENT_TOUCH_MOTION:
      let point = point(touch, of: device)
      devices[device]?.fingers.move(finger, to: point)
    case LIBINPUT_EVENT_TOUCH_UP: enqueueFrame(devices[device]?.fingers.lift(finger), microseconds: time)
    default: enqueueFrame(devices[device]?.fingers.lift(finger, .cancelled), microseconds: time)
    }
  }

  /// The tip of a pen acts as a finger. A hovering pen is ignored.
  private func handlePen(_ type: libinput_event_type, _ tool: OpaquePointer, _ device: OpaquePointer) {
    let time = libinput_event_tablet_tool_get_time_usec(tool)
    if type == LIBINPUT_EVENT_TABLET_TOOL_TIP,
      libinput_event_tablet_tool_get_tip_state(tool) == LIBINPUT_TABLET_TOOL_TIP_UP
    {
      return enqueueFrame(devices[device]?.fingers.lift(0), microseconds: time)
    }
    let point = screen(of: device).mapping.screenPoint(
      (
        libinput_event_tablet_tool_get_x_transformed(tool, 1), libinput_event_tablet_tool_get_y_transformed(tool, 1)
      ))
    if type == LIBINPUT_EVENT_TABLET_TOOL_TIP {
      devices[device]?.fingers.put(down: 0, at: point)
    } else {
      devices[device]?.fingers.move(0, to: point)
    }
    enqueueFrame(devices[device]?.fingers.drainFrame(), microseconds: time)
  }

  private func screen(of device: OpaquePointer) -> TouchRouting.Screen {
    devices[device].map { routing.screen(named: $0.screen) } ?? routing.first
  }

  private func point(_ touch: OpaquePointer, of device: OpaquePointer) -> ScreenPoint {
    screen(of: device).mapping.screenPoint(
      (libinput_event_touch_get_x_transformed(touch, 1), libinput_event_touch_get_y_transformed(touch, 1)))
  }

  private func handlePointer(
    _ type: libinput_event_type, _ pointer: OpaquePointer, _ device: OpaquePointer, _ id: InputDeviceID
  ) {
    let time = libinput_event_pointer_get_time_usec(pointer)
    let screen = screen(of: device)
    let view = screen.mapping.view
    let trail = mouse[screen.name] ?? PointerTrail()
    var place = trail.last ?? ScreenPoint(x: Double(view.width) / 2, y: Double(view.height) / 2)
    switch type {
    case LIBINPUT_EVENT_POINTER_MOTION:
      let (dx, dy) = (libinput_event_pointer_get_dx(pointer), libinput_event_pointer_get_dy(pointer))
      place.x = min(max(place.x + dx, 0), Double(max(0, view.width - 1)))
      place.y = min(max(place.y + dy, 0), Double(max(0, view.height - 1)))
    case LIBINPUT_EVENT_POINTER_MOTION_ABSOLUTE:
      place = screen.mapping.screenPoint(
        (
          libinput_event_pointer_get_absolute_x_transformed(pointer, 1),
          libinput_event_pointer_get_absolute_y_transformed(pointer, 1)
        ))
    default:
      let isDown = libinput_event_pointer_get_button_state(pointer) == LIBINPUT_BUTTON_STATE_PRESSED
      let button = libinput_event_pointer_get_button(pointer)
      guard button == KeyName.leftButton else {
        return enqueueEvent(
          .key(KeyChange(device: id, key: KeyName.of(button), isDown ? .down : .up)), microseconds: time)
      }
      guard isDown else { return enqueueFrame(devices[device]?.fingers.lift(0), microseconds: time) }
      devices[device]?.fingers.put(down: 0, at: trail.place(at: time) ?? place)
      enqueueFrame(devices[device]?.fingers.drainFrame(), microseconds: time)
      for step in trail.steps(after: time) {
        devices[device]?.fingers.move(0, to: step.place)
        enqueueFrame(devices[device]?.fingers.drainFrame(), microseconds: step.time)
      }
      return
    }
    mouse[screen.name, default: trail].append(place, at: time)
    enqueueEvent(.pointerMoved(place, by: id), microseconds: time)
    devices[device]?.fingers.move(0, to: place)
    enqueueFrame(devices[device]?.fingers.drainFrame(), microseconds: time)
  }

  // MARK: Opening devices

  private func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      let name = String(cString: path)
      if unopened.insert(name).inserted { problems.append(LibinputErrors.cannotOpen(name, code: code)) }
      return -code
    }
    if grabs { _ = vit_grab_input(descriptor) }
    return descriptor
  }

  private static let table = ListenerTable(
    libinput_interface(
      open_restricted: { path, flags, data in
        guard let path, let data else { return -EINVAL }
        return Unmanaged<LibinputSource>.fromOpaque(data).takeUnretainedValue().open(path, flags)
      },
      close_restricted: { descriptor, _ in _ = Glibc.close(descriptor) }))
}
