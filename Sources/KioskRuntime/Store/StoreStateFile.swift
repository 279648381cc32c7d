internal import ContentStore
internal import FileSystem
internal import JSONText
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig

/// store.json in the runtime directory: the store's status, for scripts. docs/store.md lists its keys.
struct StoreStateFile: Sendable {
  let path: String

  init(directory: String) { path = "\(directory)/store.json" }

  /// Writes the file in one step: readers find the old one or the new one. Blocks.
  func write(_ status: StoreStatus) {
    let text = JSONValue.object([
      JSONValue.Member("schema", .integer(1)),
      JSONValue.Member("wanted", .integer(Int64(status.wanted))),
      JSONValue.Member("stored", .integer(Int64(status.stored))),
      JSONValue.Member("wanted_today", .integer(Int64(status.wantedToday))),
      JSONValue.Member("stored_today", .integer(Int64(status.storedToday))),
      JSONValue.Member("bytes", .integer(status.bytes)),
      JSONValue.Member("fetching", status.fetching.map { .string($0.uri) } ?? .null),
      JSONValue.Member("problem", status.problem.map { .string($0.line) } ?? .null),
      JSONValue.Member("since", .integer(SystemClock.utcSeconds)),
    ]).pretty
    _ = ReplacedFile.write(Array((text + "\n").utf8), to: path)
  }
}
