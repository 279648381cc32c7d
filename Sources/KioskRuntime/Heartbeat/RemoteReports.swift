internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import TelemetryCore

/// Sends the board's reports to a web server and an MQTT broker. Confined to the loop's thread.
final class RemoteReports {
  private var post: (options: TelemetryOptions.Post, access: ServerAccess, session: HeartbeatSession)?
  private var broker: (options: TelemetryOptions.Broker, session: BrokerSession)?

  /// Follows new options; a session whose options stay the same goes on.
  ///
  /// - Parameters:
  ///   - name: the board's name.
  ///   - access: how web servers are reached.
  ///   - seed: differs from board to board, and from run to run.
  func follow(
    _ options: TelemetryOptions, name: String, access: ServerAccess, seed: UInt64, on loop: EventLoop,
    owner: any ControlServerOwner, log: Logger
  ) {
    if options.post != post?.options || (post != nil && access != post?.access) {
      post?.session.stop()
      post = options.post.map {
        ($0, access, HeartbeatSession($0, access: access, seed: seed, on: loop, owner: owner, log: log))
      }
    }
    if options.broker != broker?.options {
      broker?.session.stop()
      broker = options.broker.map {
        ($0, BrokerSession($0, name: name, seed: seed &+ 1, on: loop, owner: owner, log: log))
      }
    }
  }

  /// Reports a screen's notice.
  func handle(_ notice: ScreenNotice, of screen: String?) {
    broker?.session.handle(notice, of: screen)
    if let error = notice.problem { post?.session.recordProblem(error) }
  }

  /// Reports a problem that belongs to no screen.
  func reportProblem(_ error: VitrineError) {
    broker?.session.publishProblem(error)
    post?.session.recordProblem(error)
  }

  /// Stops at the process's end; the broker publishes the will.
  func stop() {
    post?.session.stop()
    broker?.session.stop(isEnd: true)
    (post, broker) = (nil, nil)
  }
}
