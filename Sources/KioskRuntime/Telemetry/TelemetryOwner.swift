internal import FileSystem
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// The status of the player, for the control socket, the web server and reports.

extension Kiosk {
  /// The status now.
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
    status.alerts = screens?.alerts?.shown.map { KioskStatus.Alert($0) } ?? []
    status.survival = options.survival?.status
    status.board = host.board
    status.board.diskFreeBytes = options.configuration?.directories.lasting.flatMap { try? FileTree.freeBytes(in: $0) }
    status.problems = telemetry.problems(at: now)
    return status
  }

  /// Follows the telemetry options: starts, changes or stops the web server and the reports.
  func followTelemetry() {
    let loop = EventLoop(executor: executor)
    for problem in telemetry.follow(options, on: loop, owner: self, log: log) {
      log.report(problem)
      problems.append(problem)
    }
  }
}
