public import PlaybackCore

/// Decides what is downloaded next, what becomes of what comes, and what goes when there is no room.
///
/// A value: `handle` takes a fact and the time and gives commands; it reads no clock and calls nobody. One file is fetched at
/// a time: then the order is that of the playlist, and a bound on the bandwidth means what it says.
///
/// What holds at any time (see `invariants`): only whole files whose content has been looked at are offered; all files together, what is still
/// to come of the one that is fetched included, are within the capacity, unless it was lowered below what is needed today; a
/// file that plays, or that is needed today, is never removed to make room.
public struct StoreMachine: Sendable {
  public let policy: StorePolicy
  public internal(set) var settings: StoreSettings
  /// By the address of what is in the playlists now: the name of the file to play.
  public internal(set) var copies: [String: String] = [:]
  /// The same for lists of addresses, which aren't played but read.
  public internal(set) var lists: [String: String] = [:]

  var wanted: [WantedFile] = []
  var wantedByURI: [String: WantedFile] = [:]
  /// By name.
  var files: [String: StoredFile] = [:]
  /// By address, the name of the newest whole file.
  var newest: [String: String] = [:]
  var nextNumber: Int64 = 1
  var isOpen = false
  /// Of the index that was written last.
  var generation: Int64 = 0
  /// Copies that were found without the index and have a checksum: offered for one only once it has been compared.
  var unproven: Set<String> = []
  /// Copies with a checksum that didn't play.
  var doubted: Set<String> = []
  /// Whole files of which nobody knows what they are.
  var strays: [String: Stray] = [:]
  /// Files whose checksum is being computed.
  var checking: Set<String> = []
  /// Nothing can be written, and since when that is so: what is there is offered, and what changes lives in memory.
  var readOnlySince: Instant?
  /// The checksums that `copies` were told with.
  private var offeredSums: [String: String?] = [:]
  /// What would have been removed or written beside a copy meanwhile.
  var owed: [StoreAction] = []
  var inUse: Set<String> = []
  /// Of the newest whole files: when the server is to be asked about it next.
  var checks: [String: Instant] = [:]
  /// Copies that didn't play, by address: fetched again as soon as the server answers, and when that was done last.
  var suspects: Set<String> = []
  var suspectsFetched: [String: Instant] = [:]
  var fileTroubles: [String: Trouble] = [:]
  var serverTroubles: [String: Trouble] = [:]
  /// Servers whose certificate was refused and has not been taken since.
  var distrusted: Set<String> = []
  /// Those for which there was no room, with the bytes that they have at least.
  var roomless: [String: Int64] = [:]
  /// What has been told of an address, so that it isn't told each time.
  var told: [String: Int] = [:]
  /// Nothing is written until then.
  var diskPausedUntil: Instant?
  var free: Int64 = .max
  var bucket: TokenBucket?
  var transfer: Transfer?
  /// What was wrong last; nil when something has been right since.
  var problem: VitrineError?
  var lastTransfer = 0
  var lastPlayed: Int64 = 0
  /// The index on disk is older than what is here.
  var isIndexStale = false
  var playedSavedAt: Instant?
  var random: SplitMix64
  var timerAt: Instant?
  var now = Instant(nanoseconds: 0)
  var actions: [StoreAction] = []

  /// Why something isn't tried for a while.
  struct Trouble: Hashable, Sendable {
    var failures = 0
    var until: Instant
  }

