import Glibc
import PlaybackCore

/// Finds and opens the compositor's socket.
///
/// `wl_display_connect` isn't used, because it waits without limit in `connect` when the compositor hangs with a full
/// backlog, and because errors should name the path that was tried. WAYLAND_SOCKET (an inherited descriptor) is
/// ignored: it serves one connection only, and an output has to be reopened after a loss.
enum WaylandSocket {
  /// The path of a socket's name, by libwayland's rules: an absolute path stays, a bare name lies in XDG_RUNTIME_DIR,
  /// and no name stands for WAYLAND_DISPLAY or else `wayland-0`.
  static func path(_ name: String?) throws(VitrineError) -> String {
    let name = name ?? environment("WAYLAND_DISPLAY") ?? "wayland-0"
    if name.hasPrefix("/") { return name }
    guard let directory = environment("XDG_RUNTIME_DIR") else { throw WaylandErrors.noRuntimeDirectory(name) }
    return "\(directory)/\(name)"
  }

  /// A connected descriptor, which the caller owns.
  static func connect(path: String) throws(VitrineError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw WaylandErrors.noCompositor(path, code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // Non-blocking, so that a full backlog is EAGAIN at once; libwayland itself never relies on a blocking descriptor.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw WaylandErrors.noCompositor(path, code: errno) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw WaylandErrors.noCompositor(path, code: code)
    }
    return descriptor
  }

  /// An environment variable; empty counts as unset.
  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
