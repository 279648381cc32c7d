import ControlProtocol
import Foundation
import InteractionCore
import KioskCore
import KioskTestSupport
import Logging
import MainLoop
import PlaybackCore
import TelemetryCore
import VitrinePlayback

@testable import KioskRuntime

/// The owner of telemetry sessions, on a loop, with a fake kiosk.
actor ReportBench: ControlServerOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private(set) var performed: [Command] = []
  private var heartbeat: HeartbeatSession?
  private var broker: BrokerSession?
  private var web: WebSession?
  private var uptime = 0.0

  init() throws { executor = try GLibExecutor.start(name: "report-bench") }

  private var log: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

  /// - Parameter problem: noted before the first post, however late the test goes on.
  func post(
    _ options: TelemetryOptions.Post, access: ServerAccess = ServerAccess(), problem: VitrineError? = nil,
    _ adjust: @escaping @Sendable (inout HeartbeatMachine.Policy) -> Void = { _ in }
  ) {
    heartbeat = HeartbeatSession(
      options, access: access, seed: 1, on: EventLoop(executor: executor), owner: self, log: log, adjust: adjust)
    if let problem { reportProblem(problem) }
  }

  func connect(_ options: TelemetryOptions.Broker, _ policy: BrokerMachine.Policy) {
    broker = BrokerSession(
      options, name: "bench", seed: 1, on: EventLoop(executor: executor), owner: self, log: log, policy: policy)
  }

  /// The problems that the web server reported later.
  private(set) var told: [VitrineError] = []

  func serve(
    _ options: TelemetryOptions.Web, retryInterval: Duration = .seconds(10), renewal: Duration = .seconds(60)
  ) -> [VitrineError] {
    let session = WebSession(options, on: EventLoop(executor: executor), owner: self, log: log)
    web = session
    session.onProblem = { [weak self] error in self?.assumeIsolated { $0.told.append(error) } }
    return session.start(retryInterval: retryInterval, renewal: renewal)
  }

  func reportProblem(_ error: VitrineError) {
    heartbeat?.recordProblem(error)
    broker?.publishProblem(error)
  }

  func report(_ notice: ScreenNotice) { broker?.handle(notice, of: nil) }

  func stop(isEnd: Bool = false) {
    heartbeat?.stop()
    broker?.stop(isEnd: isEnd)
    web?.stop()
    (heartbeat, broker, web) = (nil, nil, nil)
  }

  /// Takes a turn of the loop: a blocked loop shows here.
  func turn() {}

  nonisolated func control(performs command: Command, on screen: String?) -> KioskReply {
    assumeIsolated { bench in
      bench.performed.append(command)
      return command == .next ? .refused(.nothingPlays) : .done
    }
  }

  nonisolated func controlAsksForStatus() -> KioskStatus {
    assumeIsolated { bench in
      bench.uptime += 1
      return KioskStatus(version: "1", name: "bench", uptimeSeconds: bench.uptime)
    }
  }

  nonisolated func controlAsksForPicture(
    of screen: String?, _ wish: ControlPictureWish, for request: LoopReference<ScreenshotRequest>
  ) {
    var picture = ControlPicture(width: wish.width ?? 0, height: 360, base64: Array("AAAA".utf8))
    picture.format = wish.format
    request.value?.finish(.success(picture))
  }
}
