import CWaylandClient
import Glibc
import PlaybackCore

/// The errors of a Wayland output: 5201 to 5207.
enum WaylandErrors {
  static func noRuntimeDirectory(_ socket: String) -> VitrineError {
    VitrineError(
      5201, subject: socket, message: "no directory to look for the compositor's socket in",
      remedy: "set XDG_RUNTIME_DIR to the compositor's runtime directory, or give the socket's absolute path")
  }

  static func noCompositor(_ path: String, code: Int32) -> VitrineError {
    let remedy =
      switch code {
      case EACCES, EPERM: "run as the user whom the compositor belongs to"
      case ENAMETOOLONG: "use a socket path of at most 107 bytes"
      default: "start the compositor, or name its socket by WAYLAND_DISPLAY"
      }
    return VitrineError(
      5202, subject: path, message: "no Wayland compositor answers", remedy: remedy, detail: describe(code))
  }

  static func missing(_ interfaces: [String], _ path: String) -> VitrineError {
    VitrineError(
      5203, subject: path, message: "the compositor lacks \(interfaces.joined(separator: ", "))",
      remedy: "use a compositor with xdg-shell and subsurfaces, such as Weston, cage or labwc")
  }

  static func noConfigure(_ path: String) -> VitrineError {
    VitrineError(
      5204, subject: path, message: "the compositor gave the window no size in time",
      remedy: "see whether the compositor hangs or has no output, and restart it")
  }

  static func closed(_ path: String) -> VitrineError {
    VitrineError(
      5205, subject: path, message: "the compositor closed the window", remedy: "check why, in the compositor's log")
  }

  static func lost(_ path: String, detail: String) -> VitrineError {
    VitrineError(
      5206, subject: path, message: "the connection to the compositor is lost",
      remedy: "see the compositor's log; restart it and the player", detail: detail)
  }

  static func noMemory(_ path: String, code: Int32) -> VitrineError {
    VitrineError(
      5207, subject: path, message: "no memory to share with the compositor",
      remedy: "free memory, or raise the limits of the service", detail: describe(code))
  }

  static func describe(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "errno \(code)" }
    return String(cString: text)
  }
}
