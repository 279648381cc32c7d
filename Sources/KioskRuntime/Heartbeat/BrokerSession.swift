internal import ControlProtocol
internal import JSONText
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import Mosquitto
internal import PlaybackCore
internal import TelemetryCore

/// Tells a broker how the board fares, and does what it is told by it where that is wanted. Confined to the loop's thread; `BrokerLink` has a
/// thread of its own for the line.
final class BrokerSession {
  private let options: TelemetryOptions.Broker
  private let topics: BrokerTopics
  private let loop: EventLoop
  private let log: Logger
  private weak var owner: (any ControlServerOwner)?
  private var link: BrokerLink?
  private var machine: BrokerMachine
  private var commands = BrokerCommands()
  private var watch = ControlWatch()
  private var timer: EventSource?
  private var gathered: EventSource?
  private var commandLines = CommandLines(door: "control")
  private var ignoredLines = LineLimit<BrokerCommands.Reason>()

  /// Changes are looked for together that come so soon after each other.
  private static let gathering: Duration = .milliseconds(100)

  /// - Parameters:
  ///   - name: of the board.
  ///   - seed: another one on each board.
  init(
    _ options: TelemetryOptions.Broker, name: String, seed: UInt64, on loop: EventLoop,
    owner: any ControlServerOwner, log: Logger, policy: BrokerMachine.Policy = BrokerMachine.Policy()
  ) {
    self.options = options
    self.loop = loop
    self.owner = owner
    self.log = log
    topics = BrokerTopics(base: options.topic, name: name)
    machine = BrokerMachine(policy, seed: seed, at: .monotonicNow)
    var setup = BrokerSetup(options.address, client: topics.client(machine: FirstLine.read("/etc/machine-id") ?? ""))
    setup.user = options.user
    setup.passwordFile = options.passwordFile
    setup.authoritiesFile = options.authoritiesFile
    setup.will = (topics.presence, "offline")
    setup.commandTopic = options.takesCommands ? topics.command : nil
    link = BrokerLink(setup, on: loop) { [weak self] in self?.takeLinkEvent($0) }
    arm()
  }

  /// - Parameter isEnd: the process ends: then the broker says that we are gone, as when it dies.
  func stop(isEnd: Bool = false) {
    timer = nil
    gathered = nil
    guard let link else { return }
    self.link = nil
    guard !isEnd else { return }
    publish(BrokerMessage(topics.presence, "offline", isRetained: true), by: link)
    link.hangUp()
  }

  // MARK: What is told

  func hear(_ notice: ScreenNotice, of screen: String?) {
    switch notice {
    case .itemFailed(let item, let error):
      let uri = JSONValue.Member("uri", .string(Redaction.value(item.uri)))
      tell(ControlEvent(.itemFailed, screen: screen, [uri, .init("error", ControlReply.json(error))]))
    case .problem(let error), .failed(let error), .settingsFailed(let error):
      tell(ControlEvent(.problem, screen: screen, [.init("error", ControlReply.json(error))]))
    case .itemStarted, .presenceChanged, .settled: look()
    default: break
    }
  }

  func noteProblem(_ error: VitrineError) { tell(ControlEvent(.problem, [.init("error", ControlReply.json(error))])) }

  private func tell(_ event: ControlEvent) { feed(.happened(event.json.compact)) }

  /// What has changed is told soon; this comes with each frame.
  private func look() {
    guard gathered == nil, machine.isOnline else { return }
    gathered = loop.after(Self.gathering) { [weak self] in
      guard let self, let owner else { return }
      gathered = nil
      if !watch.look(at: owner.controlAsksForStatus()).isEmpty { feed(.changed) }
    }
  }

  // MARK: The line

  private func takeLinkEvent(_ event: BrokerLink.Event) {
    switch event {
    case .connected: feed(.connected)
    case .disconnected(let reason): feed(.disconnected(reason))
    case .sent: feed(.sent)
    case .message(let payload, let isRetained): obey(payload, isRetained: isRetained)
    }
  }

  private func feed(_ event: BrokerMachine.Event) {
    guard let link else { return }
    for effect in machine.handle(event, at: .monotonicNow) { perform(effect, by: link) }
    arm()
  }

  private func arm() {
    timer = machine.due.map { due in
      loop.after(max(.zero, due - .monotonicNow)) { [weak self] in self?.feed(.looked) }
    }
  }

  private func perform(_ effect: BrokerMachine.Effect, by link: BrokerLink) {
    switch effect {
    case .connect: link.connect()
    case .greet:
      publish(BrokerMessage(topics.presence, "online", isRetained: true), by: link)
      guard options.announcesHomeAssistant else { break }
      let status = owner?.controlAsksForStatus()
      let messages = HomeAssistant.announcements(
        topics, name: status?.name ?? topics.id, version: Version.text, takesCommands: options.takesCommands)
      for message in messages { publish(message, by: link) }
    case .status:
      guard let status = owner?.controlAsksForStatus() else { break }
      _ = watch.look(at: status)
      publish(BrokerMessage(topics.status, ControlWatch.json(status).compact, isRetained: true), by: link)
    case .events(let lines): for line in lines { publish(BrokerMessage(topics.event, line), by: link) }
    case .tellFailure(let reason): log.warning("\(TelemetryErrors.noBroker(options.address, reason).line)")
    case .tellRecovery(let failures): log.notice("\(options.address) is there again; \(failures) tries failed")
    }
  }

  private func publish(_ message: BrokerMessage, by link: BrokerLink) {
    link.publish(message.payload, to: message.topic, isRetained: message.isRetained)
  }

  // MARK: Commands

  private func obey(_ payload: [UInt8], isRetained: Bool) {
    guard let owner, let link, options.takesCommands else { return }
    switch commands.takePayload(payload, isRetained: isRetained, at: .monotonicNow) {
    case .perform(let request):
      tellCommand(request)
      // What it can't answer at once isn't among a broker's verbs.
      _ = owner.perform(request) { answer($0, to: request.id, by: link) }
      look()
    case .refuse(let id, let error): answer(.failed(error), to: id, by: link)
    case .ignore(let reason):
      guard let heldBack = ignoredLines.takeLine(reason, at: .monotonicNow) else { break }
      log.warning("\(TelemetryErrors.ignored(topics.command, reason, heldBack: heldBack).line)")
    }
  }

  private func answer(_ reply: ControlReply, to id: JSONValue, by link: BrokerLink) {
    link.publish(reply.line(id: id), to: topics.answer, isRetained: false)
  }

  private func tellCommand(_ request: ControlRequest) {
    if request.changesSomething { commandLines.tell(request.verb, by: "\(options.address)", to: log) }
  }
}

extension TelemetryErrors {
  static func noBroker(_ address: BrokerAddress, _ reason: String) -> VitrineError {
    VitrineError(
      7761, subject: "\(address)", message: "the broker can't be reached, or hangs up: \(reason)",
      remedy: "check its address, its log, and mqtt_user, mqtt_password_file and mqtt_ca_file; it is tried again")
  }

  static func ignored(_ topic: String, _ reason: BrokerCommands.Reason, heldBack: Int) -> VitrineError {
    let rest = heldBack > 0 ? " (\(heldBack) more)" : ""
    return switch reason {
    case .retained:
      VitrineError(
        7762, subject: topic, message: "a command that the broker keeps is left alone\(rest)",
        remedy: "publish commands without the retain flag, and clear the topic")
    case .tooMany:
      VitrineError(
        7762, subject: topic, message: "more commands come than \(Int(BrokerCommands.perSecond)) a second\(rest)",
        remedy: "find out who sends them")
    }
  }
}
