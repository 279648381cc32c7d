internal import ControlProtocol
internal import InteractionCore
internal import JSONText
internal import KioskCore
internal import MainLoop

/// The kiosk as the control socket, HTTP and MQTT see it: takes commands and answers questions. Called on the loop.
protocol ControlServerOwner: AnyObject {
  func control(performs command: Command, on screen: String?) -> KioskReply
  func controlAsksForStatus() -> KioskStatus
  /// Takes a screenshot; the picture or the error goes to `request`.
  func controlAsksForPicture(
    of screen: String?, _ wish: ControlPictureWish, for request: LoopReference<ScreenshotRequest>)
}

extension ControlServerOwner {
  /// Carries out a request and answers at once, in the same way for the socket, HTTP and MQTT.
  ///
  /// - Returns: false for a screenshot or a subscription: these take longer than the call, and the caller answers them
  ///   itself.
  func perform(_ request: ControlRequest, answer: (ControlReply) -> Void) -> Bool {
    switch request.action {
    case .hello:
      answer(
        .done(
          .object([
            .init("version", .integer(ControlVersion.current)), .init("player", .string(Version.text)),
            .init("verbs", .array(ControlVerb.allCases.map { .string($0.word) })),
          ])))
    case .status: answer(.done(ControlWatch.json(controlAsksForStatus())))
    case .command(.quit):
      // Answers first: after `quit` the connection closes.
      answer(.done)
      _ = control(performs: .quit, on: nil)
    case .command(let command):
      switch control(performs: command, on: request.screen) {
      case .done: answer(.done)
      case .refused(let refusal):
        answer(.failed(ControlErrors.refused(request.verb, refusal), reason: refusal.rawValue))
      }
    case .screenshot, .subscribe: return false
    }
    return true
  }
}
