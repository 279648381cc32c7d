import ConfigurationFiles
import JSONText
import KioskCore
import PlaybackCore
import InteractionCore
import PlaylistConfig

/// Parses a configuration and a playlist.
func readConfigurationAndLists(_ bytes: [UInt8]) {
  readConfiguration(bytes)
  readLists(bytes)
}

/// Parses two files with a NUL between them: a main file and a drop-in.
private func readConfiguration(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
  let sources = parts.enumerated().map { ConfigurationSource(path: "file\($0.offset).toml", text: $0.element) }
  let loaded = Configuration.check(sources)
  let hasErrors = loaded.diagnostics.contains { $0.severity == .error }
  precondition((loaded.configuration == nil) == hasErrors, "a configuration with errors, or neither")
  precondition((loaded.error != nil) == hasErrors, "errors without an error")
  for diagnostic in loaded.diagnostics {
    precondition(!diagnostic.description.contains("\n"), "a diagnostic of several lines")
    precondition(!diagnostic.json.compact.contains("\n"), "JSON of several lines")
  }
  _ = ConfigurationOrigins(loaded)
  _ = loaded.merged.taggedJSON.pretty
  guard let configuration = loaded.configuration else { return }
  readScreens(configuration)
  let engine = ScheduleEngine(configuration, zone: .utc)
  for moment: Int64 in [0, 1_774_742_400, 4_102_444_799] {
    let decision = engine.decision(at: .utc(moment))
    precondition(decision.items.allSatisfy { $0 >= 0 }, "an item that isn't there")
    if let next = engine.nextBoundary(after: moment, withinDays: 2) { precondition(next > moment, "a step back") }
  }
  _ = engine.decision(at: .notSet)
  if let playlist = configuration.mainPlaylist {
    _ = ItemResolver(files: MemoryFiles(content: bytes)).resolve(playlist, of: configuration)
  }
}

/// Each screen is valid alone, and no two of them are the same.
private func readScreens(_ configuration: Configuration) {
  let each = configuration.eachScreen
  precondition(!each.isEmpty && each.count <= 8, "no screen, or too many")
  precondition(Set(each.map(\.name)).count == each.count, "two screens of one name")
  precondition(each.count { $0.configuration.audio.isEnabled } <= 1, "two screens are heard")
  if each.count > 1 {
    precondition(each.allSatisfy { $0.configuration.display.connector != nil }, "which connector?")
  }
  for (_, own) in each {
    precondition(own.screens.isEmpty && own.eachScreen.count == 1, "a screen of screens")
    _ = ScheduleEngine(own, zone: .utc).decision(at: .utc(0))
  }
}

func readLists(_ bytes: [UInt8]) {
  for name in ["list.m3u", "list.pls", "list.xspf"] {
    let found = ItemResolver(files: MemoryFiles(content: bytes)).resolve(["/\(name)"])
    precondition(!found.items.isEmpty || !found.problems.isEmpty, "a list of nothing without a word")
  }
  let item = MediaItem(uri: "http://host/a/list?x=1#y", kind: .progressive)
  for medium in ServedMedium.allCases {
    for found in ServedList.items(of: bytes, medium, for: item) {
      precondition(found.isRemote, "a server reaches what is here: \(found.uri)")
    }
  }
}

/// A file system in which every path but one directory is a file of the same bytes.
private struct MemoryFiles: FileAccess {
  let content: [UInt8]
  func status(of path: FilePath) throws(FileError) -> FileStatus {
    // Lists within lists would multiply, so a list's files are missing, except media.
    FileStatus(
      kind: path.text.hasSuffix("/") ? .directory : .regular,
      identity: FileStatus.Identity(device: 1, inode: path.text.hasPrefix("/list.") ? 1 : 2))
  }
  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] { Array(content.prefix(limit)) }
  func names(in directory: FilePath) throws(FileError) -> [[UInt8]] { [Array("a.mp4".utf8), content] }
  func currentDirectory() throws(FileError) -> FilePath { FilePath("/") }
  func confined(to folder: FilePath) -> MemoryFiles { self }
}

/// The program's own state files, as a damaged disk returns them.
func readStateFiles(_ bytes: [UInt8]) {
  let store = LastGoodStore(directory: "/state")
  let files = MemoryFiles(content: bytes)
  if let sources = store.lastGood(files: files) { precondition(!sources.isEmpty, "a configuration of no files") }
  _ = store.trial(files: files)
  let text = String(decoding: bytes, as: UTF8.self)
  let history = RestartEscalation.History(text: text)
  precondition(RestartEscalation.History(text: history.text) == history, "a history that changes by itself")
  guard let places = SavedPlaces(bytes: bytes) else { return }
  precondition(SavedPlaces(bytes: Array(places.text.utf8)) == places, "places that change by themselves")
  for point in places.screens.values {
    precondition(point.index >= 0 && (.zero...ResumePoint.furthest).contains(point.position), "a place that is nowhere")
    _ = point.index(in: [], of: nil)
  }
}
