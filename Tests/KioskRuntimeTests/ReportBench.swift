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

/// What sessions of telemetry belong to, on a loop, with a kiosk that is imagined.
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

  /// - Parameter problem: noted before the first one is sent, however late the test comes back.
  func post(
    _ options: TelemetryOptions.Post, access: ServerAccess = ServerAccess(), problem: VitrineError? = nil,
    _ adjust: @escaping @Sendable (inout HeartbeatMachine.Policy) -> Void = { _ in }
  ) {
    heartbeat = HeartbeatSession(
      options, access: access, seed: 1, on: EventLoop(executor: executor), owner: self, log: log, adjust: adjust)
    if let problem { noteProblem(problem) }
  }

  func connect(_ options: TelemetryOptions.Broker, _ policy: BrokerMachine.Policy) {
    broker = BrokerSession(
      options, name: "bench", seed: 1, on: EventLoop(executor: executor), owner: self, log: log, policy: policy)
  }

  /// What the web server told later.
  private(set) var told: [VitrineError] = []

  func serve(
    _ options: TelemetryOptions.Web, retryInterval: Duration = .seconds(10), renewal: Duration = .seconds(60)
  ) -> [VitrineError] {
    let session = WebSession(options, on: EventLoop(executor: executor), owner: self, log: log)
    web = session
    session.onProblem = { [weak self] error in self?.assumeIsolated { $0.told.append(error) } }
    return session.start(retryInterval: retryInterval, renewal: renewal)
  }

  func noteProblem(_ error: VitrineError) {
    heartbeat?.noteProblem(error)
    broker?.noteProblem(error)
  }

  func tell(_ notice: ScreenNotice) { broker?.hear(notice, of: nil) }

  func stop(isEnd: Bool = false) {
    heartbeat?.stop()
    broker?.stop(isEnd: isEnd)
    web?.stop()
    (heartbeat, broker, web) = (nil, nil, nil)
  }

  /// How long the loop takes to come round: what blocks it shows here.
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
