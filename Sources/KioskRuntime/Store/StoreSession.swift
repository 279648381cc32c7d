internal import ContentStore
internal import Downloads
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig

/// The owner of a store session: takes its notices and answers its questions. Called on the loop.
protocol StoreSessionOwner: AnyObject {
  /// Plays items from these copies from now on, and uses these kept lists of servers.
  func store(_ store: StoreSession, has copies: [String: MediaCopy], _ lists: KeptLists)
  func store(_ store: StoreSession, failed error: VitrineError)
  /// Tells whether any frame has been on a screen.
  func storeAsksWhetherShown(_ store: StoreSession) -> Bool
  /// The remote files that the configuration names, in the order in which they will be needed; nil without a
  /// configuration.
  func storeAsksForWanted(_ store: StoreSession) -> [WantedFile]?
}

/// Keeps copies of remote items: tells the store which files are wanted, and playback which copies exist. Confined to
/// the loop's thread.
final class StoreSession {
  /// How often the files of the next day are determined: the day moves on, even if the configuration stays.
  private static let lookInterval: Duration = .seconds(900)
  /// How long a new store waits for the writes of the previous one: a disk that takes longer for a few files hangs.
  private static let endLimit: Duration = .seconds(30)

  private let loop: EventLoop
  private let log: Logger
  private weak var owner: (any StoreSessionOwner)?
  private let stateFile: StoreStateFile?
  private let worker = BlockingWorker()
  private var options: StoreOptions?
  private var keeper: CacheController?
  /// Reports the end of the previous store's writes; nil while none is awaited.
  private var ending: Mailbox<Void>?
  /// Ends the wait for the previous store.
  private var endingTimer: EventSource?
  private var lookTimer: EventSource?
  private var wantedTimer: EventSource?
  /// The names of copies in the store, by the URIs that playback has for them.
  private var namesByURI: [String: String] = [:]
  private var urisInUse: [String] = []
  private var statusWritten: StoreStatus?
  /// The kept lists of servers.
  private(set) var lists = KeptLists()

  /// - Parameter runtime: the folder for store.json, which scripts read; nil writes none.
  init(_ options: StoreOptions?, runtime: String?, on loop: EventLoop, owner: any StoreSessionOwner, log: Logger) {
    self.options = options
    self.loop = loop
    self.owner = owner
    self.log = log
    stateFile = runtime.map { StoreStateFile(directory: $0) }
  }

  /// Opens the store. Until a frame has been shown, it reads the copies before it returns: without a network the first
  /// item would fail before its copy was found.
  func start() {
    // The first configuration may have opened the store already.
    guard keeper == nil, ending == nil, let options else { return }
    let keeper = CacheController(
      directory: options.directory, settings: options.settings, http: options.http, seed: .random(in: 0...(.max)),
      isList: { ServedList.isUsable($0, from: $1) }, on: loop)
    self.keeper = keeper
    keeper.owner = self
    keeper.start(blocks: owner?.storeAsksWhetherShown(self) != true)
    update(options)
  }

  func stop() {
    keeper?.stop()
    ending?.close()
    endingTimer = nil
    lookTimer = nil
    wantedTimer = nil
    worker.finish()
  }

  /// Follows new options; called after a change of the configuration or the playlist, and regularly.
  func update(_ new: StoreOptions?) {
    options = new
    if let new, let keeper, keeper.directory == new.directory {
      keeper.change(new.settings, http: new.http)
    } else if keeper?.directory != new?.directory {
      lists = KeptLists()
      owner?.store(self, has: [:], lists)
      return replaceKeeper()
    }
    guard let keeper else { return }
    if let wanted = owner?.storeAsksForWanted(self) { keeper.feed(.wanted(wanted)) }
    writeStatus()
    lookTimer = loop.after(Self.lookInterval) { [weak self] in
      guard let self else { return }
      update(options)
    }
  }

