internal import ControlProtocol
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// The control socket's server: programs on this machine control the player and get its events. Confined to the loop's
/// thread; nothing here waits, and the memory that a client can use is bounded (`ControlLimits`).
final class ControlServer {
  /// The length of the kernel's queue of new connections: the clients that may connect in one turn of the loop.
  static let backlog = 32
  /// The largest number of connections that are accepted or refused in a turn of the loop.
  private static let acceptsPerTurn = 8
  /// Changes within this time are sent together: a command causes several, and each frame causes one.
  private static let gathering: Duration = .milliseconds(50)

  private let loop: EventLoop
  private let log: Logger
  private weak var owner: (any ControlServerOwner)?
  private var address: ControlAddress?
  private var listening: EventSource?
  private var network = Network()
  private var clients: [ControlClientLink] = []
  private var ticker: EventSource?
  private var gathered: EventSource?
  /// The screens on which an item has begun since the last look.
  private var started: [String?] = []
  private var watch = ControlWatch()
  private var isWatching = false
  /// The screenshot that is being made, and the timer that gives it up.
  private var picture: (request: ScreenshotRequest, limit: EventSource)?
  private var commandLines = CommandLines(door: "control")
  private var problemLines = LineLimit<Int>()

  /// The door to other machines.
  private struct Network {
    var door: NetworkDoor?
    /// The door that couldn't be opened, and is tried again.
    var closed: NetworkDoor.Settings?
    var allowance = RateAllowance(perSecond: ControlLimits.networkRate, burst: ControlLimits.networkBurst)
  }

  init(on loop: EventLoop, owner: any ControlServerOwner, log: Logger) {
    self.loop = loop
    self.owner = owner
    self.log = log
  }

  /// The socket's path; nil while the server doesn't listen.
  var path: String? { address?.path }
  var clientCount: Int { clients.count }
  /// The bytes that wait to be sent to clients, without pictures.
  var keptBytes: Int { clients.reduce(0) { $0 + $1.keptBytes } }

  // MARK: The socket

