import MainLoop
import PlaybackCore

/// Opens the CEC line of a display's screen, if there is one.
enum ScreenSleep {
  /// - Parameter tell: called on the loop with lines for the log.
  /// - Returns: nil if the screen has no CEC line, or CEC is off.
  static func open(
    _ choice: CECChoice, card: String, connector: ConnectorSnapshot, on loop: EventLoop,
    tell: @escaping (String) -> Void
  ) -> CECLine? {
    let path: String
    switch choice {
    case .off: return nil
    case .device(let asked): path = asked
    case .auto:
      let (adapters, failures) = CECAdapter.all()
      guard let found = CECAdapter.choose(card: card, connector: connector.id, among: adapters) else {
        // An adapter that can't be opened deserves a log line; a board without one doesn't.
        for failure in failures { tell("CEC isn't used: \(failure.description)") }
        return nil
      }
      path = found
    }
    do throws(DeviceFailure) {
      let line = try CECLine(try CECAdapter(path: path), on: loop) { tell($0.text(connector: connector.name, path)) }
      tell("\(connector.name) is woken and put to sleep by CEC too (\(path))")
      return line
    } catch {
      tell("CEC isn't used: \(error.description)")
      return nil
    }
  }
}

extension CECLine.Note {
  fileprivate func text(connector: String, _ path: String) -> String {
    switch self {
    case .machine(.obeyed(let isOn)): "\(connector) is \(isOn ? "awake" : "asleep") (CEC)"
    case .machine(.gaveUp(let isOn)): "\(connector) doesn't \(isOn ? "wake" : "go to sleep") by CEC"
    case .failed(let failure): "CEC isn't used any more: \(path): \(failure.description)"
    }
  }
}
