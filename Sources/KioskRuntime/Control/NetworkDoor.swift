internal import CLinux
internal import ControlProtocol
internal import MainLoop
internal import PlaybackCore

/// The other end of a connection, or the sender of a datagram.
enum ControlPeer: Hashable {
  case process(StreamSocket.Peer)
  /// 4 or 16 bytes.
  case machine([UInt8])

  var words: String {
    switch self {
    case .process(let peer): "process \(peer.process) of user \(peer.user), group \(peer.group)"
    case .machine(let address): AddressPrefix.text(of: address)
    }
  }
}

/// The control server's door to the network: a TCP and a UDP socket at one address. Other machines than those that are
/// let in get no byte. Confined to the loop's thread; nothing here waits.
final class NetworkDoor {
  /// The most connections and datagrams that are taken in a turn of the loop.
  private static let perTurn = 8

  struct Settings: Hashable {
    var address: ListenAddress
    /// Empty for this machine only.
    var from: [AddressPrefix]

    /// The board itself.
    private static let loopback = [AddressPrefix("127.0.0.0/8"), AddressPrefix("::1")].compactMap(\.self)

    func admits(_ machine: [UInt8]) -> Bool { (Self.loopback + from).contains { $0.contains(machine) } }
  }

  let settings: Settings
  private let loop: EventLoop
  private let connections: StreamSocket
  private let datagrams: DatagramSocket
  private var listening: EventSource?
  private var receiving: EventSource?
  /// Called with a client that is let in.
  var onClient: (StreamSocket, ControlPeer) -> Void = { _, _ in }
  /// Called with a datagram; returns the answer, empty for none.
  var onDatagram: (ControlDatagram, ControlPeer) -> [UInt8] = { _, _ in [] }
  /// Called with a machine that isn't let in.
  var onStranger: (ControlPeer) -> Void = { _ in }
  /// Called where no file descriptor is left for a client, in words.
  var onFailure: (String) -> Void = { _ in }

  /// - Throws: 7618 where it can't listen.
  init(_ settings: Settings, on loop: EventLoop) throws(VitrineError) {
    self.settings = settings
    self.loop = loop
    do throws(SystemNumber) {
      connections = try StreamSocket.listen(at: settings.address, backlog: Int32(ControlServer.backlog))
      datagrams = try DatagramSocket(at: settings.address)
    } catch {
      throw VitrineError(
        7618, subject: "\(settings.address)", message: "the player can't listen there: \(error.words)",
        remedy: "name an address of this board and a free port in [control] listen; it is tried again")
    }
  }

  /// Takes clients and datagrams from now on; again after `onFailure`.
  func open() {
    if listening == nil {
      listening = loop.watch(fileDescriptor: connections.descriptor, for: .readable) { [weak self] _ in self?.accept() }
    }
    if receiving == nil {
      receiving = loop.watch(fileDescriptor: datagrams.descriptor, for: .readable) { [weak self] _ in self?.receive() }
    }
  }

  private func accept() {
    for _ in 0..<Self.perTurn {
      do throws(SystemNumber) {
        guard let socket = try connections.accept() else { return }
        // A client that is gone already has no address.
        guard let machine = socket.machine else { continue }
        guard settings.admits(machine) else {
          onStranger(.machine(machine))
          continue
        }
        socket.keepAlive()
        onClient(socket, .machine(machine))
      } catch {
        listening = nil
        return onFailure(error.words)
      }
    }
  }

  private func receive() {
    for _ in 0..<Self.perTurn {
      guard let (bytes, sender) = datagrams.receive(atMost: ControlDatagram.bytes) else { return }
      guard settings.admits(sender.machine) else {
        onStranger(.machine(sender.machine))
        continue
      }
      let answer = onDatagram(ControlDatagram(bytes), .machine(sender.machine))
      if !answer.isEmpty { datagrams.send(answer, to: sender) }
    }
  }
}

/// An open UDP socket; the last release closes it.
final class DatagramSocket {
  /// The sender of a datagram, to whom the answer goes.
  struct Sender {
    fileprivate var address: vit_address
    var machine: [UInt8] { address.machine }
  }

  var descriptor: Int32 { owner.descriptor }
  /// Closes the descriptor.
  private let owner: StreamSocket

  /// Takes over an open descriptor.
  init(owning descriptor: Int32) { owner = StreamSocket(owning: descriptor) }

  /// - Throws: the kernel's number.
  convenience init(at address: ListenAddress) throws(SystemNumber) {
    self.init(owning: try SystemNumber.checked(vit_socket_listen(address.host, UInt16(address.port), 1, 0)))
  }

  /// The first datagram that waits; nil when none does.
  func receive(atMost limit: Int) -> (bytes: [UInt8], sender: Sender)? {
    var sender = vit_address()
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      count = vit_socket_receive_from(descriptor, base, limit, &sender)
      initialized = max(0, count)
    }
    return count < 0 ? nil : (bytes, Sender(address: sender))
  }

  /// Sends a datagram; one that doesn't go out now is lost, as on the way.
  func send(_ bytes: [UInt8], to receiver: Sender) {
    var address = receiver.address
    _ = bytes.withUnsafeBytes { $0.baseAddress.map { vit_socket_send_to(descriptor, $0, bytes.count, &address) } }
  }
}

extension vit_address {
  /// 4 bytes for IPv4, also where a socket of IPv6 reports it; 16 for IPv6.
  var machine: [UInt8] {
    withUnsafeBytes(of: bytes) { AddressPrefix.plain(Array($0.prefix(Int(length)))) }
  }
}
