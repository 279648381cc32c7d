public import PlaybackCore

/// Decides when cues are sent: which frame a time belongs to, and whose item begins or ends. A value without a clock.
///
/// The rule of times: a cue is sent with the first frame at or after its time that is shown while the item plays
/// forwards. `passed` of a playing is the time up to which its cues are done. Playing on moves it, over dropped frames
/// too; a seek moves it without sending; going backwards takes it back, so that what is played again is sent again. A
/// frame that is shown again (a pause, an item that is opened again after a break, a new screen) sends nothing again.
public struct CueMachine: Sendable {
  public enum Event: Sendable {
    /// The configuration has these cues now, and these items in each playlist.
    case configured([Cue], lists: [String: [MediaItem]])
    case started(Start)
    case shown(ShownFrame)
    /// A seek was sent. Its frames have that epoch.
    case sought(FrameEpoch, to: Duration, isForward: Bool)
    /// The item is no longer the current one, or has come to its end.
    case ended(ItemID, DeckID)
    /// No item follows: the last picture stays.
    case stays
    case failed(ItemID, MediaItem)
    /// An event without an item.
    case happened(CueMoment)
    /// The health of the player was looked at.
    case health(KioskStatus.Health)
    /// The screen is closed.
    case closed
  }

  public enum Action: Hashable, Sendable {
    case send(Cue)
    /// More cues are due than are sent; so many were dropped before this one without a word.
    case tellTooMany(before: Int)
  }

  /// An item that becomes the current one; its first frame may be shown later.
  public struct Start: Sendable {
    public var item: ItemID
    public var media: MediaItem
    /// Name of the playlist that plays; nil where the item isn't of it.
    public var list: String?
    public var deck: DeckID
    public var isForward: Bool
    /// Whether its first frame is on the screen already, as a preview.
    public var isShown: Bool

    public init(
      _ item: ItemID, _ media: MediaItem, list: String? = nil, deck: DeckID, isForward: Bool = true,
      isShown: Bool = false
    ) {
      self.item = item
      self.media = media
      self.list = list
      self.deck = deck
      self.isForward = isForward
      self.isShown = isShown
    }
  }

  /// A frame that was shown, or a sound that was heard where there is no picture.
  public struct ShownFrame: Sendable {
    public var deck: DeckID
    /// The item that the deck plays, where it is the current one.
    public var item: ItemID?
    public var epoch: FrameEpoch
    public var at: Duration
    /// Whether playback is wanted, and nothing holds it back. The frames of a finger on the bar aren't of the program.
    public var isRunning: Bool

    public init(
      _ deck: DeckID, item: ItemID?, epoch: FrameEpoch = .start, at position: Duration, isRunning: Bool = true
    ) {
      self.deck = deck
      self.item = item
      self.epoch = epoch
      at = position
      self.isRunning = isRunning
    }
  }

  /// Cues a second, and at once after a pause: a cue with each frame of a film of 60 frames, and some scenes beside it.
  /// The player's own door takes 200 requests a second: cues that start each other through it stay below that.
  public static let perSecond = 100.0
  /// How often the player's health is looked at, where a cue depends on it.
  public static let healthInterval: Duration = .seconds(1)
  /// The first frame of a medium may lie so far behind its start; a playing that begins further in was resumed there.
  static let startSlack: Duration = .seconds(1)

  private var cues: [Cue] = []
  private var lists: [String: [MediaItem]] = [:]
  private var screens: [String: Screen] = [:]
  private var allowance = RateAllowance(perSecond: perSecond, burst: perSecond)
  private var floods = LineLimit<Bool>()
  private var health = SettledHealth()

  /// The item on a screen, and the one that comes next.
  private struct Screen: Sendable {
    var current: Playing?
    var next: Playing?
  }

  public init() {}

  /// Whether the health of the player matters now.
  public var followsHealth: Bool { cues.contains(where: \.moment.isOfHealth) }

  /// Whether the frames of a screen matter now.
  public func followsFrames(of screen: String?) -> Bool {
    guard let state = screens[screen ?? ""] else { return false }
    return state.next != nil || state.current?.times.isEmpty == false
  }

