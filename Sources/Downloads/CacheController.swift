public import ContentStore
public import MainLoop
internal import PlaybackCore

/// Receives the store's notices. Called on the loop.
public protocol StoreKeeperOwner: AnyObject {
  func store(_ store: CacheController, tells notice: StoreNotice)
}

/// Runs a `StoreMachine`: sends requests, writes files, keeps the timer. It decides nothing. Used on the loop's thread;
/// files are read and written on a worker of its own.
public final class CacheController {
  public private(set) var machine: StoreMachine
  public let directory: String
  public weak var owner: (any StoreKeeperOwner)?

  private let loop: EventLoop
  private let folder: StoreFolder
  private let worker = BlockingWorker()
  /// Whether bytes are a list with a playable entry; the second argument is the list's address.
  private let isList: @Sendable ([UInt8], String) -> Bool
  /// Set by `stop`: the worker abandons a checksum that it is computing.
  private let isEnding = Locked(false)
  private var mailbox: Mailbox<Answer>?
  private var session: HTTPSession
  private var transfer: Transfer?
  private var timer: EventSource?
  private var pending: [StoreEvent] = []
  private var isFeeding = false

  /// The transfer under way, from its request to its end.
  private struct Transfer {
    let id: Int
    var http: HTTPTransfer?
    /// The file that receives the body, and the piece that is to be written to it.
    var file: PartFile?
    var piece: [UInt8] = []
    /// Holds the next piece back, for the bandwidth's sake.
    var readTimer: EventSource?
  }

  /// The worker's results.
  private enum Answer: Sendable {
    case event(StoreEvent)
    case unusable(VitrineError)
    case authorized(StoreRequest, String?)
    case opened(Int, PartFile, free: Int64)
  }

  /// - Parameters:
  ///   - directory: the store's own folder, which is made if it is missing.
  ///   - isList: whether bytes are a list with a playable entry; the second argument is the list's address. Called on
  ///     the worker.
  ///   - seed: the seed of the random part of delays; different on each board.
  public init(
    directory: String, settings: StoreSettings, http: HTTPSettings, policy: StorePolicy = StorePolicy(), seed: UInt64,
    isList: @escaping @Sendable ([UInt8], String) -> Bool, on loop: EventLoop
  ) {
    self.isList = isList
    self.directory = directory
    self.loop = loop
    folder = StoreFolder(path: directory)
    session = HTTPSession(http)
    machine = StoreMachine(settings: settings, policy: policy, seed: seed)
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { answer in reference.value?.handleAnswer(answer) }
  }

  /// Reads the folder and begins.
  ///
  /// - Parameter blocks: whether to wait for the folder, so that even the first item plays from its copy. For the start
  ///   of the program, when no playback can be held up.
  public func start(blocks: Bool = false) {
    let folder = folder
    guard !blocks else { return handleAnswer(Self.open(folder)) }
    submit { Self.open(folder) }
  }

  private static func open(_ folder: StoreFolder) -> Answer {
    do throws(StoreFolder.Refusal) {
      return .event(.opened(try folder.open()))
    } catch {
      return switch error {
      case .trouble(let detail): .unusable(StoreErrors.unusable(folder.path, detail: detail))
      case .foreign(let name): .unusable(StoreErrors.foreign(folder.path, name: name))
      case .later: .unusable(StoreErrors.later(folder.path))
      }
    }
  }

  /// Ends all work. No notice follows.
  ///
  /// - Parameter written: called on the worker once all earlier writes are done.
  public func stop(written: (@Sendable () -> Void)? = nil) {
    isEnding.withLock { $0 = true }
    endTransfer()
    timer = nil
    mailbox?.close()
    if let written { worker.submit(written) }
    worker.finish()
  }

  /// Changes the settings; a transfer that is under way goes on where the new settings allow it.
  public func change(_ settings: StoreSettings, http: HTTPSettings) {
    if http != session.settings {
      // The current transfer keeps the session that it began with.
      session = HTTPSession(http)
    }
    feed(.settingsChanged(settings))
  }

  /// The path of the file to play for an address; nil without a copy.
  public func path(of uri: String) -> String? { machine.copies[uri].map(folder.full) }

  /// The text of a list's file; nil where it can't be read. Reads a small file.
  public func bytes(ofList name: String) -> [UInt8]? { folder.bytes(of: name) }

