import ControlProtocol
import JSONText
import PlaybackCore
import TelemetryCore

private let steerToken = "correct-horse-battery-staple"
private let lookToken = "only-looking-only-looking"

/// Requests of HTTP that a client may make up, one after the other to one server: an address and header lines as text,
/// an empty line, the body, a NUL before the next. A request does no more than its token allows, a GET changes nothing,
/// and every answer can be sent.
func readWeb(_ bytes: [UInt8]) {
  for isOpen in [true, false] {
    var access = WebAccess(looksNeedToken: !isOpen, hosts: ["foyer.example.org"])
    access.steerToken = Array(steerToken.utf8)
    access.lookToken = Array(lookToken.utf8)
    var (door, sent, hours) = (WebDoor(access: access), [UInt8](), Int64(0))
    for piece in bytes.split(separator: 0, maxSplits: 40, omittingEmptySubsequences: true) {
      sent += piece
      hours += 1
      let now = Instant(nanoseconds: hours * 3_600_000_000_000)
      let request = WebRequest(made: piece)
      let (decision, right) = door.decide(request, at: now)
      check(decision, right, request, access, sent)
      switch decision {
      case .logIn(let token, let worth):
        precondition(access.right(of: token) == worth && worth > .nothing, "a session for a wrong token")
        // The server makes a random session id; here it is known.
        door.sessions.begin(Array("session\(hours)".utf8), token: token, worth, at: now)
        precondition(door.sessions.count <= WebLimits.sessions, "more sessions than there may be")
      case .logOut(let id): door.sessions.end(id)
      case .answer, .metrics, .health, .status, .picture, .ask: break
      }
    }
  }
}

private func check(
  _ decision: WebDoor.Decision, _ right: WebRight, _ request: WebRequest, _ access: WebAccess, _ sent: [UInt8]
) {
  let text = String(decoding: sent, as: UTF8.self)
  precondition(right < .steer || text.contains(steerToken), "who hasn't sent the token may steer")
  precondition(
    right <= access.strangers || text.contains(lookToken) || text.contains(steerToken), "who has no token may look")
  switch decision {
  case .answer(let answer):
    precondition((200..<600).contains(answer.status), "no status of HTTP")
    let texts = answer.headers.flatMap { [$0.name, $0.value] } + [answer.contentType]
    precondition(texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }, "a header that isn't one line")
    if answer.contentType == "application/json" {
      precondition((try? JSONValue(parsing: answer.body)) != nil, "an answer that is no JSON")
    }
    return
  case .metrics, .health, .status, .picture:
    precondition(request.method == "GET" && right >= .look, "somebody looks who may not")
  case .ask(let asked):
    precondition(request.method == "POST" && right >= .look, "somebody asks who may not")
    precondition(right == .steer || !asked.changesSomething, "somebody steers who may not")
  case .logIn, .logOut: precondition(request.method == "POST", "a GET that changes something")
  }
  precondition(request.host.map { access.knows(host: $0) } == true, "a name that isn't the board's")
  precondition(request.fetchSite.map { ["same-origin", "none"].contains($0) } ?? true, "a page of another site")
  precondition(!request.isTooLarge, "a body that wasn't kept")
}

extension WebRequest {
  /// Fills in a request as the server does, from lines such as `POST /api?a=b` and `host: localhost`.
  fileprivate init(made bytes: ArraySlice<UInt8>) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    func words(_ line: ArraySlice<UInt8>, _ separator: String) -> (String, String?) {
      let parts = line.split(separator: separator.utf8.first ?? 0, maxSplits: 1, omittingEmptySubsequences: false)
      return (
        String(decoding: parts.first ?? [], as: UTF8.self),
        parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : nil
      )
    }
    let (method, address) = words(lines.popFirst() ?? [], " ")
    let (path, query) = words(Array((address ?? "/").utf8)[...], "?")
    self.init(method: method, path: path)
    self.query = query
    while let line = lines.popFirst(), !line.isEmpty {
      let (name, value) = words(line, ":")
      let text = value.map { String($0.drop { $0 == " " }) }
      switch name.lowercased() {
      case "host": host = text
      case "origin": origin = text
      case "sec-fetch-site": fetchSite = text
      case "authorization": authorization = text
      case "cookie": cookie = text
      case "content-type": contentType = text
      default: break
      }
    }
    body = Array(lines.joined(separator: [0x0A]))
    isTooLarge = body.count > WebLimits.bodyBytes
  }
}
