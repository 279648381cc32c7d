import CWaylandClient
import Glibc
import MainLoop
import PlaybackCore

/// The connection to a compositor: owns the `wl_display` and closes it when the last object on it is gone.
///
/// Confined to the loop's thread, except that the video sink uses the same `wl_display` from its own threads with an
/// event queue of its own; libwayland allows that.
final class WaylandConnection {
  /// Owned here; all others borrow it.
  let display: OpaquePointer
  let socketPath: String

  init(socket: String?) throws(VitrineError) {
    socketPath = try WaylandSocket.path(socket)
    let descriptor = try WaylandSocket.connect(path: socketPath)
    // Takes over the descriptor, and closes it itself when it fails.
    guard let display = wl_display_connect_to_fd(descriptor) else {
      throw WaylandErrors.noMemory(socketPath, code: errno)
    }
    self.display = display
  }

  deinit { wl_display_disconnect(display) }

  var fileDescriptor: Int32 { wl_display_get_fd(display) }

  /// The error that ended the connection; nil while it lasts. The connection can't be used after it.
  var failure: VitrineError? {
    let code = wl_display_get_error(display)
    guard code != 0 else { return nil }
    guard code == EPROTO else { return WaylandErrors.lost(socketPath, detail: WaylandErrors.describe(code)) }
    var interface: UnsafePointer<wl_interface>?
    var object: UInt32 = 0
    let number = wl_display_get_protocol_error(display, &interface, &object)
    let name = interface.map { String(cString: $0.pointee.name) } ?? "unknown object"
    return WaylandErrors.lost(socketPath, detail: "protocol error \(number) on \(name)@\(object)")
  }

  /// Sends the queued requests, as far as the socket takes them now.
  ///
  /// - Returns: false if the socket is full: flush again when it is writable. True for a broken socket: the
  ///   compositor's last events can still be read, and reading reports the break.
  func flush() -> Bool { !(wl_display_flush(display) < 0 && errno == EAGAIN) }

  /// Calls the listeners of the events that have been read. Never waits.
  func dispatchPending() { wl_display_dispatch_pending(display) }

  /// Reads and dispatches until `isDone`, for use before the loop's source exists.
  ///
  /// - Parameter deadline: on the clock of `EventLoop.monotonicNanoseconds`.
  /// - Returns: whether `isDone`; false when time is up or the connection failed.
  func wait(until deadline: Int64, _ isDone: () -> Bool) -> Bool {
    while true {
      while wl_display_prepare_read(display) != 0 {
        if wl_display_dispatch_pending(display) < 0 { return false }
      }
      let isFlushed = flush()
      let left = deadline - EventLoop.monotonicNanoseconds()
      guard !isDone(), left > 0 else {
        wl_display_cancel_read(display)
        return isDone()
      }
      let events = isFlushed ? POLLIN : POLLIN | POLLOUT
      var entry = pollfd(fd: fileDescriptor, events: Int16(events), revents: 0)
      let count = poll(&entry, 1, Int32(clamping: left / 1_000_000 + 1))
      if count > 0, entry.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 {
        if wl_display_read_events(display) < 0 { return false }
      } else {
        wl_display_cancel_read(display)
      }
      if wl_display_dispatch_pending(display) < 0 { return false }
    }
  }

  /// Waits until the compositor has worked through all requests sent so far, and its answers are dispatched.
  func roundTrip(until deadline: Int64) throws(VitrineError) -> Bool {
    let answer = SyncAnswer()
    let callback = try WaylandObject(wl_display_sync(display), on: self, destroy: wl_callback_destroy)
    wl_callback_add_listener(
      callback.pointer, SyncAnswer.table.pointer, Unmanaged.passUnretained(answer).toOpaque())
    let isDone = wait(until: deadline) { answer.hasCome }
    // The callback object must not outlive the answer that it points to, and the optimiser may let either go early.
    _ = consume callback
    return withExtendedLifetime(answer) { isDone }
  }
}

private final class SyncAnswer {
  var hasCome = false

  static let table = ListenerTable(
    wl_callback_listener(done: { data, _, _ in
      guard let data else { return }
      Unmanaged<SyncAnswer>.fromOpaque(data).takeUnretainedValue().hasCome = true
    }))
}
