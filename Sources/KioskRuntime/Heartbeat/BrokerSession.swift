internal import ControlProtocol
internal import JSONText
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import Mosquitto
internal import PlaybackCore
internal import TelemetryCore

/// Publishes the board's status to an MQTT broker, and takes commands from it if the configuration allows that.
/// Confined to the loop's thread; `BrokerLink` has a thread of its own for the connection.
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

  /// Changes within this time are published together.
  private static let gathering: Duration = .milliseconds(100)

  /// - Parameters:
  ///   - name: the board's name.
  ///   - seed: differs from board to board.
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
    link = BrokerLink(setup, on: loop) { [weak self] in self?.handleLinkEvent($0) }
    arm()
  }

  /// - Parameter isEnd: the process ends; then the broker publishes the will, as after a crash.
  func stop(isEnd: Bool = false) {
    timer = nil
    gathered = nil
    guard let link else { return }
    self.link = nil
    guard !isEnd else { return }
    publish(BrokerMessage(topics.presence, "offline", isRetained: true), by: link)
    link.hangUp()
  }

  // MARK: Events and status

  func handle(_ notice: ScreenNotice, of screen: String?) {
    if let event = notice.event(of: screen) { publishEvent(event) }
    switch notice {
    case .itemStarted, .presenceChanged, .settled: scheduleUpdate()
    // Without a line it is lost: a cue that comes after its moment would be wrong.
    case .publish(let topic, let text): link?.publish(Array(text.utf8), to: topic, isRetained: false)
    default: break
    }
  }

  func publishProblem(_ error: VitrineError) { publishEvent(.problem(error, on: nil)) }

  private func publishEvent(_ event: ControlEvent) { feed(.happened(event.json.compact)) }

  /// Publishes changes soon, gathered: this is called for each frame.
  private func scheduleUpdate() {
    guard gathered == nil, machine.isOnline else { return }
    gathered = loop.after(Self.gathering) { [weak self] in
      guard let self, let owner else { return }
      gathered = nil
      if !watch.compare(with: owner.controlAsksForStatus()).isEmpty { feed(.changed) }
    }
  }

  // MARK: The line

  private func handleLinkEvent(_ event: BrokerLink.Event) {
    switch event {
    case .connected: feed(.connected)
    case .disconnected(let reason): feed(.disconnected(reason))
    case .sent: feed(.sent)
    case .message(let payload, let isRetained): obey(payload, isRetained: isRetained)
    }
  }

  private func feed(_ event: BrokerMachine.Event) {
    guard let link else { return }
    for action in machine.handle(event, at: .monotonicNow) { perform(action, by: link) }
    arm()
  }

  private func arm() {
    timer = machine.due.map { due in
      loop.after(max(.zero, due - .monotonicNow)) { [weak self] in self?.feed(.looked) }
    }
  }

  private func perform(_ action: BrokerMachine.Action, by link: BrokerLink) {
    switch action {
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
      _ = watch.compare(with: status)
      publish(BrokerMessage(topics.status, ControlWatch.json(status).compact, isRetained: true), by: link)
    case .events(let lines): for line in lines { publish(BrokerMessage(topics.event, line), by: link) }
    case .tellFailure(let reason): log.warning("\(TelemetryErrors.noBroker(options.address, reason).line)")
    case .tellRecovery(let failures): log.notice("\(options.address) is reachable again after \(failures) failed tries")
    }
  }

  private func publish(_ message: BrokerMessage, by link: BrokerLink) {
    link.publish(message.payload, to: message.topic, isRetained: message.isRetained)
  }

  // MARK: Commands

  private func obey(_ payload: [UInt8], isRetained: Bool) {
    guard let owner, let link, options.takesCommands else { return }
    switch commands.handlePayload(payload, isRetained: isRetained, at: .monotonicNow) {
    case .perform(let request):
      logCommand(request)
      // The requests that `perform` can't answer aren't among the verbs of a broker.
      _ = owner.perform(request) { answer($0, to: request.id, by: link) }
      scheduleUpdate()
    case .refuse(let id, let error): answer(.failed(error), to: id, by: link)
    case .ignore(let reason):
      guard let heldBack = ignoredLines.admitLine(reason, at: .monotonicNow) else { break }
      log.warning("\(TelemetryErrors.ignored(topics.command, reason, heldBack: heldBack).line)")
    }
  }

  private func answer(_ reply: ControlReply, to id: JSONValue, by link: BrokerLink) {
    link.publish(reply.line(id: id), to: topics.answer, isRetained: false)
  }

  private func logCommand(_ request: ControlRequest) {
    if request.changesSomething { commandLines.write(request.verb, by: "\(options.address)", to: log) }
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
        7762, subject: topic, message: "a retained command is ignored\(rest)",
        remedy: "publish commands without the retain flag, and clear the topic")
    case .tooMany:
      VitrineError(
        7762, subject: topic, message: "more commands come than \(Int(BrokerCommands.perSecond)) a second\(rest)",
        remedy: "find out who sends them")
    }
  }
}
