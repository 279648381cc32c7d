internal import ControlProtocol
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig

// Answers the control socket's requests for the kiosk.

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

  /// Reads the configuration files again. A run that shows only the card of repeated crashes tries to play at once
  /// instead: the person who asks has probably mended something.
  func reload() -> KioskReply {
    if let configuration {
      configuration.reload()
    } else if survival?.tryNow() != true {
      log.notice("nothing to reload: no configuration file is in use")
      return .refused(.noConfiguration)
    }
    return .done
  }

  /// Listens at the path that the options name now, or stops listening.
  func followControl() {
    if control == nil { control = ControlServer(on: EventLoop(executor: executor), owner: self, log: log) }
    let settings = options.settings.control
    let network =
      settings.isEnabled ? settings.listen.map { NetworkDoor.Settings(address: $0, from: settings.from) } : nil
    for case let problem? in [
      control?.listen(at: settings.path(usual: options.usualControlPath)), control?.listen(to: network),
    ] {
      log.report(problem)
      problems.append(problem)
    }
  }
}
