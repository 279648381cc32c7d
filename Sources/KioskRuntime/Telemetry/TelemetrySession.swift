internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig

/// Serves and sends the player's status: keeps recent problems, the web server and the reports. Confined to the loop's
/// thread.
final class TelemetrySession {
  /// The machine's facts, cached.
  var host = HostBook()
  private var recent = RecentProblems()
  private var web: WebSession?
  /// Sends reports to a web server and a broker.
  private let reports = RemoteReports()

  /// Takes a screen's notice.
  func handle(_ notice: ScreenNotice, of screen: String?) {
    reports.handle(notice, of: screen)
    var problem = notice.problem
    if case .reconnecting(let error) = notice { problem = error }
    if let problem { recent.recordProblem(problem, at: .monotonicNow) }
  }

  /// Takes a problem that belongs to no screen.
  func reportProblem(_ error: VitrineError) {
    recent.recordProblem(error, at: .monotonicNow)
    reports.reportProblem(error)
  }

  func problems(at now: Instant) -> [KioskStatus.Problem] { recent.all(at: now) }

  /// Follows new options.
  ///
  /// - Returns: the problems with them.
  func follow(
    _ options: KioskOptions, on loop: EventLoop, owner: any ControlServerOwner, log: Logger
  ) -> [VitrineError] {
    let telemetry = TelemetryOptions(options.settings.telemetry)
    reports.follow(
      telemetry, name: HostName.text, access: options.settings.network.access, seed: options.seed, on: loop,
      owner: owner,
      log: log)
    let problems = followWeb(telemetry.web, on: loop, owner: owner, log: log)
    for problem in problems { reportProblem(problem) }
    return problems
  }

  func stop() {
    web?.stop()
    web = nil
    reports.stop()
  }

  private func followWeb(
    _ options: TelemetryOptions.Web?, on loop: EventLoop, owner: any ControlServerOwner, log: Logger
  ) -> [VitrineError] {
    guard options != web?.options else { return [] }
    web?.stop()
    web = nil
    guard let options else { return [] }
    let session = WebSession(options, on: loop, owner: owner, log: log)
    web = session
    session.onProblem = { [weak self] error in
      log.report(error)
      self?.reportProblem(error)
    }
    return session.start()
  }
}
