import CDevices
import InteractionCore

/// Devices of the seat with X and Y axes that udev gives no kind, so that libinput doesn't list them: panels whose
/// driver reports too little, and joysticks.
enum UnheardPanels {
  static let reason = "the system (udev) takes it for neither a touchscreen, a pen, a mouse nor keys"

  /// - Parameter known: paths of devices that are used, or whose problem is known.
  static func find(_ udev: OpaquePointer, besides known: Set<String>) -> [(name: String, path: String, place: String)] {
    guard let search = udev_enumerate_new(udev) else { return [] }
    defer { udev_enumerate_unref(search) }
    udev_enumerate_add_match_subsystem(search, "input")
    udev_enumerate_add_match_sysname(search, "event*")
    guard udev_enumerate_scan_devices(search) >= 0 else { return [] }
    var found: [(name: String, path: String, place: String)] = []
    var entry = udev_enumerate_get_list_entry(search)
    while let here = entry {
      entry = udev_list_entry_get_next(here)
      guard let device = udev_device_new_from_syspath(udev, udev_list_entry_get_name(here)) else { continue }
      defer { udev_device_unref(device) }
      let seat = LibinputSource.text(udev_device_get_property_value(device, "ID_SEAT"))
      let path = LibinputSource.text(udev_device_get_devnode(device))
      // The parent is the device itself; the child is the file for reading it.
      guard seat.isEmpty || seat == "seat0", !known.contains(path), let parent = udev_device_get_parent(device),
        tellsPlace(LibinputSource.text(udev_device_get_property_value(parent, "ABS")))
      else { continue }
      let name = LibinputSource.text(udev_device_get_sysattr_value(parent, "name"))
      found.append((name, path, LibinputSource.text(udev_device_get_property_value(device, "ID_PATH"))))
    }
    return found
  }

  /// - Parameter axes: the kernel's bits, words of 64 in hexadecimal, the lowest last.
  static func tellsPlace(_ axes: String) -> Bool {
    guard let word = axes.split(separator: " ").last, let bits = UInt64(word, radix: 16) else { return false }
    // X and Y; of several fingers (ABS_MT_POSITION_X and _Y).
    return [0b11, 0b11 << 53].contains { bits & $0 == $0 }
  }
}
