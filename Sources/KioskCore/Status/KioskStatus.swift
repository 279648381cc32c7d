public import InteractionCore
public import PlaybackCore

/// How a kiosk fares at one moment: everything that the status card, the state files, the report and whoever asks from
/// outside read. One value, so that no two of them can say different things.
///
/// What it encodes to has snake_case keys and no unit that its key doesn't name. Addresses and errors are redacted; texts that strangers
/// may have written are clipped (`PlainText.longest`).
public struct KioskStatus: Hashable, Sendable, Encodable {
  /// As a whole, and told by a word of its own.
  public enum Health: String, Hashable, Sendable, Encodable, CaseIterable {
    case healthy
    /// It plays, and somebody should look at it.
    case attention
    /// Nothing is to be seen.
    case trouble
  }

  public var version: String
  /// The board's name and addresses.
  public var name: String
  public var addresses: [String] = []
  /// Since the process started.
  public var uptimeSeconds: Double
  public var screens: [Screen] = []
  /// Nil where nothing was read from files.
  public var configuration: Configuration?
  /// Nil where no copies are kept, or none are wanted.
  public var store: Store?
  /// Nil where nobody would start the process again.
  public var survival: Survival?
  public var board = Board()
  /// What was told last of what is wrong, the newest first.
  public var problems: [Problem] = []

  public init(version: String, name: String, uptimeSeconds: Double) {
    self.version = version
    self.name = name
    self.uptimeSeconds = uptimeSeconds
  }

  /// One screen, and what plays on it.
  public struct Screen: Hashable, Sendable, Encodable {
    public enum Presence: String, Hashable, Sendable, Encodable, CaseIterable {
      case on
      /// Switched off, by the schedule or by hand.
      case asleep
      /// None is there, or none could be opened so far.
      case none
    }

    /// From the configuration; nil where there is only one, without a name.
    public var name: String?
    public var presence: Presence
    public var output: OutputKind?
    /// Card, connector and mode, in words.
    public var summary: String?
    public var playback: Playback
    /// Nil where there is none.
    public var sound: Sound?
    public var counters: PlaybackCounters
    /// Between items that followed each other by themselves.
    public var gaps = Gaps()
    /// Since something was shown or heard last; nil before that.
    public var silentSeconds: Double?
    /// For how long a frame has been due that doesn't come; 0 where none is.
    public var overdueSeconds = 0.0

    public init(name: String?, presence: Presence, playback: Playback, counters: PlaybackCounters) {
      self.name = name
      self.presence = presence
      self.playback = playback
      self.counters = counters
    }

    enum CodingKeys: String, CodingKey {
      case name, presence, output, summary, playback, sound, counters, gaps
      case silentSeconds = "silent_seconds"
      case overdueSeconds = "overdue_seconds"
    }
  }

  public struct Sound: Hashable, Sendable, Encodable {
    /// Of full volume.
    public var volumePercent: Int
    public var isMuted: Bool

    public init(_ control: VolumeControl) {
      volumePercent = Int((control.volume * 100).rounded())
      isMuted = control.isMuted
    }

    enum CodingKeys: String, CodingKey {
      case volumePercent = "volume_percent"
      case isMuted = "is_muted"
    }
  }

  public struct Playback: Hashable, Sendable, Encodable {
    /// What plays; nil when nothing does.
    public var item: Item?
    /// Of the playlist that plays.
    public var itemCount: Int
    /// Whether playback is wanted.
    public var isWanted: Bool
    /// Why it doesn't go on although it is wanted.
    public var waitingReason: WaitingReason?
    /// Of what has to be there before an item of a network goes on: 100 while it does, nil for what is no such item.
    public var bufferPercent: Int?
    /// What follows by itself, redacted; nil where nothing does, or the same.
    public var nextTitle: String?

    public init(_ machine: PlaybackMachine, at now: Instant) {
      let presentation = machine.presentation(at: now)
      item = presentation.current.map { Item($0, place: machine.queue.index(of: $0.item)) }
      itemCount = machine.queue.count
      isWanted = machine.wantsToPlay
      waitingReason = presentation.waitingReason
      bufferPercent = machine.current.flatMap { $0.media.isRemote ? $0.buffering.percent : nil }
      nextTitle = Self.next(after: item, of: machine.queue)
    }

    /// By the order of the list; what can't be played is left out only when its turn comes.
    private static func next(after item: Item?, of queue: PlayQueue) -> String? {
      guard let number = item?.number, queue.count > 1 else { return nil }
      let media = queue.entries[number % queue.count].item
      return PlainText.clipped(Redaction.value(media.title.isEmpty ? media.uri : media.title))
    }

    enum CodingKeys: String, CodingKey {
      case item
      case itemCount = "item_count"
      case isWanted = "is_wanted"
      case waitingReason = "waiting_reason"
      case bufferPercent = "buffer_percent"
      case nextTitle = "next_title"
    }
  }

