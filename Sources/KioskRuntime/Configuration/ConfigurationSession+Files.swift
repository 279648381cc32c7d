internal import ConfigurationFiles
internal import FileModel
internal import FileSystem
internal import Logging
internal import MainLoop
internal import PlaylistConfig

// Notices changes of the configuration's files, and of the symbolic links on the way to them.

extension ConfigurationSession {
  func watchFiles() {
    followLinks()
    if timers.files == nil {
      log.warning("the player won't notice changes of the configuration: the system has no inotify watch left")
    }
  }

  /// Watches the folders that the links lead to now: a replaced link leads elsewhere. Where the system has no watch
  /// left, the old one stays, and the next change tries again.
  private func followLinks() {
    let set = setup.reader.set
    let files = SystemFileAccess()
    let start = (try? files.currentDirectory()) ?? FilePath("/")
    let paths = (set.paths(files: files) + [set.dropIns].compactMap(\.self)).map { FilePath($0) }
    let links = paths.flatMap { path in
      let trail = LinkTrail.places(to: start.resolving(path)) { FileTree.target(ofLink: $0.text).map { FilePath($0) } }
      return trail.count > 1 ? trail : []
    }
    guard timers.files == nil || timers.links != Set(links) else { return }
    // If a folder has several names, its events have the last one; it must be the one that the set uses.
    let own = set.folders
    let others = links.map(\.directory.text).filter { !own.contains($0) }
    guard let watch = DirectoryWatch(others + own, on: loop, { [weak self] in self?.handleFolderEvent($0) })
    else { return }
    timers.files = watch
    timers.links = Set(links)
  }

  /// Lets only the configuration's own files through. A changed link counts as a change of the main file.
  private func handleFolderEvent(_ event: DirectoryWatch.Event) {
    let set = setup.reader.set
    switch event {
    case .writing(let path):
      if set.concerns(path) { feed(.fileChanging(path)) } else if isLink(path) { feed(.fileChanging(set.main)) }
    case .settled(let path):
      let misnamed = set.misnamedDropIn(path)
      let isOurs = set.concerns(path) || set.folders.contains(path) || misnamed != nil
      guard isOurs || isLink(path) else { return }
      followLinks()
      guard let misnamed else { return feed(.fileChanged(isOurs ? path : set.main)) }
      // Its removal needs no word.
      if FileTree.isThere(path) { log.warning("\(misnamed)") }
    }
  }

  private func isLink(_ path: String) -> Bool { timers.links.contains(FilePath(path)) }
}
