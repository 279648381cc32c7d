internal import CLinux
internal import ControlProtocol
internal import Downloads
internal import Glibc
internal import JSONText
internal import MainLoop
internal import PlaybackCore

/// Sends datagrams by UDP; nothing confirms that they arrive. Confined to the loop's thread.
final class DatagramLine: CueLine {
  private let lookup: MachineLookup
  /// By family: a name may lead to another one later.
  private var socket: (socket: DatagramSocket, isVersion6: Bool)?

  init(to receiver: CueReceiver, on loop: EventLoop) { lookup = MachineLookup(receiver, on: loop) }

  func deliver(_ cue: Cue, then done: @escaping (String?) -> Void) {
    lookup.find { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .failure(let error): done(error.wordsOfLookup)
      case .success(let address):
        do throws(SystemNumber) {
          try open(isVersion6: address.raw.length == 16).send(cue.payload, to: address)
          done(nil)
        } catch {
          done(error.words)
        }
      }
    }
  }

  func giveUp() { lookup.giveUp() }

  private func open(isVersion6: Bool) throws(SystemNumber) -> DatagramSocket {
    if let socket, socket.isVersion6 == isVersion6 { return socket.socket }
    let new = try DatagramSocket(isVersion6)
    socket = (new, isVersion6)
    return new
  }
}

extension Cue {
  /// The bytes of a datagram, of a text by TCP or of a POST.
  fileprivate var payload: [UInt8] {
    if case .osc(_, let pattern)? = address { OSCBytes.message(pattern, arguments) } else { Array(text.utf8) }
  }
}

extension DatagramSocket {
  /// Sends from any port.
  ///
  /// - Throws: the kernel's number.
  convenience init(_ isVersion6: Bool) throws(SystemNumber) {
    self.init(owning: try SystemNumber.checked(vit_socket_sender(isVersion6 ? 1 : 0)))
  }

  /// - Throws: the kernel's number.
  fileprivate func send(_ bytes: [UInt8], to receiver: MachineAddress) throws(SystemNumber) {
    var address = receiver.raw
    let sent = bytes.withUnsafeBytes {
      $0.baseAddress.map { vit_socket_send_to(descriptor, $0, bytes.count, &address) }
    }
    _ = try SystemNumber.checked(Int32(clamping: sent ?? 0))
  }
}

/// A connection by TCP, opened with the first message and kept for the next. What the receiver says is read and thrown
/// away: a connection that is closed with unread bytes in it may lose those that were sent. Confined to the loop's
/// thread.
final class ConnectionLine: CueLine {
  /// A connection without messages is closed after this time: many devices have few places, and a program that sends
  /// scenes in a row should find it open.
  static let idle: Duration = .seconds(10)
  private static let readBytes = 4096

  private let connector: MachineConnector
  private let loop: EventLoop
  private var socket: StreamSocket?
  private var rest: ArraySlice<UInt8> = []
  private var done: ((String?) -> Void)?
  /// Whether the connection was opened for the message under way: an older one may have been closed in this moment, and
  /// is replaced once.
  private var isFresh = false
  private var reading: EventSource?
  private var writing: EventSource?
  private var closing: EventSource?

  init(to receiver: CueReceiver, on loop: EventLoop) {
    self.loop = loop
    connector = MachineConnector(to: receiver, on: loop)
  }

  func deliver(_ cue: Cue, then done: @escaping (String?) -> Void) {
    closing = nil
    (rest, self.done) = (cue.payload[...], done)
    if socket == nil { connect() } else { write() }
  }

  func giveUp() {
    close()
    done = nil
    connector.giveUp()
  }

  private func connect() {
    isFresh = true
    connector.open { [weak self] outcome in
      guard let self else { return }
      switch outcome {
      case .failure(let failure): finish(failure.reason)
      case .success(let socket):
        self.socket = socket
        reading = loop.watch(fileDescriptor: socket.descriptor, for: .readable) { [weak self] _ in self?.read() }
        write()
      }
    }
  }

  private func write() {
    guard let socket else { return }
    switch socket.send(rest) {
    case .bytes(let count):
      rest = rest.dropFirst(count)
      if rest.isEmpty { return finish(nil) }
      waitForRoom(socket)
    case .later: waitForRoom(socket)
    case .over:
      close()
      // Of a message that has gone in part, the rest alone would be another one.
      if isFresh || rest.startIndex > 0 { finish("the receiver has closed the connection") } else { connect() }
    }
  }

  private func waitForRoom(_ socket: StreamSocket) {
    guard writing == nil else { return }
    writing = loop.watch(fileDescriptor: socket.descriptor, for: .writable) { [weak self] _ in
      self?.writing = nil
      self?.write()
    }
  }

  private func read() {
    guard let socket, case .over = socket.receive(atMost: Self.readBytes).outcome else { return }
    close()
    if done != nil { finish("the receiver has closed the connection") }
  }

  private func finish(_ reason: String?) {
    if reason != nil { close() }
    isFresh = false
    rest = []
    let told = done
    done = nil
    closing = loop.after(Self.idle) { [weak self] in self?.close() }
    told?(reason)
  }

  private func close() {
    (reading, writing, closing, socket) = (nil, nil, nil, nil)
  }
}

/// A POST to a web server; other answers than 2xx are failures. Confined to the loop's thread.
final class PostLine: CueLine {
  private let poster: HTTPPoster

  init(_ access: ServerAccess, on loop: EventLoop) {
    var settings = HTTPSettings()
    settings.access = access
    settings.userAgent = "vitrine/\(Version.text)"
    // `CueQueue` has its own limit, which comes first.
    poster = HTTPPoster(settings, limit: .seconds(10), on: loop)
  }

  func deliver(_ cue: Cue, then done: @escaping (String?) -> Void) {
    guard case .http(let address)? = cue.address else { return done("it has no address of a web server") }
    let text = cue.payload
    let isJSON = (try? JSONValue(parsing: text)) != nil
    let type = isJSON ? "application/json" : "text/plain; charset=utf-8"
    poster.send(text, type: type, to: address, token: nil) { answer in
      switch answer {
      case .status(200..<300, _): done(nil)
      case .status(let status, _): done("the server answered \(status)")
      case .failed(let reason, _): done(reason)
      }
    }
  }

  func giveUp() { poster.cancel() }
}
