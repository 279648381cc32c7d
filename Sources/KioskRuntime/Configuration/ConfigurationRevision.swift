public import ConfigurationFiles
internal import FileSystem
internal import FileModel
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
public import PlaybackCore
public import PlaylistConfig

/// What plays: while nobody is there, and for visitors.
public struct PlayedLists: Sendable {
  /// Of the loop.
  public var name: String?
  public var loop: [MediaItem]
  /// Empty where visitors get the bar of the loop.
  public var visitors: [MediaItem]
  /// In another order each round.
  public var shufflesLoop = false
  public var shufflesVisitors = false
}

/// One state of the configuration, read, checked and looked up: everything that is needed to play by it, so that nothing
/// has to be read again when it is put in place.
public struct ConfigurationRevision: Sendable {
  public var number: Int
  /// Of the files that it was made of.
  public let paths: [String]
  public let texts: SourceTexts
  public var configuration: Configuration
  public var schedule: ScheduleEngine
  /// By playlist.
  public var items: [String: ListedItems]
  /// Where those were looked for.
  var places = MediaPlaces()
  /// What isn't wrong enough to refuse it.
  public var remarks: [String]
  public var problems: [VitrineError]
  /// What the files say of USB sticks; what a stick says of them doesn't count.
  public var usb = USBSettings()
  /// The stick that this plays from; nil for none.
  public var stick: StickContent?
  /// What is to be copied.
  public var contentToCopy: StickContent?
  /// Why sticks, or what was copied from one, aren't used.
  public var stickRemarks: [String] = []
  /// Of the board's own files.
  public var filesFingerprint = ""

  /// The same for the same texts.
  public let textFingerprint: String
  /// The same for the same texts that aren't the board's own.
  let foreignFingerprint: String

  /// The same for the same texts that stand for the same items: a folder may have got a new film.
  public var revision: ReloadMachine.Revision {
    var listed = TextFingerprint()
    for (name, entries) in items.sorted(by: { $0.key < $1.key }) {
      listed.add(name.utf8)
      listed.end()
      for (index, item) in entries.all.enumerated() {
        if index > 0 { listed.add("\n".utf8) }
        listed.add(item.uri.utf8)
      }
      listed.end()
    }
    return ReloadMachine.Revision(
      number: number, fingerprint: "\(textFingerprint)-\(listed.digits)", texts: textFingerprint,
      isTransient: stick != nil)
  }

  /// What plays by a decision of the schedule. A list that has nothing to show now gives way to all of the default one.
  public func lists(for decision: ScheduleDecision) -> PlayedLists {
    let scheduled = scheduledItems(decision)
    let name = decision.playlist
    func items(of list: String) -> [MediaItem] {
      list == name ? scheduled : self.items[list]?.all ?? []
    }
    let loopName = configuration.loopPlaylist(scheduled: name)
    let loop = items(of: loopName)
    let visitorsName = configuration.visitorsPlaylist(scheduled: name)
    return PlayedLists(
      name: loop.isEmpty ? name : loopName, loop: loop.isEmpty ? scheduled : loop,
      visitors: visitorsName.map(items) ?? [], shufflesLoop: shuffles(loop.isEmpty ? name : loopName),
      shufflesVisitors: visitorsName.map(shuffles) ?? false)
  }

  /// The same on one of several screens: its own list, or what the schedule says.
  public func lists(for decision: ScheduleDecision, on screen: ScreenSettings) -> PlayedLists {
    guard let name = screen.playlist else { return lists(for: decision) }
    return PlayedLists(name: name, loop: items[name]?.all ?? [], visitors: [], shufflesLoop: shuffles(name))
  }

  private func shuffles(_ list: String) -> Bool { configuration.playlists[list]?.shuffles ?? false }

  /// On all screens.
  func allLists(for decision: ScheduleDecision) -> [PlayedLists] {
    let screens = configuration.screens
    return screens.isEmpty ? [lists(for: decision)] : screens.map { lists(for: decision, on: $0) }
  }

