public import PlaybackCore

/// Numbers of PJLink, each with its reason.
public struct PJLinkPolicy: Hashable, Sendable {
  /// A projector on its way to on or off is asked again after this time. It needs a minute or more, and the player's
  /// picture waits for none of it: a faster question would only be more load for a slow processor.
  public var settleTime: Duration = .seconds(5)
  /// A projector that is as it is to be is asked again after this time: soon enough for a room without a picture, and
  /// less than any of its own pages on the network costs it.
  public var lookInterval: Duration = .seconds(60)
  /// For how long after a command the old state doesn't count as disobedience: some projectors report it for a while.
  public var obeyTime: Duration = .seconds(20)
  /// The longest time to warm up or cool down: lamps cool for five minutes at most, and commands may be refused
  /// meanwhile.
  public var changeLimit: Duration = .seconds(600)
  /// How often one wish is sent: a lost command gets a second one, and who switches the projector by its remote control
  /// three times means it.
  public var tries = 3
  /// After this time in the wished state the tries count from zero again: a person who wants another state says so within
  /// minutes, and whatever changes it a day later, such as the power at the wall, is another case.
  public var forgivenAfter: Duration = .seconds(3600)
  /// The time for one exchange, with the connection: a lost packet of it takes three seconds, and projectors that sleep
  /// are slow.
  public var answerLimit: Duration = .seconds(10)
  /// The wait after the first failure; each further one doubles it.
  public var retryDelay: Duration = .seconds(5)
  /// The longest wait: a projector that is switched on at the wall in the morning shows its picture a minute later.
  public var longestRetryDelay: Duration = .seconds(60)
  /// Failures in a row until they are told: networks come up after the player, and projectors drop a connection now and
  /// then.
  public var toldAfter = 3

  public init() {}
}

/// Switches a projector on and off and chooses its input, over PJLink.
///
/// A look asks for the power; where it differs from the wish, the wish is sent, and the next look says whether it was
/// obeyed. Input, faults and lamps follow in the same look. Looks go on for ever: often while something changes, else
/// once a minute, and more and more rarely if there is no answer. Values only: facts and times in, actions out.
public struct PJLinkMachine: Sendable {
  public enum Event: Hashable, Sendable {
    /// The owner wants the projector on, with the player's picture, or off.
    case wanted(isOn: Bool)
    /// The answer to the last `ask`.
    case answered(PJLinkReply)
    /// The last `ask` came to nothing.
    case failed(PJLinkFailure)
    /// `deadline` has passed.
    case time
  }

  public enum Action: Hashable, Sendable {
    /// One at a time: the next follows after `answered` or `failed`.
    case ask(PJLinkCommand)
    /// Forget the command under way: no answer to it counts any more.
    case giveUp
    case tell(Note)
  }

  public enum Note: Hashable, Sendable {
    /// The projector is as wished.
    case obeyed(isOn: Bool)
    /// Somebody has switched it, and it is switched back.
    case corrected(isOn: Bool)
    case troubled(ProjectorState.Trouble)
    /// The projector shows the wished input again.
    case showsInput(String)
    /// The projector answers again.
    case answers
    /// The faults that it reports have changed.
    case faults(ProjectorFaults)
  }

  /// The course of the present wish.
  private struct Attempt: Hashable, Sendable {
    /// When the last command to switch it was accepted.
    var sentAt: Instant?
    /// Whether it has been as wished.
    var hasObeyed = false
    /// Since when it has been on its way, or has taken no commands.
    var changingSince: Instant?
    /// Since when it is as wished, as far as known.
    var rightSince: Instant?
    /// Since when it shows the wished input, as far as known.
    var inputRightSince: Instant?
    /// Commands that were accepted, or refused for good.
    var powerTries = 0
    var inputTries = 0
  }

  private let policy: PJLinkPolicy
  /// The input that it is to show; nil for any.
  private let input: String?
  public private(set) var state = ProjectorState()
  /// When `time` is to come; nil before the first wish.
  public private(set) var deadline: Instant?
  public private(set) var underWay: PJLinkCommand?
  /// Whether the wish has changed since the command under way was sent.
  private var isOldCommand = false
  private var attempt = Attempt()
  /// Whether an input was chosen that the next look has to check.
  private var isSettling = false
  private var failures = 0
  private var linkTrouble: PJLinkFailure?
  private var powerTrouble: ProjectorState.Trouble?
  private var inputTrouble: ProjectorState.Trouble?