  /// One file on its way.
  struct Transfer: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
      case asking
      case opening
      case receiving
      case synchronising
      case finishing
    }

    var id: Int
    var wanted: WantedFile
    var request: StoreRequest
    var phase = Phase.asking
    /// The file that it becomes; nil until the server has said what it sends.
    var name: String?
    /// Bytes of the file that have been written, and how many of them came by this transfer.
    var written: Int64 = 0
    var received: Int64 = 0
    var pending = 0
    /// Of the whole file, where the server has said it.
    var length: Int64?
    var start: [UInt8] = []
    /// Of the farthest server that had a say in it.
    var reach: NetworkReach?
    /// What was written when it was last brought to the disk, and when that was.
    var synchronised: Int64 = 0
    var synchronisedAt = Instant(nanoseconds: 0)
    var visited: [String] = []
  }

  /// - Parameter seed: of the random part of delays: another one on each board.
  public init(settings: StoreSettings, policy: StorePolicy = StorePolicy(), seed: UInt64) {
    self.settings = settings
    self.policy = policy
    random = SplitMix64(state: seed)
  }

  /// Takes a fact; gives the commands that follow from it, in order.
  public mutating func handle(_ event: StoreEvent, at now: Instant) -> [StoreAction] {
    self.now = now
    actions = []
    react(to: event)
    if isOpen {
      identifyStrays()
      startNext()
      if isIndexStale, readOnlySince == nil { saveIndex() }
    }
    #if DEBUG
      invariants.enforce(after: event)
    #endif
    return actions
  }

  private mutating func react(to event: StoreEvent) {
    switch event {
    case .opened(let found): open(found)
    case .wanted(let list): setWanted(list)
    case .settingsChanged(let settings): change(settings)
    case .inUse(let names):
      inUse = names
      removeSuperseded()
    case .played(let uri): notePlayed(uri)
    case .didNotPlay(let uri): noteDidNotPlay(uri)
    case .answered(let id, let head): if isCurrent(id, .asking) { answered(head) }
    case .received(let id, let count, let start): if isCurrent(id, .receiving) { received(count, start) }
    case .bodyEnded(let id): if isCurrent(id, .receiving) { bodyEnded() }
    case .transferFailed(let id, let failure): if transfer?.id == id { fail(failure) }
    case .fileOpened(let id, let free):
      self.free = free
      if isCurrent(id, .opening) { fileOpened() }
    case .wrote(let id, let free):
      self.free = free
      if isCurrent(id, .receiving) { wrote() }
    case .synchronised(let id): if isCurrent(id, .synchronising) { synchronised() }
    case .finished(let id, let isRight): if isCurrent(id, .finishing) { finished(isRight: isRight) }
    case .diskFailed(let id, let trouble): if transfer?.id == id { diskFailed(trouble) }
    case .checked(let name, let sum): checked(name, sum)
    case .looked(let problem, let free): looked(problem, free: free)
    case .clockSet: clockSet()
    case .timerFired: timerAt = nil
    }
  }

  private func isCurrent(_ id: Int, _ phase: Transfer.Phase) -> Bool { transfer?.id == id && transfer?.phase == phase }

  // MARK: What is wanted

  private mutating func setWanted(_ list: [WantedFile]) {
    let old = wantedByURI
    wanted = []
    wantedByURI = [:]
    for file in list where WebOrigin(address: file.uri) != nil {
      if var known = wantedByURI[file.uri] {
        known.isNeededToday = known.isNeededToday || file.isNeededToday
        known.sha256 = known.sha256 ?? file.sha256
        wantedByURI[file.uri] = known
        continue
      }
      wantedByURI[file.uri] = file
      wanted.append(file)
    }
    wanted = wanted.compactMap { wantedByURI[$0.uri] }
    // What was refused by the list before may be right by this one.
    for file in wanted where old[file.uri]?.sha256 != file.sha256 {
      fileTroubles[file.uri] = nil
      told[file.uri] = nil
    }
    if let transfer, transfer.phase != .finishing {
      if let file = wantedByURI[transfer.wanted.uri], file.sha256 == transfer.wanted.sha256 {
        self.transfer?.wanted = file
      } else {
        endTransfer()
      }
    }
    reduceToCapacity()
    refreshCopies()
  }

  private mutating func change(_ settings: StoreSettings) {
    guard settings != self.settings else { return }
    if settings.bandwidth != self.settings.bandwidth { bucket = nil }
    self.settings = settings
    if let transfer, transfer.phase != .finishing, used > settings.capacity { endTransfer() }
    reduceToCapacity()
    refreshCopies()
  }

  private mutating func notePlayed(_ uri: String) {
    guard let name = newest[uri], files[name]?.lastPlayed != lastPlayed || lastPlayed == 0 else { return }
    lastPlayed += 1
    files[name]?.lastPlayed = lastPlayed
    if playedSavedAt.map({ now - $0 >= policy.playedInterval }) ?? true {
      playedSavedAt = now
      isIndexStale = true
    }
  }

  // MARK: What is offered

  /// Whole files with the checksum that is wanted.
  func isRight(_ file: StoredFile, for wanted: WantedFile) -> Bool {
    file.isComplete && (wanted.sha256 == nil || (wanted.sha256 == file.sha256 && !unproven.contains(file.name)))
  }

  /// What a file of the store is a copy of.
  public func address(of name: String) -> String? { files[name]?.uri }

  /// Of a list that is kept under this name.
  public func reach(ofList name: String) -> NetworkReach? { files[name]?.listReach }

  /// What the copy of an address was compared with; nil where nobody has said a checksum.
  public func checksum(ofCopy name: String) -> String? { unproven.contains(name) ? nil : files[name]?.sha256 }

  mutating func refreshCopies() {
    var offered: [String: String] = [:]
    var lists: [String: String] = [:]
    for file in wanted {
      guard let name = newest[file.uri], let copy = files[name], isRight(copy, for: file) else { continue }
      if copy.listReach == nil { offered[file.uri] = name } else { lists[file.uri] = name }
    }
    // What a copy is known to be counts too: playback asks for it.
    let sums = offered.mapValues { checksum(ofCopy: $0) }
    guard offered != copies || sums != offeredSums || lists != self.lists else { return }
    copies = offered
    self.lists = lists
    offeredSums = sums
    emit(.tell(.copiesChanged))
  }

  // MARK: Helpers

  mutating func emit(_ action: StoreAction) {
    guard readOnlySince != nil else { return actions.append(action) }
    switch action {
    case .save: isIndexStale = true
    case .remove, .record: owed.append(action)
    default: actions.append(action)
    }
  }

  mutating func saveIndex() {
    isIndexStale = false
    generation += 1
    var index = StoreIndex()
    index.generation = generation
    index.nextNumber = nextNumber
    index.files = files.values.sorted { StoreNames.number(of: $0.name) < StoreNames.number(of: $1.name) }
    emit(.save(index))
  }

  /// Tells what is wrong with a file, once for as long as the same is wrong.
  mutating func tell(_ error: VitrineError, about uri: String) {
    problem = error
    guard told.updateValue(error.number, forKey: uri) != error.number else { return }
    emit(.tell(.problem(error)))
  }

  mutating func setTimer(_ due: Instant?) {
    guard due != timerAt else { return }
    timerAt = due
    emit(.setTimer(due))
  }

  // MARK: Status

  /// How far the store is. Counts every file: for people, not for each piece that comes.
  public var status: StoreStatus {
    var status = StoreStatus()
    status.wanted = wanted.count
    status.stored = copies.count + lists.count
    for file in wanted where file.isNeededToday {
      status.wantedToday += 1
      if copies[file.uri] != nil || lists[file.uri] != nil { status.storedToday += 1 }
    }
    status.bytes = files.values.reduce(strayBytes) { $0.clampedAdding(onDisk($1)) }
    status.problem = problem
    if let transfer, let name = transfer.name {
      status.fetching = StoreStatus.Fetching(
        uri: Redaction.value(transfer.wanted.uri), got: transfer.written, length: files[name]?.length)
    }
    return status
  }
}
