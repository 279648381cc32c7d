internal import FileSystem
internal import Glibc
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// The file that keeps the places of all screens over a loss of power. Blocks for a small file.
enum PlacesFile {
  /// The places by the names of screens: empty where there is no file, nil where it can't be read or has other content.
  static func read(_ path: String) -> [String: ResumePoint]? {
    do throws(FileError) {
      let bytes = try SystemFileAccess().read(FilePath(path), limit: SavedPlaces.longestText)
      return SavedPlaces(bytes: bytes)?.screens
    } catch {
      return error.isMissing ? [:] : nil
    }
  }

  /// Writes the file; false when that failed, and the old one stays. Addresses may have passwords in them: only the
  /// player's user may read it.
  static func write(_ places: [String: ResumePoint], to path: String) -> Bool {
    guard !places.isEmpty else { return (try? DurableFile.remove(path)) != nil }
    let text = SavedPlaces(screens: places, savedAt: Int64(time(nil))).text
    return text.utf8.count <= SavedPlaces.longestText && ReplacedFile.writeOwn(Array(text.utf8), to: path)
  }
}

/// Writes the places of all screens when `ResumeMachine` says so, on a thread of its own: a worn SD card may take
/// seconds. Confined to the loop's thread.
final class ResumeStore {
  private let path: String
  private let clock: any EngineClock
  private let log: Logger
  private let places: () -> [String: ResumeMachine.Place]
  private var machine: ResumeMachine
  private var timer: (any EngineTimer)?
  private let worker = BlockingWorker()
  private let write: Write
  private var answers: Mailbox<Answer>?
  /// The number of the latest write.
  private var number = 0
  private var ended: (() -> Void)?

  /// Writes places to a file; true when they are on the disk.
  typealias Write = @Sendable (_ places: [String: ResumePoint], _ path: String) -> Bool

  private struct Answer: Sendable {
    var number: Int
    var isDone: Bool
  }

  /// How long the end of the run waits for a slow card. An interrupted write leaves the old file.
  private static let patience: Duration = .milliseconds(500)

  /// - Parameters:
  ///   - written: the file's content.
  ///   - write: writes to the disk; tests give another one.
  ///   - places: asks all screens.
  init(
    _ path: String, written: [String: ResumePoint]?, on loop: EventLoop, clock: any EngineClock, log: Logger,
    write: @escaping Write = { PlacesFile.write($0, to: $1) }, places: @escaping () -> [String: ResumeMachine.Place]
  ) {
    self.write = write
    self.path = path
    self.clock = clock
    self.log = log
    self.places = places
    machine = ResumeMachine(written: written, at: clock.now)
    let reference = LoopReference(self, of: loop.executor)
    answers = Mailbox(executor: loop.executor) { reference.value?.wrote($0) }
    arm()
  }

  private func arm() {
    timer = machine.due.map { due in
      clock.after(max(.zero, due - clock.now)) { [weak self] in self?.saveChangedPlaces() }
    }
  }

  private func saveChangedPlaces() {
    let changed = machine.update(from: places(), clock.now)
    if let changed { submit(changed) }
    arm()
  }

  /// Writes the places for the next run; calls `done` once, when they are on the disk or the time is over.
  func end(then done: @escaping () -> Void) {
    timer = nil
    guard let changed = machine.end(with: places()) else { return done() }
    ended = done
    submit(changed)
    timer = clock.after(Self.patience) { [weak self] in self?.timeIsUp() }
  }

  private func submit(_ places: [String: ResumePoint]) {
    log.debug("positions of playback are written: \(places.count) in \(path)")
    number += 1
    worker.submit { [path, answers, write, number] in
      answers?.post(Answer(number: number, isDone: write(places, path)))
    }
  }

  private func timeIsUp() { wrote(Answer(number: number, isDone: false)) }

  private func wrote(_ answer: Answer) {
    if !answer.isDone { log.info("\(path) can't be written: playback won't resume here after a loss of power") }
    // This may be the answer to an earlier write: the places of the run's end aren't on the disk yet.
    guard let ended, answer.number == number else { return }
    self.ended = nil
    timer = nil
    answers?.close()
    worker.finish()
    ended()
  }
}

extension ScreenSession {
  /// The place at which the next run would continue on this screen.
  var place: ResumeMachine.Place {
    guard options.settings.playback.resume != .off, !isOver else { return .none }
    guard content.takeover == nil, let point = ResumePoint(of: self) else { return .unchanged }
    let range = machine.queue.entries[point.index].item.playedRange(duration: machine.place?.duration)
    let duration = range.map { $0.upperBound - $0.lowerBound }
    return point.kept(by: options.settings.playback.resume, duration: duration).map { .at($0) } ?? .none
  }
}

extension ResumePoint {
  /// The place in the list that plays; nil in a clip and in the visitors' list, which ends when the visitor has gone.
  init?(of screen: ScreenSession) {
    let machine = screen.machine
    guard screen.content.attractLoop == nil, let place = machine.place, place.item != screen.interaction.clip,
      let index = machine.queue.index(of: place.item)
    else { return nil }
    let address = machine.queue.entries[index].item.uri
    self.init(list: screen.options.listName, address: address, index: index, position: place.position)
  }
}
