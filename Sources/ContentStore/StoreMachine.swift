public import PlaybackCore

/// Decides what is downloaded next, what is done with the answers, and which files are removed when there is no room.
///
/// `handle` takes an event and the time and returns commands; the machine reads no clock and calls nothing. One file is
/// fetched at a time, so that files come in the playlist's order and a bandwidth limit holds exactly.
///
/// The machine is the front of values with one subject each: the folder's files, the times of requests, the room, the
/// disk, the transfer. They know nothing of each other's changes; the machine passes these on.
///
/// Invariants (see `invariants`): only whole, checked files are offered; all files together, including the rest of the
/// one that is being fetched, are within the capacity, unless it was lowered below what is needed today; a file that
/// plays, or that is needed today, is never removed to make room.
public struct StoreMachine: Sendable {
  public let policy: StorePolicy
  public private(set) var settings: StoreSettings
  private(set) var offer = StoreOffer()
  var wanted = WantedFiles()
  var files = StoreFiles()
  var schedule: StoreSchedule
  var disk = StoreDisk()
  var index = IndexState()
  var faults = StoreFaults()
  var isOpen = false
  /// The file that is being fetched.
  var transfer: StoreTransfer?
  var lastRequest = 0
  var bandwidth: Bandwidth
  var now = Instant(nanoseconds: 0)
  private var output = Output()

  /// The commands of one event, and the timer that stands.
  private struct Output: Sendable {
    var actions: [StoreAction] = []
    var timerAt: Instant?
  }

  /// - Parameter seed: the seed of the random part of delays; different on each board.
  public init(settings: StoreSettings, policy: StorePolicy = StorePolicy(), seed: UInt64) {
    self.settings = settings
    self.policy = policy
    bandwidth = Bandwidth(limit: settings.bandwidth)
    schedule = StoreSchedule(policy: policy, seed: seed)
  }

  /// Handles an event; returns the commands that follow from it, in order.
  public mutating func handle(_ event: StoreEvent, at now: Instant) -> [StoreAction] {
    self.now = now
    output.actions = []
    react(to: event)
    if isOpen {
      identifyStrays()
      startNext()
      if index.isStale, !disk.isReadOnly { saveIndex() }
    }
    #if DEBUG
      invariants.enforce(after: event)
    #endif
    return output.actions
  }

  private mutating func react(to event: StoreEvent) {
    switch event {
    case .opened(let found): open(found)
    case .wanted(let list): setWanted(WantedFiles(list))
    case .settingsChanged(let settings): change(settings)
    case .inUse(let names):
      files.inUse = names
      removeSuperseded()
    case .played(let uri): if files.recordPlay(of: uri) { index.played(at: now, policy) }
    case .didNotPlay(let uri): handlePlaybackFailure(uri)
    case .answered(let id, let head): if isCurrent(id, .asking) { answered(head) }
    case .received(let id, let count, let start): if isCurrent(id, .receiving) { received(count, start) }
    case .bodyEnded(let id): if isCurrent(id, .receiving) { bodyEnded() }
    case .transferFailed(let id, let failure): if transfer?.id == id { fail(failure) }
    case .fileOpened(let id, let free):
      disk.free = free
      if isCurrent(id, .opening) { fileOpened() }
    case .wrote(let id, let free):
      disk.free = free
      if isCurrent(id, .receiving) { wrote() }
    case .synchronised(let id): if isCurrent(id, .synchronising) { synchronised() }
    case .finished(let id, let isRight): if isCurrent(id, .finishing) { finished(isRight: isRight) }
    case .diskFailed(let id, let trouble): if transfer?.id == id { diskFailed(trouble) }
    case .checked(let name, let sum): checked(name, sum)
    case .looked(let problem, let free): looked(problem, free: free)
    case .clockSet: for server in schedule.clockSet() { faults.forget(.server(server)) }
    case .timerFired: output.timerAt = nil
    }
  }

  private func isCurrent(_ id: Int, _ phase: StoreTransfer.Phase) -> Bool {
    transfer?.id == id && transfer?.phase == phase
  }

  // MARK: Changes of what is wanted