  /// - Parameter screen: name of the screen that the event is of; nil where it has none.
  public mutating func handle(_ event: Event, of screen: String? = nil, at now: Instant) -> [Action] {
    let key = screen ?? ""
    var due: [Cue] = []
    switch event {
    case .configured(let cues, let lists): configure(cues, lists)
    case .started(let start): due = started(start, on: screen)
    case .shown(let frame): due = shown(frame, on: screen)
    case .sought(let epoch, let target, let isForward):
      guard let playing = screens[key]?.current else { break }
      // A change of rate goes on where it is.
      let goesOn = target == playing.last
      screens[key]?.current?.seek = Playing.Seek(epoch: epoch, isForward: isForward, goesOn: goesOn)
    case .ended(let item, let deck): ended(item, deck, on: key)
    case .stays:
      guard let playing = screens[key]?.current, playing.ending == .ahead else { break }
      screens[key]?.current?.ending = .told
      due = cues(for: .itemEnded, of: playing, on: screen)
    case .failed(let item, let media):
      if screens[key]?.next?.item == item { screens[key]?.next = nil }
      let known = screens[key]?.current.flatMap { $0.item == item ? $0 : nil }
      let failed = known ?? Playing(Start(item, media, deck: DeckID(generation: 0)))
      due = cues(for: .itemFailed, of: failed, on: screen)
    case .happened(let moment): due = cues.filter { $0.moment == moment && $0.isOn(screen) }
    case .health(let health):
      guard let settled = self.health.saw(health, at: now) else { break }
      due = cues.filter { $0.moment.rawValue == settled.rawValue }
    case .closed: screens[key] = nil
    }
    return due.isEmpty ? [] : admit(due, at: now)
  }

  private mutating func admit(_ due: [Cue], at now: Instant) -> [Action] {
    due.compactMap { cue in
      if allowance.admit(at: now) { return .send(cue) }
      return floods.admitLine(true, at: now).map { .tellTooMany(before: $0) }
    }
  }

  private mutating func configure(_ cues: [Cue], _ lists: [String: [MediaItem]]) {
    (self.cues, self.lists) = (cues, lists)
    for (key, var state) in screens {
      let screen = key.isEmpty ? nil : key
      if let playing = state.current {
        // Its frames weren't followed so far: the next one gives the position.
        if playing.times.isEmpty { state.current?.passed = nil }
        state.current?.times = times(of: playing, on: screen)
      }
      if let next = state.next { state.next?.times = times(of: next, on: screen) }
      screens[key] = state
    }
  }

  // MARK: Items

  private mutating func started(_ start: Start, on screen: String?) -> [Cue] {
    let key = screen ?? ""
    // The same playing in another deck: its source broke off, or its screen was away.
    if let playing = screens[key]?.current, playing.item == start.item, playing.ending == .no {
      screens[key]?.next = nil
      screens[key]?.current?.move(to: start.deck)
      return []
    }
    var playing = Playing(start)
    playing.times = times(of: playing, on: screen)
    screens[key, default: Screen()].next = playing
    return start.isShown ? begin(on: screen) : []
  }

  /// Notes the end of an item, whose last frame is still shown. A loop has the same item twice, so the deck comes first;
  /// a deck that was opened again without a frame is known by its item alone.
  private mutating func ended(_ item: ItemID, _ deck: DeckID, on key: String) {
    guard let state = screens[key] else { return }
    if state.next?.deck == deck {
      screens[key]?.next = nil
    } else if let playing = state.current, playing.deck == deck || playing.item == item {
      screens[key]?.current?.ending = .ahead
    } else if state.next?.item == item {
      screens[key]?.next = nil
    }
  }

  /// The next item's first frame is on the screen: the one before has ended.
  private mutating func begin(on screen: String?) -> [Cue] {
    let key = screen ?? ""
    guard let playing = screens[key]?.next else { return [] }
    var due: [Cue] = []
    if let old = screens[key]?.current, old.ending != .told { due = cues(for: .itemEnded, of: old, on: screen) }
    screens[key] = Screen(current: playing)
    return due + cues(for: .itemStarted, of: playing, on: screen)
  }

  private mutating func shown(_ frame: ShownFrame, on screen: String?) -> [Cue] {
    guard let state = screens[screen ?? ""] else { return [] }
    var due: [Cue] = []
    if let next = state.next, next.deck == frame.deck || next.item == frame.item {
      due = begin(on: screen)
      screens[screen ?? ""]?.current?.move(to: frame.deck)
    }
    guard var playing = screens[screen ?? ""]?.current else { return due }
    if playing.deck != frame.deck {
      guard playing.item == frame.item, playing.ending == .no else { return due }
      playing.move(to: frame.deck)
    }
    due += playing.advance(to: frame).map { cues[$0] }
    screens[screen ?? ""]?.current = playing
    return due
  }

  // MARK: Cues of an item

