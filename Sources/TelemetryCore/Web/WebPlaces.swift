public import PlaybackCore

/// Assigns the few connections (`WebLimits.connections`), and decides which one is closed for a new one. A value: the
/// server reports each connection's progress.
///
/// header (accepted) -> body (header received) -> working (request complete) -> idle (answered) -> body ...
public struct WebPlaces: Hashable, Sendable {
  private enum State: Int, Hashable, Sendable {
    case header
    case body
    case working
    case idle
  }

  /// The origin of connections. Clients that can use many addresses count as one: IPv6 addresses by the network that a
  /// provider assigns to a household.
  private struct Source: Hashable, Sendable {
    let bytes: ArraySlice<UInt8>
    let isLocal: Bool

    init(_ address: [UInt8]) {
      bytes = address.prefix(8)
      isLocal = NetworkReach(address: address, in: AttachedNetworks()) == .loopback
    }
  }

  private struct Place: Hashable, Sendable {
    let id: UInt64
    let source: Source
    var state = State.header
    var since: Instant
  }

  public enum Admission: Hashable, Sendable {
    /// - Parameter instead: the connection that is closed for it.
    case admitted(UInt64, instead: UInt64?)
    case refused
  }

  private var places: [Place] = []
  private var lastID: UInt64 = 0

  public init() {}

  public var count: Int { places.count }

  /// Decides about a new connection.
  ///
  /// - Parameter address: the client's address, of 4 or 16 bytes.
  public mutating func admit(_ address: [UInt8], at now: Instant) -> Admission {
    let source = Source(address)
    var instead: UInt64?
    let remote = places.filter { !$0.source.isLocal }
    // Clients on the board itself have connections that remote ones can't take.
    let isRemoteFull = !source.isLocal && remote.count >= WebLimits.connections - WebLimits.localConnections
    if isRemoteFull || places.count >= WebLimits.connections {
      guard let victim = victim(among: isRemoteFull ? remote : places, at: now) else { return .refused }
      instead = victim
      leave(victim)
    }
    lastID += 1
    places.append(Place(id: lastID, source: source, since: now))
    return .admitted(lastID, instead: instead)
  }

  /// The connection to close: never one whose request is being answered. Sources with the most connections come first,
  /// then unfinished requests, then the longest wait.
  private func victim(among candidates: [Place], at now: Instant) -> UInt64? {
    var counts: [Source: Int] = [:]
    for place in candidates { counts[place.source, default: 0] += 1 }
    func count(_ place: Place) -> Int { counts[place.source] ?? 0 }
    let few = WebLimits.connections / 2
    return candidates.filter { place in
      switch place.state {
      case .header, .body: true
      case .working: false
      // A browser is about to send its next request.
      case .idle: now - place.since >= .seconds(WebLimits.idleSeconds) || count(place) > few
      }
    }.min {
      (-count($0), $0.state.rawValue, $0.since) < (-count($1), $1.state.rawValue, $1.since)
    }?.id
  }

  public mutating func headerCame(_ id: UInt64, at now: Instant) { change(id, .body, at: now) }
  public mutating func requestCame(_ id: UInt64, at now: Instant) { change(id, .working, at: now) }
  public mutating func answered(_ id: UInt64, at now: Instant) { change(id, .idle, at: now) }
  public mutating func leave(_ id: UInt64) { places.removeAll { $0.id == id } }

  private mutating func change(_ id: UInt64, _ state: State, at now: Instant) {
    guard let index = places.firstIndex(where: { $0.id == id }) else { return }
    // Input during the answer belongs to the next request: this answer decides the state.
    places[index].state = state
    places[index].since = now
  }

  /// Connections whose time is up.
  public func expired(at now: Instant) -> [UInt64] {
    places.filter { place in
      now - place.since > .seconds(place.state == .header ? WebLimits.headerSeconds : WebLimits.seconds)
    }.map(\.id)
  }
}
