internal import ContentStore
internal import Downloads
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// The warnings of an authority's feed: asks for them when `WarningMachine` says so, and passes on what is to be shown.
/// Confined to the loop's thread; a worker parses.
final class WarningSession {
  /// Bytes of an index or a message: the warnings of a large country have some 5 MB.
  static let longest = 8 << 20
  /// The time for one document: 8 MB over a slow line.
  private static let limit: Duration = .seconds(60)
  /// Elements within each other: a message of CAP has five, in an index eight.
  private static let depth = 32

  private let loop: EventLoop
  private let clock: any EngineClock
  private let policy: WarningMachine.Policy
  private let log: Logger
  private let show: ([Alert], [String: AlertMachine.Ending]) -> Void
  private let report: (VitrineError) -> Void
  private let worker = BlockingWorker()
  private var parsed: Mailbox<Parsed>?
  private var http = HTTPSettings()
  private var machine: WarningMachine?
  private var reader: PageReader?
  private var timer: (any EngineTimer)?
  /// The origin of the index: it decides which addresses of messages may be asked for.
  private var place: PageReader.Referrer?
  /// Tells what belongs to the feed of now from what belongs to an earlier one.
  private var generation = 0
  /// The clock of the wall, by the newest options.
  private var now: () -> ScheduleClock = { .notSet }

  private struct Parsed: Sendable {
    var generation: Int
    var content: Content
  }

  private enum Content: Sendable {
    case index(WarningMachine.Version, Result<WarningIndex, WarningFault>)
    /// With its address.
    case message(String, Result<CAPDocument, WarningFault>)
  }

  /// - Parameters:
  ///   - show: takes the warnings of now, and why others have gone.
  ///   - report: takes an error that is to be told.
  init(
    on loop: EventLoop, clock: any EngineClock, policy: WarningMachine.Policy = WarningMachine.Policy(), log: Logger,
    show: @escaping ([Alert], [String: AlertMachine.Ending]) -> Void, report: @escaping (VitrineError) -> Void
  ) {
    self.loop = loop
    self.clock = clock
    self.policy = policy
    self.log = log
    self.show = show
    self.report = report
    let reference = LoopReference(self, of: loop.executor)
    parsed = Mailbox(executor: loop.executor) { reference.value?.handleParsed($0) }
  }

  /// Follows the feed of new options.
  ///
  /// - Parameter current: the warnings that are shown already.
  func follow(_ options: KioskOptions, current: [Alert], now: @escaping () -> ScheduleClock) {
    self.now = now
    let table = options.settings.warnings
    let settings = table.feed.map {
      WarningSettings(feed: $0, wish: table.wish, language: options.visitorTexts.language, interval: table.interval)
    }
    let http = HTTPSettings(options.settings.network)
    guard settings != machine?.settings || (http != self.http && settings != nil) else {
      // The previous run may have had a feed.
      if settings == nil, !current.isEmpty { show([], [:]) }
      return
    }
    let isOther = machine != nil && machine?.settings.feed != settings?.feed
    stopReading()
    self.http = http
    if isOther || settings == nil { show([], [:]) }
    guard let settings else { return }
    reader = PageReader(http, longest: Self.longest, limit: Self.limit, worker: worker, on: loop)
    machine = WarningMachine(
      settings, current: isOther ? [] : current, policy: policy, seed: .random(in: 0...(.max)), at: clock.now)
    feed(.time)
  }
  func clockWasSet() { feed(.clockSet) }

  func stop() {
    stopReading()
    parsed?.close()
    worker.finish()
  }

  private func stopReading() {
    generation += 1
    reader?.stop()
    (reader, machine, timer, place) = (nil, nil, nil, nil)
  }

  private func feed(_ event: WarningMachine.Event) {
    guard machine != nil else { return }
    timer = nil
    for action in machine?.handle(event, at: clock.now, clock: now()) ?? [] { perform(action) }
    guard let due = machine?.deadline else { return }
    timer = clock.after(max(.zero, due - clock.now)) { [weak self] in self?.feed(.time) }
  }

