internal import FileModel
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import VitrinePlayback

/// The small pictures of the films that visitors choose from, and what is told of these films beside them: made one
/// after the other while the board has nothing better to do, and kept on the disk. Confined to the loop's thread.
///
/// Pictures are made of films in files of this machine, the store's copies among them, and of pictures. Films that come
/// over the network have none: a connection isn't made only for that. `PosterMachine` decides.
///
/// One for a run: two with the same folder would make each picture twice.
final class PosterSession {
  /// Called on the loop when what is known of a film has changed, once for all changes that come together.
  var onChange: (() -> Void)?

  private let clock: any EngineClock
  private let log: Logger
  private let work: PosterWork
  /// Workers of their own: making takes up to minutes, reading is what a visitor waits for.
  private let maker = BlockingWorker()
  private let reader = BlockingWorker()
  private var mailbox: Mailbox<Answer>?
  private var machine: PosterMachine
  private var timer: (any EngineTimer)?
  /// Listed items that are played from elsewhere, as they are played.
  private var elsewhere: [MediaItem: MediaItem] = [:]
  /// The list, as it is written.
  private var items: [MediaItem] = []
  private var isTelling = false
  private var hasToldOfDisk = false
  private let isOver = Locked(false)

  private enum Answer: Sendable {
    case surveyed(Int, [MediaItem: PosterMachine.Survey])
    case loaded(MediaItem, TilePoster?)
    case made(MediaItem, PosterWork.Made)
    case tell
  }

  /// - Parameters:
  ///   - folder: where pictures are kept; made when the first one is. Nil keeps none: they are only in memory then.
  ///   - prober: of its own, since `film` may take minutes. It should leave out hardware decoders, of which a board may
  ///     have one alone, for the film on the screen.
  init(
    folder: String?, on loop: EventLoop, clock: any EngineClock, prober: MediaProber, log: Logger,
    mostInMemory: Int = PosterPolicy.mostInMemory
  ) {
    self.clock = clock
    self.log = log
    work = PosterWork(folder: folder.map(PosterFolder.init), prober: prober)
    machine = PosterMachine(mostInMemory: mostInMemory)
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { reference.value?.handleAnswer($0) }
  }

  /// A prober for posters: it runs when nothing else does, and decodes in software.
  static func prober(_ options: KioskOptions, program: String = "/proc/self/exe") -> MediaProber {
    MediaProber(program: program, isIdle: true) { [record = options.decoderRecord, names = options.decoders.avoided] in
      MediaProber.Avoided(names.sorted() + (record?.avoided ?? []), isSoftwareOnly: true)
    }
  }

  /// Makes the missing pictures of these films, in this order; the first one some seconds after the first call. Films
  /// that are no longer listed are forgotten. Their files are looked at again.
  ///
  /// - Parameter copies: local copies, by the original's address.
  func follow(_ items: [MediaItem], copies: [String: MediaCopy] = [:]) {
    self.items = items
    elsewhere = [:]
    let played = items.map { item in
      let played = item.stored(in: copies)
      if played != item { elsewhere[item] = played }
      return played
    }
    feed(.follow(played))
  }

  /// Other copies are there. Most of them are of other items: then no file is looked at.
  ///
  /// - Returns: whether a film of the list is played from elsewhere than before.
  @discardableResult
  func copiesChanged(_ copies: [String: MediaCopy]) -> Bool {
    guard items.contains(where: { $0.stored(in: copies) != elsewhere[$0] ?? $0 }) else { return false }
    follow(items, copies: copies)
    return true
  }

  /// The facts of a film that are known now. Reads its kept picture when that isn't in memory; `onChange` comes with it.
  func facts(of item: MediaItem) -> TileFacts {
    let played = elsewhere[item] ?? item
    if machine.lacksPicture(of: played) { feed(.asked(played)) }
    var facts = machine.facts(of: played)
    if !facts.hasCaptions { facts.hasCaptions = !item.subtitles.isEmpty }
    return facts
  }

  /// The films in view, and those on the pages beside: their pictures are read, and pictures of others may be dropped
  /// from memory. Those of more films than memory allows may be missing.
  func inView(_ items: [MediaItem]) { feed(.inView(items.map { elsewhere[$0] ?? $0 })) }

  /// Nothing is told or kept from now on. A film that is being opened is left to its process, which then ends.
  func stop() {
    isOver.withLock { $0 = true }
    timer = nil
    mailbox?.close()
    mailbox = nil
    maker.finish()
    reader.finish()
  }

  private func handleAnswer(_ answer: Answer) {
    switch answer {
    case .surveyed(let round, let found): feed(.surveyed(round, found))
    case .loaded(let item, let poster): feed(.loaded(item, poster))
    case .made(let item, let made):
      if let problem = made.problem { log.debug("no picture of a film: \(problem.line)") }
      if let problem = made.posterProblem { log.report(Self.notShown(item.poster ?? "", problem)) }
      if let problem = made.diskProblem, !hasToldOfDisk {
        hasToldOfDisk = true
        log.report(Self.notKept(work.folder?.path ?? "", problem))
      }
      feed(.made(item, made.outcome))
    case .tell:
      isTelling = false
      onChange?()
    }
  }

  private func feed(_ event: PosterMachine.Event) {
    guard mailbox != nil else { return }
    for action in machine.handle(event) {
      switch action {
      case .survey(let round, let items): submit(to: reader) { .surveyed(round, $0.survey(items)) }
      case .load(let item): submit(to: reader) { .loaded(item, $0.load(item)) }
      case .make(let item): submit(to: maker) { .made(item, $0.make(item)) }
      case .rest: maker.submit { [work] in work.prober.rest() }
      case .startTimer(let delay): timer = clock.after(delay) { [weak self] in self?.feed(.timerFired) }
      case .stopTimer: timer = nil
      case .tellChange: tell()
      }
    }
  }

  private func tell() {
    guard !isTelling else { return }
    isTelling = true
    mailbox?.post(.tell)
  }

  private func submit(to worker: BlockingWorker, _ body: @escaping @Sendable (PosterWork) -> Answer) {
    worker.submit { [work, mailbox, isOver] in
      guard !isOver.withLock({ $0 }) else { return }
      mailbox?.post(body(work))
    }
  }

  static func notShown(_ poster: String, _ error: VitrineError) -> VitrineError {
    VitrineError(
      7681, subject: poster, message: "the poster can't be shown: \(error.message)",
      remedy: "check that the file is there and is a picture; until then a frame of the film stands for it",
      detail: error.line)
  }

  static func notKept(_ folder: String, _ error: FileError) -> VitrineError {
    VitrineError(
      7680, subject: folder, message: "the small pictures of films can't be kept: \(error)",
      remedy: "check that the folder may be written to and has room; until then they are made anew after each start")
  }
}