  /// - Parameter input: two digits: `ProjectorAddress.input`.
  public init(input: String? = nil, policy: PJLinkPolicy = PJLinkPolicy()) {
    self.input = input
    self.policy = policy
  }

  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .wanted(let isOn): wanted(isOn, now, &actions)
    case .answered(let reply): answered(reply, now, &actions)
    case .failed(let failure):
      guard underWay != nil else { break }
      failed(failure, now, &actions)
    case .time:
      guard let due = deadline, now >= due else { break }
      if underWay == nil {
        look(now, &actions)
      } else {
        actions.append(.giveUp)
        failed(.silent, now, &actions)
      }
    }
    state.trouble = linkTrouble.map { .link($0) } ?? powerTrouble ?? inputTrouble
    return actions
  }

  // MARK: Exchanges

  private mutating func wanted(_ isOn: Bool, _ now: Instant, _ actions: inout [Action]) {
    guard state.isWantedOn != isOn else { return }
    state.isWantedOn = isOn
    attempt = Attempt()
    (failures, isSettling) = (0, false)
    (powerTrouble, inputTrouble) = (nil, nil)
    if underWay == nil { look(now, &actions) } else { isOldCommand = true }
  }

  private mutating func look(_ now: Instant, _ actions: inout [Action]) { ask(.askPower, now, &actions) }

  private mutating func ask(_ command: PJLinkCommand, _ now: Instant, _ actions: inout [Action]) {
    underWay = command
    deadline = now + policy.answerLimit
    actions.append(.ask(command))
  }

  private mutating func pause(_ duration: Duration, _ now: Instant) { deadline = now + duration }

  private mutating func failed(_ failure: PJLinkFailure, _ now: Instant, _ actions: inout [Action]) {
    let (command, isOld) = (underWay, isOldCommand)
    (underWay, isOldCommand) = (nil, false)
    switch command {
    case .askInput, .input, .askFaults, .askLamps:
      // It has told its power: some hang up at a command that they don't know. The next look says whether it is gone.
      return isOld ? look(now, &actions) : rest(now)
    // It may have obeyed all the same.
    case .power where !isOld: attempt.powerTries += 1
    case .power, .askPower, nil: break
    }
    state.power = nil
    failures += 1
    // 16 doublings are longer than any wait.
    let doubled = policy.retryDelay * (1 << min(failures - 1, 16))
    // A projector may lock those out who send wrong passwords; a person has to come in any case.
    let needsPerson = failure == .wrongPassword || failure == .noPassword
    pause(needsPerson ? policy.longestRetryDelay : min(doubled, policy.longestRetryDelay), now)
    guard needsPerson || failures >= policy.toldAfter, linkTrouble?.kind != failure.kind else { return }
    linkTrouble = failure
    actions.append(.tell(.troubled(.link(failure))))
  }

  private mutating func answered(_ reply: PJLinkReply, _ now: Instant, _ actions: inout [Action]) {
    guard let command = underWay else { return }
    if reply == .wrongPassword { return failed(.wrongPassword, now, &actions) }
    if command == .askPower, reply == .unreadable { return failed(.garbled, now, &actions) }
    underWay = nil
    failures = 0
    if linkTrouble != nil {
      linkTrouble = nil
      actions.append(.tell(.answers))
    }
    if isOldCommand {
      isOldCommand = false
      return look(now, &actions)
    }
    switch command {
    case .askPower: powerTold(reply, now, &actions)
    case .power: powerSent(reply, now, &actions)
    case .askInput: inputTold(reply, now, &actions)
    case .input: inputSent(reply, now, &actions)
    case .askFaults: faultsTold(reply, now, &actions)
    case .askLamps:
      if case .lamps(let lamps) = reply { state.lamps = lamps }
      rest(now)
    }
  }

  private mutating func rest(_ now: Instant) {
    pause(isSettling ? policy.settleTime : policy.lookInterval, now)
    isSettling = false
  }

  // MARK: Power

  private mutating func powerTold(_ reply: PJLinkReply, _ now: Instant, _ actions: inout [Action]) {
    guard let isOn = state.isWantedOn else { return }
    guard case .power(let power) = reply else {
      state.power = nil
      return waitForChange(now, &actions)
    }
    state.power = power
    if power == (isOn ? .on : .off) { return isRight(now, &actions) }
    attempt.rightSince = nil
    guard power == .on || power == .off else { return waitForChange(now, &actions) }
    if let sentAt = attempt.sentAt, now - sentAt < policy.obeyTime { return pause(policy.settleTime, now) }
    guard attempt.powerTries < policy.tries else { return disobeys(now, &actions) }
    if attempt.hasObeyed { actions.append(.tell(.corrected(isOn: isOn))) }
    ask(.power(isOn), now, &actions)
  }

  private mutating func isRight(_ now: Instant, _ actions: inout [Action]) {
    guard let isOn = state.isWantedOn else { return }
    attempt.hasObeyed = true
    if let since = attempt.rightSince {
      if now - since >= policy.forgivenAfter { attempt.powerTries = 0 }
    } else {
      attempt.rightSince = now
      actions.append(.tell(.obeyed(isOn: isOn)))
    }
    (powerTrouble, attempt.changingSince) = (nil, nil)
    ask(isOn && input != nil ? .askInput : .askFaults, now, &actions)
  }

  private mutating func powerSent(_ reply: PJLinkReply, _ now: Instant, _ actions: inout [Action]) {
    switch reply {
    case .done:
      attempt.powerTries += 1
      (attempt.sentAt, attempt.changingSince) = (now, nil)
    case .refused(.notNow): return waitForChange(now, &actions)
    default: attempt.powerTries += 1
    }
    pause(policy.settleTime, now)
  }

  /// The projector is on its way, or takes no commands now.
  private mutating func waitForChange(_ now: Instant, _ actions: inout [Action]) {
    let since = attempt.changingSince ?? now
    attempt.changingSince = since
    if now - since < policy.changeLimit { pause(policy.settleTime, now) } else { disobeys(now, &actions) }
  }

  private mutating func disobeys(_ now: Instant, _ actions: inout [Action]) {
    pause(policy.lookInterval, now)
    guard powerTrouble == nil, let isOn = state.isWantedOn else { return }
    let trouble = ProjectorState.Trouble.disobeys(isWantedOn: isOn)
    powerTrouble = trouble
    actions.append(.tell(.troubled(trouble)))
  }

  // MARK: Input

  private mutating func inputTold(_ reply: PJLinkReply, _ now: Instant, _ actions: inout [Action]) {
    guard let input else { return }
    state.input = if case .input(let shown) = reply { shown } else { nil }
    if state.input == input {
      if inputTrouble != nil { actions.append(.tell(.showsInput(input))) }
      inputTrouble = nil
      let since = attempt.inputRightSince ?? now
      attempt.inputRightSince = since
      if now - since >= policy.forgivenAfter { attempt.inputTries = 0 }
      return ask(.askFaults, now, &actions)
    }
    attempt.inputRightSince = nil
    if attempt.inputTries < policy.tries, state.input != nil || attempt.inputTries == 0 {
      // A projector that doesn't say what it shows is told once.
      return ask(.input(input), now, &actions)
    } else if state.input != nil {
      inputIsWrong(.otherInput(wanted: input, shown: state.input), &actions)
    }
    ask(.askFaults, now, &actions)
  }

  private mutating func inputSent(_ reply: PJLinkReply, _ now: Instant, _ actions: inout [Action]) {
    guard let input else { return }
    switch reply {
    case .refused(.notNow):
      // Just after warming up, or while the input has no signal.
      isSettling = now - (attempt.rightSince ?? now) < policy.changeLimit
      if !isSettling { inputIsWrong(.otherInput(wanted: input, shown: state.input), &actions) }
    case .refused(.outOfRange), .refused(.unknownCommand):
      attempt.inputTries = policy.tries
      inputIsWrong(.noSuchInput(input), &actions)
    default:
      attempt.inputTries += 1
      isSettling = true
    }
    ask(.askFaults, now, &actions)
  }

  private mutating func inputIsWrong(_ trouble: ProjectorState.Trouble, _ actions: inout [Action]) {
    guard inputTrouble == nil else { return }
    inputTrouble = trouble
    actions.append(.tell(.troubled(trouble)))
  }

  // MARK: Faults

  private mutating func faultsTold(_ reply: PJLinkReply, _ now: Instant, _ actions: inout [Action]) {
    // In standby many projectors don't say: the last that they said holds.
    if case .faults(let faults) = reply, faults != state.faults {
      state.faults = faults
      actions.append(.tell(.faults(faults)))
    }
    if state.isWantedOn == true { ask(.askLamps, now, &actions) } else { rest(now) }
  }
}

extension PJLinkFailure {
  /// Tells failures apart that a person mends in different ways.
  fileprivate var kind: Int {
    switch self {
    case .unreachable, .silent: 0
    case .garbled: 1
    case .wrongPassword: 2
    case .noPassword: 3
    }
  }
}
