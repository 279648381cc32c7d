import CDevices
import FileSystem
import Glibc
import MainLoop

/// The session's seat, from seatd or logind. It lets this process open graphics cards without being root. Another
/// session may take it over for a while, when a user switches to another console.
///
/// Confined to the loop's thread. This file is the only one that calls libseat.
///
/// States: waiting (another session has the seat) -> active -> leaving (another session asks for the seat: this process
/// isn't master of its cards any more, and the other session waits for `leave`) -> waiting. Any of them -> lost, when
/// the seat's server is gone.
final class Seat {
  enum State { case waiting, active, leaving, lost }

  private(set) var state = State.waiting
  private let onChange: (State) -> Void
  private var seat: OpaquePointer?
  private var source: EventSource?
  private let listener: UnsafeMutablePointer<libseat_seat_listener>

  /// Whether a seat server runs. Asking libseat itself could start one, which takes over the console.
  static var isOffered: Bool {
    let socket = getenv("SEATD_SOCK").map { String(cString: $0) } ?? "/run/seatd.sock"
    if FileTree.canConnect(socket) { return true }
    // pam_systemd sets both for a session that has a seat.
    return getenv("XDG_SESSION_ID") != nil && getenv("XDG_SEAT") != nil
  }

  /// - Parameter onChange: called on the loop after each change of state.
  /// - Returns: nil if no server grants a seat.
  init?(on loop: EventLoop, onChange: @escaping (State) -> Void) {
    self.onChange = onChange
    listener = .allocate(capacity: 1)
    listener.initialize(
      to: libseat_seat_listener(
        enable_seat: { _, data in
          if let data { Unmanaged<Seat>.fromOpaque(data).takeUnretainedValue().state = .active }
        },
        disable_seat: { _, data in
          if let data { Unmanaged<Seat>.fromOpaque(data).takeUnretainedValue().state = .leaving }
        }))
    // The listener's pointer stays valid: the seat is closed in `deinit`.
    guard let seat = libseat_open_seat(listener, Unmanaged.passUnretained(self).toOpaque()) else {
      listener.deallocate()
      return nil
    }
    self.seat = seat
    // A free seat is granted at once, but reported as an event.
    _ = libseat_dispatch(seat, Self.answerLimit)
    source = loop.watch(fileDescriptor: libseat_get_fd(seat), for: [.readable, .hungUp]) { [weak self] events in
      self?.dispatch(hasHungUp: events.contains(.hungUp))
    }
  }

  /// A local server answers in well under a millisecond; milliseconds.
  private static let answerLimit: Int32 = 100

  deinit {
    source?.cancel()
    if let seat { libseat_close_seat(seat) }
    listener.deallocate()
  }

  /// Opens a device; the caller owns the descriptor, and closes the device by the number.
  func openDevice(_ path: String) throws(DRMFailure) -> (number: Int32, descriptor: Int32) {
    guard let seat, state == .active else { throw DRMFailure(call: "libseat_open_device", code: EBUSY) }
    var descriptor: Int32 = -1
    let number = libseat_open_device(seat, path, &descriptor)
    let code = errno
    guard number >= 0, descriptor >= 0 else { throw DRMFailure(call: "libseat_open_device", code: code) }
    return (number, descriptor)
  }

  func closeDevice(_ number: Int32) {
    if let seat { _ = libseat_close_device(seat, number) }
  }

  /// Releases the seat to the other session. No device of the seat may be in use any more.
  func leave() {
    guard let seat, state == .leaving else { return }
    state = .waiting
    _ = libseat_disable_seat(seat)
    dispatch()
  }

  /// - Parameter hasHungUp: libseat doesn't report the end of its connection: it finds nothing to read, again and
  ///   again.
  private func dispatch(hasHungUp: Bool = false) {
    guard let seat else { return }
    let before = state
    if libseat_dispatch(seat, 0) < 0 || hasHungUp {
      source = nil
      self.seat = nil
      libseat_close_seat(seat)
      state = .lost
    }
    if state != before { onChange(state) }
  }
}
