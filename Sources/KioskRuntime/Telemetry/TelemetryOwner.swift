internal import FileSystem
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// How everything fares, for those who ask.

extension Kiosk {
  /// Now.
  var status: KioskStatus {
    let now = Instant.monotonicNow
    let host = telemetry.host.facts(at: now)
    var status = KioskStatus(
      version: Version.text, name: host.name, uptimeSeconds: (now - options.processStart).inSeconds)
    status.addresses = host.addresses
    status.screens = screens?.status ?? []
    status.configuration = configuration?.status
    if let since = configuration?.activeSince {
      status.configuration?.sinceUptimeSeconds = max(0, (since - options.processStart).inSeconds)
    }
    status.store = store?.status
    status.survival = options.survival?.status
    status.board = host.board
    status.board.diskFreeBytes = options.configuration?.directories.lasting.flatMap { try? FileTree.freeBytes(in: $0) }
    status.problems = telemetry.problems(at: now)
    return status
  }

  /// Begins to listen, goes over to another address, or stops, as the options say now.
  func followTelemetry() {
    let loop = EventLoop(executor: executor)
    for problem in telemetry.follow(options, on: loop, owner: self, log: log) {
      log.tell(problem)
      problems.append(problem)
    }
  }
}
