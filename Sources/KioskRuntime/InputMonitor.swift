internal import Displays
internal import Glibc
public import InteractionCore
public import MainLoop
internal import MediaPipeline
public import PlaybackCore
internal import VitrinePlayback

/// Lists the input devices and their events, with the recognised gestures and the actions bound to them: `vitrine
/// inputs`.
///
/// An actor on a GLib loop of its own. It plays nothing, and doesn't grab the devices: other programs get their events,
/// too.
public actor InputMonitor {
  public nonisolated let executor: GLibExecutor
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let settings: InteractionSettings
  private let view: PixelSize
  private let rotation: ScreenRotation
  private let tell: @Sendable (String) -> Void
  private var recognizer: GestureRecognizer
  private var loop: EventLoop?
  private var source: LibinputSource?
  private var lines: LineSource?
  private var serial: SerialMonitor?
  private var window: WaylandDisplay?
  private var timer: EventSource?
  private var ends: [EventSource] = []
  private var done: CheckedContinuation<Void, Never>?
  private var listed = Listed()

  /// Numbers of what has been listed.
  private struct Listed {
    var devices = 0
    var ignored = 0
    var problems = 0
  }

  /// - Parameters:
  ///   - view: the size of the screen that touches are mapped to, unless a compositor gives it.
  ///   - tell: takes each line; called on the monitor's thread.
  /// - Throws: 7301 when the system can't start another thread.
  public init(
    settings: InteractionSettings, view: PixelSize, rotation: ScreenRotation,
    tell: @escaping @Sendable (String) -> Void
  ) throws(VitrineError) {
    self.settings = settings
    self.view = view
    self.rotation = rotation
    self.tell = tell
    var gestures = settings.gestures
    gestures.hasDoubleTap = settings.actions.hasDoubleTap
    recognizer = GestureRecognizer(settings: gestures, screen: view)
    executor = try GLibExecutor.start(name: "vitrine-inputs")
  }

  /// Writes lines on devices and events until the time is up or a signal comes.
  ///
  /// - Parameters:
  ///   - isInCompositor: opens a window and reports the events in it.
  ///   - limit: nil is for ever; zero lists the devices only.
  /// - Throws: 6001, or an error of the compositor's (52xx).
  public func run(isInCompositor: Bool, limit: Duration?) async throws(VitrineError) {
    let loop = EventLoop(executor: executor)
    self.loop = loop
    let lines = LineSource(on: loop, lines: settings.devices.lines) { [tell] in tell($0.line) }
    self.lines = lines
    serial = SerialMonitor(settings, isListing: limit == .zero, on: loop, tell: tell)
    lines.onInput = { [weak self] events in self?.assumeIsolated { $0.receiveEvents(events) } }
    if isInCompositor {
      let window = try WaylandDisplay.open(on: loop, socket: nil, title: "Vitrine: inputs")
      self.window = window
      recognizer.screen = window.target.size
      window.onInput = { [weak self] events in self?.assumeIsolated { $0.receiveEvents(events) } }
      window.onEvent = { [weak self] event in
        if case .lost = event { self?.assumeIsolated { $0.end() } }
      }
    } else {
      let source = try LibinputSource(
        on: loop, settings: settings.devices, mapping: TouchMapping(view: view, rotation: rotation), grabs: false)
      self.source = source
      source.onInput = { [weak self] events in self?.assumeIsolated { $0.receiveEvents(events) } }
      printUnusedDevices()
      if listed.devices == 0 { tell("no input device that can be used") }
    }
    if limit != .zero {
      await withCheckedContinuation { continuation in
        done = continuation
        ends = [SIGINT, SIGTERM].map { loop.onSignal($0) { [weak self] in self?.assumeIsolated { $0.end() } } }
        if let limit { ends.append(loop.after(limit) { [weak self] in self?.assumeIsolated { $0.end() } }) }
      }
    }
    lines.close()
    serial = nil
    source?.close()
    window?.close()
    timer = nil
  }

  private func end() {
    ends = []
    done?.resume()
    done = nil
  }

  // MARK: Events

  private func receiveEvents(_ events: [(event: InputEvent, time: Instant)]) {
    for (event, time) in events { receiveEvent(event, at: time) }
    arm()
  }

  private func receiveEvent(_ event: InputEvent, at time: Instant) {
    switch event {
    case .deviceAdded(let device):
      listed.devices += 1
      let line = settings.devices.lines.first { $0.title == device.name }.flatMap { settings.actions.lines[$0.key] }
      tell("device \(device.id.number): \(Self.line(device))\(line.map { ": \($0)" } ?? "")")
    case .deviceRemoved(let id): tell("device \(id.number): gone")
    case .key(let change):
      if let line = settings.actions.lines[change.key] {
        tell("line \(change.device.number): \(change.key) \(change.kind == .down ? "pressed -> \(line)" : "let go")")
        break
      }
      let action = settings.actions.action(forKey: change.key)
      tell("key \(change.device.number): \(change.key) \(change.kind == .down ? "down -> \(action)" : "up")")
    case .touch(let frame):
      for change in frame.changes {
        tell("touch \(frame.device.number): finger \(change.finger) \(Self.words(change.kind))")
      }
    // No line: there would be too many to read anything else.
    case .pointerMoved: break
    }
    printUnusedDevices()
    printGestures(recognizer.handle(event, at: time))
  }

  private func arm() {
    timer = recognizer.deadline.flatMap { due in
      loop?.after(max(.milliseconds(1), due - .monotonicNow)) { [weak self] in
        self?.assumeIsolated { monitor in
          monitor.printGestures(monitor.recognizer.timePassed(at: .monotonicNow))
          monitor.arm()
        }
      }
    }
  }

  private func printGestures(_ actions: [GestureAction]) {
    for action in actions {
      switch action {
      case .recognised(let gesture):
        let name = GestureName(gesture)?.rawValue ?? "button"
        tell("  gesture: \(name) -> \(settings.actions.action(for: gesture))")
      case .dragBegan(let drag):
        tell("  gesture: \(GestureName(drag.kind).rawValue) begins -> \(settings.actions.action(for: drag.kind))")
      case .dragMoved: break
      case .dragEnded(let drag, let end):
        let (dx, dy) = (Int(drag.point.x - drag.start.x), Int(drag.point.y - drag.start.y))
        tell("  gesture: \(GestureName(drag.kind).rawValue) ends after \(dx),\(dy) (\(end.rawValue))")
      }
    }
  }

  /// Lists the devices that aren't used and those that can't be opened.
  private func printUnusedDevices() {
    guard let source else { return }
    for (device, reason) in source.ignored.dropFirst(listed.ignored) {
      listed.devices += 1
      tell("ignored: \(Self.line(device)): \(reason)")
    }
    for problem in source.problems.dropFirst(listed.problems) { tell(problem.line) }
    listed.ignored = source.ignored.count
    listed.problems = source.problems.count
  }

  private static func line(_ device: InputDevice) -> String {
    let abilities = InputDevice.Ability.allCases.filter(device.abilities.contains).map(\.rawValue)
    let scale = device.pixelsPerMillimetre.map { ", \(($0 * 10).rounded() / 10) pixels in a millimetre" } ?? ""
    let place = device.place.isEmpty ? "" : " at \(device.place)"
    return "\(device.path) '\(device.name)'\(place) (\(abilities.joined(separator: ", "))\(scale))"
  }

  private static func words(_ kind: FingerChange.Kind) -> String {
    switch kind {
    case .down(let point): "down \(Int(point.x)),\(Int(point.y))"
    case .moved(let point): "at \(Int(point.x)),\(Int(point.y))"
    case .up: "up"
    case .cancelled: "cancelled"
    }
  }
}