  private func perform(_ action: WarningMachine.Action) {
    guard let address = machine?.settings.feed else { return }
    switch action {
    case .readIndex(let version):
      let request = PageReader.Request(address, etag: version.etag, lastModified: version.lastModified)
      reader?.read(request) { [weak self] in self?.answeredIndex($0) }
    case .readMessage(let link):
      let request = PageReader.Request(link, referrer: place)
      reader?.read(request) { [weak self] in self?.answered($0, to: link) }
    case .show(let alerts, let endings): show(alerts, endings)
    case .tell(let error): report(error)
    case .tellAnswers: log.notice("\(Redaction.value(address)): the warnings are read again")
    case .tellCut: report(WarningErrors.cut(address))
    }
  }

  // MARK: Answers

  private func answeredIndex(_ answer: PageReader.Answer) {
    guard let address = machine?.settings.feed else { return }
    switch answer {
    case .page(let page):
      place = page.place
      guard let settings = machine?.settings else { return }
      let version = WarningMachine.Version(etag: page.etag, lastModified: page.lastModified)
      // Without a clock the machine asks again.
      let utc: Int64 = if case .utc(let utc) = now() { utc } else { 0 }
      parse {
        .index(version, Self.result(page.bytes).map { WarningIndex($0, for: settings, at: utc) })
      }
    case .unchanged: feed(.indexUnchanged)
    case .tooLong: feed(.failed(WarningErrors.unreadable(address, .tooLong), isFinal: true, wait: nil))
    case .failed(let failure):
      feed(.failed(WarningErrors.unreachable(address, failure), isFinal: failure.isFinal, wait: failure.wait))
    }
  }

  private func answered(_ answer: PageReader.Answer, to link: String) {
    switch answer {
    case .page(let page): parse { .message(link, Self.result(page.bytes)) }
    case .unchanged: break
    case .tooLong: feed(.failed(WarningErrors.message(link, WarningFault.tooLong.words), isFinal: true, wait: nil))
    case .failed(let failure):
      feed(.failed(WarningErrors.message(link, failure.words), isFinal: failure.isFinal, wait: nil))
    }
  }

  private func parse(_ work: @escaping @Sendable () -> Content) {
    let generation = generation
    worker.submit { [parsed] in parsed?.post(Parsed(generation: generation, content: work())) }
  }

  private static func result(_ bytes: [UInt8]) -> Result<CAPDocument, WarningFault> {
    Result { () throws(WarningFault) in try document(bytes) }
  }

  private func handleParsed(_ parsed: Parsed) {
    guard parsed.generation == generation, let address = machine?.settings.feed else { return }
    switch parsed.content {
    case .index(let version, .success(let index)): feed(.indexRead(index, version))
    case .index(_, .failure(let fault)):
      feed(.failed(WarningErrors.unreadable(address, fault), isFinal: true, wait: nil))
    case .message(_, .success(.message(let message))): feed(.messageRead(message))
    case .message(let link, .success):
      feed(.failed(WarningErrors.message(link, WarningFault.otherDocument("feed").words), isFinal: true, wait: nil))
    case .message(let link, .failure(let fault)):
      feed(.failed(WarningErrors.message(link, fault.words), isFinal: true, wait: nil))
    }
  }

  /// Reads a message of CAP, or an index. Blocks.
  static func document(_ bytes: [UInt8]) throws(WarningFault) -> CAPDocument {
    var reader = CAPReader()
    var refusal: CAPReader.Fault?
    do throws(MarkupReader.Fault) {
      try MarkupReader.read(bytes, depth: depth) { event in
        do throws(CAPReader.Fault) {
          try reader.handle(event)
          return true
        } catch {
          refusal = error
          return false
        }
      }
    } catch {
      throw refusal.map(WarningFault.init) ?? WarningFault(error)
    }
    do throws(CAPReader.Fault) { return try reader.document() } catch { throw WarningFault(error) }
  }
}

