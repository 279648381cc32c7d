import CLibevdev

/// The kernel's names for keys and buttons. This file is the only one that calls libevdev.
enum KeyName {
  /// Such as `KEY_PLAYPAUSE`; `KEY_` and the number for one without a name.
  ///
  /// - Parameter code: of linux/input-event-codes.h.
  static func of(_ code: UInt32) -> String {
    guard let name = libevdev_event_code_get_name(UInt32(EV_KEY), code) else { return "KEY_\(code)" }
    return String(cString: name)
  }

  /// What makes a mouse one finger.
  static let leftButton: UInt32 = 0x110
}
