internal import ContentStore
internal import Downloads
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig

/// What a store tells of. Called on the loop.
protocol StoreSessionOwner: AnyObject {
  /// Items play from these copies from now on, by their addresses; and these lists of servers are kept.
  func store(_ store: StoreSession, has copies: [String: MediaCopy], _ lists: KeptLists)
  func store(_ store: StoreSession, failed error: VitrineError)
  /// Whether anything has been on a screen.
  func storeAsksWhetherShown(_ store: StoreSession) -> Bool
  /// What the configuration names, in the order in which it will be needed; nil without one.
  func storeAsksForWanted(_ store: StoreSession) -> [WantedFile]?
}

/// Copies of remote items: what is wanted goes to the store, what it has goes to playback. Confined to the loop's thread.
final class StoreSession {
  /// How often it is looked at what plays within a day: the window moves on, though the configuration doesn't.
  private static let lookInterval: Duration = .seconds(900)
  /// How long what the store before has to write is waited for: a card that takes longer for a few files hangs.
  private static let endLimit: Duration = .seconds(30)

  private let loop: EventLoop
  private let log: Logger
  private weak var owner: (any StoreSessionOwner)?
  private let stateFile: StoreStateFile?
  private let worker = BlockingWorker()
  private var options: StoreOptions?
  private var keeper: StoreKeeper?
  /// Tells that the store before has ended; nil where there is none that has still something to write.
  private var ending: Mailbox<Void>?
  /// After it nobody waits for that any more.
  private var endingTimer: EventSource?
  private var lookTimer: EventSource?
  private var wantedTimer: EventSource?
  /// By the URI that playback was given, the name in the store.
  private var namesByURI: [String: String] = [:]
  private var urisInUse: [String] = []
  private var statusWritten: StoreStatus?
  /// The lists of servers that are kept.
  private(set) var lists = KeptLists()

  /// - Parameter runtime: where scripts look for store.json; nil writes none.
  init(_ options: StoreOptions?, runtime: String?, on loop: EventLoop, owner: any StoreSessionOwner, log: Logger) {
    self.options = options
    self.loop = loop
    self.owner = owner
    self.log = log
    stateFile = runtime.map { StoreStateFile(directory: $0) }
  }

  /// Until something has been shown, copies are looked up before this returns: without a network the first item would fail before
  /// its copy was found.
  func start() {
    // The first configuration may have started it already.
    guard keeper == nil, ending == nil, let options else { return }
    let keeper = StoreKeeper(
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

  /// After another configuration, another playlist, and now and then.
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

  /// The new one begins when all is written that the old one was about to: its folder may be the same by another name. Not
  /// for ever: a disk that hangs and has been taken out of the configuration holds up no other.
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
    // Another configuration may have come meanwhile.
    start()
  }

  // MARK: What playback tells

  func clockWasSet() { keeper?.feed(.clockSet) }

  /// Decks have these open.
  func used(by playing: [MediaItem]) {
    guard let keeper else { return }
    let uris = playing.flatMap { [$0.uri] + $0.subtitles }
    guard uris != urisInUse else { return }
    urisInUse = uris
    keeper.feed(.inUse(Set(uris.compactMap { namesByURI[$0] })))
  }

  func played(_ item: MediaItem) { keeper?.feed(.played(uri: item.uri)) }

  /// A copy that failed is fetched again when its server answers.
  func didNotPlay(_ item: MediaItem) {
    guard let keeper, keeper.machine.copies[item.uri] != nil else { return }
    keeper.feed(.didNotPlay(uri: item.uri))
  }

  // MARK: Status

  /// Nil where none is kept, or nothing is wanted.
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
  func store(_ keeper: StoreKeeper, tells notice: StoreNotice) {
    switch notice {
    case .copiesChanged: tellCopies(of: keeper)
    case .stored(let uri, let bytes): log.info("stored: \(uri) (\(bytes) bytes)")
    case .problem(let error): owner?.store(self, failed: error)
    }
    writeStatus()
  }

  private func tellCopies(of keeper: StoreKeeper) {
    let names = keeper.machine.copies
    let copies = names.mapValues { name in
      MediaCopy(uri: FilePath("\(keeper.directory)/\(name)").uri, sha256: keeper.machine.checksum(ofCopy: name))
    }
    namesByURI = Dictionary(
      names.map { (copies[$0.key]?.uri ?? "", $0.value) }, uniquingKeysWith: { first, _ in first })
    let hasOtherLists = readLists(of: keeper)
    owner?.store(self, has: copies, lists)
    guard hasOtherLists else { return }
    // What they name is wanted, after what the store is at now.
    wantedTimer = loop.after(.zero) { [weak self] in
      guard let self, let keeper = self.keeper, let wanted = owner?.storeAsksForWanted(self) else { return }
      keeper.feed(.wanted(wanted))
    }
  }

  /// Reads each version once: a small file, where the loop runs.
  ///
  /// - Returns: whether they have changed.
  private func readLists(of keeper: StoreKeeper) -> Bool {
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
