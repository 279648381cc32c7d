internal import FileSystem
internal import Glibc
internal import JSONText
internal import KioskCore
internal import MainLoop
internal import PlaylistConfig

/// configuration.json in the runtime directory: where the configuration stands, for scripts. docs/reload.md lists its keys.
struct ConfigurationStateFile: Sendable {
  let path: String

  init(directory: String) { path = "\(directory)/configuration.json" }

  /// The texts that were looked at last: those that play, or those that were refused.
  struct State: Sendable {
    var state = ConfigurationState.none
    var reason: String?
    /// Of what plays.
    var active: String?
    /// Of the files, as they were read last: what `state` and `reason` are about.
    var files: String?
    var screen = KioskStatus.Screen.Presence.none
    /// How often files have been read since the start: whoever asked for it knows when this is the answer.
    var readings = 0
    var sources: [String] = []
  }

  /// Blocks. Readers find the old file or the new one; on a file system in memory there is nothing to wait for.
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
