internal import Glibc

/// Stands between a connection to a broker and libmosquitto, which gets one end of a pair of sockets in place of the
/// connection. Passes incoming bytes on piece by piece, and counts them. TLS passes through unchanged. For one thread,
/// except `wake`.
final class MeteredSocket {
  /// Bytes that pass at once: a small part of the limit, so that not much more than the limit is ever kept.
  static let piece = 4 * 1024

  private let outside: Int32
  private let inside: Int32
  private let waker: Waker
  /// Bytes from libmosquitto that the network hasn't taken yet.
  private var outgoing: [UInt8] = []
  private var hasEnded = false

  /// Takes the place of the connection behind the descriptor, which libmosquitto goes on using. Nil if the system has
  /// no more descriptors.
  init?(inPlaceOf descriptor: Int32, waker: Waker) {
    guard let pair = SocketPair() else { return nil }
    let outside = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard outside >= 0, dup2(pair.first, descriptor) >= 0 else {
      for file in [pair.first, pair.second, outside] where file >= 0 { close(file) }
      return nil
    }
    // Child processes must not inherit the descriptor.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    close(pair.first)
    _ = fcntl(outside, F_SETFL, fcntl(outside, F_GETFL) | O_NONBLOCK)
    self.outside = outside
    inside = pair.second
    self.waker = waker
  }

  deinit {
    close(outside)
    close(inside)
  }

  /// Waits for either side, for a call of `wake`, or for this many milliseconds; passes one piece in each direction.
  ///
  /// - Parameter admit: whether this many more bytes may come in. If not, they are thrown away, and libmosquitto finds
  ///   the connection closed, as if by the broker.
  func turn(waiting milliseconds: Int32, admit: (Int) -> Bool) {
    var files = [
      pollfd(fd: hasEnded ? -1 : outside, events: Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT)), revents: 0),
      pollfd(fd: outgoing.isEmpty ? inside : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&files, nfds_t(files.count), milliseconds)
    if files[2].revents != 0 { waker.quieten() }
    sendOut()
    guard files[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return }
    var buffer = [UInt8](repeating: 0, count: Self.piece)
    let count = recv(outside, &buffer, buffer.count, 0)
    if count < 0, [EAGAIN, EINTR].contains(errno) { return }
    guard count > 0, admit(count) else {
      hasEnded = true
      shutdown(inside, Int32(SHUT_WR))
      return
    }
    // There is room: libmosquitto has read all of the piece before.
    _ = send(inside, buffer, count, Int32(MSG_NOSIGNAL))
  }

  /// Passes on the bytes that libmosquitto has written.
  func sendOut() {
    if outgoing.isEmpty {
      var buffer = [UInt8](repeating: 0, count: 16 * 1024)
      let count = recv(inside, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      outgoing = Array(buffer[..<count])
    }
    let sent = send(outside, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
    if sent > 0 { outgoing.removeFirst(sent) }
  }

  /// Whether bytes wait to be sent.
  var hasMoreToSend: Bool {
    var count: Int32 = 0
    return !outgoing.isEmpty || (ioctl(inside, UInt(FIONREAD), &count) == 0 && count > 0)
  }
}

/// Two sockets that are each other's ends, which never block.
private struct SocketPair: Sendable {
  let first: Int32
  let second: Int32

  init?() {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
    (first, second) = (pair[0], pair[1])
  }
}

/// Ends a thread's wait. Any thread.
final class Waker: Sendable {
  private let pair = SocketPair()

  /// Readable after `wake`; -1, which `poll` ignores, if the system has no more descriptors.
  var descriptor: Int32 { pair?.first ?? -1 }

  deinit {
    guard let pair else { return }
    close(pair.first)
    close(pair.second)
  }

  func wake() {
    // A full socket is readable anyway.
    if let pair { send(pair.second, [1], 1, Int32(MSG_NOSIGNAL)) }
  }

  func quieten() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while recv(descriptor, &bytes, bytes.count, 0) == bytes.count {}
  }
}
