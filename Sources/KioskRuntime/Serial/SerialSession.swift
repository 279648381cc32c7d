internal import ControlProtocol
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// All serial lines of the configuration, for commands that come and for cues that go out: one line may have both.
/// `SerialDoor` decides on what comes. Confined to the loop's thread; nothing here waits.
final class SerialSession {
  /// A line with what it does now.
  private final class Line {
    let link: SerialLink
    /// Nil for a line that gets cues alone; what comes by it is thrown away.
    var door: SerialDoor?
    var timer: (any EngineTimer)?

    init(_ link: SerialLink) { self.link = link }
  }

  /// Devices of lines have numbers from here on; those of GPIO lines begin with a million.
  private static let firstNumber: UInt32 = 2_000_000

  private let loop: EventLoop
  private let clock: any EngineClock
  private let log: Logger
  private let report: (VitrineError) -> Void
  /// Carries out the commands.
  weak var owner: (any ControlServerOwner)?
  /// Called with a word's key, and the device that sent it, as a button that is pressed and let go.
  var onPress: (String, InputDevice) -> Void = { _, _ in }
  private var lines: [String: Line] = [:]
  private var commandLines = CommandLines(door: "serial")

  /// - Parameter report: gets the reason why a line can't be opened.
  init(on loop: EventLoop, clock: any EngineClock, log: Logger, report: @escaping (VitrineError) -> Void) {
    self.loop = loop
    self.clock = clock
    self.log = log
    self.report = report
  }

  /// Takes the lines from new options. Those that stay as they are stay open.
  func follow(_ options: KioskOptions) {
    let inputs = options.interaction.devices.serial
    var wanted: [String: SerialSettings] = [:]
    for input in inputs { wanted[input.path] = input.settings }
    for case .serial(let path, _)? in options.settings.cues.map(\.cue.address) where wanted[path] == nil {
      wanted[path] = options.settings.serialSettings(of: path)
    }
    for (path, line) in lines where wanted[path] != line.link.settings { lines[path] = nil }
    for (path, settings) in wanted where lines[path] == nil {
      lines[path] = Line(
        SerialLink(path, settings, on: loop) { [weak self] event in self?.heard(event, by: path) })
    }
    for (path, line) in lines {
      let input = inputs.first { $0.path == path }
      guard input != line.door?.input else { continue }
      line.timer = nil
      line.door = input.map { SerialDoor($0) }
    }
  }

  func isOpen(_ path: String) -> Bool { lines[path]?.link.isOpen == true }

  func stop() { lines = [:] }

  // MARK: Cues

  /// - Parameter done: called once with nil or the reason why the bytes can't be sent, unless `giveUp` comes first.
  func send(_ bytes: [UInt8], to path: String, then done: @escaping (String?) -> Void) {
    guard let line = lines[path] else { return done("the player has no such line") }
    line.link.send(bytes, then: done)
  }

  func giveUp(_ path: String) { lines[path]?.link.giveUp() }

  // MARK: What comes

  private func heard(_ event: SerialLink.Event, by path: String) {
    guard let line = lines[path] else { return }
    switch event {
    case .opened:
      log.notice("serial: \(path) is open (\(line.link.settings))")
      feed(.opened, to: line)
    case .received(let bytes): feed(.received(bytes), to: line)
    case .failed(let error): report(error)
    case .lost: log.warning("serial: \(path) is gone; it is looked for every few seconds")
    }
  }

  private func feed(_ event: SerialDoor.Event, to line: Line) {
    guard let actions = line.door?.handle(event, at: clock.now) else { return }
    for action in actions { perform(action, of: line) }
    line.timer = line.door?.deadline.map { due in
      clock.after(max(.zero, due - clock.now)) { [weak self, weak line] in
        if let line { self?.feed(.timePassed, to: line) }
      }
    }
  }

  private func perform(_ action: SerialDoor.Action, of line: Line) {
    let path = line.link.path
    switch action {
    case .ask(let request):
      if request.changesSomething { commandLines.write(request.verb, by: path, to: log) }
      guard let owner else {
        return feed(.answered(.failed(ControlErrors.refused(request.verb, .isEnding)), request), to: line)
      }
      _ = owner.perform(request) { feed(.answered($0, request), to: line) }
    case .press(let word):
      guard let input = line.door?.input else { return }
      onPress(input.key(of: word), device(at: path))
    case .send(let bytes): line.link.send(bytes)
    case .tell(let error): log.warning("\(error.subject == path ? "" : "\(path): ")\(error.line)")
    }
  }

  private func device(at path: String) -> InputDevice {
    let place = lines.keys.sorted().firstIndex(of: path) ?? 0
    return InputDevice(
      id: InputDeviceID(Self.firstNumber + UInt32(place)), name: path, path: path, abilities: [.keys])
  }
}

/// Sends the texts of cues by a serial line. Confined to the loop's thread.
final class SerialCueLine: CueLine {
  private weak var session: SerialSession?
  private let path: String

  init(_ path: String, of session: SerialSession?) {
    self.path = path
    self.session = session
  }

  func deliver(_ cue: Cue, then done: @escaping (String?) -> Void) {
    guard let session else { return done("the player has no serial lines") }
    session.send(Array(cue.text.utf8), to: path, then: done)
  }

  func giveUp() { session?.giveUp(path) }
}