  /// Replaces the store. The new one opens when the old one has written everything: its folder may be the same by
  /// another name. The wait is limited: a hanging disk that is no longer configured must not delay the new store.
  private func replaceKeeper() {
    guard let old = keeper else { return start() }
    keeper = nil
    let reference = LoopReference(self, of: loop.executor)
    let ended = Mailbox<Void>(executor: loop.executor) { _ in reference.value?.oldKeeperEnded() }
    ending = ended
    old.stop { ended.post(()) }
    endingTimer = loop.after(Self.endLimit) { [weak self] in self?.oldKeeperEnded() }
  }

  private func oldKeeperEnded() {
    ending?.close()
    ending = nil
    endingTimer = nil
    // `start` uses the newest options: the configuration may have changed again meanwhile.
    start()
  }

  // MARK: Events of playback

  func clockWasSet() { keeper?.feed(.clockSet) }

  /// Tells the store the media that decks have open, which it must not delete.
  func used(by playing: [MediaItem]) {
    guard let keeper else { return }
    let uris = playing.flatMap { [$0.uri] + $0.subtitles }
    guard uris != urisInUse else { return }
    urisInUse = uris
    keeper.feed(.inUse(Set(uris.compactMap { namesByURI[$0] })))
  }

  func played(_ item: MediaItem) { keeper?.feed(.played(uri: item.uri)) }

  /// Tells the store that a copy doesn't play: it is fetched again when its server answers.
  func didNotPlay(_ item: MediaItem) {
    guard let keeper, keeper.machine.copies[item.uri] != nil else { return }
    keeper.feed(.didNotPlay(uri: item.uri))
  }

  // MARK: Status

  /// The store's status; nil where no copies are kept or wanted.
  var status: KioskStatus.Store? {
    guard let status = keeper?.machine.status, status.wanted > 0 else { return nil }
    return KioskStatus.Store(
      wanted: status.wanted, stored: status.stored, bytes: status.bytes, fetching: status.fetching?.uri,
      problem: status.problem?.number)
  }

  /// Writes store.json for scripts, off the loop.
  private func writeStatus() {
    guard let keeper, let stateFile else { return }
    let status = keeper.machine.status
    guard status != statusWritten else { return }
    statusWritten = status
    worker.submit { stateFile.write(status) }
  }
}

extension StoreSession: StoreKeeperOwner {
  func store(_ keeper: CacheController, tells notice: StoreNotice) {
    switch notice {
    case .copiesChanged: publishCopies(of: keeper)
    case .stored(let uri, let bytes): log.info("stored: \(uri) (\(bytes) bytes)")
    case .problem(let error): owner?.store(self, failed: error)
    }
    writeStatus()
  }

  private func publishCopies(of keeper: CacheController) {
    let names = keeper.machine.copies
    let copies = names.mapValues { name in
      MediaCopy(uri: FilePath("\(keeper.directory)/\(name)").uri, sha256: keeper.machine.checksum(ofCopy: name))
    }
    namesByURI = Dictionary(
      names.map { (copies[$0.key]?.uri ?? "", $0.value) }, uniquingKeysWith: { first, _ in first })
    let hasOtherLists = readLists(of: keeper)
    owner?.store(self, has: copies, lists)
    guard hasOtherLists else { return }
    // The files that the new lists name are wanted, too. In a later turn, after the store has finished this one.
    wantedTimer = loop.after(.zero) { [weak self] in
      guard let self, let keeper = self.keeper, let wanted = owner?.storeAsksForWanted(self) else { return }
      keeper.feed(.wanted(wanted))
    }
  }

  /// Reads the kept lists, each version once; a small file, so the loop reads it.
  ///
  /// - Returns: whether they have changed.
  private func readLists(of keeper: CacheController) -> Bool {
    var new = KeptLists()
    for (uri, name) in keeper.machine.lists {
      if let known = lists.versions[uri], known.name == name {
        new.versions[uri] = known
      } else if let text = keeper.bytes(ofList: name), let reach = keeper.machine.reach(ofList: name) {
        new.versions[uri] = KeptLists.Version(name: name, text: text, reach: reach)
      }
    }
    defer { lists = new }
    return new != lists
  }
}
