import Glibc
import PlaybackCore
import PlaylistConfig

/// libFuzzer's driver. Its own main function can't be linked beside the one that every Swift program has.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
enum ConfigFuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments) { fuzzOneInput($0, $1) })
  }
}

/// What libFuzzer calls with texts that it makes up. A fault is a trap, a leak, a hang, or a promise that is broken.
///
/// The text is two files with a NUL between them: a main file and a drop-in. It is read as a playlist too.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if getenv("VITRINE_FUZZ_LEAK") != nil { leak() }
  readConfiguration(bytes)
  readLists(bytes)
  return 0
}

/// Loses memory on purpose, so that the check for leaks can be seen to work. From a function that the compiler knows nothing
/// of: it leaves out a `malloc` whose memory nobody uses.
@inline(never)
private func leak() { _ = realpath("/", nil) }

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

private func readLists(_ bytes: [UInt8]) {
  for name in ["list.m3u", "list.pls", "list.xspf"] {
    let found = ItemResolver(files: MemoryFiles(content: bytes)).resolve(["/\(name)"])
    precondition(!found.items.isEmpty || !found.problems.isEmpty, "a list of nothing without a word")
  }
}

/// Every path is a file with the same bytes in it, but for a directory.
private struct MemoryFiles: FileAccess {
  let content: [UInt8]
  func status(of path: FilePath) throws(FileError) -> FileStatus {
    // Lists within lists would multiply: what a list names is missing, but for media.
    FileStatus(
      kind: path.text.hasSuffix("/") ? .directory : .regular,
      identity: FileStatus.Identity(device: 1, inode: path.text.hasPrefix("/list.") ? 1 : 2))
  }
  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] { Array(content.prefix(limit)) }
  func names(in directory: FilePath) throws(FileError) -> [[UInt8]] { [Array("a.mp4".utf8), content] }
  func currentDirectory() throws(FileError) -> FilePath { FilePath("/") }
  func confined(to folder: FilePath) -> MemoryFiles { self }
}
