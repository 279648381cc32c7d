internal import FileModel
internal import FileSystem
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig

/// Reports changes of a configuration's files, and of the symbolic links on the way to them.
///
/// Confined to the loop's thread.
final class ConfigurationWatch {
  private let set: ConfigurationSet
  private let loop: EventLoop
  private let handler: (DirectoryWatch.Event) -> Void
  private var watch: DirectoryWatch?
  /// The links, and the files that they lead to.
  private var places: Set<FilePath> = []

  /// - Parameter handler: gets the changes of files by their names in the set; a changed link counts as a change of the
  ///   main file.
  init(_ set: ConfigurationSet, on loop: EventLoop, _ handler: @escaping (DirectoryWatch.Event) -> Void) {
    self.set = set
    self.loop = loop
    self.handler = handler
    follow()
  }

  /// Whether the system had an inotify watch left.
  var isWatching: Bool { watch != nil }

  /// Watches the folders that the links lead to now: a replaced link leads elsewhere. Where the system has no watch
  /// left, the old one stays, and the next change tries again.
  private func follow() {
    let files = SystemFileAccess()
    let start = (try? files.currentDirectory()) ?? FilePath("/")
    let paths = (set.paths(files: files) + [set.dropIns].compactMap(\.self)).map { FilePath($0) }
    let found = paths.flatMap { path in
      let trail = LinkTrail.places(to: start.resolving(path)) { FileTree.target(ofLink: $0.text).map { FilePath($0) } }
      return trail.count > 1 ? trail : []
    }
    guard watch == nil || places != Set(found) else { return }
    // If a folder has several names, its events have the last one; it must be the one that the set uses.
    let own = set.folders
    let others = found.map(\.directory.text).filter { !own.contains($0) }
    guard let new = DirectoryWatch(others + own, on: loop, { [weak self] in self?.passOn($0) }) else { return }
    watch = new
    places = Set(found)
  }

  private func passOn(_ event: DirectoryWatch.Event) {
    switch event {
    case .writing(let path):
      if set.concerns(path) { handler(event) } else if isPlace(path) { handler(.writing(path: set.main)) }
    case .settled(let path):
      let isOurs = set.concerns(path) || set.folders.contains(path) || set.misnamedDropIn(path) != nil
      guard isOurs || isPlace(path) else { return }
      follow()
      handler(isOurs ? event : .settled(path: set.main))
    }
  }

  private func isPlace(_ path: String) -> Bool { places.contains(FilePath(path)) }
}
