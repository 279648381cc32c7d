internal import FileSystem
internal import Glibc
internal import JSONText
internal import KioskCore
internal import MainLoop
internal import PlaylistConfig

/// configuration.json in the runtime directory: the configuration's state, for scripts. docs/reload.md lists its keys.
struct ConfigurationStateFile: Sendable {
  let path: String

  init(directory: String) { path = "\(directory)/configuration.json" }

  /// The verdict on the files of the last reading, and the configuration in use.
  struct State: Sendable {
    var state = ConfigurationState.none
    var reason: String?
    /// The fingerprint of the configuration in use.
    var active: String?
    /// The fingerprint of the files at their last reading: `state` and `reason` are about these.
    var files: String?
    var screen = KioskStatus.Screen.Presence.none
    /// How often the files have been read since the start. A client that asked for a reload waits for a higher count.
    var readings = 0
    var sources: [String] = []
  }

  /// Writes the file in one step, without a sync: readers find the old file or the new one, and a file system in memory
  /// needs no sync. Blocks.
  func write(_ state: State) {
    let text = JSONValue.object([
      JSONValue.Member("schema", .integer(1)),
      JSONValue.Member("state", .string(state.state.rawValue)),
      JSONValue.Member("reason", state.reason.map { .string($0) } ?? .null),
      JSONValue.Member("active", state.active.map { .string($0) } ?? .null),
      JSONValue.Member("files", state.files.map { .string($0) } ?? .null),
      JSONValue.Member("screen", .string(state.screen.rawValue)),
      JSONValue.Member("sources", .array(state.sources.map { .string($0) })),
      JSONValue.Member("readings", .integer(Int64(state.readings))),
      JSONValue.Member("pid", .integer(Int64(getpid()))),
      JSONValue.Member("since", .integer(SystemClock.utcSeconds)),
    ]).pretty
    _ = ReplacedFile.write(Array((text + "\n").utf8), to: path)
  }
}
