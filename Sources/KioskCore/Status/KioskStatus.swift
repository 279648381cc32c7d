public import InteractionCore
public import PlaybackCore

/// The status of a kiosk at one moment: the source for the status card, the state files, the report and all remote
/// queries, so that they can't contradict each other.
///
/// The encoded keys have snake_case and name their unit, if there is one. Addresses and errors are redacted; texts from
/// media, lists and servers are clipped (`PlainText.longest`).
public struct KioskStatus: Hashable, Sendable, Encodable {
  /// The state of the whole player, encoded as a word.
  public enum Health: String, Hashable, Sendable, Encodable, CaseIterable {
    case healthy
    /// The player plays, but somebody should look at it.
    case attention
    /// The screen shows no picture.
    case trouble
  }

  public var version: String
  /// The board's name and addresses.
  public var name: String
  public var addresses: [String] = []
  /// The time since the process started.
  public var uptimeSeconds: Double
  public var screens: [Screen] = []
  /// Nil for a run without a configuration file.
  public var configuration: Configuration?
  /// Nil where no copies are kept or wanted.
  public var store: Store?
  /// The alerts that are shown, the newest first.
  public var alerts: [Alert] = []
  /// Nil where no supervisor would start the process again.
  public var survival: Survival?
  public var board = Board()
  /// The newest problems, the newest first.
  public var problems: [Problem] = []

  public init(version: String, name: String, uptimeSeconds: Double) {
    self.version = version
    self.name = name
    self.uptimeSeconds = uptimeSeconds
  }

  /// One screen and its playback.
  public struct Screen: Hashable, Sendable, Encodable {
    public enum Presence: String, Hashable, Sendable, Encodable, CaseIterable {
      case on
      /// The screen is switched off, by the schedule or by hand.
      case asleep
      /// There is no screen, or none could be opened so far.
      case none
    }

    /// The name in the configuration; nil for an only screen, without a name.
    public var name: String?
    public var presence: Presence
    public var output: OutputKind?
    /// Card, connector and mode, in words.
    public var summary: String?
    public var playback: Playback
    /// Nil where sound is off.
    public var sound: Sound?
    /// Nil where the settings name none.
    public var projector: Projector?
    public var counters: PlaybackCounters
    /// The gaps between items that followed each other without a command.
    public var gaps = Gaps()
    /// The time since the last frame or sound; nil before the first.
    public var silentSeconds: Double?
    /// How long a due frame has been missing; 0 when none is.
    public var overdueSeconds = 0.0

    public init(name: String?, presence: Presence, playback: Playback, counters: PlaybackCounters) {
      self.name = name
      self.presence = presence
      self.playback = playback
      self.counters = counters
    }

    enum CodingKeys: String, CodingKey {
      case name, presence, output, summary, playback, sound, projector, counters, gaps
      case silentSeconds = "silent_seconds"
      case overdueSeconds = "overdue_seconds"
    }
  }

  public struct Sound: Hashable, Sendable, Encodable {
    /// In percent of the full volume.
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
    /// The current item; nil without one.
    public var item: Item?
    /// The number of items in the playlist.
    public var itemCount: Int
    /// Whether playback is wanted.
    public var isWanted: Bool
    /// The reason why playback stands still although it is wanted.
    public var waitingReason: WaitingReason?
    /// The part of the needed buffer of a network item that is filled: 100 while it plays; nil for a local item.
    public var bufferPercent: Int?
    /// The title of the next item, redacted; nil where none follows, or the same one.
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

    /// The next item in the list's order; an unplayable one is skipped only when its turn comes.
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
    /// The place in the list, from 1; nil for an item that isn't listed.
    public var number: Int?
    public var title: String
    /// The redacted address.
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
    /// The reason for a bad state.
    public var reason: String?
    /// The files of the configuration in use, the one that overrides the others last.
    public var files: [String]
    /// How often the files have been read since the start. A client that asked for a reload waits for a higher count.
    public var readings: Int
    /// The fingerprint of the texts in use; nil for none.
    public var hash: String?
    /// How long the process had run when the texts in use came into use.
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

  /// The state of the copies of remote items.
  public struct Store: Hashable, Sendable, Encodable {
    public var wanted: Int
    public var stored: Int
    public var bytes: Int64
    /// The address that is being fetched, redacted.
    public var fetching: String?
    /// The number of the last error; nil after a later success.
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
    case version, name, addresses, screens, configuration, store, alerts, survival, health, board, problems
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
    try container.encode(alerts, forKey: .alerts)
    try container.encode(survival, forKey: .survival)
    try container.encode(board, forKey: .board)
    try container.encode(problems, forKey: .problems)
  }
}

/// The state of the configuration.
public enum ConfigurationState: String, Hashable, Sendable, Encodable, CaseIterable {
  /// No configuration is in use.
  case none
  /// The configuration is on trial.
  case candidate
  case confirmed
  /// The files have errors; the previous configuration is in use.
  case refused
  case rolledBack = "rolled-back"
  /// The configuration failed its trial, and there is no earlier one.
  case unconfirmed

  /// Whether no action is needed: a configuration on trial is confirmed in some seconds.
  public var isGood: Bool { self == .confirmed || self == .candidate }
}

extension KioskStatus {
  /// In seconds. The watchdog replaces a player after 6 s without a due frame; a frame that is missing for longer
  /// points to a fault.
  private static let longOverdue = 10.0

  /// The worst health of its screens.
  public var health: Health {
    let all = screens.map(health(of:))
    return all.contains(.trouble) ? .trouble : all.contains(.attention) ? .attention : all.isEmpty ? .trouble : .healthy
  }

  /// The health of one screen, with the facts that concern all screens.
  public func health(of screen: Screen) -> Health {
    let isHurt = survival.map { $0.mode != .normal || !$0.quarantine.isEmpty } ?? false
    // A sleeping screen has no deck and shows no frames: that is right.
    let isAsleep = screen.presence == .asleep
    guard isAsleep || screen.playback.item != nil else { return .trouble }
    let waits = !isAsleep && screen.playback.isWanted && screen.playback.waitingReason != nil
    let stands = !isAsleep && screen.overdueSeconds > Self.longOverdue
    let isHelpNeeded = waits || stands || isHurt || screen.projector?.problem != nil
    return isHelpNeeded || configuration?.state.isGood == false ? .attention : .healthy
  }
}