  var decisionNow: ScheduleDecision { schedule.decision(at: ScheduleSetup.clock(configuration.schedule)) }

  private func scheduledItems(_ decision: ScheduleDecision) -> [MediaItem] {
    let found = items[decision.playlist]?.items(of: decision.items) ?? []
    return found.isEmpty ? items[configuration.schedule.defaultPlaylist]?.all ?? [] : found
  }

  public var listsNow: PlayedLists { lists(for: decisionNow) }
}

/// Why files can't be used.
public struct ConfigurationRefusal: Error, Sendable {
  /// Every problem, a line each.
  public var lines: [String]
  public var error: VitrineError
  /// Of the files that can't be used; nil where no file could be read.
  public var filesFingerprint: String?
  /// All of it in one line, with what to write.
  public var reason: String { error.line }
  /// The first of it, for whoever stands before the screen.
  var first: String {
    guard let line = lines.first else { return error.line }
    return lines.count > 1 ? "\(line) (and \(lines.count - 1) more)" : line
  }
  /// For a log in which the lines stand before.
  public var summary: String {
    lines.isEmpty ? error.line : "\(error.subject): \(error.message) (error \(error.number))"
  }
  /// Where media were looked for, of which there were none.
  var places = MediaPlaces()
}

/// Reads the configuration of this run. Blocks: it belongs off the loop.
public struct ConfigurationReader: Sendable {
  public var set: ConfigurationSet
  public var overrides: ConfigurationOverrides
  /// What has been copied from sticks, and which stick isn't to be tried again; nil where nothing can be kept.
  public var copies: StickStore?
  /// Opens what a candidate would play, in another process; nil is this one, for tests.
  public var prober: MediaProber?
  /// Media that are being written, and don't count yet.
  var hidden: Set<FilePath> = []
  private let notes: LastGoodStore?

  public init(set: ConfigurationSet, overrides: ConfigurationOverrides, state: LastGoodStore? = nil) {
    self.set = set
    self.overrides = overrides
    notes = state
    copies = state.map { StickStore(state: $0) }
  }

  /// Items of a candidate that are opened before it plays. More would take longer than people wait.
  private static let probedItems = 20
  private static let probeLimit: Duration = .seconds(5)

  /// The files as they are now, with what a stick has to add. A stick that can't be used is told and left out: it must not
  /// keep the board from its own configuration.
  ///
  /// - Parameter problem: what is wrong with the stick, when that is known already; it is left out then.
  public func read(number: Int, withoutStick problem: String? = nil) throws(ConfigurationRefusal)
    -> ConfigurationRevision
  {
    let found = Configuration.sources(of: set, files: SystemFileAccess())
    do throws(ConfigurationRefusal) {
      return try read(found, number: number, withoutStick: problem)
    } catch {
      var refusal = error
      if !found.sources.isEmpty { refusal.filesFingerprint = ConfigurationSource.fingerprint(of: found.sources) }
      throw refusal
    }
  }