  /// Listens at this path only; nil stops the server. Clients stay connected as long as the path stays the same.
  ///
  /// - Returns: the problem, where it can't listen.
  func listen(at path: String?) -> VitrineError? {
    guard path != address?.path else { return nil }
    closeSocket()
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

  /// Listens at this address for other machines; nil stops that. Clients stay connected as long as nothing changes.
  ///
  /// - Returns: the problem, where it can't listen; it is then tried again once a second.
  func listen(to settings: NetworkDoor.Settings?) -> VitrineError? {
    guard settings != network.door?.settings ?? network.closed else { return nil }
    (network.door, network.closed) = (nil, nil)
    for client in clients where client.isOfNetwork { client.close() }
    guard let settings else { return nil }
    do throws(VitrineError) {
      try open(settings)
      return nil
    } catch {
      network.closed = settings
      startTicker()
      return error
    }
  }

  private func open(_ settings: NetworkDoor.Settings) throws(VitrineError) {
    let door = try NetworkDoor(settings, on: loop)
    door.onClient = { [weak self] socket, peer in
      if let self { admit(ControlClientLink(socket, peer, on: loop)) }
    }
    door.onDatagram = { [weak self] datagram, peer in self?.answer(datagram, of: peer) ?? [] }
    door.onStranger = { [weak self] in self?.logProblem(ControlErrors.stranger($0.words), of: $0) }
    door.onFailure = { [weak self] words in
      self?.log.warning("control: \(words)")
      self?.startTicker()
    }
    door.open()
    (network.door, network.closed) = (door, nil)
    log.notice("control: \(settings.address), by TCP and UDP")
  }

  func stop() {
    closeSocket()
    (network.door, network.closed) = (nil, nil)
    gathered = nil
    for client in clients { client.close() }
    ticker = nil
  }

  /// Closes the local socket with its clients.
  private func closeSocket() {
    listening = nil
    for client in clients where !client.isOfNetwork { client.close() }
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
        // No file descriptor is left. The ticker tries again: at once, the loop would be busy with nothing else.
        log.warning("control socket: \(error.words)")
        listening = nil
        startTicker()
        return
      }
    }
  }

  private func admit(_ client: ControlClientLink) {
    startTicker()
    guard hasRoom(for: client) else {
      client.refuse(ControlErrors.tooManyClients)
      return logProblem(ControlErrors.tooManyClients, of: client.peer)
    }
    clients.append(client)
    client.onRequest = { [weak self, weak client] request in if let client { self?.answer(request, to: client) } }
    client.onProblem = { [weak self, peer = client.peer] error in self?.logProblem(error, of: peer) }
    client.onClose = { [weak self, weak client] in self?.clients.removeAll { $0 === client } }
    log.debug("control: \(Self.words(client.peer)) has connected")
    client.start()
  }

  /// Whether there is a place for one more client. Where all are taken, the place of an idle client is.
  private func hasRoom(for client: ControlClientLink) -> Bool {
    if client.isOfNetwork, clients.filter(\.isOfNetwork).count >= ControlLimits.networkClients {
      makeRoom(among: clients.filter(\.isOfNetwork))
      if clients.filter(\.isOfNetwork).count >= ControlLimits.networkClients { return false }
    }
    if clients.count >= ControlLimits.clients { makeRoom(among: clients) }
    return clients.count < ControlLimits.clients
  }

  /// Closes the client that has been silent for longest, if that is long and it neither waits for an answer nor for
  /// events.
  private func makeRoom(among some: [ControlClientLink]) {
    let now = Instant.monotonicNow
    let idle = some.filter { $0.isIdle && now - $0.heardAt >= .seconds(ControlLimits.idleSeconds) }
    idle.min { $0.heardAt < $1.heardAt }?.close()
  }

  private func startTicker() {
    guard ticker == nil else { return }
    ticker = loop.every(.seconds(1)) { [weak self] in self?.tick() }
  }

  private func tick() {
    listenAgain()
    network.door?.open()
    if let closed = network.closed { try? open(closed) }
    let now = Instant.monotonicNow
    for client in clients { client.checkForStall(at: now) }
    if clients.contains(where: { $0.subscriptions.contains(.position) }), let status = owner?.controlAsksForStatus() {
      publish(ControlWatch.positions(status))
    }
    if clients.isEmpty, network.closed == nil { ticker = nil }
  }

  // MARK: Requests

  private func answer(_ request: ControlRequest, to client: ControlClientLink) {
    guard let owner else { return client.answer(.failed(ControlErrors.refused(request.verb, .isEnding))) }
    if client.isOfNetwork, !network.allowance.admit(at: .monotonicNow) {
      logProblem(ControlErrors.tooFast, of: client.peer)
      return client.answer(.failed(ControlErrors.tooFast))
    }
    if request.changesSomething { logCommand(request, of: client.peer) }
    if owner.perform(request, answer: { client.answer($0) }) {
      if case .command = request.action { scheduleUpdate() }
      return
    }
    switch request.action {
    case .hello, .status, .command: break
    case .screenshot(let wish): capturePicture(request, wish, for: client)
    case .subscribe(let kinds):
      let status = owner.controlAsksForStatus()
      if !kinds.isEmpty, !isWatching {
        isWatching = true
        watch = ControlWatch()
        _ = watch.compare(with: status)
      }
      client.answer(kinds.isEmpty ? .done : .done(ControlWatch.json(status)))
    }
  }

  /// Carries out the requests of a datagram.
  ///
  /// - Returns: the answers, empty where the sender wants none.
  private func answer(_ datagram: ControlDatagram, of peer: ControlPeer) -> [UInt8] {
    var answers: [UInt8] = []
    for request in datagram.requests {
      guard network.allowance.admit(at: .monotonicNow) else {
        logProblem(ControlErrors.tooFast, of: peer)
        break
      }
      guard let owner else { break }
      switch request {
      case .success(let request):
        if request.changesSomething { logCommand(request, of: peer) }
        _ = owner.perform(request) { reply in
          if case .failed(let error, _) = reply, !datagram.wantsAnswers { logProblem(error, of: peer) }
          answers += ControlDatagram.answer(reply, to: request)
        }
      case .failure(let refusal):
        logProblem(refusal.error, of: peer)
        answers += ControlDatagram.answer(refusal)
      }
    }
    scheduleUpdate()
    return datagram.wantsAnswers ? answers : []
  }

  private func capturePicture(_ wanted: ControlRequest, _ wish: ControlPictureWish, for client: ControlClientLink) {
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

  /// Passes a screen's notice on to the clients as an event.
  func handle(_ notice: ScreenNotice, of screen: String?) {
    guard isWatching else { return }
    if case .itemStarted = notice { started.append(screen) }
    if let event = notice.event(of: screen) { publish([event]) }
    scheduleUpdate()
  }

  /// Sends the changes of the status to subscribers soon, gathered.
  func scheduleUpdate() {
    guard isWatching, gathered == nil else { return }
    gathered = loop.after(Self.gathering) { [weak self] in
      self?.gathered = nil
      self?.publishChanges()
    }
  }

  private func publishChanges() {
    let begun = started
    started = []
    guard clients.contains(where: { !$0.subscriptions.isEmpty }), let status = owner?.controlAsksForStatus() else {
      isWatching = false
      return
    }
    for screen in begun { publish(watch.itemStarted(on: screen, status: status)) }
    publish(watch.compare(with: status))
  }

  private func publish(_ events: [ControlEvent]) {
    // A client that one event closes is no longer in the list for the next.
    for event in events { for client in clients { client.send(event) } }
  }

  // MARK: The log

  private static func words(_ peer: ControlPeer?) -> String { peer?.words ?? "somebody" }

  private func logCommand(_ request: ControlRequest, of peer: ControlPeer?) {
    commandLines.write(request.verb, by: Self.words(peer), to: log)
  }

  private func logProblem(_ error: VitrineError, of peer: ControlPeer?) {
    guard let heldBack = problemLines.admitLine(error.number, at: .monotonicNow) else { return }
    let rest = heldBack > 0 ? " (\(heldBack) more)" : ""
    log.warning("\(Self.words(peer)): \(error.line)\(rest)")
  }
}