  private var now: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }

  // MARK: Events in, actions out

  public func feed(_ event: StoreEvent) {
    pending.append(event)
    guard !isFeeding else { return }
    isFeeding = true
    while !pending.isEmpty {
      for action in machine.handle(pending.removeFirst(), at: now) { perform(action) }
    }
    isFeeding = false
  }

  private func handleAnswer(_ answer: Answer) {
    switch answer {
    case .event(let event): feed(event)
    case .unusable(let error): owner?.store(self, tells: .problem(error))
    case .authorized(let request, let authorization): send(request, authorization)
    case .opened(let id, let opened, let free):
      guard transfer?.id == id else { return worker.submit { opened.end() } }
      transfer?.file = opened
      feed(.fileOpened(id, free: free))
    }
  }

  private func submit(_ work: @escaping @Sendable () -> Answer?) {
    worker.submit { [mailbox] in if let answer = work() { mailbox?.post(answer) } }
  }

  /// Runs a transfer's file work on the worker; its result, or the disk's failure, becomes an event.
  private func submit(_ id: Int, _ work: @escaping @Sendable () throws(DiskTrouble) -> StoreEvent) {
    submit {
      do throws(DiskTrouble) { return .event(try work()) } catch { return .event(.diskFailed(id, error)) }
    }
  }

  private func perform(_ action: StoreAction) {
    let folder = folder
    switch action {
    case .request(let request):
      transfer = Transfer(id: request.transfer)
      let settings = session.settings
      submit { .authorized(request, WebAddress(request.uri).flatMap { settings.authorization(for: $0) }) }
    case .openFile(let id, let name, let size):
      submit {
        do throws(DiskTrouble) {
          return .opened(id, try folder.openPart(name, size: size), free: folder.free)
        } catch {
          return .event(.diskFailed(id, error))
        }
      }
    case .read(let id, let wait): read(id, after: wait)
    case .write(let id):
      guard let file = transfer?.file, let bytes = transfer?.piece else { return }
      transfer?.piece = []
      submit(id) { () throws(DiskTrouble) in
        try file.write(bytes)
        return .wrote(id, free: folder.free)
      }
    case .synchronise(let id):
      guard let file = transfer?.file else { return }
      submit(id) { () throws(DiskTrouble) in
        try file.synchronise()
        return .synchronised(id)
      }
    case .finish(let id, let name, let sha256, let mustBeList):
      guard let file = transfer?.file else { return }
      let uri = machine.address(of: name) ?? ""
      submit(id) { [isList, isWanted] () throws(DiskTrouble) in
        let isRight = try folder.finish(
          name, file: file, sha256: sha256, isRight: mustBeList ? { isList($0, uri) } : nil, isWanted: isWanted)
        return .finished(id, isRight: isRight)
      }
    case .end(let id): if transfer?.id == id { endTransfer() }
    case .remove(let name): worker.submit { folder.remove(name) }
    // A failure shows with the next file that is written.
    case .save(let index): worker.submit { folder.save(index) }
    case .record(let file): worker.submit { folder.record(file) }
    case .check(let name):
      submit { [isWanted] in .event(.checked(name: name, sha256: folder.checksum(of: name, isWanted: isWanted))) }
    case .look: submit { .event(.looked(readOnly: folder.readOnly, free: folder.free)) }
    case .setTimer(let due): setTimer(due)
    case .tell(let notice): owner?.store(self, tells: notice)
    }
  }

  private var isWanted: @Sendable () -> Bool { { [isEnding] in !isEnding.withLock { $0 } } }

  private func setTimer(_ due: Instant?) {
    timer = due.map { due in
      loop.after(max(.zero, due - now)) { [weak self] in
        self?.timer = nil
        self?.feed(.timerFired)
      }
    }
  }

  // MARK: The transfer

  private func send(_ request: StoreRequest, _ authorization: String?) {
    let id = request.transfer
    guard transfer?.id == id else { return }
    let http = HTTPTransfer(request, authorization: authorization, in: session, on: loop) { [weak self] event in
      self?.receiveTransferEvent(event, id)
    }
    guard let http else { return feed(.transferFailed(id, .connection("the address can't be asked"))) }
    transfer?.http = http
    http.start()
  }

  private func receiveTransferEvent(_ event: HTTPTransfer.Event, _ id: Int) {
    guard transfer?.id == id else { return }
    switch event {
    case .head(let head): feed(.answered(id, head))
    case .piece(let bytes):
      transfer?.piece = bytes
      feed(.received(id, count: bytes.count, start: Array(bytes.prefix(machine.policy.sniffedBytes))))
    case .end: feed(.bodyEnded(id))
    case .failed(let failure): feed(.transferFailed(id, failure))
    }
  }

  private func read(_ id: Int, after wait: Duration) {
    guard let transfer, transfer.id == id else { return }
    guard wait > .zero else { return transfer.http?.readOn() ?? () }
    self.transfer?.readTimer = loop.after(wait) { [weak self] in
      guard let self, self.transfer?.id == id else { return }
      self.transfer?.http?.readOn()
    }
  }

  private func endTransfer() {
    transfer?.http?.cancel()
    // Closed after all earlier writes.
    if let file = transfer?.file { worker.submit { file.end() } }
    transfer = nil
  }
}
