import ControlProtocol
import Foundation
import InteractionCore
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import TelemetryCore

@Suite("Permissions of HTTP requests")
struct WebDoorTests {
  private static let steer = "correct-horse-battery-staple"
  private static let look = "only-looking-only-looking"
  private let now = Instant(nanoseconds: 0)

  private func door(open: Bool = true, tokens: Bool = true) -> WebDoor {
    var access = WebAccess(looksNeedToken: !open, hosts: ["foyer.example.org"])
    access.steerToken = tokens ? Array(Self.steer.utf8) : nil
    access.lookToken = tokens ? Array(Self.look.utf8) : nil
    return WebDoor(access: access)
  }

  private func get(_ path: String, _ change: (inout WebRequest) -> Void = { _ in }) -> WebRequest {
    var request = WebRequest(method: "GET", path: path)
    request.host = "127.0.0.1:9105"
    change(&request)
    return request
  }

  private func post(
    _ path: String, _ body: String, token: String? = nil, _ change: (inout WebRequest) -> Void = { _ in }
  )
    -> WebRequest
  {
    get(path) { request in
      request.method = "POST"
      request.body = Array(body.utf8)
      request.contentType = "application/json"
      request.authorization = token.map { "Bearer \($0)" }
      change(&request)
    }
  }

  private func status(_ request: WebRequest, _ door: WebDoor) -> Int? {
    var door = door
    if case .answer(let answer) = door.decide(request, at: now).0 { return answer.status }
    return nil
  }