  private func cues(for moment: CueMoment, of playing: Playing, on screen: String?) -> [Cue] {
    var known: [String: Bool] = [:]
    return cues.filter { $0.moment == moment && $0.isOn(screen) && isMeant(playing, by: $0, &known) }
  }

  private func times(of playing: Playing, on screen: String?) -> [Playing.Time] {
    var known: [String: Bool] = [:]
    var times: [Playing.Time] = []
    for (index, cue) in cues.enumerated() {
      guard cue.moment == .time, let at = cue.at, cue.isOn(screen), isMeant(playing, by: cue, &known) else { continue }
      times.append(Playing.Time(at: at, cue: index))
    }
    return times.sorted { ($0.at, $0.cue) < ($1.at, $1.cue) }
  }

  /// - Parameter known: the playlists that were searched for the item: there may be a hundred thousand items.
  private func isMeant(_ playing: Playing, by cue: Cue, _ known: inout [String: Bool]) -> Bool {
    guard let name = cue.playlist else { return true }
    if let number = cue.item {
      guard let items = lists[name], items.indices.contains(number - 1) else { return false }
      return items[number - 1] == playing.media
    }
    if let found = known[name] { return found }
    let found = playing.list == name || lists[name]?.contains(playing.media) == true
    known[name] = found
    return found
  }
}

extension Cue {
  fileprivate func isOn(_ screen: String?) -> Bool { self.screen == nil || self.screen == screen || screen == nil }
}

/// One playing of an item, from its first frame to the next item's.
private struct Playing: Sendable {
  struct Time: Sendable {
    var at: Duration
    /// Its index.
    var cue: Int
  }

  struct Seek: Sendable {
    var epoch: FrameEpoch
    var isForward: Bool
    /// Whether it leads to where it was.
    var goesOn: Bool
  }

  enum Ending: Sendable {
    case no
    /// The item has ended; its last picture is still shown.
    case ahead
    case told
  }

  var item: ItemID
  var media: MediaItem
  var list: String?
  var deck: DeckID
  var isForward: Bool
  var ending = Ending.no
  /// Cues of earlier times are done; nil where no frame was followed yet.
  var passed: Duration?
  /// Whether those of that time itself are done, too.
  var isDone = false
  /// The newest frame.
  var last: Duration?
  /// The seek whose frames haven't come yet.
  var seek: Seek?
  private var hasMoved = false
  /// In the order of their times.
  var times: [Time] = []

  init(_ start: CueMachine.Start) {
    item = start.item
    media = start.media
    list = start.list
    deck = start.deck
    isForward = start.isForward
    passed = start.media.start
  }

  /// Goes on in another deck.
  mutating func move(to deck: DeckID) {
    if deck != self.deck { hasMoved = true }
    self.deck = deck
  }

  /// Follows a frame.
  ///
  /// - Returns: the cues that are due with it.
  mutating func advance(to frame: CueMachine.ShownFrame) -> [Int] {
    let at = frame.at
    let isFirst = last == nil
    last = at
    if let seek, seek.epoch == frame.epoch || hasMoved {
      self.seek = nil
      isForward = seek.isForward
      if !seek.goesOn { return land(at, frame) }
    }
    hasMoved = false
    guard isForward else {
      (passed, isDone) = (at, false)
      return []
    }
    guard let passed else {
      (self.passed, isDone) = (at, true)
      return []
    }
    if isFirst, at - passed > CueMachine.startSlack { return land(at, frame) }
    // Frames after a seek while playback is held, also one that is shown again for the overlay, aren't played.
    if !isFirst, !isDone, !frame.isRunning {
      self.passed = at
      return []
    }
    guard at > passed || (at == passed && !isDone) else { return [] }
    let due = cues(from: passed, isDone: isDone, through: at)
    (self.passed, isDone) = (at, true)
    return due
  }

  /// Starts again at the frame that a seek has led to. Cues at that frame are sent only while playback runs.
  private mutating func land(_ at: Duration, _ frame: CueMachine.ShownFrame) -> [Int] {
    hasMoved = false
    let isSent = isForward && frame.isRunning
    (passed, isDone) = (at, isSent)
    return isSent ? cues(from: at, isDone: false, through: at) : []
  }

  private func cues(from first: Duration, isDone: Bool, through last: Duration) -> [Int] {
    let begin = index { isDone ? $0 > first : $0 >= first }
    let end = index { $0 > last }
    return begin < end ? times[begin..<end].map(\.cue) : []
  }

  /// The first time that is `behind`; the times before it aren't.
  private func index(_ behind: (Duration) -> Bool) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if behind(times[middle].at) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