/// Why what came can't be read.
enum WarningFault: Error, Hashable {
  case encoding(String)
  case malformed(String)
  case tooDeep
  case tooLarge
  case tooLong
  case otherDocument(String)
  case missing(String)

  init(_ fault: MarkupReader.Fault) {
    self =
      switch fault {
      case .encoding(let name): .encoding(name)
      case .malformed(let words): .malformed(words)
      case .tooDeep, .refused: .tooDeep
      }
  }

  init(_ fault: CAPReader.Fault) {
    self =
      switch fault {
      case .otherDocument(let root): .otherDocument(root)
      case .missing(let part): .missing(part)
      case .tooLarge: .tooLarge
      }
  }

  var words: String {
    switch self {
    case .encoding(let name): "it is in the encoding \(PlainText.clipped(name, to: 40)), and only UTF-8 is read"
    case .malformed(let words): "it isn't XML: \(PlainText.clipped(words))"
    case .tooDeep: "its elements are nested too deeply"
    case .tooLarge: "its areas have too many corners"
    case .tooLong: "it has more than \(WarningSession.longest >> 20) MB"
    case .otherDocument(let root):
      "it is neither a message of CAP 1.2 nor an Atom index" + (root.isEmpty ? "" : ", but \(PlainText.clipped(root))")
    case .missing(let part): "it has no \(part)"
    }
  }
}

extension StoreFailure {
  fileprivate var wait: Duration? { if case .status(_, let wait) = self { wait } else { nil } }

  /// Whether the same answer would come again.
  fileprivate var isFinal: Bool {
    switch self {
    case .status(let status, _): status == 404 || status == 410
    case .unsafeRedirect, .encoded: true
    default: false
    }
  }

  fileprivate var words: String {
    switch self {
    case .connection(let words): words.isEmpty ? "the server is not answering" : words
    case .certificate(let words): "the server's certificate isn't trusted: \(words)"
    case .clockNotSet(let words): "the server's certificate isn't valid yet by this board's clock: \(words)"
    case .silent: "there was no answer in time"
    case .status(let status, _): "the server answered \(status)"
    case .redirectLoop: "the server sends from one address to the next without end"
    case .unsafeRedirect: "it is at an address that isn't safe"
    case .encoded: "the server sends it compressed"
    default: "it came incomplete"
    }
  }
}

/// The errors of warnings: numbers 7670 to 7679, listed in docs/errors.md.
enum WarningErrors {
  static func unreachable(_ feed: String, _ failure: StoreFailure) -> VitrineError {
    VitrineError(
      7670, subject: feed,
      message: "the warnings can't be fetched: \(failure.words); those that are known stay until their end",
      remedy: "check the network and [warnings].feed; it is asked again and again")
  }

  static func unreadable(_ feed: String, _ fault: WarningFault) -> VitrineError {
    VitrineError(
      7671, subject: feed,
      message: "the warnings can't be read: \(fault.words); those that are known stay until their end",
      remedy: fault == .tooLong || fault == .tooLarge
        ? "name a feed of a smaller area as [warnings].feed"
        : "check that [warnings].feed is a feed of CAP 1.2 in Atom, or one message")
  }

  static func message(_ link: String, _ words: String) -> VitrineError {
    VitrineError(
      7672, subject: link, message: "a warning isn't shown: \(words)",
      remedy: "if it stays so, tell the publisher of the feed")
  }

  static func cut(_ feed: String) -> VitrineError {
    VitrineError(
      7673, subject: feed, message: "the feed has more than \(CAPReader.mostEntries) warnings; the others aren't read",
      remedy: "name a feed of a smaller area as [warnings].feed")
  }
}