  private mutating func setWanted(_ new: WantedFiles) {
    let old = wanted
    wanted = new
    // A file that had the wrong checksum under the old list may have the right one under the new list.
    for file in new.inOrder where old[file.uri]?.sha256 != file.sha256 {
      schedule.checksumChanged(file.uri)
      faults.forget(.file(file.uri))
    }
    if let transfer, transfer.phase != .finishing {
      if let file = new[transfer.wanted.uri], file.sha256 == transfer.wanted.sha256 {
        self.transfer?.wanted = file
      } else {
        endTransfer()
      }
    }
    reduceToCapacity()
    refreshOffer()
  }

  private mutating func change(_ settings: StoreSettings) {
    guard settings != self.settings else { return }
    if settings.bandwidth != self.settings.bandwidth { bandwidth = Bandwidth(limit: settings.bandwidth) }
    self.settings = settings
    if let transfer, transfer.phase != .finishing, room.used > settings.capacity { endTransfer() }
    reduceToCapacity()
    refreshOffer()
  }

  // MARK: Offered copies

  /// The name of the file to play, by the address of the playlists' item.
  public var copies: [String: String] { offer.copies }

  /// The name of the file to read, by the address of a list.
  public var lists: [String: String] { offer.lists }

  /// The address that a file of the store is a copy of.
  public func address(of name: String) -> String? { files[name]?.uri }

  /// The reach of the farthest server that sent a part of the list of this name.
  public func reach(ofList name: String) -> NetworkReach? { files[name]?.listReach }

  /// The checksum that a copy was compared with; nil without a checksum in the playlists.
  public func checksum(ofCopy name: String) -> String? { files.checksum(of: name) }

  mutating func refreshOffer() {
    let new = StoreOffer(of: wanted, in: files)
    guard new != offer else { return }
    offer = new
    emit(.tell(.copiesChanged))
  }

  // MARK: Files that go

  var room: StoreRoom {
    StoreRoom(files: files, wanted: wanted, settings: settings, transfer: transfer, free: disk.free)
  }

  /// Removes files until the capacity is kept, as far as the files that are needed today allow: after the capacity was
  /// lowered, or other files are needed.
  mutating func reduceToCapacity() {
    guard isOpen else { return }
    let going = room.overCapacity
    guard !going.isEmpty else { return }
    for name in going { drop(name) }
    refreshOffer()
  }

  /// Removes old versions that aren't in use.
  mutating func removeSuperseded() {
    for name in files.superseded { drop(name) }
  }

  /// Forgets a file and removes it.
  mutating func drop(_ name: String) {
    if let stray = files.strays.removeValue(forKey: name) {
      disk.add(stray.size)
      return emit(.remove(name: name))
    }
    guard let file = files[name] else { return }
    disk.add(room.onDisk(file))
    if files.remove(name) {
      schedule.copyRemoved(file.uri)
      offer.remove(file.uri)
      emit(.tell(.copiesChanged))
    }
    emit(.remove(name: file.isComplete ? name : StoreNames.part(name)))
    index.isStale = true
  }

  // MARK: Commands

  mutating func emit(_ action: StoreAction) {
    guard disk.isReadOnly else { return output.actions.append(action) }
    switch action {
    case .save: index.isStale = true
    case .remove, .record: disk.owe(action)
    default: output.actions.append(action)
    }
  }

  mutating func saveIndex() { emit(.save(index.next(of: files))) }

  /// Reports a fault, once until it changes.
  mutating func report(_ error: VitrineError, about subject: StoreFaults.Subject) {
    if faults.add(error, about: subject) { emit(.tell(.problem(error))) }
  }

  mutating func setTimer(_ due: Instant?) {
    guard due != output.timerAt else { return }
    output.timerAt = due
    emit(.setTimer(due))
  }

  // MARK: Status

  /// The store's progress. Counts every file: meant for people, not for each piece of a body.
  public var status: StoreStatus {
    var status = StoreStatus()
    status.wanted = wanted.inOrder.count
    status.stored = offer.copies.count + offer.lists.count
    let today = wanted.inOrder.filter(\.isNeededToday)
    status.wantedToday = today.count
    status.storedToday = today.count { offer.has($0.uri) }
    status.bytes = room.bytes
    status.problem = faults.latest
    if let transfer, let name = transfer.name {
      status.fetching = StoreStatus.Fetching(
        uri: Redaction.value(transfer.wanted.uri), got: transfer.written, length: files[name]?.length)
    }
    return status
  }
}
