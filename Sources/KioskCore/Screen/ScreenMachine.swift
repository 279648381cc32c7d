public import PlaybackCore

/// Decides on one screen: opens it, looks for a missing one, connects playback to it, and switches it on and off.
///
/// Facts go in, actions come out, in the order in which they must be carried out; an action may cause the next fact
/// before the actions after it are done. The states, and those that may follow:
/// - `opening`: nothing is open, and a screen is opened as soon as no sink holds it. To shown, asleep, waiting, ended.
/// - `waiting`: there is no screen; the machine looks for it at intervals. To shown, asleep, ended.
/// - `shown`: a screen is open and on. To asleep, opening (other settings, at the end of an item), waiting (lost),
///   ended.
/// - `asleep`: a screen is open and off. To shown, opening, waiting, ended.
/// - `ended`: the run ends; no state follows.
public struct ScreenMachine: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case opening
    case waiting(Unseen)
    /// `isOutdated`: the settings have changed, and another output is opened when the item ends.
    case shown(isOutdated: Bool)
    case asleep(isOutdated: Bool)
    case ended
  }

  /// How playback goes on without a screen.
  public enum Unseen: Hashable, Sendable {
    case no
    /// Playback is to go on without a screen, as soon as the previous sink has ended and no screen has come.
    case wanted
    case playing
  }

  /// The facts around the screen, which the session gives with each event.
  public struct Surroundings: Hashable, Sendable {
    /// Whether a detached sink may still hold the screen; a `sinkGone` follows.
    public var sinkIsGoing = false
    /// Whether the run waits for a missing screen, instead of ending.
    public var waits = false
    /// Whether playback goes on while the screen is unplugged.
    public var goesOnUnplugged = false
    /// Whether the configuration is on trial, and there is an earlier one.
    public var canRollBack = false
    /// Whether the system reports that a screen is plugged in.
    public var tellsScreens = false
    /// Whether the settings ask for another output than the one that was open last; nil where none has been.
    public var asksForOther: Bool?

    public init() {}
  }

  public enum Event: Hashable, Sendable {
    case start
    case opened
    case openingFailed(VitrineError)
    /// The owner knows of a setting that no screen can serve; if it has taken the configuration back, `settingsInUse`
    /// came first.
    case rolledBack(VitrineError)
    case lost(VitrineError, isUnplugged: Bool)
    /// The screen has changed its size, or the picture's place on it.
    case changed
    /// The sink gets frames and shows none. `reopens`: another sink on this screen hasn't helped.
    case stuck(reopens: Bool)
    /// A detached sink is down, or was given up.
    case sinkGone
    case retryIsDue
    /// A screen was plugged in or out somewhere on the machine.
    case screensChanged
    case switched(on: Bool)
    case scheduleWants(on: Bool)
    /// An alert has come for this screen, or the last one has gone: it is shown on a screen that is to sleep, too.
    case alertChanged(isShown: Bool)
    /// There are new settings, which no item uses yet.
    case settingsChanged
    /// The new settings' lists are in place. `isOther`: they ask for another output than the previous settings.
    case settingsInUse(isOther: Bool, playsNothing: Bool)
    /// An item has ended, and the next one waits for the output.
    case itemEnded
    case end
  }

  public enum Action: Hashable, Sendable {
    /// Opens a screen. Answered by `opened` or `openingFailed`.
    case open
    /// Connects playback to the open screen.
    case connect
    /// Connects playback to the open screen with a new sink, because the screen has changed.
    case connectAnew
    /// Removes the sink from the open screen, which stays.
    case disconnect
    /// Removes the sink from the screen, and closes it.
    case letGo(showsLast: Bool)
    /// Plays into memory, without sound.
    case playUnseen
    /// Switches the screen. `tellsFailure`: an output that can't be switched is worth a log line.
    case setPower(Bool, tellsFailure: Bool)
    /// Reports that the screen was switched, to people and to the state file.
    case tellPower(Bool)
    case tellWaiting(VitrineError)
    case retry(after: Duration)
    case stopRetrying
    /// Tells playback whether another output is wanted at the end of the item.
    case tellOutputChange
    /// Drops the changes that were wanted for the previous output.
    case forgetOutputChange(wasWanted: Bool)
    /// Tells the session that its settings have no screen. Answered by `rolledBack`.
    case rollBack(VitrineError)
    /// Ends the run with this error.
    case fail(VitrineError)
  }

  /// How often a missing screen is looked for.
  public static let retryInterval: Duration = .seconds(1)
  /// The interval where the system reports new screens: only in case that a report is lost. Asking a connector for its
  /// screen can block a board's loop for tens of milliseconds.
  public static let toldRetryInterval: Duration = .seconds(10)

  public private(set) var state = State.opening
  /// Whether the screen is switched off; true even while no screen is connected.
  public private(set) var isOff = false
  private var isOnBySchedule = true
  /// Whether the screen is to sleep, by hand or by the schedule, as soon as no alert is shown.
  private var isToSleep = false
  private var hasAlert = false
  /// Whether the next try waits for the end of a sink.
  private var opensWhenSinkIsGone = false
  /// Whether a timer for the next try is running.
  private var isRetrying = false
  /// Whether the open screen is connected, or dark, as its state says.
  private var isSettled = false
  /// Whether the open screen was switched since it was opened: then an output that can't be switched is reported.
  private var wasSwitched = false

  public init() {}

  public var isOpen: Bool {
    switch state {
    case .shown, .asleep: true
    case .opening, .waiting, .ended: false
    }
  }

  /// Whether another output is opened when the item ends.
  public var isOutdated: Bool {
    switch state {
    case .shown(let isOutdated), .asleep(let isOutdated): isOutdated
    case .opening, .waiting, .ended: false
    }
  }

  public mutating func handle(_ event: Event, in surroundings: Surroundings) -> [Action] {
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
    case .switched(let isOn):
      isToSleep = !isOn
      return followPower(surroundings)
    case .scheduleWants(let isOn):
      // Only a change counts: a switch by hand holds until the schedule's next change.
      guard isOnBySchedule != isOn else { return [] }
      isOnBySchedule = isOn
      isToSleep = !isOn
      return followPower(surroundings)
    case .alertChanged(let isShown):
      hasAlert = isShown
      return followPower(surroundings)
    case .settingsChanged: return setOutdated(surroundings.asksForOther == true)
    case .settingsInUse(let isOther, let playsNothing):
      if !isOpen { return isOther ? tryToOpen(surroundings) : [] }
      // No item plays that could end.
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

  /// Opens a screen, after the old sink has ended: it may still hold the card or the connection.
  private mutating func tryToOpen(_ surroundings: Surroundings) -> [Action] {
    isRetrying = false
    opensWhenSinkIsGone = surroundings.sinkIsGoing
    return surroundings.sinkIsGoing ? [.stopRetrying] : [.stopRetrying, .open]
  }

  private mutating func opened() -> [Action] {
    guard !isOpen else { return [] }
    let playedUnseen = state == .waiting(.playing)
    state = isOff ? .asleep(isOutdated: false) : .shown(isOutdated: false)
    (isRetrying, opensWhenSinkIsGone, isSettled, wasSwitched) = (false, false, false, false)
    return playedUnseen ? [.disconnect] : settle()
  }

  /// Handles a failed opening. A configuration on trial that asks for a missing screen would leave the screen dark: it
  /// is taken back.
  private mutating func openingFailed(_ error: VitrineError, _ surroundings: Surroundings) -> [Action] {
    guard !isOpen else { return [] }
    // At the start nothing has been shown yet, and a screen that is switched off is normal: only settings that no
    // screen could serve count.
    let isFaultOfSettings =
      !Self.isHeldByOther(error) && (surroundings.asksForOther ?? Self.isWrongSetting(error))
    if isFaultOfSettings, surroundings.canRollBack { return [.rollBack(error)] }
    return failed(error, surroundings)
  }

  /// Whether another screen of this player has the connector, or what it needs of the card: two screens that swap
  /// connectors do so one after the other.
  private static func isHeldByOther(_ error: VitrineError) -> Bool { error.number == 5040 }

  /// Whether the reason for a missing screen is usual and needs no action: none is plugged in or it is off (5004),
  /// another session has the seat (5010), another screen of this player has what it needs (5040).
  public static func isUsualState(_ error: VitrineError) -> Bool { [5004, 5010, 5040].contains(error.number) }

  /// Whether no screen could ever serve the settings: a connector that the card doesn't have (5005), a mode that its
  /// driver refuses (5008).
  private static func isWrongSetting(_ error: VitrineError) -> Bool { [5005, 5008].contains(error.number) }

  private mutating func failed(
    _ error: VitrineError, isUnplugged: Bool = false, _ surroundings: Surroundings
  ) -> [Action] {
    // A seat comes back when somebody switches to it: the machine waits for that in any case.
    guard surroundings.waits || error.number == 5010 else {
      state = .ended
      return [.fail(error)]
    }
    var actions: [Action] = []
    if case .waiting(let unseen) = state {
      // A screen that is switched off holds playback, even while it is missing.
      if unseen == .wanted, !isOff, !surroundings.sinkIsGoing {
        // The old sink has ended, and no screen has come.
        state = .waiting(.playing)
        actions.append(.playUnseen)
      }
    } else {
      state = .waiting(isUnplugged && surroundings.goesOnUnplugged ? .wanted : .no)
      actions.append(.tellWaiting(error))
    }
    isRetrying = true
    // The system reports a new screen, but not that another program releases a card.
    let isTold = error.number == 5004 && surroundings.tellsScreens
    return actions + [.retry(after: isTold ? Self.toldRetryInterval : Self.retryInterval)]
  }

  // MARK: While it is open

  private mutating func leave() -> Action {
    let forget = Action.forgetOutputChange(wasWanted: isOutdated)
    state = .opening
    isSettled = false
    return forget
  }

  private mutating func lost(_ error: VitrineError, _ isUnplugged: Bool, _ surroundings: Surroundings) -> [Action] {
    // The next screen is opened with the settings of that time.
    let forget = leave()
    let told = failed(error, isUnplugged: isUnplugged, surroundings)
    if case .ended = state { return [forget, .letGo(showsLast: false)] + told }
    // A screen may be plugged in again before the old sink is down.
    opensWhenSinkIsGone = isUnplugged
    return [forget] + told + [.letGo(showsLast: false)]
  }

  /// Reopens the screen at the end of an item, so that none is cut short. The deck that waits for the change must go
  /// with the sink: if it were told first, it would begin at once.
  private mutating func openAnew(showsLast: Bool = true) -> [Action] {
    let forget = leave()
    opensWhenSinkIsGone = true
    return [.letGo(showsLast: showsLast), forget]
  }

  private mutating func sinkGone(_ surroundings: Surroundings) -> [Action] {
    guard !surroundings.sinkIsGoing else { return [] }
    switch state {
    case .opening, .waiting: return opensWhenSinkIsGone ? tryToOpen(surroundings) : []
    case .shown, .asleep: return isSettled ? [] : settle()
    case .ended: return []
    }
  }

  private mutating func setOutdated(_ isOther: Bool) -> [Action] {
    switch state {
    case .shown(let isOutdated) where isOutdated != isOther: state = .shown(isOutdated: isOther)
    case .asleep(let isOutdated) where isOutdated != isOther: state = .asleep(isOutdated: isOther)
    case .shown, .asleep, .opening, .waiting, .ended: return []
    }
    return [.tellOutputChange]
  }

  // MARK: Power

  private mutating func followPower(_ surroundings: Surroundings) -> [Action] {
    let isOn = !isToSleep || hasAlert
    guard isOff == isOn else { return [] }
    isOff = !isOn
    switch state {
    case .shown(let isOutdated): state = .asleep(isOutdated: isOutdated)
    case .asleep(let isOutdated): state = .shown(isOutdated: isOutdated)
    case .waiting(.playing):
      state = .waiting(.wanted)
      return [.tellPower(isOn), .disconnect]
    // The next screen is opened in this state; unseen playback resumes with the next try.
    case .opening, .waiting, .ended: return [.tellPower(isOn)]
    }
    (isSettled, wasSwitched) = (false, true)
    if !isOn { return [.tellPower(false), .disconnect] }
    // `sinkGone` settles the screen later, if the old sink is still there.
    return [.tellPower(true)] + (surroundings.sinkIsGoing ? [] : settle())
  }

  private mutating func settle() -> [Action] {
    isSettled = true
    if isOff { return [.setPower(false, tellsFailure: wasSwitched)] }
    return (wasSwitched ? [.setPower(true, tellsFailure: true)] : []) + [.connect]
  }

  // MARK: Invariants

  /// The conditions that always hold. Debug builds check them after each event.
  package var invariants: Invariants {
    var found = Invariants()
    found.check("a screen with an alert is lit, and one without it as it is to be", isOff == (isToSleep && !hasAlert))
    found.check("no try is to come while a screen is open", !isOpen || !willBeTried)
    if case .shown = state { found.check("what is shown is to be lit", !isOff) }
    if case .asleep = state { found.check("what is asleep is to be dark", isOff) }
    found.check("only an open screen is connected", isOpen || !isSettled)
    found.check("nothing plays unseen while the screen is to be dark", state != .waiting(.playing) || !isOff)
    return found
  }
}