  @Test("Requests for another host's name are refused: a foreign page could have made them")
  func rebinding() {
    for host in [
      "127.0.0.1", "127.0.0.1:80", "[::1]:9105", "localhost:1", "192.168.1.7", "foyer.example.org",
      "FOYER.example.org.:443",
    ] {
      #expect(status(get("/metrics") { $0.host = host }, door()) == nil, "\(host)")
    }
    for host in [
      "evil.example.org", "foyer.example.org.evil.com", "127.0.0.1.nip.io", "127.0.0.1, evil.com", "a@127.0.0.1",
      "localhost.evil.com", "x.localhost", "127.0.0.1:x", "127.0.0.1/..", ":80",
    ] {
      for path in ["/", "/metrics", "/api/status", "/nothing"] {
        #expect(status(get(path) { $0.host = host }, door()) == 421, "\(host)")
      }
    }
    for host in [nil, ""] { #expect(status(get("/") { $0.host = host }, door()) == 400) }
  }

  @Test("On loopback anyone may look; elsewhere every address but the empty page needs a token")
  func looking() {
    for path in ["/metrics", "/healthz", "/api/status", "/api/screenshot"] {
      #expect(status(get(path), door()) == nil)
      #expect(status(get(path), door(open: false)) == 401)
      #expect(status(get(path), door(open: false, tokens: false)) == 401)
      for token in [Self.steer, Self.look] {
        #expect(status(get(path) { $0.authorization = "bearer \(token)" }, door(open: false)) == nil)
      }
      for header in ["Bearer wrong", "Bearer ", "Bearer", "bearer  \(Self.steer)", "Bearer \(Self.steer) "] {
        #expect(status(get(path) { $0.authorization = header }, door(open: false)) == 401, "\(header)")
        // A wrong token is refused, even where none is needed.
        #expect(status(get(path) { $0.authorization = header }, door()) == 401, "\(header)")
      }
    }
    for path in ["/", "/page.js", "/page.css", "/icon.svg"] { #expect(status(get(path), door(open: false)) == 200) }
    // A proxy passes on its own passwords: they give no right here, and take none away.
    for header in ["Basic \(Self.steer)", Self.steer, ""] {
      #expect(status(get("/metrics") { $0.authorization = header }, door()) == nil)
      #expect(status(get("/metrics") { $0.authorization = header }, door(open: false)) == 401)
    }
  }

  @Test("A change needs a POST with the steering token; no other method changes anything")
  func steering() {
    for verb in ControlVerb.allCases
    where verb.parameters.allSatisfy({ !$0.isRequired }) && verb != .command(.seek) && verb != .command(.volume) {
      let body = "{\"verb\":\"\(verb.word)\"}"
      let isEvent = verb == .query(.subscribe) || verb == .query(.unsubscribe)
      let expected: Int? = isEvent ? 400 : nil
      #expect(status(post("/api", body, token: Self.steer), door()) == expected, "\(verb)")
      let mayLook: Int? = verb.changesSomething ? 403 : expected
      for token in [nil, Self.look] { #expect(status(post("/api", body, token: token), door()) == mayLook, "\(verb)") }
      #expect(status(post("/api", body), door(tokens: false)) == mayLook)
      #expect(status(post("/api", body), door(open: false)) == 401)
    }
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "CONNECT", "get", ""] {
      let request = post("/api", "{\"verb\":\"pause\"}", token: Self.steer) { $0.method = method }
      #expect(status(request, door()) == 405, "\(method)")
    }
    #expect(status(get("/api") { $0.query = "verb=pause" }, door()) == 405)
    #expect(status(get("/api/pause"), door()) == 404)
    #expect(status(post("/metrics", "{}", token: Self.steer), door()) == 404)
    #expect(status(post("/", "{}", token: Self.steer), door()) == 405)
  }

  @Test("A screenshot that darkens screens needs the steering token; the looking one allows the composed one")
  func darkening() {
    for (query, mayLook) in [
      ("source=writeback", 403), ("width=160&source=writeback", 403), ("source=%77riteback", 403),
      ("source=composed", nil), (nil, nil),
    ] as [(String?, Int?)] {
      func asked(_ token: String?, _ door: WebDoor) -> Int? {
        status(
          get("/api/screenshot") { request in
            request.query = query
            request.authorization = token.map { "Bearer \($0)" }
          }, door)
      }
      #expect(asked(Self.steer, door()) == nil)
      for token in [nil, Self.look] { #expect(asked(token, door()) == mayLook, "\(query ?? "")") }
      #expect(asked(nil, door(open: false)) == 401)
      #expect(asked(nil, door(tokens: false)) == mayLook)
    }
    for (source, mayLook) in [("writeback", 403), ("composed", nil)] as [(String, Int?)] {
      let body = "{\"verb\":\"screenshot\",\"source\":\"\(source)\"}"
      #expect(status(post("/api", body, token: Self.look), door()) == mayLook)
      #expect(status(post("/api", body, token: Self.steer), door()) == nil)
    }
  }

  @Test("A page from another site can't steer, even with a logged-in browser")
  func foreignPages() {
    var door = door()
    door.sessions.begin(Array("id".utf8), token: Array(Self.steer.utf8), .steer, at: now)
    let body = "{\"verb\":\"pause\"}"
    func asked(_ change: (inout WebRequest) -> Void) -> Int? {
      status(
        post("/api", body) { request in
          request.cookie = "a=b; vitrine=id"
          change(&request)
        }, door)
    }
    #expect(asked { _ in } == nil)
    #expect(asked { $0.origin = "http://127.0.0.1:9105" } == nil)
    #expect(asked { $0.origin = "https://127.0.0.1:9105" } == nil)
    #expect(asked { $0.fetchSite = "same-origin" } == nil)
    for origin in ["http://evil.com", "null", "http://127.0.0.1:80", "http://127.0.0.1:9105.evil.com", ""] {
      #expect(asked { $0.origin = origin } == 403, "\(origin)")
    }
    for site in ["cross-site", "same-site", "x"] { #expect(asked { $0.fetchSite = site } == 403, "\(site)") }
    // Content types that a form can send to another site without a preflight.
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", nil] {
      #expect(asked { $0.contentType = type } == 415)
    }
    #expect(asked { $0.contentType = "application/json; charset=utf-8" } == nil)
  }

  @Test("Each refusal has its number from docs/errors.md")
  func numbers() throws {
    let pause = "{\"verb\":\"pause\"}"
    let refused: [(number: Int, request: WebRequest, door: WebDoor)] = [
      (7703, get("/") { $0.host = nil }, door()), (7704, get("/api/status") { $0.host = "evil.example.org" }, door()),
      (7705, get("/api"), door()), (7706, get("/nothing"), door()),
      (7707, post("/api", pause, token: Self.steer) { $0.origin = "http://evil.example.org" }, door()),
      (7708, post("/api", pause, token: Self.steer) { $0.isTooLarge = true }, door()),
      (7709, post("/api", pause, token: Self.steer) { $0.contentType = "text/plain" }, door()),
      (7710, get("/api/screenshot") { $0.query = "width=%zz" }, door()), (7711, get("/api/status"), door(open: false)),
      (7712, post("/login", "{\"token\":\"x\"}"), door()), (7713, post("/api", pause, token: Self.look), door()),
      (7714, post("/api", pause), door(tokens: false)), (7715, post("/api", "{\"verb\":\"subscribe\"}"), door()),
    ]
    for (number, request, door) in refused {
      var door = door
      guard case .answer(let answer) = door.decide(request, at: now).0 else {
        Issue.record("\(number) isn't refused")
        continue
      }
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(
        text.contains("(error \(number))") || text.contains("\"number\":\(number),"), "\(number): \(text)")
      #expect(answer.status == WebErrors.status(of: number))
    }
    // The server reports 7700 to 7702 (`WebSessionTests`).
    let errors = try String(contentsOf: Tool.root.appending(path: "docs/errors.md"), encoding: .utf8)
    let listed = errors.matches(of: /\n\| (77[01][0-9]) \|/).compactMap { Int($0.1) }
    #expect(Set(refused.map(\.number)).union([7700, 7701, 7702]) == Set(listed))
  }

  @Test("A session has its token's rights until the token changes, the session is idle for long, or it logs out")
  func sessions() {
    var door = door(open: false)
    func login(_ token: String) -> WebDoor.Decision {
      door.decide(post("/login", "{\"token\":\"\(token)\"}"), at: now).0
    }
    #expect(login(Self.steer) == .logIn(Array(Self.steer.utf8), .steer))
    #expect(login(Self.look) == .logIn(Array(Self.look.utf8), .look))
    for token in ["", "x", Self.steer + "x"] {
      if case .answer(let answer) = login(token) { #expect(answer.status == 401) } else { Issue.record("\(token)") }
    }
    door.sessions.begin(Array("id".utf8), token: Array(Self.steer.utf8), .steer, at: now)
    let request = get("/api/status") { $0.cookie = "vitrine=id" }
    let later = now + .seconds(3600)
    #expect(door.decide(request, at: later).1 == .steer)
    #expect(status(get("/api/status") { $0.cookie = "vitrine=i" }, door) == 401)
    var changed = door
    changed.access.steerToken = Array("another-token-altogether".utf8)
    #expect(changed.decide(request, at: later).1 == .nothing)
    var old = door
    #expect(old.decide(request, at: later + .seconds(WebLimits.sessionSeconds + 1)).1 == .nothing)
    var out = door
    #expect(out.decide(post("/logout", "{}") { $0.cookie = "vitrine=id" }, at: now).0 == .logOut("id"))
    out.sessions.end("id")
    #expect(out.decide(request, at: now).1 == .nothing)
    for number in 0..<100 { door.sessions.begin(Array("\(number)".utf8), token: [], .look, at: now) }
    #expect(door.sessions.count == WebLimits.sessions)
    let cookie = door.cookie("abc")
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("Secure"))
    door.access.usesTLS = true
    #expect(door.cookie("abc").hasSuffix("; Secure"))
  }

  @Test("A screenshot follows the socket's rules, and a malformed query is refused")
  func pictures() {
    func asked(_ query: String?) -> WebDoor.Decision {
      var door = door()
      return door.decide(
        get("/api/screenshot") { request in
          request.query = query
          request.authorization = "Bearer \(Self.steer)"
        }, at: now
      ).0
    }
    #expect(asked(nil) == .picture(screen: nil, ControlPictureWish()))
    #expect(asked("width=640&screen=l%65ft") == .picture(screen: "left", ControlPictureWish(width: 640)))
    var card = ControlPictureWish()
    (card.format, card.source) = (.jpeg, .writeback)
    #expect(asked("format=jpeg&source=writeback") == .picture(screen: nil, card))
    for query in ["width=x", "width=0", "width=99999999", "screen=%", "screen=%zz", "screen=%ff", "screen="] {
      guard case .answer(let answer) = asked(query) else {
        Issue.record("\(query)")
        continue
      }
      #expect(answer.status == 400, "\(query)")
    }
  }

  @Test("Only equal tokens match, and an empty token matches none")
  func tokens() {
    #expect(ConstantTime.isSame([1, 2], [1, 2]))
    for other in [[], [1], [1, 2, 1], [1, 3], [1, 2, 1, 2]] as [[UInt8]] {
      #expect(!ConstantTime.isSame([1, 2], other))
    }
    #expect(!ConstantTime.isSame([], [UInt8]()))
  }

  @Test("A request that is too large gets 413, and isn't carried out")
  func large() {
    #expect(status(post("/api", "", token: Self.steer) { $0.isTooLarge = true }, door()) == 413)
    #expect(status(post("/api", "nonsense", token: Self.steer), door()) == 400)
  }
}
