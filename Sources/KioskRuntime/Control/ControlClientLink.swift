internal import ControlProtocol
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// One client's socket, and the machine that says what becomes of it. Confined to the loop's thread.
final class ControlClientLink {
  let peer: LocalSocket.Peer?
  private let socket: LocalSocket
  private let loop: EventLoop
  private var machine = ControlConnection()
  private var reading: EventSource?
  private var writing: EventSource?
  private var turn: EventSource?
  /// When it last took something, or there was nothing for it.
  private var tookAt = Instant.monotonicNow
  private(set) var heardAt = Instant.monotonicNow
  /// Hears a request, which it is to answer by `answer`, now or later.
  var onRequest: ((ControlRequest) -> Void)?
  var onProblem: ((VitrineError) -> Void)?
  var onClose: (() -> Void)?

  init(_ socket: LocalSocket, on loop: EventLoop) {
    self.socket = socket
    self.loop = loop
    peer = socket.peer
  }

  var subscriptions: Set<ControlEventKind> { machine.subscriptions }
  var hasPicture: Bool { machine.hasPicture }
  var keptBytes: Int { machine.keptBytes }
  var isIdle: Bool { machine.isIdle }

  func start() { follow() }

  func answer(_ reply: ControlReply) { tell(.answered(reply)) }

  func tell(_ event: ControlEvent) { tell(.happened(event)) }

  /// There is no room for it: it is told so, and closed with what it has taken of that.
  func refuse(_ error: VitrineError) {
    _ = machine.handle(.refused(error))
    _ = socket.send(machine.output)
    tell(.failed)
  }

  /// Looks once a second whether the client is still there.
  func look(at now: Instant) {
    guard machine.wantsToWrite else { return tookAt = now }
    let limit = machine.isClosing ? ControlLimits.lingerSeconds : ControlLimits.stallSeconds
    if now - tookAt >= .seconds(limit) { tell(.stalled) }
  }

  func close() { tell(.failed) }

  // MARK: The machine

  private func tell(_ event: ControlConnection.Event) {
    for effect in machine.handle(event) { perform(effect) }
    follow()
  }

  private func perform(_ effect: ControlConnection.Effect) {
    switch effect {
    case .ask(let request): onRequest?(request)
    case .wantsTurn:
      turn = loop.after(.zero) { [weak self] in
        self?.turn = nil
        self?.tell(.turn)
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

  /// Watches for what the machine wants now.
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
      tell(.received(bytes))
    case .later: break
    case .over: tell(.inputEnded)
    }
  }

  /// One write a turn: what the socket doesn't take now it takes later.
  private func write() {
    // A part of what is large: the loop has others to look after.
    switch socket.send(machine.output.prefix(Self.writeBytes)) {
    case .bytes(let count):
      tookAt = .monotonicNow
      for effect in machine.handle(.wrote(count)) { perform(effect) }
    case .later: break
    case .over: tell(.failed)
    }
  }

  /// A copy of so much takes 20 microseconds.
  private static let writeBytes = 128 * 1024
}
