public import PlaybackCore

/// The rights of a client by HTTP.
public enum WebRight: Int, Hashable, Sendable, Comparable {
  case nothing
  case look
  case steer

  public static func < (a: WebRight, b: WebRight) -> Bool { a.rawValue < b.rawValue }

  public var word: String {
    switch self {
    case .nothing: "nothing"
    case .look: "look"
    case .steer: "steer"
    }
  }
}

/// The tokens of the board's server, and the names under which it may be called.
public struct WebAccess: Hashable, Sendable {
  /// The token for steering; nil if steering by HTTP is off.
  public var steerToken: [UInt8]?
  /// The token for looking.
  public var lookToken: [UInt8]?
  /// Whether looking needs a token: if other machines can reach the server, or a token for looking is set.
  public var looksNeedToken: Bool
  /// Whether the server speaks TLS itself.
  public var usesTLS: Bool
  /// Host names of the board, in lower case, besides addresses and localhost.
  public var hosts: [String]

  public init(looksNeedToken: Bool, usesTLS: Bool = false, hosts: [String] = []) {
    self.looksNeedToken = looksNeedToken
    self.usesTLS = usesTLS
    self.hosts = hosts.map { $0.lowercased() }
  }

  /// The rights of a client without a token.
  public var strangers: WebRight { looksNeedToken ? .nothing : .look }

  public func right(of token: some Collection<UInt8>) -> WebRight {
    // Both are always compared, so that the time taken reveals nothing.
    let steers = steerToken.map { ConstantTime.isSame($0, token) } ?? false
    let looks = lookToken.map { ConstantTime.isSame($0, token) } ?? false
    return steers ? .steer : looks ? .look : .nothing
  }

  /// Whether the board may be called by this name. A hostile page whose name resolves to this board (DNS rebinding)
  /// sends its own name; an address or one of the board's names can't be its.
  public func knows(host: String) -> Bool {
    guard !host.contains(where: { ",@/\\ ".contains($0) }), let origin = WebOrigin(.http, server: host) else {
      return false
    }
    let name = origin.host
    if ["localhost"].contains(name) || hosts.contains(name) { return true }
    return NetworkReach(host: name) != nil && !name.hasSuffix(".localhost")
  }

  /// Whether the page that sends the request comes from this server, by the browser's Origin header.
  func isOwn(origin: String, host: String) -> Bool {
    guard let theirs = WebOrigin(address: origin) else { return false }
    // Behind a proxy that speaks TLS, the scheme differs; only the host decides.
    return WebOrigin(theirs.scheme, server: host) == theirs && (!usesTLS || theirs.scheme == .https)
  }
}

public enum ConstantTime {
  /// Whether two texts are the same. The time taken depends only on the length of the text that was sent.
  public static func isSame(_ secret: [UInt8], _ sent: some Collection<UInt8>) -> Bool {
    guard !secret.isEmpty else { return false }
    var difference = secret.count ^ sent.count
    var index = 0
    for byte in sent {
      difference |= Int(secret[index] ^ byte)
      index = index + 1 == secret.count ? 0 : index + 1
    }
    return difference == 0
  }
}

/// Pages that are logged in.
public struct WebSessions: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var id: [UInt8]
    var right: WebRight
    /// The token of the login: the session ends when that token becomes invalid.
    var token: [UInt8]
    var usedAt: Instant
  }

  private var entries: [Entry] = []

  public init() {}

  public var count: Int { entries.count }

  /// - Parameter id: random, so that it can't be guessed.
  public mutating func begin(_ id: [UInt8], token: [UInt8], _ right: WebRight, at now: Instant) {
    drop(at: now)
    if entries.count >= WebLimits.sessions { entries.removeFirst() }
    entries.append(Entry(id: id, right: right, token: token, usedAt: now))
  }

  public mutating func end(_ id: String) { entries.removeAll { ConstantTime.isSame($0.id, id.utf8) } }

  mutating func right(of id: String, _ access: WebAccess, at now: Instant) -> WebRight {
    drop(at: now)
    var found: Int?
    for index in entries.indices where ConstantTime.isSame(entries[index].id, id.utf8) { found = index }
    guard let found else { return .nothing }
    entries[found].usedAt = now
    return min(entries[found].right, access.right(of: entries[found].token))
  }

  private mutating func drop(at now: Instant) {
    entries.removeAll { now - $0.usedAt > .seconds(WebLimits.sessionSeconds) }
  }
}
