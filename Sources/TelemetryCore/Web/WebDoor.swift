public import ControlProtocol
public import JSONText
public import PlaybackCore

/// Decides about requests. It checks the host name, the client's rights and the page that the request comes from before
/// it looks at the request itself; a GET changes nothing.
public struct WebDoor: Sendable {
  /// The action for a request that is allowed.
  public enum Decision: Hashable, Sendable {
    /// The answer is complete.
    case answer(WebAnswer)
    case metrics
    case health
    case status
    case picture(screen: String?, ControlPictureWish)
    /// Goes the same way as a request of the control socket.
    case ask(ControlRequest)
    /// A page logs in with this token.
    case logIn([UInt8], WebRight)
    case logOut(String)
  }

  /// The cookie of a page that is logged in.
  public static let cookieName = "vitrine"

  public var access: WebAccess
  public var sessions = WebSessions()

  public init(access: WebAccess) { self.access = access }

  /// Whether the client has logged in by the page.
  public mutating func isLoggedIn(_ request: WebRequest, at now: Instant) -> Bool {
    request.cookie(named: Self.cookieName).map { sessions.right(of: $0, access, at: now) > .nothing } ?? false
  }

  /// - Returns: the action, and the client's rights.
  public mutating func decide(_ request: WebRequest, at now: Instant) -> (Decision, WebRight) {
    guard let host = request.host, !host.isEmpty else { return (refuse(request, WebErrors.noHost), .nothing) }
    guard access.knows(host: host) else { return (refuse(request, WebErrors.unknownHost), .nothing) }
    let isWriting = request.method == "POST"
    guard isWriting || request.method == "GET" else { return (refuse(request, WebErrors.method), .nothing) }
    if let answer = page(request) { return (.answer(answer), .nothing) }
    // A foreign page must not make its visitors send requests here, whatever rights they have.
    if let origin = request.origin, !access.isOwn(origin: origin, host: host) {
      return (refuse(request, WebErrors.foreignPage), .nothing)
    }
    if let site = request.fetchSite, site != "same-origin", site != "none" {
      return (refuse(request, WebErrors.foreignPage), .nothing)
    }
    guard !request.isTooLarge else { return (refuse(request, WebErrors.tooLarge), .nothing) }
    let right = right(of: request, at: now)
    return (isWriting ? write(request, right) : read(request, right), right)
  }

  private mutating func right(of request: WebRequest, at now: Instant) -> WebRight {
    let words = request.authorization?.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    // Another scheme is a proxy's that asks for passwords of its own.
    if let scheme = words.first, scheme.lowercased() == "bearer" {
      // A token that is shown decides alone, even if the client had more rights without it.
      return access.right(of: (words.dropFirst().first ?? "").utf8)
    }
    guard let id = request.cookie(named: Self.cookieName) else { return access.strangers }
    return max(sessions.right(of: id, access, at: now), access.strangers)
  }

  // MARK: Pages and answers

  private func page(_ request: WebRequest) -> WebAnswer? {
    guard request.method == "GET" else { return nil }
    return WebPage.answer(request.path)
  }

  private func read(_ request: WebRequest, _ right: WebRight) -> Decision {
    let decision: Decision
    switch request.path {
    case "/metrics": decision = .metrics
    case "/healthz": decision = .health
    case "/api/status": decision = .status
    case "/api/screenshot":
      guard let parameters = request.parameters else { return refuse(request, WebErrors.query) }
      var members: [JSONValue.Member] = [.init("verb", .string("screenshot"))]
      if let width = parameters["width"] {
        guard let number = Int64(width) else { return refuse(request, WebErrors.query) }
        members.append(.init("width", .integer(number)))
      }
      for name in ["format", "source"] {
        if let word = parameters[name] { members.append(.init(name, .string(word))) }
      }
      if let screen = parameters["screen"] { members.append(.init("screen", .string(screen))) }
      // The same rule for a picture as on the control socket.
      do throws(ControlRequest.Refusal) {
        let asked = try ControlRequest(line: JSONValue.object(members).compact.utf8)
        guard case .screenshot(let wish) = asked.action else { return refuse(request, WebErrors.query) }
        decision = .picture(screen: asked.screen, wish)
      } catch {
        return refuse(request, error.error)
      }
    case "/api", "/login", "/logout": return refuse(request, WebErrors.method)
    default: return refuse(request, WebErrors.noSuchPage)
    }
    guard right >= .look else { return refuse(request, WebErrors.noToken) }
    if case .picture(_, let wish) = decision, wish.darkensScreen, right < .steer { return mayNotSteer(request) }
    return decision
  }

  private func mayNotSteer(_ request: WebRequest, id: JSONValue = .null) -> Decision {
    refuse(request, access.steerToken == nil ? WebErrors.nobodySteers : WebErrors.mayNotSteer, id: id)
  }

  private func write(_ request: WebRequest, _ right: WebRight) -> Decision {
    guard ["/api", "/login", "/logout"].contains(request.path) else {
      return refuse(request, WebPage.answer(request.path) == nil ? WebErrors.noSuchPage : WebErrors.method)
    }
    // A form on a foreign page can't send this type without a preflight request (CORS), which this server never grants.
    let type = (request.contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    guard type == "application/json" else { return refuse(request, WebErrors.type) }
    switch request.path {
    case "/login":
      guard let value = try? JSONValue(parsing: request.body, depth: 2), let token = value["token"]?.text else {
        return refuse(request, WebErrors.noToken)
      }
      let worth = access.right(of: token.utf8)
      return worth > .nothing ? .logIn(Array(token.utf8), worth) : refuse(request, WebErrors.wrongToken)
    case "/logout": return .logOut(request.cookie(named: Self.cookieName) ?? "")
    default: break
    }
    guard right >= .look else { return refuse(request, WebErrors.noToken) }
    do throws(ControlRequest.Refusal) {
      let asked = try ControlRequest(line: request.body)
      if case .subscribe = asked.action { return refuse(request, WebErrors.noEvents, id: asked.id) }
      guard !asked.changesSomething || right >= .steer else { return mayNotSteer(request, id: asked.id) }
      return .ask(asked)
    } catch {
      return refuse(request, error.error, id: error.id)
    }
  }

  // MARK: Answers

  private func refuse(_ request: WebRequest, _ error: VitrineError, id: JSONValue = .null) -> Decision {
    var answer =
      request.path.hasPrefix("/api")
      ? Self.answer(.failed(error), id: id) : WebAnswer(WebErrors.status(of: error.number), text: error.line + "\n")
    if answer.status == 401 { answer.headers = [("WWW-Authenticate", "Bearer realm=\"vitrine\"")] }
    if answer.status == 405 { answer.headers = [("Allow", "GET, POST")] }
    return .answer(answer)
  }

  /// An answer of the API: the line that the socket would have.
  public static func answer(_ reply: ControlReply, id: JSONValue) -> WebAnswer {
    var status = 200
    if case .failed(let error, _) = reply { status = WebErrors.status(of: error.number) }
    return WebAnswer(status, "application/json", reply.line(id: id) + [0x0A])
  }

  /// Sent to a page that has logged in.
  public func cookie(_ id: String) -> String {
    "\(Self.cookieName)=\(id); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(id.isEmpty ? 0 : WebLimits.sessionSeconds)"
      + (access.usesTLS ? "; Secure" : "")
  }
}
