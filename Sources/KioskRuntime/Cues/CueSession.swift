internal import ControlProtocol
internal import Downloads
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// Tells other machines what `CueMachine` decides, each over a line of its own: one that is dead, slow or unknown
/// delays no other. Confined to the loop's thread; nothing here waits.
final class CueSession {
  private let loop: EventLoop
  private let clock: any EngineClock
  private weak var owner: (any ScreenSessionOwner)?
  private let log: Logger
  private var machine = CueMachine()
  private var access = ServerAccess()
  private var routes: [CueRoute: CueSender] = [:]
  private let serial: SerialSession?
  /// The next look at the player's health; nil where no cue depends on it.
  private var look: (any EngineTimer)?

  /// - Parameter serial: follows the same options, before this one.
  init(
    on loop: EventLoop, clock: any EngineClock, owner: (any ScreenSessionOwner)?, serial: SerialSession? = nil,
    log: Logger
  ) {
    self.loop = loop
    self.clock = clock
    self.owner = owner
    self.serial = serial
    self.log = log
  }

  /// Takes the configuration's cues from new options. Receivers that stay keep their lines.
  func follow(_ options: KioskOptions) {
    let cues = options.settings.cues.map(\.cue)
    if access != options.settings.network.access {
      access = options.settings.network.access
      for (route, sender) in routes where route.isOfWeb { drop(route, sender) }
    }
    let wanted = Set(cues.compactMap { CueRoute($0) })
    for (route, sender) in routes where !wanted.contains(route) { drop(route, sender) }
    for route in wanted where routes[route] == nil { routes[route] = sender(for: route) }
    _ = machine.handle(.configured(cues, lists: options.clips), at: clock.now)
    if !machine.followsHealth { look = nil } else if look == nil { scheduleLook() }
  }

  private func scheduleLook() {
    look = clock.after(CueMachine.healthInterval) { [weak self] in
      guard let self, let status = owner?.screenAsksForStatus() else { return }
      scheduleLook()
      handle(.health(status.health), on: nil)
    }
  }

  func followsFrames(of screen: String?) -> Bool { machine.followsFrames(of: screen) }

  func handle(_ event: CueMachine.Event, on screen: String?) {
    for action in machine.handle(event, of: screen, at: clock.now) {
      switch action {
      case .send(let cue): send(cue)
      case .tellTooMany(let before): report(CueErrors.tooMany(before))
      }
    }
  }

  /// Takes an event of the control socket.
  func happened(_ kind: ControlEventKind, on screen: String?) {
    guard let moment = CueMoment(rawValue: kind.rawValue), !moment.isOfItem else { return }
    handle(.happened(moment), on: screen)
  }

  func closed(_ screen: String?) { handle(.closed, on: screen) }

  func stop() {
    look = nil
    for (route, sender) in routes { drop(route, sender) }
  }

  private func drop(_ route: CueRoute, _ sender: CueSender) {
    sender.stop()
    routes[route] = nil
  }

  // MARK: Messages

  private func send(_ cue: Cue) {
    guard let address = cue.address else { return }
    log.debug("cue \(cue.moment.rawValue): \(Redaction.value("\(address)"))")
    if case .mqtt(let topic) = address {
      owner?.screen(nil, tells: .publish(topic, cue.text))
    } else if let route = CueRoute(cue) {
      routes[route]?.send(cue)
    }
  }

  private func sender(for route: CueRoute) -> CueSender {
    let line: any CueLine =
      switch route {
      case .datagrams(let receiver): DatagramLine(to: receiver, on: loop)
      case .connection(let receiver): ConnectionLine(to: receiver, on: loop)
      case .web: PostLine(access, on: loop)
      case .line(let line): PulseLine(line, clock: clock)
      case .serial(let path): SerialCueLine(path, of: serial)
      }
    return CueSender(line, clock: clock) { [weak self] told in
      switch told {
      case .failure(let reason): self?.report(CueErrors.notDelivered(route, reason))
      case .recovery(let lost): self?.log.notice("\(route) takes cues again; \(lost) are lost")
      }
    }
  }

  private func report(_ error: VitrineError) {
    log.report(error)
    owner?.screen(nil, tells: .problem(error))
  }
}

/// A receiver that has a line, a queue and a health of its own.
enum CueRoute: Hashable {
  case datagrams(CueReceiver)
  case connection(CueReceiver)
  case web(WebOrigin)
  case line(InputLine)
  case serial(String)

  /// Nil for the broker, which has those elsewhere.
  init?(_ cue: Cue) {
    switch cue.address {
    case .osc(let receiver, _), .udp(let receiver): self = .datagrams(receiver)
    case .tcp(let receiver): self = .connection(receiver)
    case .http(let text):
      guard let origin = WebOrigin(address: text) else { return nil }
      self = .web(origin)
    case .gpio(let chip, let name):
      var line = InputLine(name, chip: chip)
      line.isActiveLow = cue.isActiveLow
      self = .line(line)
    case .serial(let path, _): self = .serial(path)
    case .mqtt, nil: return nil
    }
  }

  var isOfWeb: Bool { if case .web = self { true } else { false } }
}

extension CueRoute: CustomStringConvertible {
  var description: String {
    switch self {
    case .datagrams(let receiver): "udp://\(receiver)"
    case .connection(let receiver): "tcp://\(receiver)"
    case .web(let origin): "\(origin)"
    case .line(let line): line.title
    case .serial(let path): "serial:\(path)"
    }
  }
}

/// The errors of cues: numbers 7640 to 7649, listed in docs/errors.md.
enum CueErrors {
  static func notDelivered(_ route: CueRoute, _ reason: String) -> VitrineError {
    VitrineError(
      7640, subject: "\(route)", message: "cues can't be delivered: \(reason); those that are late aren't sent",
      remedy: "check the receiver, its address in [[cue]] and the network; the next cue tries again")
  }

  static func tooMany(_ before: Int) -> VitrineError {
    let rest = before > 0 ? " (\(before) before this were dropped, too)" : ""
    return VitrineError(
      7641, subject: "[[cue]]",
      message: "more cues are due than \(Int(CueMachine.perSecond)) a second, and some are dropped\(rest)",
      remedy: "look for cues that start each other through [control] listen")
  }
}
