public import ContentStore
public import Downloads
internal import InteractionCore
internal import MainLoop
internal import PlaybackCore
public import PlaylistConfig

/// The settings for copies of remote items.
public struct StoreOptions: Hashable, Sendable {
  /// The folder, which only the store uses.
  public var directory: String
  public var settings: StoreSettings
  public var http: HTTPSettings

  /// Nil where no copies are kept.
  ///
  /// - Parameter directory: the folder unless the configuration names one; nil keeps no copies then.
  public init?(_ configuration: Configuration, directory: String?) {
    let table = configuration.store
    guard table.isEnabled, let directory = table.directory ?? directory else { return nil }
    self.directory = directory
    settings = StoreSettings()
    settings.capacity = table.capacity
    settings.freeSpace = table.freeSpace
    settings.largestFile = table.largestFile
    settings.bandwidth = table.bandwidth
    settings.checkInterval = table.checkInterval
    http = HTTPSettings(configuration.network)
  }
}

extension HTTPSettings {
  init(_ network: NetworkSettings) {
    self.init()
    timeout = network.timeout
    access = network.access
    userAgent = "vitrine/\(Version.text)"
  }
}

extension ConfigurationRevision {
  /// The files worth a copy, in the order in which they will be needed: first those of now, then those of the next day,
  /// then the rest.
  ///
  /// - Parameters:
  ///   - kept: the lists from servers: the files that they name are wanted, too.
  ///   - networks: the networks that this machine is attached to now.
  func wantedFiles(
    at clock: ScheduleClock, kept: KeptLists = KeptLists(), networks: AttachedNetworks = AttachedNetworks()
  ) -> [WantedFile] {
    var wanted: [WantedFile] = []
    let redirects = configuration.network.access.redirects
    func want(_ items: [MediaItem], isNeededToday: Bool) {
      for item in items { wanted += item.wantedFiles(isNeededToday: isNeededToday) }
      let entries = kept.entries(in: items, redirects: redirects, networks: networks)
      for uri in entries.keys.sorted() {
        for item in entries[uri] ?? [] { wanted += item.wantedFiles(isNeededToday: isNeededToday) }
      }
    }
    let lists = decisions(at: clock).flatMap { allLists(for: $0) }
    want(lists.flatMap { $0.loop + $0.visitors }, isNeededToday: true)
    for name in items.keys.sorted() { want(items[name]?.all ?? [], isNeededToday: false) }
    return wanted
  }

  func wantedFilesNow(kept: KeptLists) -> [WantedFile] {
    wantedFiles(
      at: ScheduleSetup.clock(configuration.schedule), kept: kept, networks: SystemNetworks.current)
  }

  /// The schedule's decisions within the next day.
  private func decisions(at clock: ScheduleClock) -> [ScheduleDecision] {
    var found = [schedule.decision(at: clock)]
    guard case .utc(let now) = clock else { return found }
    var moment = now
    while let next = schedule.nextChange(after: moment, withinDays: 1), next <= now + 86_400 {
      found.append(schedule.decision(at: .utc(next)))
      moment = next
    }
    return found
  }
}

extension MediaItem {
  /// The files that a copy of the item needs: itself and its subtitles. Empty where it isn't one file, or isn't to be
  /// copied.
  func wantedFiles(isNeededToday: Bool) -> [WantedFile] {
    guard isRemote, isStored != false, kind == .progressive || kind == .picture else { return [] }
    let texts = subtitles.filter { $0.hasPrefix("http") }
    return [
      WantedFile(uri: uri, kind: ServedList.isNamed(uri) ? .list : .media, sha256: sha256, isNeededToday: isNeededToday)
    ]
      + texts.map { WantedFile(uri: $0, kind: .text, isNeededToday: isNeededToday) }
  }
}
