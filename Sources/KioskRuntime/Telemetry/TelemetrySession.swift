internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// Who asks how the player fares, who is told, and what is kept for them. Confined to the loop's thread.
final class TelemetrySession {
  /// What is known of this machine.
  var host = HostBook()
  private var recent = RecentProblems()
  private var web: WebSession?
  /// Who is told without asking.
  private let reports = RemoteReports()

  /// A screen tells something.
  func hear(_ notice: ScreenNotice, of screen: String?) {
    reports.hear(notice, of: screen)
    switch notice {
    case .settingsFailed(let error), .failed(let error), .problem(let error), .itemFailed(_, let error),
      .reconnecting(let error):
      recent.noteProblem(error, at: .monotonicNow)
    default: break
    }
  }

  /// Something is wrong that belongs to no screen.
  func noteProblem(_ error: VitrineError) {
    recent.noteProblem(error, at: .monotonicNow)
    reports.noteProblem(error)
  }

  func problems(at now: Instant) -> [KioskStatus.Problem] { recent.all(at: now) }

  /// Goes over to what the options say now.
  ///
  /// - Returns: what can't be done of it.
  func follow(
    _ options: KioskOptions, on loop: EventLoop, owner: any ControlServerOwner, log: Logger
  ) -> [VitrineError] {
    reports.follow(
      options.telemetry, name: HostName.text, access: options.access, seed: options.seed, on: loop, owner: owner,
      log: log)
    let problems = followWeb(options.telemetry.web, on: loop, owner: owner, log: log)
    for problem in problems { noteProblem(problem) }
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
      log.tell(error)
      self?.noteProblem(error)
    }
    return session.start()
  }
}
