internal import ControlProtocol
internal import InteractionCore
internal import JSONText
internal import KioskCore
internal import MainLoop

/// What the doors that others steer by ask of the kiosk: the socket, HTTP, MQTT. Called on the loop.
protocol ControlServerOwner: AnyObject {
  func control(performs command: Command, on screen: String?) -> KioskReply
  func controlAsksForStatus() -> KioskStatus
  /// The answer goes to the request.
  func controlAsksForPicture(
    of screen: String?, _ wish: ControlPictureWish, for request: LoopReference<ScreenshotRequest>)
}

extension ControlServerOwner {
  /// Does what a request asks for, the same by each door, and answers at once.
  ///
  /// - Returns: false for what a door has to answer itself, as it takes longer than the call: pictures, and subscriptions.
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
      // Before there is nobody left to answer.
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
