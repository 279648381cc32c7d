internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import TelemetryCore

/// Who is told of this board without asking: a server, a broker. Confined to the loop's thread.
final class RemoteReports {
  private var post: (options: TelemetryOptions.Post, access: ServerAccess, session: HeartbeatSession)?
  private var broker: (options: TelemetryOptions.Broker, session: BrokerSession)?

  /// Goes over to what is wanted now; what stays the same goes on as it is.
  ///
  /// - Parameters:
  ///   - name: of the board.
  ///   - access: how web servers are reached.
  ///   - seed: another one on each board, and in each run.
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

  /// A screen tells something.
  func hear(_ notice: ScreenNotice, of screen: String?) {
    broker?.session.hear(notice, of: screen)
    switch notice {
    case .settingsFailed(let error), .failed(let error), .problem(let error), .itemFailed(_, let error):
      post?.session.noteProblem(error)
    default: break
    }
  }

  /// Something is wrong that belongs to no screen.
  func noteProblem(_ error: VitrineError) {
    broker?.session.noteProblem(error)
    post?.session.noteProblem(error)
  }

  /// The process ends.
  func stop() {
    post?.session.stop()
    broker?.session.stop(isEnd: true)
    (post, broker) = (nil, nil)
  }
}
