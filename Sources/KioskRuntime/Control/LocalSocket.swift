internal import CLocalSocket
internal import FileModel
internal import FileSystem
internal import Glibc
internal import PlaybackCore

/// A socket of this machine that is open; closed with its last use. Nothing here waits, but for `wait`.
final class LocalSocket {
  let descriptor: Int32

  /// Who is at the other end, as the kernel saw it when that connected.
  struct Peer: Hashable {
    var process: Int32
    var user: UInt32
    var group: UInt32
  }

  /// What came of reading or writing.
  enum Outcome: Hashable {
    case bytes(Int)
    /// Nothing now.
    case later
    /// The other end is closed, or it failed.
    case over
  }

  private init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// - Throws: the kernel's number.
  static func listen(at path: String, mode: UInt32, backlog: Int32) throws(SystemNumber) -> LocalSocket {
    LocalSocket(owning: try SystemNumber.checked(vit_local_listen(path, mode_t(mode), backlog)))
  }

  /// - Throws: the kernel's number.
  static func connect(to path: String) throws(SystemNumber) -> LocalSocket {
    LocalSocket(owning: try SystemNumber.checked(vit_local_connect(path)))
  }

  /// Who waits first; nil when nobody does.
  ///
  /// - Throws: the kernel's number, where it has no descriptor to give.
  func accept() throws(SystemNumber) -> LocalSocket? {
    let result = vit_local_accept(descriptor)
    // Who has gone meanwhile is nobody.
    if [-EAGAIN, -ECONNABORTED, -EINTR].contains(result) { return nil }
    return LocalSocket(owning: try SystemNumber.checked(result))
  }

  var peer: Peer? {
    var peer = vit_peer()
    return vit_local_peer(descriptor, &peer) == 0
      ? Peer(process: peer.process, user: peer.user, group: peer.group) : nil
  }

  func send(_ bytes: ArraySlice<UInt8>) -> Outcome {
    Self.outcome(bytes.withUnsafeBytes { $0.baseAddress.map { vit_local_send(descriptor, $0, bytes.count) } ?? 0 })
  }

  func receive(atMost limit: Int) -> (outcome: Outcome, bytes: [UInt8]) {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      count = vit_local_receive(descriptor, base, limit)
      initialized = max(0, count)
    }
    return (count == 0 ? .over : Self.outcome(count), bytes)
  }

  /// Blocks until it can be read or written; false when the time is over.
  func wait(writing: Bool, for duration: Duration) -> Bool {
    vit_local_wait(descriptor, writing ? 1 : 0, Int32(clamping: Int(duration.inSeconds * 1000))) > 0
  }

  private static func outcome(_ result: Int) -> Outcome {
    result >= 0 ? .bytes(result) : result == -Int(EAGAIN) ? .later : .over
  }
}

/// What the kernel said.
struct SystemNumber: Error, Hashable {
  var number: Int32

  var words: String { String(cString: strerror(number)) }

  static func checked(_ result: Int32) throws(SystemNumber) -> Int32 {
    guard result >= 0 else { throw SystemNumber(number: -result) }
    return result
  }
}

/// The socket's file, which goes with its player.
struct ControlAddress {
  /// Of the socket's file: its owner and its group, which is `vitrine` for the service. Connecting needs the right to write.
  static let mode: UInt32 = 0o660

  let path: String
  let socket: LocalSocket
  private let identity: FileStatus.Identity?

  /// What is no socket stays, be it a file, a device or a link, and so does the socket of a player that lives; one that nobody listens to is replaced. Two players that
  /// start in the same instant may both find that: the folder is one player's.
  ///
  /// - Throws: 7600 where it can't be made, 7601 where another player has it.
  init(path: String) throws(VitrineError) {
    self.path = path
    if let status = try? FileTree.statusOfLink(path) {
      guard status.kind == .socket else {
        throw Self.failure(path, "a file of another kind is there", "remove it, or name another path")
      }
      switch Self.listener(at: path) {
      // Somebody is there, and may have no time.
      case nil, EAGAIN?: throw Self.taken(path)
      case ECONNREFUSED? where (try? FileTree.removeFile(path)) != nil: break
      case let number?:
        throw Self.failure(path, SystemNumber(number: number).words, "remove the file, or name another path")
      }
    }
    do throws(SystemNumber) {
      socket = try LocalSocket.listen(at: path, mode: Self.mode, backlog: Int32(ControlServer.backlog))
    } catch {
      throw Self.failure(path, error.words, "check that the folder is there and may be written to")
    }
    identity = (try? FileTree.statusOfLink(path))?.identity
  }

  /// Nil where somebody listens, else what the kernel says.
  private static func listener(at path: String) -> Int32? {
    do throws(SystemNumber) {
      _ = try LocalSocket.connect(to: path)
      return nil
    } catch {
      return error.number
    }
  }

  /// Takes the file away, unless it is another's by now.
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
      7601, subject: path, message: "another player is steered by this socket",
      remedy: "stop that one, or name another path ([control] socket, --control)")
  }
}
