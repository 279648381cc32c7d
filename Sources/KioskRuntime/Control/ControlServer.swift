internal import ControlProtocol
internal import JSONText
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// The control socket: programs of this machine steer the player, and hear what it does. Confined to the loop's thread; nothing here
/// waits, and what a client can have kept is bounded (`ControlLimits`).
final class ControlServer {
  /// How many may wait to be accepted: those that connect in the same turn of the loop.
  static let backlog = 32
  /// Of those, so many are let in, or told that there is no room, in a turn.
  private static let acceptsPerTurn = 8
  /// Changes are told together that come so soon after each other: what follows a command, and each frame.
  private static let gathering: Duration = .milliseconds(50)

  private let loop: EventLoop
  private let log: Logger
  private weak var owner: (any ControlServerOwner)?
  private var address: ControlAddress?
  private var listening: EventSource?
  private var clients: [ControlClientLink] = []
  private var ticker: EventSource?
  private var gathered: EventSource?
  /// Of which items have begun since the last look.
  private var started: [String?] = []
  private var watch = ControlWatch()
  private var isWatching = false
  /// The one that is being made, and when it is given up.
  private var picture: (request: ScreenshotRequest, limit: EventSource)?
  private var commandLines = CommandLines(door: "control")
  private var problemLines = LineLimit<Int>()

  init(on loop: EventLoop, owner: any ControlServerOwner, log: Logger) {
    self.loop = loop
    self.owner = owner
    self.log = log
  }

  /// The socket's path; nil while there is none.
  var path: String? { address?.path }
  var clientCount: Int { clients.count }
  /// Bytes that are kept for clients, pictures apart.
  var keptBytes: Int { clients.reduce(0) { $0 + $1.keptBytes } }

  // MARK: The socket

  /// Listens there, and nowhere else; nil stops. Clients stay as long as the path does.
  ///
  /// - Returns: the problem, where it can't.
  func listen(at path: String?) -> VitrineError? {
    guard path != address?.path else { return nil }
    stop()
    guard let path else { return nil }
    do throws(VitrineError) {
      address = try ControlAddress(path: path)
    } catch {
      return error
    }
    listenAgain()
    log.debug("control socket: \(path)")
    return nil
  }

  func stop() {
    listening = nil
    gathered = nil
    for client in clients { client.close() }
    clients = []
    ticker = nil
    address?.remove()
    address = nil
  }

  private func listenAgain() {
    guard listening == nil, let address else { return }
    listening = loop.watch(fileDescriptor: address.socket.descriptor, for: .readable) { [weak self] _ in self?.accept()
    }
  }

  private func accept() {
    guard let address else { return }
    for _ in 0..<Self.acceptsPerTurn {
      do throws(SystemNumber) {
        guard let socket = try address.socket.accept() else { return }
        admit(ControlClientLink(socket, on: loop))
      } catch {
        // No descriptor is left. Asked again at once, and again, the loop would do nothing else.
        log.warning("control socket: \(error.words)")
        listening = nil
        startTicker()
        return
      }
    }
  }

  private func admit(_ client: ControlClientLink) {
    startTicker()
    if clients.count >= ControlLimits.clients { makeRoom() }
    guard clients.count < ControlLimits.clients else {
      client.refuse(ControlErrors.tooManyClients)
      return tellProblem(ControlErrors.tooManyClients, of: client.peer)
    }
    clients.append(client)
    client.onRequest = { [weak self, weak client] request in if let client { self?.answer(request, to: client) } }
    client.onProblem = { [weak self, peer = client.peer] error in self?.tellProblem(error, of: peer) }
    client.onClose = { [weak self, weak client] in self?.clients.removeAll { $0 === client } }
    log.debug("control: \(Self.words(client.peer)) has connected")
    client.start()
  }

  /// Whoever has been silent for longest goes, if that is long, and nothing is awaited by or of it.
  private func makeRoom() {
    let now = Instant.monotonicNow
    let idle = clients.filter { $0.isIdle && now - $0.heardAt >= .seconds(ControlLimits.idleSeconds) }
    idle.min { $0.heardAt < $1.heardAt }?.close()
  }

  private func startTicker() {
    guard ticker == nil else { return }
    ticker = loop.every(.seconds(1)) { [weak self] in self?.tick() }
  }

