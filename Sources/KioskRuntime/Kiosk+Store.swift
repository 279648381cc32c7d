public import ContentStore
public import Downloads
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// Copies of remote items: what is wanted goes to the store, what it has goes to playback.

extension Kiosk: StoreKeeperOwner {
  /// How often it is looked at what plays within a day: the window moves on, though the configuration doesn't.
  private static var storeLookInterval: Duration { .seconds(900) }
  /// How long what the store before has to write is waited for: a card that takes longer for a few files hangs.
  private static var storeEndLimit: Duration { .seconds(30) }

  func startStore() {
    // The first configuration may have started it already.
    guard store == nil, endingStore == nil, let options = options.store, let loop else { return }
    let store = StoreKeeper(
      directory: options.directory, settings: options.settings, http: options.http, seed: .random(in: 0...(.max)),
      on: loop)
    self.store = store
    store.owner = self
    // Without a network the first item would fail before its copy was found.
    store.start(blocks: !hasShownFrame)
    updateStore()
  }

  /// The new one begins when all is written that the old one was about to: its folder may be the same by another name. Not
  /// for ever: a disk that hangs and has been taken out of the configuration holds up no other.
  private func replaceStore() {
    guard let old = store, let loop else { return startStore() }
    store = nil
    let reference = LoopReference(self, of: loop.executor)
    let ended = Mailbox<Void>(executor: loop.executor) { _ in reference.value?.assumeIsolated { $0.storeEnded() } }
    endingStore = ended
    old.stop { ended.post(()) }
    endingStoreTimer = loop.after(Self.storeEndLimit) { [weak self] in self?.assumeIsolated { $0.storeEnded() } }
  }

  private func storeEnded() {
    endingStore?.close()
    endingStore = nil
    endingStoreTimer = nil
    // Another configuration may have come meanwhile.
    startStore()
  }

  /// After another configuration, another playlist, and now and then.
  func updateStore() {
    if let options = options.store, let store, store.directory == options.directory {
      store.change(options.settings, http: options.http)
    } else if store?.directory != options.store?.directory {
      engine?.feed(.copiesChanged([:]))
      return replaceStore()
    }
    guard let store else { return }
    if let active = session?.active {
      store.feed(.wanted(active.wantedFiles(at: ScheduleSetup.clock(active.configuration.schedule))))
    }
    noteStore()
    storeTimer = loop?.after(Self.storeLookInterval) { [weak self] in self?.assumeIsolated { $0.updateStore() } }
  }

  public nonisolated func store(_ store: StoreKeeper, tells notice: StoreNotice) {
    assumeIsolated { $0.take(notice) }
  }

  private func take(_ notice: StoreNotice) {
    switch notice {
    case .copiesChanged:
      guard let store else { return }
      let copies = store.machine.copies.mapValues { name in
        MediaCopy(
          uri: FilePath("\(store.directory)/\(name)").uri, sha256: store.machine.checksum(ofCopy: name))
      }
      storedNames = Dictionary(
        store.machine.copies.map { (copies[$0.key]?.uri ?? "", $0.value) }, uniquingKeysWith: { first, _ in first })
      engine?.feed(.copiesChanged(copies))
    case .stored(let uri, let bytes): log.info("stored: \(uri) (\(bytes) bytes)")
    case .problem(let error):
      log(error)
      noteCertificate(error)
    }
    noteStore()
  }

  func tellStoreClockSet() { store?.feed(.clockSet) }

  /// Tells the store which of its files decks have open.
  func noteFilesInUse() {
    guard let store, let machine = engine?.machine else { return }
    let playing = [machine.current, machine.next].compactMap { $0?.media }
    let uris = playing.flatMap { [$0.uri] + $0.subtitles }
    guard uris != urisInUse else { return }
    urisInUse = uris
    store.feed(.inUse(Set(uris.compactMap { storedNames[$0] })))
  }

  func notePlayed(_ item: ItemID) {
    guard let entry = engine?.machine.queue.entry(item) else { return }
    store?.feed(.played(uri: entry.item.uri))
  }

  /// A copy that failed is fetched again when its server answers.
  func noteDidNotPlay(_ item: MediaItem) {
    guard let store, store.machine.copies[item.uri] != nil else { return }
    store.feed(.didNotPlay(uri: item.uri))
  }

  // MARK: Status

  /// For the status card.
  var storeSummary: String? {
    guard let status = store?.machine.status, status.wanted > 0 else { return nil }
    var parts = ["\(status.stored) of \(status.wanted) stored", "\(status.bytes / 1_000_000) MB"]
    if let fetching = status.fetching { parts.append("fetching \(fetching.uri)") }
    if let problem = status.problem { parts.append("error \(problem.number)") }
    return parts.joined(separator: ", ")
  }

  /// Writes store.json for scripts, off the loop.
  private func noteStore() {
    guard let store, let directory = options.configuration?.directories.runtime else { return }
    let status = store.machine.status
    guard status != storeStatusNoted else { return }
    storeStatusNoted = status
    let state = StoreStateFile(directory: directory)
    storeWorker.submit { state.write(status) }
  }
}
