internal import ControlProtocol
internal import FoundationEssentials
internal import JSONText
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import TelemetryCore
internal import WebServer

/// The board's own web server: `WebDoor` decides on requests, the session gets the answers from the kiosk. Confined to
/// the loop's thread.
final class WebSession {
  let options: TelemetryOptions.Web
  private let loop: EventLoop
  private let log: Logger
  private weak var owner: (any ControlServerOwner)?
  private var door: WebDoor
  private var server: WebServer?
  /// Called with problems after the start.
  var onProblem: (VitrineError) -> Void = { _ in }
  private var renewal = WebServer.certificateInterval
  /// Tries to listen again, while that fails.
  private var retry: EventSource?
  private var readAt: Instant?
  private var pictures = WebPictures()
  private var commandLines = CommandLines(door: "web")
  private var refusalLines = LineLimit<Int>()

  /// How often the token files may be read again: a new token is used soon, without a reload.
  private static let tokenInterval: Duration = .seconds(5)
  /// How often a failed server tries to listen again: the network may bring the address, another program may release
  /// the port, and somebody may install the certificate.
  static let retryInterval: Duration = .seconds(10)

  init(_ options: TelemetryOptions.Web, on loop: EventLoop, owner: any ControlServerOwner, log: Logger) {
    self.options = options
    self.loop = loop
    self.owner = owner
    self.log = log
    door = WebDoor(
      access: WebAccess(
        looksNeedToken: !options.address.isLoopback || options.readTokenFile != nil,
        usesTLS: options.certificateFile != nil, hosts: options.hosts + Self.ownNames))
  }

  /// - Returns: the problems. With an unreadable token file the server still listens, but no client has the right of
  ///   that token.
  func start(
    retryInterval: Duration = WebSession.retryInterval, renewal: Duration = WebServer.certificateInterval
  ) -> [VitrineError] {
    self.renewal = renewal

    let problems = readTokens()
    do throws(VitrineError) {
      try listen()
      return problems
    } catch {
      retry = loop.every(retryInterval) { [weak self] in
        // The first failure was reported.
        guard let self, (try? listen()) != nil else { return }
        retry = nil
      }
      return problems + [error]
    }
  }

  /// Stops the server; requests get no more answers.
  func stop() {
    retry = nil
    server = nil
    pictures = WebPictures()
  }

  private func listen() throws(VitrineError) {
    let certificate = options.certificateFile.flatMap { file in options.keyFile.map { (file: file, key: $0) } }
    server = try WebServer(
      at: options.address, certificate: certificate, on: loop, renewal: renewal,
      onProblem: { [weak self] in self?.onProblem($0) }
    ) { [weak self] exchange in self?.answer(exchange) }
    log.notice("\(certificate == nil ? "http" : "https")://\(options.address): page, /metrics and /api")
  }

  private static var ownNames: [String] {
    let name = HostName.text.lowercased()
    return name.isEmpty ? [] : [name, name + ".local"]
  }

  // MARK: Tokens

  @discardableResult
  private func readTokens() -> [VitrineError] {
    let now = Instant.monotonicNow
    if let readAt, now - readAt < Self.tokenInterval { return [] }
    readAt = now
    var problems: [VitrineError] = []
    func token(_ path: String?) -> [UInt8]? {
      guard let path else { return nil }
      guard let line = FirstLine.read(path) else {
        problems.append(WebErrors.noSecret(path, "it can't be read, or is empty"))
        return nil
      }
      guard line.utf8.count >= WebLimits.tokenCharacters else {
        problems.append(WebErrors.noSecret(path, "it has fewer than \(WebLimits.tokenCharacters) characters"))
        return nil
      }
      return Array(line.utf8)
    }
    door.access.steerToken = token(options.tokenFile)
    door.access.lookToken = token(options.readTokenFile)
    // The network may have given the board another name.
    door.access.hosts = (options.hosts + Self.ownNames).map { $0.lowercased() }
    return problems
  }

  // MARK: Requests

  private func answer(_ exchange: WebExchange) {
    readTokens()
    let (decision, right) = door.decide(exchange.request, at: .monotonicNow)
    guard let owner else { return exchange.answer(WebAnswer(503, text: "the player is about to end\n")) }
    switch decision {
    case .answer(let answer):
      logRefusal(answer, exchange)
      send(answer, right, exchange)
    case .metrics:
      let text = MetricsText(owner.controlAsksForStatus()).text
      send(WebAnswer(200, MetricsText.contentType, Array(text.utf8)), right, exchange)
    case .health:
      let health = owner.controlAsksForStatus().health
      send(WebAnswer(health == .trouble ? 503 : 200, text: health.rawValue + "\n"), right, exchange)
    case .status:
      let status = ControlWatch.json(owner.controlAsksForStatus())
      send(WebDoor.answer(.done(status), id: .null), right, exchange)
    case .picture(let screen, let wish): showPicture(of: screen, wish, owner, right, exchange)
    case .ask(let request): perform(request, owner, right, exchange)
    case .logIn(let token, let worth):
      let id = Self.newID
      door.sessions.begin(Array(id.utf8), token: token, worth, at: .monotonicNow)
      var answer = WebDoor.answer(.done, id: .null)
      answer.headers = [("Set-Cookie", door.cookie(id))]
      send(answer, worth, exchange)
    case .logOut(let id):
      door.sessions.end(id)
      var answer = WebDoor.answer(.done, id: .null)
      answer.headers = [("Set-Cookie", door.cookie(""))]
      send(answer, door.access.strangers, exchange)
    }
  }

