import PlaybackCore

/// Numbers of CEC, each with its reason.
struct CECPolicy: Hashable, Sendable {
  /// A television that wakes from deep sleep may need some seconds until it listens.
  var tries = 5
  /// The wait before the nth repetition is n times this.
  var retryDelay: Duration = .seconds(1)
  /// Televisions acknowledge a command before they obey it. Then they are asked whether they did.
  var settleTime: Duration = .seconds(5)
  /// CEC 1.4 demands an answer within a second; slower devices have been seen.
  var answerLimit: Duration = .seconds(2)
  /// The time for a woken television to raise its hotplug line, which gives the player an address.
  var addressLimit: Duration = .seconds(10)
}

/// Puts a screen to sleep and wakes it, over CEC.
///
/// A wish is sent, then checked by asking for the power status, then sent again if the screen has done something else. A
/// screen that doesn't say counts as having obeyed. Values only: facts and times in, actions out.
struct CECMachine: Sendable {
  enum Event: Hashable, Sendable {
    /// The owner wants the screen on with the player's picture, or asleep.
    case wanted(isOn: Bool)
    case address(CECAddress?)
    /// The outcome of the last `send`: whether its receiver acknowledged it; for a broadcast, whether any device did.
    case sent(wasHeard: Bool)
    case received(CECMessage)
    /// `deadline` has passed.
    case time
  }

  enum Action: Hashable, Sendable {
    /// One at a time: the next follows after `sent`.
    case send(CECMessage)
    case tell(Note)
  }

  enum Note: Hashable, Sendable {
    case obeyed(isOn: Bool)
    /// After `tries` attempts no device has acknowledged, or the screen reports that it hasn't obeyed.
    case gaveUp(isOn: Bool)
  }

  private enum Step: Hashable, Sendable {
    case idle
    /// Messages of the wish are being sent.
    case commanding
    /// The screen was woken before the player had an address, which has to come first.
    case awaitingAddress
    case settling
    /// The machine waits for the screen's power status.
    case asking
    case retrying
  }

  private enum Purpose: Hashable, Sendable { case command, question, reply }
  private struct Outgoing: Hashable, Sendable {
    var message: CECMessage
    var purpose: Purpose
  }

  private let policy: CECPolicy
  private(set) var wish: Bool?
  private var address: CECAddress?
  private var step = Step.idle
  private var tries = 0
  private var waiting: [Outgoing] = []
  private var underWay: Outgoing?
  /// Whether the screen shows the player's picture, as far as known.
  private var isSource = false
  /// When `time` is to come; nil for never.
  private(set) var deadline: Instant?

  init(policy: CECPolicy = CECPolicy()) { self.policy = policy }

  mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .wanted(let isOn):
      wish = isOn
      tries = 0
      begin()
    case .address(let new): addressChanged(new)
    case .sent(let wasHeard): sent(wasHeard, now, &actions)
    case .received(let message): received(message, now, &actions)
    case .time:
      guard let due = deadline, now >= due else { break }
      deadline = nil
      timeIsUp(now, &actions)
    }
    if underWay == nil, !waiting.isEmpty {
      let next = waiting.removeFirst()
      underWay = next
      actions.append(.send(next.message))
    }
    return actions
  }

  // MARK: The wish

  private mutating func begin() {
    deadline = nil
    waiting.removeAll { $0.purpose != .reply }
    guard let wish else { return step = .idle }
    step = .commanding
    if wish {
      // A device without an address may send this message; screens that drop their hotplug line in their sleep need
      // that.
      command(CECMessage.Opcode.imageViewOn, from: address?.logical ?? CECMessage.unregistered)
      announce()
    } else if let address {
      isSource = false
      command(CECMessage.Opcode.standby, from: address.logical)
    } else {
      // Nothing is plugged in, or it sleeps already.
      step = .idle
    }
  }

  private mutating func command(_ opcode: UInt8, from: UInt8) {
    waiting.append(Outgoing(message: CECMessage(from: from, to: CECMessage.television, opcode), purpose: .command))
  }

  /// Asks the screen to show the player's picture.
  private mutating func announce(_ purpose: Purpose = .command) {
    guard let address else { return }
    isSource = true
    let message = CECMessage(
      from: address.logical, to: CECMessage.everybody, CECMessage.Opcode.activeSource, address.physicalBytes)
    waiting.append(Outgoing(message: message, purpose: purpose))
  }

  private mutating func sent(_ wasHeard: Bool, _ now: Instant, _ actions: inout [Action]) {
    guard let done = underWay else { return }
    underWay = nil
    switch (done.purpose, step) {
    case (.command, .commanding):
      guard wasHeard else { return tryAgain(now, &actions) }
      guard !waiting.contains(where: { $0.purpose == .command }) else { return }
      step = address == nil ? .awaitingAddress : .settling
      deadline = now + (address == nil ? policy.addressLimit : policy.settleTime)
    case (.question, .asking):
      // The screen obeyed the command; it can't be asked for its status if it doesn't acknowledge the question.
      guard wasHeard else { return finish(&actions) }
      deadline = now + policy.answerLimit
    default: break
    }
  }

  private mutating func tryAgain(_ now: Instant, _ actions: inout [Action]) {
    waiting.removeAll { $0.purpose != .reply }
    tries += 1
    guard tries < policy.tries else {
      step = .idle
      deadline = nil
      if let wish { actions.append(.tell(.gaveUp(isOn: wish))) }
      return
    }
    step = .retrying
    deadline = now + policy.retryDelay * tries
  }

  private mutating func finish(_ actions: inout [Action]) {
    step = .idle
    deadline = nil
    if let wish { actions.append(.tell(.obeyed(isOn: wish))) }
  }

  private mutating func timeIsUp(_ now: Instant, _ actions: inout [Action]) {
    switch step {
    case .retrying: begin()
    case .awaitingAddress: tryAgain(now, &actions)
    case .settling:
      guard let address else { return finish(&actions) }
      step = .asking
      let question = CECMessage(from: address.logical, to: CECMessage.television, CECMessage.Opcode.givePowerStatus)
      waiting.append(Outgoing(message: question, purpose: .question))
    case .asking: finish(&actions)
    case .idle, .commanding: break
    }
  }

  private mutating func addressChanged(_ new: CECAddress?) {
    let old = address
    address = new
    guard let new, new != old, wish == true else { return }
    switch step {
    case .awaitingAddress: begin()
    // Plugged into another socket. Earlier messages had no address or the old one.
    case .idle, .settling, .asking: announce(.reply)
    case .commanding, .retrying: break
    }
  }

  // MARK: Messages from others

  private mutating func received(_ message: CECMessage, _ now: Instant, _ actions: inout [Action]) {
    typealias Opcode = CECMessage.Opcode
    switch message.opcode {
    case Opcode.reportPowerStatus where message.from == CECMessage.television:
      guard step == .asking, let status = message.parameters.first, let wish else { return }
      // 0 is on, 1 asleep, 2 on its way to on, 3 to sleep.
      if (status == 0 || status == 2) == wish { finish(&actions) } else { tryAgain(now, &actions) }
    case Opcode.featureAbort:
      if step == .asking, message.parameters.first == Opcode.givePowerStatus { finish(&actions) }
    case Opcode.activeSource, Opcode.routingChange:
      // The user has chosen another device, which is to stay.
      let place = message.opcode == Opcode.activeSource ? 0 : 2
      if let chosen = message.address(at: place), chosen != address?.physical { isSource = false }
    case Opcode.setStreamPath:
      if message.address(at: 0) == address?.physical, wish == true { announce(.reply) } else { isSource = false }
    case Opcode.requestActiveSource: if isSource, wish == true { announce(.reply) }
    case Opcode.givePowerStatus:
      reply(to: message, Opcode.reportPowerStatus, [wish == false ? 1 : 0])
    case Opcode.standby: break
    case let opcode?: reply(to: message, Opcode.featureAbort, [opcode, 0])
    case nil: break
    }
  }

  /// Answers a message to the player's own address; broadcasts get no answer.
  private mutating func reply(to message: CECMessage, _ opcode: UInt8, _ parameters: [UInt8]) {
    guard let address, message.to == address.logical, message.from != CECMessage.unregistered else { return }
    let answer = CECMessage(from: address.logical, to: message.from, opcode, parameters)
    waiting.append(Outgoing(message: answer, purpose: .reply))
  }
}
