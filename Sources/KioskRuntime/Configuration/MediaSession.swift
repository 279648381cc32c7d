internal import FileModel
internal import FileSystem
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig

/// Watches the listed media and notices when some come or go. `MediaWatchMachine` decides when that counts. Confined to
/// the loop's thread.
final class MediaSession {
  /// Called when the items have to be looked up again.
  var onChange: (() -> Void)?
  /// Files that are still being written; the lookup leaves them out.
  private(set) var hidden: Set<FilePath> = []

  private let loop: EventLoop
  /// A worker of its own: a network share that doesn't answer blocks only this session.
  private let worker = BlockingWorker()
  private let looks = Locked(MediaLook(files: SystemFileAccess()))
  private var mailbox: Mailbox<MediaSight>?
  private var machine = MediaWatchMachine()
  private var timer: EventSource?
  private var watch: DirectoryWatch?
  private var folders: [String] = []

  init(on loop: EventLoop) {
    self.loop = loop
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { sight in reference.value?.feed(.looked(sight)) }
  }

  /// Watches the folders and files that the last lookup visited.
  func follow(_ places: MediaPlaces) {
    // For a list file, its folder is watched: inotify tells there when the file is written.
    let folders = Set(places.seen.map { $0.value.kind == .directory ? $0.key.text : $0.key.directory.text }).sorted()
    if folders != self.folders {
      self.folders = folders
      watch = folders.isEmpty ? nil : DirectoryWatch(folders, on: loop) { [weak self] in self?.handleFolderEvent($0) }
    }
    feed(.following(places))
  }

  func stop() {
    (watch, timer) = (nil, nil)
    mailbox?.close()
    worker.finish()
  }

  private func handleFolderEvent(_ event: DirectoryWatch.Event) {
    switch event {
    case .writing(let path): if concerns(path) { feed(.writing(FilePath(path))) }
    case .settled(let path): if concerns(path) { feed(.settled(FilePath(path))) }
    }
  }

  private func concerns(_ path: String) -> Bool {
    let file = FilePath(path)
    return folders.contains(path) || MediaKind.isMedium(named: file.name) || MediaKind.isList(named: file.name)
  }

  private func feed(_ event: MediaWatchMachine.Event) {
    for action in machine.handle(event, at: .monotonicNow) {
      switch action {
      case .startTimer(let delay): timer = loop.after(delay) { [weak self] in self?.feed(.timerFired) }
      case .stopTimer: timer = nil
      case .look(let places, let changing):
        worker.submit { [looks, mailbox] in
          mailbox?.post(looks.withLock { $0.scan(places, changing: changing) })
        }
      case .lookUp(let hidden):
        self.hidden = hidden
        onChange?()
      }
    }
  }
}
