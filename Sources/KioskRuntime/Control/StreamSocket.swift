internal import CLinux
internal import FileModel
internal import FileSystem
internal import Glibc
internal import PlaybackCore

/// An open Unix or TCP socket; the last release closes it. Only `wait` blocks.
final class StreamSocket {
  let descriptor: Int32

  /// The process at the other end, as the kernel recorded it at the connection.
  struct Peer: Hashable {
    var process: Int32
    var user: UInt32
    var group: UInt32
  }

  /// The result of reading or writing.
  enum Outcome: Hashable {
    case bytes(Int)
    /// Nothing could be read or written now.
    case later
    /// The connection is closed or has failed.
    case over
  }

  /// Takes over an open descriptor.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// - Throws: the kernel's number.
  static func listen(at path: String, mode: UInt32, backlog: Int32) throws(SystemNumber) -> StreamSocket {
    StreamSocket(owning: try SystemNumber.checked(vit_socket_listen_local(path, mode_t(mode), backlog)))
  }

  /// - Throws: the kernel's number.
  static func listen(at address: ListenAddress, backlog: Int32) throws(SystemNumber) -> StreamSocket {
    StreamSocket(
      owning: try SystemNumber.checked(vit_socket_listen(address.host, UInt16(address.port), 0, backlog)))
  }

  /// - Throws: the kernel's number.
  static func connect(to path: String) throws(SystemNumber) -> StreamSocket {
    StreamSocket(owning: try SystemNumber.checked(vit_socket_connect_local(path)))
  }

  /// Accepts the first waiting connection; nil when none waits.
  ///
  /// - Throws: the kernel's number, where no file descriptor is left.
  func accept() throws(SystemNumber) -> StreamSocket? {
    let result = vit_socket_accept(descriptor)
    // A client that has gone before it was accepted counts as none.
    if [-EAGAIN, -ECONNABORTED, -EINTR].contains(result) { return nil }
    return StreamSocket(owning: try SystemNumber.checked(result))
  }

  var peer: Peer? {
    var peer = vit_peer()
    return vit_socket_peer(descriptor, &peer) == 0
      ? Peer(process: peer.process, user: peer.user, group: peer.group) : nil
  }

  /// The address of the machine at the other end of a TCP connection: 4 bytes for IPv4, 16 for IPv6. Nil where the
  /// connection is gone.
  var machine: [UInt8]? {
    var address = vit_address()
    return vit_socket_address(descriptor, &address) == 0 && address.length > 0 ? address.machine : nil
  }

  /// Makes the kernel end the connection, within two minutes, when the other machine is gone without a word.
  func keepAlive() { _ = vit_socket_keep_alive(descriptor) }

  func send(_ bytes: ArraySlice<UInt8>) -> Outcome {
    Self.outcome(bytes.withUnsafeBytes { $0.baseAddress.map { vit_socket_send(descriptor, $0, bytes.count) } ?? 0 })
  }

  func receive(atMost limit: Int) -> (outcome: Outcome, bytes: [UInt8]) {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      count = vit_socket_receive(descriptor, base, limit)
      initialized = max(0, count)
    }
    return (count == 0 ? .over : Self.outcome(count), bytes)
  }

  /// Blocks until the socket can be read or written; false when the time is over.
  func wait(writing: Bool, for duration: Duration) -> Bool {
    vit_socket_wait(descriptor, writing ? 1 : 0, Int32(clamping: Int(duration.inSeconds * 1000))) > 0
  }

  private static func outcome(_ result: Int) -> Outcome {
    result >= 0 ? .bytes(result) : result == -Int(EAGAIN) ? .later : .over
  }
}

/// An error number of the kernel.
struct SystemNumber: Error, Hashable {
  var number: Int32

  var words: String { String(cString: strerror(number)) }

  static func checked(_ result: Int32) throws(SystemNumber) -> Int32 {
    guard result >= 0 else { throw SystemNumber(number: -result) }
    return result
  }
}

/// The socket's file, which is removed when its player ends.
struct ControlAddress {
  /// The mode of the socket's file: its owner and its group, which is `vitrine` for the service. Connecting needs the
  /// right to write.
  static let mode: UInt32 = 0o660

  let path: String
  let socket: StreamSocket
  private let identity: FileStatus.Identity?

  /// Replaces a stale socket. Anything else at the path, and a live player's socket, is left alone. Two players that
  /// start in the same instant may both find a stale socket; the folder is meant for one player.
  ///
  /// - Throws: 7600 where the socket can't be made, 7601 where another player listens.
  init(path: String) throws(VitrineError) {
    self.path = path
    if let status = try? FileTree.statusOfLink(path) {
      guard status.kind == .socket else {
        throw Self.failure(path, "a file of another kind is there", "remove it, or name another path")
      }
      switch Self.listener(at: path) {
      // A player listens there, even if its queue is full.
      case nil, EAGAIN?: throw Self.taken(path)
      case ECONNREFUSED? where (try? FileTree.removeFile(path)) != nil: break
      case let number?:
        throw Self.failure(path, SystemNumber(number: number).words, "remove the file, or name another path")
      }
    }
    do throws(SystemNumber) {
      socket = try StreamSocket.listen(at: path, mode: Self.mode, backlog: Int32(ControlServer.backlog))
    } catch {
      throw Self.failure(path, error.words, "check that the folder is there and may be written to")
    }
    identity = (try? FileTree.statusOfLink(path))?.identity
  }

  /// Nil where a player listens, else the kernel's error.
  private static func listener(at path: String) -> Int32? {
    do throws(SystemNumber) {
      _ = try StreamSocket.connect(to: path)
      return nil
    } catch {
      return error.number
    }
  }

  /// Removes the file, unless another player has replaced it.
  func remove() {
    guard let identity, (try? FileTree.statusOfLink(path))?.identity == identity else { return }
    try? FileTree.removeFile(path)
  }

  private static func failure(_ path: String, _ reason: String, _ remedy: String) -> VitrineError {
    VitrineError(
      7600, subject: path, message: "the control socket can't be made: \(reason)",
      remedy: "\(remedy); it plays, and can't be steered by programs")
  }

  private static func taken(_ path: String) -> VitrineError {
    VitrineError(
      7601, subject: path, message: "another player listens on this socket",
      remedy: "stop that player, or name another path ([control] socket, --control)")
  }
}
