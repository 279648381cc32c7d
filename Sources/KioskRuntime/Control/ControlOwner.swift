internal import ControlProtocol
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore

// The socket's requests, as the kiosk answers them.

extension Kiosk: ControlServerOwner {
  nonisolated func control(performs command: Command, on screen: String?) -> KioskReply {
    assumeIsolated { $0.perform(command, on: screen) }
  }

  nonisolated func controlAsksForStatus() -> KioskStatus { assumeIsolated { $0.status } }

  nonisolated func controlAsksForPicture(
    of screen: String?, _ wish: ControlPictureWish, for request: LoopReference<ScreenshotRequest>
  ) {
    assumeIsolated { kiosk in
      let all = (kiosk.screens?.all ?? []).filter { screen == nil || $0.name == screen }
      guard let one = all.first else {
        request.value?.finish(.failure(ControlErrors.refused(.query(.screenshot), .noSuchScreen)))
        return
      }
      guard all.count == 1 else {
        let error = ControlErrors.badArgument(.query(.screenshot), "there are several screens, and none is named")
        request.value?.finish(.failure(error))
        return
      }
      one.takeScreenshot(wish, for: request)
    }
  }

  /// The files are read again. Where a card stands in place of all that plays, it is tried again now: whoever asks has mended something.
  func reload() -> KioskReply {
    if let configuration {
      configuration.reload()
    } else if survival?.tryNow() != true {
      log.notice("nothing to reload: no configuration file is in use")
      return .refused(.noConfiguration)
    }
    return .done
  }

  /// Begins to listen, goes over to another path, or stops, as the options say now.
  func followControl() {
    if control == nil { control = ControlServer(on: EventLoop(executor: executor), owner: self, log: log) }
    guard let problem = control?.listen(at: options.control.socket) else { return }
    log.tell(problem)
    problems.append(problem)
  }
}

/// Whether programs may steer the player, and by which socket.
public struct ControlOptions: Hashable, Sendable {
  public var isEnabled = false
  /// Nil is the usual one.
  public var path: String?
  /// Where it is while nobody says so: `control` in the runtime folder. Nil where there is none.
  public var usualPath: String?

  /// Nil is none.
  var socket: String? { isEnabled ? path ?? usualPath : nil }

  public init() {}
}
