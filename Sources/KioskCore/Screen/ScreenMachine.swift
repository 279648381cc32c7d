public import PlaybackCore

/// One screen: whether there is one, what is done to have one, and whether it is lit.
///
/// Facts go in, effects come out, in the order in which they are to be carried out; an effect may bring the next fact before those after
/// it are done. States, and what may follow them:
/// - `opening`: nothing is open, and something is to be, as soon as no sink holds the screen. To shown, asleep, waiting, ended.
/// - `waiting`: no screen; it is looked for again and again. To shown, asleep, ended.
/// - `shown`: a screen is open and lit. To asleep, opening (other settings, at the end of an item), waiting (lost), ended.
/// - `asleep`: a screen is open and dark. To shown, opening, waiting, ended.
/// - `ended`: the run ends; nothing follows.
public struct ScreenMachine: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case opening
    case waiting(Unseen)
    /// `isOutdated`: the settings have changed, and another output is opened where the item ends.
    case shown(isOutdated: Bool)
    case asleep(isOutdated: Bool)
    case ended
  }

  /// Whether playback goes on where nobody sees it.
  public enum Unseen: Hashable, Sendable {
    case no
    /// As soon as it is clear that no screen comes with the end of the sink before.
    case wanted
    case playing
  }

  /// What isn't the screen's own: asked for with each fact.
  public struct Surroundings: Hashable, Sendable {
    /// A sink that was let go of may still hold the screen; a `sinkGone` follows.
    public var sinkIsGoing = false
    /// A missing screen is waited for, and doesn't end the run.
    public var waits = false
    /// Playback goes on while the screen is unplugged.
    public var goesOnUnplugged = false
    /// The configuration is on trial, and there is one before it.
    public var canRollBack = false
    /// The system tells when a screen is plugged in.
    public var tellsScreens = false
    /// Whether the settings ask for another output than the one that was open last; nil where none has been.
    public var asksForOther: Bool?

    public init() {}
  }

  public enum Event: Hashable, Sendable {
    case start
    case opened
    case openingFailed(VitrineError)
    /// The session has been told of a setting that no screen serves; its `settingsInUse` came before this, where it took one back.
    case rolledBack(VitrineError)
    case lost(VitrineError, isUnplugged: Bool)
    /// The screen stays, with another size or another place for the picture.
    case changed
    /// Frames come to the sink and none is shown. `reopens`: another sink on this screen hasn't helped.
    case stuck(reopens: Bool)
    /// Some sink that was let go of is down, or given up.
    case sinkGone
    case retryIsDue
    /// A screen was plugged in, or out, somewhere.
    case screensChanged
    case switched(on: Bool)
    case scheduleWants(on: Bool)
    /// New settings, before anything plays by them.
    case settingsChanged
    /// What is to be played by them is in place. `isOther`: another output than the settings before asked for.
    case settingsInUse(isOther: Bool, playsNothing: Bool)
    /// One item has ended, and the next waits for the output.
    case itemEnded
    case end
  }

  public enum Effect: Hashable, Sendable {
    /// Answered by `opened` or `openingFailed`.
    case open
    /// Shows on the open screen what plays.
    case connect
    /// The same for a screen that isn't what it was: the sink is made anew.
    case connectAnew
    /// Takes the sink from the open screen, which stays.
    case disconnect
    /// Takes the sink from the screen, and closes it.
    case letGo(showsLast: Bool)
    /// Plays into memory, without sound.
    case playUnseen
    /// `tellsFailure`: that the output has no such switch is news.
    case setPower(Bool, tellsFailure: Bool)
    /// Says that the screen was switched, to people and to the state file.
    case tellPower(Bool)
    case tellWaiting(VitrineError)
    case retry(after: Duration)
    case stopRetrying
    /// Says whether another output is wanted at the end of the item.
    case tellOutputChange
    /// Whatever was to change of the output before is void.
    case forgetOutputChange(wasWanted: Bool)
    /// Tells the session that its settings have no screen. Answered by `rolledBack`.
    case rollBack(VitrineError)
    /// Ends the run with this error.
    case fail(VitrineError)
  }

  /// How often a missing screen is looked for.
  public static let retryInterval: Duration = .seconds(1)
  /// The same where the system tells of new screens: only in case that it once doesn't. Asking a connector for its screen
  /// can hold a board's loop for tens of milliseconds.
  public static let toldRetryInterval: Duration = .seconds(10)

  public private(set) var state = State.opening
  /// Whether the screen is to be dark, whether there is one or not.
  public private(set) var isOff = false
  private var isOnBySchedule = true
  /// A try waits for the end of a sink.
  private var opensWhenSinkIsGone = false
  /// A try has its time.
  private var isRetrying = false
  /// The open screen is connected, or dark, as its state says.
  private var isSettled = false
  /// The open screen was switched since it was opened: an output that has no such switch is told of then.
  private var wasSwitched = false

  public init() {}

  public var isOpen: Bool {
    switch state {
    case .shown, .asleep: true
    case .opening, .waiting, .ended: false
    }
  }

  /// Whether another output is to be opened where the item ends.
  public var isOutdated: Bool {
    switch state {
    case .shown(let isOutdated), .asleep(let isOutdated): isOutdated
    case .opening, .waiting, .ended: false
    }
  }

  public mutating func handle(_ event: Event, in surroundings: Surroundings) -> [Effect] {
    #if DEBUG
      defer { invariants.enforce(after: event) }
    #endif
    if case .ended = state { return [] }
    switch event {
    case .start, .retryIsDue: return isOpen ? [] : tryToOpen(surroundings)
    case .opened: return opened()
    case .openingFailed(let error): return openingFailed(error, surroundings)
    case .rolledBack(let error): return isOpen || willBeTried ? [] : failed(error, surroundings)
    case .lost(let error, let isUnplugged): return isOpen ? lost(error, isUnplugged, surroundings) : []
    case .changed:
      guard case .shown = state, isSettled else { return [] }
      return [.connectAnew]
    case .stuck(let reopens):
      guard case .shown = state, isSettled else { return [] }
      return reopens ? openAnew(showsLast: false) : [.connectAnew]
    case .sinkGone: return sinkGone(surroundings)
    case .screensChanged:
      guard case .waiting = state else { return [] }
      return tryToOpen(surroundings)
    case .switched(let isOn): return switched(isOn, surroundings)
    case .scheduleWants(let isOn):
      // Only a change of the schedule's mind: what was switched by hand stays until then.
      guard isOnBySchedule != isOn else { return [] }
      isOnBySchedule = isOn
      return switched(isOn, surroundings)
    case .settingsChanged: return setOutdated(surroundings.asksForOther == true)
    case .settingsInUse(let isOther, let playsNothing):
      if !isOpen { return isOther ? tryToOpen(surroundings) : [] }
      // Nothing plays that could come to its end.
      return playsNothing && isOutdated ? openAnew() : []
    case .itemEnded: return isOutdated ? openAnew() : []
    case .end:
      state = .ended
      (isRetrying, opensWhenSinkIsGone, isSettled) = (false, false, false)
      return []
    }
  }

  // MARK: Opening

  private var willBeTried: Bool { isRetrying || opensWhenSinkIsGone }

  /// The old sink may still hold the card or the connection.
  private mutating func tryToOpen(_ surroundings: Surroundings) -> [Effect] {
    isRetrying = false
    opensWhenSinkIsGone = surroundings.sinkIsGoing
    return surroundings.sinkIsGoing ? [.stopRetrying] : [.stopRetrying, .open]
  }

  private mutating func opened() -> [Effect] {
    guard !isOpen else { return [] }
    let playedUnseen = state == .waiting(.playing)
    state = isOff ? .asleep(isOutdated: false) : .shown(isOutdated: false)
    (isRetrying, opensWhenSinkIsGone, isSettled, wasSwitched) = (false, false, false, false)
    return playedUnseen ? [.disconnect] : settle()
  }

  /// A configuration on trial that asks for what isn't there would leave the screen dark: it is taken back.
  private mutating func openingFailed(_ error: VitrineError, _ surroundings: Surroundings) -> [Effect] {
    guard !isOpen else { return [] }
    // At the start nothing has been shown yet, and a screen that is switched off is a normal state: only what no screen could
    // serve counts there.
    let isFaultOfSettings =
      !Self.isHeldByOther(error) && (surroundings.asksForOther ?? Self.isWrongSetting(error))
    if isFaultOfSettings, surroundings.canRollBack { return [.rollBack(error)] }
    return failed(error, surroundings)
  }

  /// Whether no screen could ever serve what is asked for, however it is plugged or switched: a connector that the card
  /// doesn't have (5005), a mode that its driver refuses (5008).
  /// Another screen of ours has the connector, or what it needs of the card: two that change places do so one after the other.
  private static func isHeldByOther(_ error: VitrineError) -> Bool { error.number == 5040 }

  /// Whether a screen is missing in a way that needs nobody: none is plugged in or it is off (5004), another session has the
  /// seat (5010), another screen of ours has what it needs (5040).
  public static func isUsualState(_ error: VitrineError) -> Bool { [5004, 5010, 5040].contains(error.number) }

  private static func isWrongSetting(_ error: VitrineError) -> Bool { [5005, 5008].contains(error.number) }

  private mutating func failed(
    _ error: VitrineError, isUnplugged: Bool = false, _ surroundings: Surroundings
  ) -> [Effect] {
    // A seat comes back when somebody switches to it: that is waited for in any case.
    guard surroundings.waits || error.number == 5010 else {
      state = .ended
      return [.fail(error)]
    }
    var effects: [Effect] = []
    if case .waiting(let unseen) = state {
      // A screen that is dark holds what plays, whether it is there or not.
      if unseen == .wanted, !isOff, !surroundings.sinkIsGoing {
        // No screen has come with the end of the old sink.
        state = .waiting(.playing)
        effects.append(.playUnseen)
      }
    } else {
      state = .waiting(isUnplugged && surroundings.goesOnUnplugged ? .wanted : .no)
      effects.append(.tellWaiting(error))
    }
    isRetrying = true
    // The system tells when a screen comes, but not when another program lets go of a card.
    let isTold = error.number == 5004 && surroundings.tellsScreens
    return effects + [.retry(after: isTold ? Self.toldRetryInterval : Self.retryInterval)]
  }

  // MARK: While it is open

  private mutating func leave() -> Effect {
    let forget = Effect.forgetOutputChange(wasWanted: isOutdated)
    state = .opening
    isSettled = false
    return forget
  }

  private mutating func lost(_ error: VitrineError, _ isUnplugged: Bool, _ surroundings: Surroundings) -> [Effect] {
    // Whatever is opened next is opened by the settings of then.
    let forget = leave()
    let told = failed(error, isUnplugged: isUnplugged, surroundings)
    if case .ended = state { return [forget, .letGo(showsLast: false)] + told }
    // A screen may be back, or another one there, before the old sink is down.
    opensWhenSinkIsGone = isUnplugged
    return [forget] + told + [.letGo(showsLast: false)]
  }

  /// So that nothing that plays is cut short: at the end of an item. The deck that waits for the change goes with the sink, and would
  /// begin here and now if it were told before.
  private mutating func openAnew(showsLast: Bool = true) -> [Effect] {
    let forget = leave()
    opensWhenSinkIsGone = true
    return [.letGo(showsLast: showsLast), forget]
  }

  private mutating func sinkGone(_ surroundings: Surroundings) -> [Effect] {
    guard !surroundings.sinkIsGoing else { return [] }
    switch state {
    case .opening, .waiting: return opensWhenSinkIsGone ? tryToOpen(surroundings) : []
    case .shown, .asleep: return isSettled ? [] : settle()
    case .ended: return []
    }
  }

  private mutating func setOutdated(_ isOther: Bool) -> [Effect] {
    switch state {
    case .shown(let isOutdated) where isOutdated != isOther: state = .shown(isOutdated: isOther)
    case .asleep(let isOutdated) where isOutdated != isOther: state = .asleep(isOutdated: isOther)
    case .shown, .asleep, .opening, .waiting, .ended: return []
    }
    return [.tellOutputChange]
  }

  // MARK: Power

  private mutating func switched(_ isOn: Bool, _ surroundings: Surroundings) -> [Effect] {
    guard isOff == isOn else { return [] }
    isOff = !isOn
    switch state {
    case .shown(let isOutdated): state = .asleep(isOutdated: isOutdated)
    case .asleep(let isOutdated): state = .shown(isOutdated: isOutdated)
    case .waiting(.playing):
      state = .waiting(.wanted)
      return [.tellPower(isOn), .disconnect]
    // Known when there is one; what goes on unseen does so with the next try.
    case .opening, .waiting, .ended: return [.tellPower(isOn)]
    }
    (isSettled, wasSwitched) = (false, true)
    if !isOn { return [.tellPower(false), .disconnect] }
    // The end of the old sink comes to the same place.
    return [.tellPower(true)] + (surroundings.sinkIsGoing ? [] : settle())
  }

  private mutating func settle() -> [Effect] {
    isSettled = true
    if isOff { return [.setPower(false, tellsFailure: wasSwitched)] }
    return (wasSwitched ? [.setPower(true, tellsFailure: true)] : []) + [.connect]
  }

  // MARK: What always holds

  /// What is wrong with this value, whatever happened before.
  package var invariants: Invariants {
    var found = Invariants()
    found.check("no try is to come while a screen is open", !isOpen || !willBeTried)
    if case .shown = state { found.check("what is shown is to be lit", !isOff) }
    if case .asleep = state { found.check("what is asleep is to be dark", isOff) }
    found.check("only an open screen is connected", isOpen || !isSettled)
    found.check("nothing plays unseen while the screen is to be dark", state != .waiting(.playing) || !isOff)
    return found
  }
}
