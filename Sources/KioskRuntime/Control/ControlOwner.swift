internal import ControlProtocol
internal import InteractionCore
internal import KioskCore
internal import MainLoop
internal import PlaybackCore

// The socket's requests, as the kiosk answers them.

extension Kiosk: ControlServerOwner {
  nonisolated func control(performs command: KioskCommand, on screen: String?) -> KioskReply {
    assumeIsolated { $0.perform(command, on: screen) }
  }

  nonisolated func controlAsksForStatus() -> KioskStatus { assumeIsolated { $0.status } }

  nonisolated func controlAsksForPicture(of screen: String?, width: Int?, for request: LoopReference<ScreenshotRequest>)
  {
    assumeIsolated { kiosk in
      let all = (kiosk.screens?.all ?? []).filter { screen == nil || $0.name == screen }
      guard let one = all.first else {
        request.value?.finish(.failure(ControlErrors.refused(.screenshot, .noSuchScreen)))
        return
      }
      guard all.count == 1 else {
        let error = ControlErrors.badArgument(.screenshot, "there are several screens, and none is named")
        request.value?.finish(.failure(error))
        return
      }
      one.takeScreenshot(width: width, for: request)
    }
  }

  /// Begins to listen, goes over to another path, or stops, as the options say now.
  func followControl() {
    if control == nil { control = ControlServer(on: EventLoop(executor: executor), owner: self, log: log) }
    let usual = options.configuration?.directories.runtime.map { $0 + "/control" }
    guard let problem = control?.listen(at: options.control.isEnabled ? options.control.path ?? usual : nil) else {
      return
    }
    log.tell(problem)
    problems.append(problem)
  }
}

/// Whether programs may steer the player, and by which socket.
public struct ControlOptions: Hashable, Sendable {
  public var isEnabled = false
  /// Nil is `control` in the runtime folder, where there is one.
  public var path: String?

  public init() {}
}
