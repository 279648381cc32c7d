internal import MediaPipeline
public import PlaybackCore
public import PlaylistConfig

/// What plays: while nobody is there, and for visitors.
public struct PlayedLists: Sendable {
  public var loop: [MediaItem]
  /// Empty where visitors get the bar of the loop.
  public var visitors: [MediaItem]
}

/// One state of the configuration, read, checked and looked up: everything that is needed to play by it, so that nothing
/// has to be read again when it is put in place.
public struct ConfigurationRevision: Sendable {
  public var number: Int
  public var sources: [ConfigurationSource]
  public var configuration: Configuration
  public var schedule: ScheduleEngine
  /// By playlist and entry: a directory or a list is several items.
  public var items: [String: [[MediaItem]]]
  /// What isn't wrong enough to refuse it.
  public var remarks: [String]
  public var problems: [VitrineError]

  /// The same for the same texts.
  public var textFingerprint: String { ConfigurationSource.fingerprint(of: sources) }

  /// The same for the same texts that stand for the same items: a folder may have got a new film.
  public var revision: ReloadMachine.Revision {
    let listed = items.sorted { $0.key < $1.key }.map { name, entries in
      ConfigurationSource(path: name, text: Array(entries.joined().map(\.uri).joined(separator: "\n").utf8))
    }
    return ReloadMachine.Revision(
      number: number, fingerprint: "\(textFingerprint)-\(ConfigurationSource.fingerprint(of: listed))")
  }

  /// What plays by a decision of the schedule. A list that has nothing to show now gives way to all of the default one.
  public func lists(for decision: ScheduleDecision) -> PlayedLists {
    let scheduled = scheduledItems(decision)
    let name = decision.playlist
    func items(of list: String) -> [MediaItem] {
      list == name ? scheduled : Array((self.items[list] ?? []).joined())
    }
    let loop = items(of: configuration.loopPlaylist(scheduled: name))
    return PlayedLists(
      loop: loop.isEmpty ? scheduled : loop,
      visitors: configuration.visitorsPlaylist(scheduled: name).map(items) ?? [])
  }

  private func scheduledItems(_ decision: ScheduleDecision) -> [MediaItem] {
    let entries = items[decision.playlist] ?? []
    let found = decision.items.flatMap { entries.indices.contains($0) ? entries[$0] : [] }
    return found.isEmpty ? Array((items[configuration.schedule.defaultPlaylist] ?? []).joined()) : found
  }

  public var listsNow: PlayedLists {
    lists(for: schedule.decision(at: ScheduleSetup.clock(configuration.schedule)))
  }
}

/// Why files can't be used.
public struct ConfigurationRefusal: Error, Sendable {
  /// Every problem, a line each.
  public var lines: [String]
  public var error: VitrineError
  /// One line.
  public var reason: String { lines.first ?? error.line }
}

/// Reads the configuration of this run. Blocks: it belongs off the loop.
public struct ConfigurationReader: Sendable {
  public var set: ConfigurationSet
  public var overrides: ConfigurationOverrides

  public init(set: ConfigurationSet, overrides: ConfigurationOverrides) {
    self.set = set
    self.overrides = overrides
  }

  /// Items of a candidate that are opened before it plays. More would take longer than people wait.
  private static let probedItems = 20
  private static let probeLimit: Duration = .seconds(5)

  /// The files as they are now.
  public func read(number: Int) throws(ConfigurationRefusal) -> ConfigurationRevision {
    let files = SystemFileAccess()
    let found = Configuration.sources(of: set, files: files)
    return try make(
      Configuration.load(found, overrides: overrides), sources: found.sources, number: number)
  }

  /// Texts that were kept.
  public func revive(_ sources: [ConfigurationSource], number: Int) throws(ConfigurationRefusal)
    -> ConfigurationRevision
  {
    try make(
      Configuration.check(sources + overrides.sources, earlier: overrides.diagnostics), sources: sources, number: number
    )
  }

  private func make(
    _ loaded: LoadedConfiguration, sources: [ConfigurationSource], number: Int
  ) throws(ConfigurationRefusal) -> ConfigurationRevision {
    let errors = loaded.diagnostics.filter { $0.severity == .error }.map(\.description)
    let configuration: Configuration
    let schedule: ScheduleEngine
    do throws(VitrineError) {
      configuration = try loaded.get()
      schedule = try ScheduleSetup.engine(configuration)
    } catch {
      throw ConfigurationRefusal(lines: errors, error: error)
    }
    var revision = ConfigurationRevision(
      number: number, sources: sources, configuration: configuration, schedule: schedule, items: [:],
      remarks: loaded.diagnostics.map(\.description), problems: [])
    var total = 0
    for (name, playlist) in configuration.playlists {
      let resolver = ItemResolver(configurationPath: set.main)
      let entries = playlist.items.map { entry -> [MediaItem] in
        let found = resolver.resolve([entry], sources: configuration.sources)
        revision.problems += found.problems
        return found.items.map { item in
          var item = item
          item.pictureDuration = item.pictureDuration ?? configuration.playback.pictureDuration
          return item
        }
      }
      revision.items[name] = entries
      total += entries.reduce(0) { $0 + $1.count }
    }
    if let error = refusal(of: revision, total: total) { throw ConfigurationRefusal(lines: [], error: error) }
    return revision
  }

  private func refusal(of revision: ConfigurationRevision, total: Int) -> VitrineError? {
    guard total <= ConfigurationLimits.items else {
      return VitrineError(
        ErrorNumber.playlistTooLarge.rawValue, subject: set.main,
        message: "there are more than \(ConfigurationLimits.items) items", remedy: "list fewer")
    }
    let name = revision.configuration.schedule.defaultPlaylist
    guard let entries = revision.items[name] else {
      return VitrineError(
        ErrorNumber.nothingListed.rawValue, subject: set.main, message: "it lists nothing to play",
        remedy: "add [[playlist.\(name).item]] with a uri")
    }
    return entries.allSatisfy(\.isEmpty) ? revision.problems.first : nil
  }

  /// Opens what a candidate would play first and that doesn't play already. Nil when nothing local is broken; what comes
  /// over a network may be back in a minute.
  func probe(_ revision: ConfigurationRevision, playing: Set<String>) -> String? {
    var seen = playing
    for item in revision.listsNow.loop where !item.isRemote && seen.insert(item.uri).inserted {
      guard seen.count - playing.count <= Self.probedItems else { return nil }
      do throws(VitrineError) {
        _ = try MediaProbe.open(item, limit: Self.probeLimit)
      } catch {
        return error.line
      }
    }
    return nil
  }
}
