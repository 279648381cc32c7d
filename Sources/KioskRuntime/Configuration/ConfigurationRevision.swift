public import ConfigurationFiles
internal import FileSystem
internal import FileModel
internal import InteractionCore
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
public import PlaybackCore
public import PlaylistConfig

/// The media to play: in the loop without a visitor, and for visitors.
public struct PlayedLists: Sendable {
  /// The name of the loop's playlist.
  public var name: String?
  public var loop: [MediaItem]
  /// Empty where visitors control the loop itself.
  public var visitors: [MediaItem]
  /// The items of each playlist, by its name, for the command `clip`.
  public var clips: [String: [MediaItem]] = [:]
  /// Whether each round of the loop has a new order.
  public var shufflesLoop = false
  public var shufflesVisitors = false
}

/// One state of the configuration: read, checked and with all items looked up, so that nothing has to be read again
/// when it is put in place.
public struct ConfigurationRevision: Sendable {
  public var number: Int
  /// The paths of the files that it was read from.
  public let paths: [String]
  public let texts: SourceTexts
  public var configuration: Configuration
  public var schedule: ScheduleEngine
  /// The looked-up items of each playlist, by its name.
  public var items: [String: ListedItems]
  /// The folders and files that the lookup of `items` visited.
  var places = MediaPlaces()
  /// Warnings and notes that don't keep the configuration from use.
  public var remarks: [String]
  public var problems: [VitrineError]
  /// The board's own settings for USB sticks; a stick can't change them.
  public var usb = USBSettings()
  /// The stick that this revision plays from; nil for none.
  public var stick: StickContent?
  /// The content of a stick that is to be copied; nil for none.
  public var contentToCopy: StickContent?
  /// The reasons why sticks, or copies of one, aren't used.
  public var stickRemarks: [String] = []
  /// The sentences that visitors read.
  public var language = LoadedLanguage()
  /// Of the board's own files.
  public var filesFingerprint = ""

  /// Equal for equal texts.
  public let textFingerprint: String
  /// Equal for equal texts from a stick or a copy of one; the board's own files don't count.
  let foreignFingerprint: String

  /// The revision for `ReloadMachine`. Its fingerprint covers the texts and the items that they stand for: a folder may
  /// have got a new film.
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
    // A translator has changed the file of the language, and nothing else.
    listed.add(language.mark.utf8)
    return ReloadMachine.Revision(
      number: number, fingerprint: "\(textFingerprint)-\(listed.digits)", texts: textFingerprint,
      isTransient: stick != nil)
  }

  /// The media to play by a decision of the schedule. The whole default list stands in for a list without any item now.
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
      visitors: visitorsName.map(items) ?? [], clips: clips, shufflesLoop: shuffles(loop.isEmpty ? name : loopName),
      shufflesVisitors: visitorsName.map(shuffles) ?? false)
  }

  /// The media to play on one of several screens: its own list if it has one, else the schedule's.
  public func lists(for decision: ScheduleDecision, on screen: ScreenSettings) -> PlayedLists {
    guard let name = screen.playlist else { return lists(for: decision) }
    return PlayedLists(
      name: name, loop: items[name]?.all ?? [], visitors: [], clips: clips, shufflesLoop: shuffles(name))
  }

  private var clips: [String: [MediaItem]] { items.mapValues(\.all) }

  private func shuffles(_ list: String) -> Bool { configuration.playlists[list]?.shuffles ?? false }

  /// The media to play on each screen.
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

/// The reason why the files can't be used.
public struct ConfigurationRefusal: Error, Sendable {
  /// All problems, a line each.
  public var lines: [String]
  public var error: VitrineError
  /// The fingerprint of the refused files; nil where no file could be read.
  public var filesFingerprint: String?
  /// The error in one line, with its remedy.
  public var reason: String { error.line }
  /// The first problem, for people at the screen.
  var first: String {
    guard let line = lines.first else { return error.line }
    return lines.count > 1 ? "\(line) (and \(lines.count - 1) more)" : line
  }
  /// The error for a log that has already listed `lines`.
  public var summary: String {
    lines.isEmpty ? error.line : "\(error.subject): \(error.message) (error \(error.number))"
  }
  /// The folders and files that the lookup visited, where the reason is that no medium was found.
  var places = MediaPlaces()
}

/// Reads the configuration of this run. Blocks; not on the loop.
public struct ConfigurationReader: Sendable {
  public var set: ConfigurationSet
  public var overrides: ConfigurationOverrides
  /// The copies of sticks and the notes on rejected ones; nil where nothing can be kept.
  public var copies: StickStore?
  /// Opens the media of a candidate in another process; nil opens them in this one, for tests.
  public var prober: MediaProber?
  /// Files that are still being written; the lookup leaves them out.
  var hidden: Set<FilePath> = []
  /// The folders of languages, and the system's language.
  public var languages = LanguageFolders()
  private let notes: LastGoodStore?

