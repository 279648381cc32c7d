import CLibevdev

/// The kernel's names for keys and buttons. This file is the only one that calls libevdev.
enum KeyName {
  /// The key's name, such as `KEY_PLAYPAUSE`; `KEY_` and the number if the kernel has no name for it.
  ///
  /// - Parameter code: a code of linux/input-event-codes.h.
  static func of(_ code: UInt32) -> String {
    guard let name = libevdev_event_code_get_name(UInt32(EV_KEY), code) else { return "KEY_\(code)" }
    return String(cString: name)
  }

  /// The button (BTN_LEFT) with which a mouse acts as one finger.
  static let leftButton: UInt32 = 0x110
}