  /// A session number that can't be guessed: 256 random bits from the kernel.
  private static var newID: String {
    (0..<4).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Sends an answer with the headers that the page needs on its rights.
  private func send(_ answer: WebAnswer, _ right: WebRight, _ exchange: WebExchange) {
    var answer = answer
    let hasTokens = door.access.steerToken != nil || door.access.lookToken != nil
    let isLoggedIn = door.isLoggedIn(exchange.request, at: .monotonicNow)
    answer.headers += [
      ("X-Vitrine-Right", right.word), ("X-Vitrine-Login", hasTokens ? "yes" : "no"),
      ("X-Vitrine-Session", isLoggedIn ? "yes" : "no"),
    ]
    exchange.answer(answer)
  }

  private func perform(
    _ request: ControlRequest, _ owner: any ControlServerOwner, _ right: WebRight, _ exchange: WebExchange
  ) {
    if request.changesSomething { logCommand(request.verb, exchange.peer) }
    func reply(_ reply: ControlReply) { send(WebDoor.answer(reply, id: request.id), right, exchange) }
    guard !owner.perform(request, answer: reply) else { return }
    switch request.action {
    case .hello, .status, .command: break
    case .screenshot(let wish):
      pictures.ask(request.screen, wish, of: owner, on: loop) { [weak self] answer in
        switch answer {
        case .success(let picture): self?.send(WebDoor.answer(.picture(picture), id: request.id), right, exchange)
        case .failure(let error): self?.send(WebDoor.answer(.failed(error), id: request.id), right, exchange)
        }
      }
    case .subscribe: reply(.failed(ControlErrors.busy))
    }
  }

  private func showPicture(
    of screen: String?, _ wish: ControlPictureWish, _ owner: any ControlServerOwner, _ right: WebRight,
    _ exchange: WebExchange
  ) {
    pictures.ask(screen, wish, of: owner, on: loop) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let picture):
        let bytes = Data(base64Encoded: Data(picture.base64)).map { [UInt8]($0) } ?? []
        send(WebAnswer(200, picture.format == .png ? "image/png" : "image/jpeg", bytes), right, exchange)
      case .failure(let error): send(WebDoor.answer(.failed(error), id: .null), right, exchange)
      }
    }
  }

  // MARK: The log

  private func logCommand(_ verb: ControlVerb, _ peer: String) {
    commandLines.write(verb, by: peer, to: log)
  }

  /// Logs a refused client: one without a right, or one that used another host name.
  private func logRefusal(_ answer: WebAnswer, _ exchange: WebExchange) {
    let showsToken = exchange.request.authorization != nil || exchange.request.path == "/login"
    guard [401, 403, 421].contains(answer.status), showsToken || answer.status != 401,
      let heldBack = refusalLines.admitLine(answer.status, at: .monotonicNow)
    else { return }
    let more = heldBack > 0 ? " (\(heldBack) more)" : ""
    log.warning("web: \(exchange.peer) was refused (\(answer.status)) \(more)")
  }
}

/// Screenshots for web pages. One is made at a time; all clients that ask for the same one meanwhile, or a moment
/// later, get it. Confined to the loop's thread.
final class WebPictures {
  private struct Wanted: Hashable {
    var screen: String?
    var wish: ControlPictureWish
  }

  private var waiting: [(ScreenshotRequest.Answer) -> Void] = []
  private var wanted: Wanted?
  private var last: (wanted: Wanted, answer: ScreenshotRequest.Answer, at: Instant)?
  private var request: ScreenshotRequest?
  private var limit: EventSource?
  private var forgetting: EventSource?
  private var loop: EventLoop?

  func ask(
    _ screen: String?, _ wish: ControlPictureWish, of owner: any ControlServerOwner, on loop: EventLoop,
    _ done: @escaping (ScreenshotRequest.Answer) -> Void
  ) {
    self.loop = loop
    let new = Wanted(screen: screen, wish: wish)
    if let last, last.wanted == new, Instant.monotonicNow - last.at < .seconds(WebLimits.pictureSeconds) {
      return done(last.answer)
    }
    if let wanted {
      guard wanted == new else { return done(.failure(ControlErrors.busy)) }
      return waiting.append(done)
    }
    wanted = new
    waiting = [done]
    last = nil
    let request = ScreenshotRequest { [weak self] answer in self?.finish(answer) }
    self.request = request
    limit = loop.after(RuntimeTiming.snapshotLimit) { [weak request] in
      request?.finish(.failure(ControlErrors.noPicture("the picture doesn't come")))
    }
    owner.controlAsksForPicture(of: screen, wish, for: LoopReference(request, of: loop.executor))
  }

  private func finish(_ answer: ScreenshotRequest.Answer) {
    guard let wanted else { return }
    let those = waiting
    last = (wanted, answer, .monotonicNow)
    // A picture may take some megabytes: forget it soon.
    forgetting = loop?.after(.seconds(WebLimits.pictureSeconds)) { [weak self] in self?.last = nil }
    (self.wanted, waiting, request, limit) = (nil, [], nil, nil)
    for done in those { done(answer) }
  }
}