  public init(set: ConfigurationSet, overrides: ConfigurationOverrides, state: LastGoodStore? = nil) {
    self.set = set
    self.overrides = overrides
    notes = state
    copies = state.map { StickStore(state: $0) }
  }

  /// The largest number of a candidate's items that are opened before it plays; with more, people would wait too long.
  private static let probedItems = 20
  private static let probeLimit: Duration = .seconds(5)

  /// Reads the files and adds the content of a stick. A stick that can't be used is reported and left out: it must not
  /// keep the board from its own configuration.
  ///
  /// - Parameter problem: the stick's fault, if it is known already; the stick is left out then.
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
    // The stick was pulled out: the next one, even the same, starts without a record.
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

  /// The reason against trying a stick again. An attempt without a verdict may still be going on: the next start judges
  /// it.
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
          remedy: "plug it in again, or write its files again"))
    }
    let all = found.adding(source)
    return try make(Configuration.load(all, overrides: overrides), sources: all.sources, number: number)
  }

  /// Makes a revision of the kept texts. Leaves out the texts copied from a stick if they can't be used: an older
  /// version may have let a stick set more. Nil where even the rest can't be used.
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
    // Frees the parsed tree: for a long list it takes as much memory as the configuration made of it.
    loaded.merged = TOMLTable()
    let errors = loaded.diagnostics.filter { $0.severity == .error }.map(\.told)
    // The loader computed this fingerprint already; for a long list it costs noticeable time. With overrides it covers
    // more texts than wanted here.
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
    revision.language = languages.loadAll(configuration.overlay.look.language)
    revision.remarks += revision.language.remarks
    var total = 0
    let places = Locked(MediaPlaces())
    let files = ListedFiles(SystemFileAccess(), hiding: hidden) { note in places.withLock { $0.add(note) } }
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

  /// Reads the same texts with the media that exist now; nil where the texts are no longer found.
  func refreshed(_ active: ConfigurationRevision, number: Int) -> ConfigurationRevision? {
    if let read = try? read(number: number), read.textFingerprint == active.textFingerprint { return read }
    // The files have changed and aren't in use: the texts in use are those that were kept.
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
    // With a list for every screen, the schedule's list isn't needed.
    guard revision.configuration.needsSchedule else { return nil }
    guard let entries = revision.items[name] else {
      return VitrineError(
        ErrorNumber.nothingListed.rawValue, subject: set.main, message: "it lists nothing to play",
        remedy: "add [[playlist.\(name).item]] with a uri")
    }
    return entries.allSatisfy(\.isEmpty) ? revision.problems.first : nil
  }

  /// Reads the files and opens their media; `problem` is the first reason against using them. A stick with broken media
  /// is left out.
  func candidate(
    number: Int, playing: Set<String>
  ) throws(ConfigurationRefusal) -> (ConfigurationRevision, problem: String?) {
    let revision = try read(number: number)
    guard let problem = probe(revision, playing: playing) else { return (revision, nil) }
    guard revision.stick != nil else { return (revision, problem) }
    let plain = try read(number: number, withoutStick: problem)
    return (plain, probe(plain, playing: playing))
  }

  /// Opens the media that a candidate would play first, except those that play already. For a stick one medium that
  /// opens is enough: playback skips the others and reports them.
  ///
  /// - Returns: nil when no local medium is broken; a network may be back in a minute.
  func probe(_ revision: ConfigurationRevision, playing: Set<String>) -> String? {
    var seen = playing
    var problem: String?
    let access = revision.configuration.network.access
    // Ends the prober's process: the next reload may be in a year.
    defer { prober?.rest() }
    let playsFirst = revision.allLists(for: revision.decisionNow).flatMap(\.loop)
    for item in playsFirst where !item.isRemote && seen.insert(item.uri).inserted {
      guard seen.count - playing.count <= Self.probedItems else { break }
      do throws(VitrineError) {
        if let prober {
          _ = try prober.open(item, limit: Self.probeLimit, access: access)
        } else {
          _ = try MediaProbe.open(item, limit: Self.probeLimit, servers: ServerSetup(access: access))
        }
        if revision.stick != nil { return nil }
      } catch  where error.number == SurvivalErrors.noProbe {
        // Without a prober nothing is known of any item: the trial finds it out.
        return nil
      } catch  where error.number == SurvivalErrors.probeSpent {
        // Nothing is known of this item either.
        continue
      } catch {
        problem = problem ?? error.line
        if revision.stick == nil { break }
      }
    }
    return problem
  }
}