  public struct Item: Hashable, Sendable, Encodable {
    /// Place in the list, from 1; nil for one that isn't listed.
    public var number: Int?
    public var title: String
    /// Redacted.
    public var uri: String
    public var positionSeconds: Double?
    public var durationSeconds: Double?

    init(_ item: Presentation.Item, place: Int?) {
      number = place.map { $0 + 1 }
      title = PlainText.clipped(Redaction.value(item.media.title))
      uri = PlainText.clipped(Redaction.value(item.media.uri))
      positionSeconds = item.knownPosition.map { ($0 - item.media.start).inSeconds }
      durationSeconds = item.playedRange.map { ($0.upperBound - $0.lowerBound).inSeconds }
    }

    enum CodingKeys: String, CodingKey {
      case number, title, uri
      case positionSeconds = "position_seconds"
      case durationSeconds = "duration_seconds"
    }
  }

  public struct Configuration: Hashable, Sendable, Encodable {
    public var state: ConfigurationState
    /// Why, where something is wrong.
    public var reason: String?
    /// The files that what plays was read from, the one that overrides the others last.
    public var files: [String]
    /// How often files have been read since the start: whoever asks for it knows when the state is the answer.
    public var readings: Int
    /// Of the texts that what plays was read from; nil for none.
    public var hash: String?
    /// How long the process had run when that began to play.
    public var sinceUptimeSeconds: Double?

    public init(state: ConfigurationState, reason: String?, files: [String], readings: Int = 0) {
      self.state = state
      self.reason = reason.map { PlainText.clipped($0, to: PlainText.longestReason) }
      self.files = files.map { PlainText.clipped($0) }
      self.readings = readings
    }

    enum CodingKeys: String, CodingKey {
      case state, reason, files, readings, hash
      case sinceUptimeSeconds = "since_uptime_seconds"
    }
  }

  /// How far copies of remote items have come.
  public struct Store: Hashable, Sendable, Encodable {
    public var wanted: Int
    public var stored: Int
    public var bytes: Int64
    /// What is being fetched, redacted.
    public var fetching: String?
    /// Number of the error that was told last; nil when something has been right since.
    public var problem: Int?

    public init(wanted: Int, stored: Int, bytes: Int64, fetching: String?, problem: Int?) {
      self.wanted = wanted
      self.stored = stored
      self.bytes = bytes
      self.fetching = fetching.map { PlainText.clipped($0) }
      self.problem = problem
    }
  }

  enum CodingKeys: String, CodingKey {
    case version, name, addresses, screens, configuration, store, survival, health, board, problems
    case uptimeSeconds = "uptime_seconds"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(health, forKey: .health)
    try container.encode(version, forKey: .version)
    try container.encode(name, forKey: .name)
    try container.encode(addresses, forKey: .addresses)
    try container.encode(uptimeSeconds, forKey: .uptimeSeconds)
    try container.encode(screens, forKey: .screens)
    try container.encode(configuration, forKey: .configuration)
    try container.encode(store, forKey: .store)
    try container.encode(survival, forKey: .survival)
    try container.encode(board, forKey: .board)
    try container.encode(problems, forKey: .problems)
  }
}

/// Where the configuration stands.
public enum ConfigurationState: String, Hashable, Sendable, Encodable, CaseIterable {
  /// Nothing is in use.
  case none
  /// On trial.
  case candidate
  case confirmed
  /// What was read last has errors; what was there before is in use.
  case refused
  case rolledBack = "rolled-back"
  /// It didn't prove itself, and there is none to go back to.
  case unconfirmed

  /// One that is on trial is confirmed in some seconds, and nothing is wrong with it.
  public var isGood: Bool { self == .confirmed || self == .candidate }
}

extension KioskStatus {
  /// In seconds. The watchdog replaces a player whose frame has been due for 6 s; with one that is late for longer something is wrong.
  private static let longOverdue = 10.0

  /// The worst of its screens.
  public var health: Health {
    let all = screens.map(health(of:))
    return all.contains(.trouble) ? .trouble : all.contains(.attention) ? .attention : all.isEmpty ? .trouble : .healthy
  }

  /// Of one screen, with what concerns all of them.
  public func health(of screen: Screen) -> Health {
    let isHurt = survival.map { $0.mode != .normal || !$0.quarantine.isEmpty } ?? false
    // A screen that sleeps has no deck, and nothing goes on, as it is to be.
    let isAsleep = screen.presence == .asleep
    guard isAsleep || screen.playback.item != nil else { return .trouble }
    let waits = !isAsleep && screen.playback.isWanted && screen.playback.waitingReason != nil
    let stands = !isAsleep && screen.overdueSeconds > Self.longOverdue
    return waits || stands || isHurt || configuration?.state.isGood == false ? .attention : .healthy
  }
}
