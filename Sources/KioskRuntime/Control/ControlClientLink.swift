internal import ControlProtocol
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// One client's socket; `ControlConnection` decides on it. Confined to the loop's thread.
final class ControlClientLink {
  /// Nil for a program that was gone before it could be asked for.
  let peer: ControlPeer?
  private let socket: StreamSocket
  private let loop: EventLoop
  private var machine = ControlConnection()
  private var reading: EventSource?
  private var writing: EventSource?
  private var turn: EventSource?
  /// When the client last took bytes, or none were waiting for it.
  private var tookAt = Instant.monotonicNow
  private(set) var heardAt = Instant.monotonicNow
  /// Called with a request, which `answer` must answer, now or later.
  var onRequest: ((ControlRequest) -> Void)?
  var onProblem: ((VitrineError) -> Void)?
  var onClose: (() -> Void)?

  /// - Parameter peer: for a connection of another machine, which was asked for.
  init(_ socket: StreamSocket, _ peer: ControlPeer? = nil, on loop: EventLoop) {
    self.socket = socket
    self.loop = loop
    self.peer = peer ?? socket.peer.map { .process($0) }
  }

  var isOfNetwork: Bool { if case .machine = peer { true } else { false } }

  var subscriptions: Set<ControlEventKind> { machine.subscriptions }
  var hasPicture: Bool { machine.hasPicture }
  var keptBytes: Int { machine.keptBytes }
  var isIdle: Bool { machine.isIdle }

  func start() { follow() }

  func answer(_ reply: ControlReply) { handle(.answered(reply)) }

  func send(_ event: ControlEvent) { handle(.happened(event)) }

  /// Closes the connection because there is no room for the client, after one try to send the error.
  func refuse(_ error: VitrineError) {
    _ = machine.handle(.refused(error))
    _ = socket.send(machine.output)
    handle(.failed)
  }

  /// Closes a client that takes no bytes for too long; called once a second.
  func checkForStall(at now: Instant) {
    guard machine.wantsToWrite else { return tookAt = now }
    let limit = machine.isClosing ? ControlLimits.lingerSeconds : ControlLimits.stallSeconds
    if now - tookAt >= .seconds(limit) { handle(.stalled) }
  }

  func close() { handle(.failed) }

  // MARK: The machine

  private func handle(_ event: ControlConnection.Event) {
    for action in machine.handle(event) { perform(action) }
    follow()
  }

  private func perform(_ action: ControlConnection.Action) {
    switch action {
    case .ask(let request): onRequest?(request)
    case .wantsTurn:
      turn = loop.after(.zero) { [weak self] in
        self?.turn = nil
        self?.handle(.turn)
      }
    case .tell(let error): onProblem?(error)
    case .close:
      turn = nil
      reading = nil
      writing = nil
      let told = onClose
      (onRequest, onProblem, onClose) = (nil, nil, nil)
      told?()
    }
  }

  /// Watches the socket for the events that the machine waits for now.
  private func follow() {
    if machine.isClosed { return }
    if machine.wantsToWrite { write() }
    if machine.isClosed { return }
    if machine.wantsToRead, reading == nil {
      reading = loop.watch(fileDescriptor: socket.descriptor, for: .readable) { [weak self] _ in self?.read() }
    } else if !machine.wantsToRead {
      reading = nil
    }
    if machine.wantsToWrite, writing == nil {
      writing = loop.watch(fileDescriptor: socket.descriptor, for: .writable) { [weak self] _ in self?.follow() }
    } else if !machine.wantsToWrite {
      writing = nil
    }
  }

  private func read() {
    let (outcome, bytes) = socket.receive(atMost: ControlLimits.readBytes)
    switch outcome {
    case .bytes:
      heardAt = .monotonicNow
      handle(.received(bytes))
    case .later: break
    case .over: handle(.inputEnded)
    }
  }

  /// Writes once a turn; the rest follows when the socket takes more.
  private func write() {
    // Only a part of a large output, because the loop has other work.
    switch socket.send(machine.output.prefix(Self.writeBytes)) {
    case .bytes(let count):
      tookAt = .monotonicNow
      for action in machine.handle(.wrote(count)) { perform(action) }
    case .later: break
    case .over: handle(.failed)
    }
  }

  /// In bytes. A copy of this size takes 20 microseconds.
  private static let writeBytes = 128 * 1024
}