  private func read(
    _ found: ConfigurationSet.Found, number: Int, withoutStick problem: String?
  ) throws(ConfigurationRefusal) -> ConfigurationRevision {
    let plain = Configuration.load(found, overrides: overrides)
    guard let usb = plain.configuration?.usb, usb.mode != .off else {
      return try make(plain, sources: found.sources, number: number)
    }
    let sticks = StickReader().find(in: usb.folder, passwordFile: usb.passwordFile)
    var remarks = sticks.refusals + [problem].compactMap(\.self)
    let content = usb.mode == .play ? sticks.content : copies?.content()
    var used: ConfigurationRevision?
    // Pulled out: when it comes back it is a new one.
    if usb.mode == .play, content == nil { try? notes?.forget(.stick) }
    if problem == nil, let content {
      do throws(ConfigurationRefusal) {
        var made = try add(content, to: found, number: number)
        if usb.mode == .play { made.stick = content }
        if let reason = rejection(of: made) {
          remarks.append("\(content.stick.text): \(reason); it is tried again when it was pulled out")
        } else {
          used = made
        }
      } catch {
        remarks.append("\(content.stick.text): \(error.first)")
      }
    }
    var result: ConfigurationRevision
    if let used { result = used } else { result = try make(plain, sources: found.sources, number: number) }
    result.usb = usb
    result.filesFingerprint = ConfigurationSource.fingerprint(of: found.sources)
    if usb.mode == .copy, let copies, let stick = sticks.content {
      if stick.folder != nil {
        if !copies.has(stick) { result.contentToCopy = stick }
      } else {
        remarks.append("\(stick.stick.text): only what is in a folder called vitrine is copied")
      }
    }
    result.stickRemarks = remarks
    return result
  }

  /// Why a stick isn't tried again. Its last attempt may be going on: that is judged at the next start.
  private func rejection(of made: ConfigurationRevision) -> String? {
    guard made.stick != nil, let trial = notes?.trial(of: .stick), trial.fingerprint == made.trialFingerprint else {
      return nil
    }
    return trial.rejection
  }

  private func add(
    _ content: StickContent, to found: ConfigurationSet.Found, number: Int
  ) throws(ConfigurationRefusal) -> ConfigurationRevision {
    let source: ConfigurationSource
    do throws(FileError) {
      source = try content.source()
    } catch {
      throw ConfigurationRefusal(
        lines: [],
        error: VitrineError(
          ErrorNumber.unreadable.rawValue, subject: content.stick.text, message: error.description,
          remedy: "plug it in again, or write it anew"))
    }
    let all = found.adding(source)
    return try make(Configuration.load(all, overrides: overrides), sources: all.sources, number: number)
  }

  /// Texts that were kept; without what was copied from a stick where that can't be used (an older version may have let it set
  /// more than a stick may). Nil where they can't.
  public func revive(_ sources: [ConfigurationSource], number: Int) -> ConfigurationRevision? {
    func made(_ sources: [ConfigurationSource]) -> ConfigurationRevision? {
      try? make(
        Configuration.check(sources + overrides.sources, earlier: overrides.diagnostics), sources: sources,
        number: number)
    }
    return made(sources) ?? made(sources.filter { $0.origin == .board })
  }

  private func make(
    _ loaded: consuming LoadedConfiguration, sources: [ConfigurationSource], number: Int
  ) throws(ConfigurationRefusal) -> ConfigurationRevision {
    // The tree of a long list has as many bytes as all that comes of it.
    loaded.merged = TOMLTable()
    let errors = loaded.diagnostics.filter { $0.severity == .error }.map(\.told)
    // It is of all texts, and of a long list it takes its time.
    let fingerprint =
      (overrides.sources.isEmpty ? loaded.fingerprint : nil) ?? ConfigurationSource.fingerprint(of: sources)
    let configuration: Configuration
    let schedule: ScheduleEngine
    do throws(VitrineError) {
      configuration = try loaded.get()
      schedule = try ScheduleSetup.engine(configuration)
    } catch {
      throw ConfigurationRefusal(lines: errors, error: error)
    }
    var revision = ConfigurationRevision(
      number: number, paths: sources.map(\.path), texts: SourceTexts(sources), configuration: configuration,
      schedule: schedule, items: [:], remarks: loaded.diagnostics.map(\.description), problems: [],
      usb: configuration.usb, textFingerprint: fingerprint,
      foreignFingerprint: ConfigurationSource.fingerprint(of: sources.filter { $0.origin != .board }))
    revision.filesFingerprint = revision.textFingerprint
    var total = 0
    let places = Locked(MediaPlaces())
    let files = ListedFiles(SystemFileAccess(), hiding: hidden) { note in places.withLock { $0.take(note) } }
    let resolver = ItemResolver(files: files, configurationPath: set.main, problemsPerList: 1)
    for (name, playlist) in configuration.playlists.sorted(by: { $0.key < $1.key }) {
      var listed = ListedItems()
      listed.reserve(playlist.items.count)
      let looks = max(0, ConfigurationLimits.lookedUpItems - total)
      resolver.resolve(each: playlist.items, of: configuration, lookingAt: looks) { found in
        revision.problems += found.problems
        revision.remarks += found.remarks
        listed.append(found.items)
      }
      listed.setUsualPictureDuration(configuration.playback.pictureDuration)
      revision.items[name] = listed
      total += listed.all.count
    }
    revision.places = places.withLock { $0 }
    if let error = refusal(of: revision, total: total) {
      var refusal = ConfigurationRefusal(lines: [], error: error)
      refusal.places = revision.places
      throw refusal
    }
    return revision
  }

