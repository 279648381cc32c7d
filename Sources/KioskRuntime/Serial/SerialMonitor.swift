internal import ControlProtocol
internal import Displays
internal import InteractionCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// Tells what comes by the serial lines, and what it would do: for `vitrine inputs`. Nothing is carried out, and nothing
/// answered. Confined to the loop's thread.
final class SerialMonitor {
  private let actions: ActionMap
  private let loop: EventLoop
  private let tell: (String) -> Void
  private var links: [String: SerialLink] = [:]
  private var doors: [String: SerialDoor] = [:]
  private var timers: [String: EventSource] = [:]

  /// - Parameter isListing: tells the lines and whether they can be opened, and hears nothing. Waits for the devices.
  init(_ settings: InteractionSettings, isListing: Bool, on loop: EventLoop, tell: @escaping (String) -> Void) {
    actions = settings.actions
    self.loop = loop
    self.tell = tell
    for input in settings.devices.serial {
      let path = input.path
      tell("serial \(path) (\(input.settings)): \(words(of: input))")
      guard !isListing else {
        do throws(VitrineError) {
          _ = try SerialPort(path, input.settings)
        } catch {
          tell(error.line)
        }
        continue
      }
      doors[path] = SerialDoor(input)
      links[path] = SerialLink(path, input.settings, on: loop) { [weak self] in self?.heard($0, by: path) }
    }
  }

  private func words(of input: SerialInput) -> String {
    if input.takesCommands { return "commands" }
    return input.words.sorted().map { "\(PlainText.shown($0)): \(action(of: $0, input))" }.joined(separator: ", ")
  }

  private func action(of word: String, _ input: SerialInput) -> Binding {
    actions.lines[input.key(of: word)]?.press ?? .nothing
  }

  private func heard(_ event: SerialLink.Event, by path: String) {
    switch event {
    case .opened: feed(.opened, of: path)
    case .received(let bytes): feed(.received(bytes), of: path)
    case .failed(let error): tell(error.line)
    case .lost: tell("serial \(path): gone")
    }
  }

  private func feed(_ event: SerialDoor.Event, of path: String) {
    guard let input = doors[path]?.input else { return }
    for action in doors[path]?.handle(event, at: .monotonicNow) ?? [] {
      switch action {
      case .ask(let request):
        tell("serial \(path): command \(request.verb.word)")
        feed(.answered(.done, request), of: path)
      case .press(let word): tell("serial \(path): \(PlainText.shown(word)) -> \(self.action(of: word, input))")
      case .send: break
      case .tell(let error): tell(error.line)
      }
    }
    timers[path] = doors[path]?.deadline.map { due in
      loop.after(max(.zero, due - .monotonicNow)) { [weak self] in self?.feed(.timePassed, of: path) }
    }
  }
}