  private func tick() {
    listenAgain()
    let now = Instant.monotonicNow
    for client in clients { client.look(at: now) }
    if clients.contains(where: { $0.subscriptions.contains(.position) }), let status = owner?.controlAsksForStatus() {
      tell(ControlWatch.positions(status))
    }
    if clients.isEmpty { ticker = nil }
  }

  // MARK: Requests

  private func answer(_ request: ControlRequest, to client: ControlClientLink) {
    guard let owner else { return client.answer(.failed(ControlErrors.refused(request.verb, .isEnding))) }
    if request.changesSomething { tellCommand(request, of: client.peer) }
    if owner.perform(request, answer: { client.answer($0) }) {
      if case .command = request.action { look() }
      return
    }
    switch request.action {
    case .hello, .status, .command: break
    case .screenshot(let wish): takePicture(request, wish, for: client)
    case .subscribe(let kinds):
      let status = owner.controlAsksForStatus()
      if !kinds.isEmpty, !isWatching {
        isWatching = true
        watch = ControlWatch()
        _ = watch.look(at: status)
      }
      client.answer(kinds.isEmpty ? .done : .done(ControlWatch.json(status)))
    }
  }

  private func takePicture(_ wanted: ControlRequest, _ wish: ControlPictureWish, for client: ControlClientLink) {
    guard picture == nil, !clients.contains(where: \.hasPicture) else {
      return client.answer(.failed(ControlErrors.busy))
    }
    let request = ScreenshotRequest { [weak self, weak client] answer in
      self?.picture = nil
      switch answer {
      case .success(let picture): client?.answer(.picture(picture))
      case .failure(let error): client?.answer(.failed(error))
      }
    }
    let limit = loop.after(RuntimeTiming.snapshotLimit) { [weak request] in
      request?.finish(.failure(ControlErrors.noPicture("the picture doesn't come")))
    }
    picture = (request, limit)
    owner?.controlAsksForPicture(of: wanted.screen, wish, for: LoopReference(request, of: loop.executor))
  }

  // MARK: Events

  /// What a screen tells.
  func hear(_ notice: ScreenNotice, of screen: String?) {
    guard isWatching else { return }
    switch notice {
    case .itemStarted: started.append(screen)
    case .itemFailed(let item, let error):
      let uri = JSONValue.Member("uri", .string(PlainText.clipped(Redaction.value(item.uri))))
      tell([ControlEvent(.itemFailed, screen: screen, [uri, .init("error", ControlReply.json(error))])])
    case .problem(let error), .failed(let error), .settingsFailed(let error):
      tell([ControlEvent(.problem, screen: screen, [.init("error", ControlReply.json(error))])])
    default: break
    }
    look()
  }

  /// What has changed is told soon.
  func look() {
    guard isWatching, gathered == nil else { return }
    gathered = loop.after(Self.gathering) { [weak self] in
      self?.gathered = nil
      self?.lookNow()
    }
  }

  private func lookNow() {
    let begun = started
    started = []
    guard clients.contains(where: { !$0.subscriptions.isEmpty }), let status = owner?.controlAsksForStatus() else {
      isWatching = false
      return
    }
    for screen in begun { tell(watch.itemStarted(on: screen, status: status)) }
    tell(watch.look(at: status))
  }

  private func tell(_ events: [ControlEvent]) {
    // Who is closed by one event is no more in the list for the next.
    for event in events { for client in clients { client.tell(event) } }
  }

  // MARK: The log

  private static func words(_ peer: LocalSocket.Peer?) -> String {
    peer.map { "process \($0.process) of user \($0.user), group \($0.group)" } ?? "somebody"
  }

  private func tellCommand(_ request: ControlRequest, of peer: LocalSocket.Peer?) {
    commandLines.tell(request.verb, by: Self.words(peer), to: log)
  }

  private func tellProblem(_ error: VitrineError, of peer: LocalSocket.Peer?) {
    guard let heldBack = problemLines.takeLine(error.number, at: .monotonicNow) else { return }
    let rest = heldBack > 0 ? " (\(heldBack) more)" : ""
    log.warning("\(Self.words(peer)): \(error.line)\(rest)")
  }
}
