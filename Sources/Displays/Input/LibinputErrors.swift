import Glibc
import PlaybackCore

/// The errors of input devices: 6001 to 6003.
enum LibinputErrors {
  static func noInput() -> VitrineError {
    VitrineError(
      6001, subject: "input", message: "input devices can't be listened to",
      remedy: "start udev, which libinput asks for devices; the picture goes on without input")
  }

  static func cannotOpen(_ path: String, code: Int32) -> VitrineError {
    let isForbidden = code == EACCES || code == EPERM
    return VitrineError(
      6002, subject: path,
      message: isForbidden ? "this user may not open the input device" : "the input device can't be opened",
      remedy: isForbidden
        ? "add the user to the group that owns it (usually input) and log in again"
        : "check that it is plugged in, and its path",
      detail: String(cString: strerror(code)))
  }

  static func noSuchDevice(_ path: String) -> VitrineError {
    VitrineError(
      6003, subject: path, message: "this isn't an input device that can be used",
      remedy: "name a device that `vitrine inputs` lists")
  }
}