  /// The same texts with the media that there are now; nil where they can't be had any more.
  func refreshed(_ active: ConfigurationRevision, number: Int) -> ConfigurationRevision? {
    if let read = try? read(number: number), read.textFingerprint == active.textFingerprint { return read }
    // The files are others, which aren't used.
    guard let kept = notes?.lastGood(), ConfigurationSource.fingerprint(of: kept) == active.textFingerprint else {
      return nil
    }
    return revive(kept, number: number)
  }

  private func refusal(of revision: ConfigurationRevision, total: Int) -> VitrineError? {
    guard total <= ConfigurationLimits.items else {
      return VitrineError(
        ErrorNumber.playlistTooLarge.rawValue, subject: set.main,
        message: "there are more than \(ConfigurationLimits.items) items", remedy: "list fewer")
    }
    let name = revision.configuration.schedule.defaultPlaylist
    // Screens that have lists of their own don't ask the schedule.
    guard revision.configuration.needsSchedule else { return nil }
    guard let entries = revision.items[name] else {
      return VitrineError(
        ErrorNumber.nothingListed.rawValue, subject: set.main, message: "it lists nothing to play",
        remedy: "add [[playlist.\(name).item]] with a uri")
    }
    return entries.allSatisfy(\.isEmpty) ? revision.problems.first : nil
  }

  /// The files as they are now, with the first reason against playing by them. A stick whose media are broken is left out.
  func candidate(
    number: Int, playing: Set<String>
  ) throws(ConfigurationRefusal) -> (ConfigurationRevision, problem: String?) {
    let revision = try read(number: number)
    guard let problem = probe(revision, playing: playing) else { return (revision, nil) }
    guard revision.stick != nil else { return (revision, problem) }
    let plain = try read(number: number, withoutStick: problem)
    return (plain, probe(plain, playing: playing))
  }

  /// Opens what a candidate would play first and that doesn't play already. Nil when nothing local is broken; what comes
  /// over a network may be back in a minute.
  func probe(_ revision: ConfigurationRevision, playing: Set<String>) -> String? {
    var seen = playing
    let access = revision.configuration.network.access
    // It isn't kept for the next reload, which may be in a year.
    defer { prober?.rest() }
    let playsFirst = revision.allLists(for: revision.decisionNow).flatMap(\.loop)
    for item in playsFirst where !item.isRemote && seen.insert(item.uri).inserted {
      guard seen.count - playing.count <= Self.probedItems else { return nil }
      do throws(VitrineError) {
        if let prober {
          _ = try prober.open(item, limit: Self.probeLimit, access: access)
        } else {
          _ = try MediaProbe.open(item, limit: Self.probeLimit, servers: ServerSetup(access: access))
        }
      } catch  where error.number == SurvivalErrors.noProbe {
        // Nothing is known of any item then: it is found out on trial.
        return nil
      } catch  where error.number == SurvivalErrors.probeSpent {
        // Nor of this one.
        continue
      } catch {
        return error.line
      }
    }
    return nil
  }
}
