internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import VitrinePlayback

/// The touchscreens, keyboards and mice of all screens that no compositor handles; `TouchRouting` assigns them to
/// screens. Confined to the loop's thread.
final class ScreenInputs {
  typealias Batch = [(event: InputEvent, time: Instant)]

  private let loop: EventLoop
  private let log: Logger
  private var source: LibinputSource?
  private var lines: LineSource?
  /// The serial lines, for commands, words and cues. They need no screen.
  let serial: SerialSession
  private var settings = InputSettings()
  private var router = InputRouter(TouchRouting(ScreenInputs.unlit))
  private var listeners: [String: (Batch) -> Void] = [:]
  /// The number of the source's problems and ignored devices that are in the log already.
  private var told = (problems: 0, ignored: 0)

  /// The mapping of a screen that was never on: its devices touch nothing.
  private static let unlit = TouchMapping(view: PixelSize(width: 1, height: 1))

  /// - Parameters:
  ///   - clock: nil is the loop's.
  ///   - report: gets the reason why a serial line can't be had, which is in the log already.
  init(
    on loop: EventLoop, clock: (any EngineClock)? = nil, log: Logger,
    report: @escaping (VitrineError) -> Void = { _ in }
  ) {
    self.loop = loop
    self.log = log
    serial = SerialSession(on: loop, clock: clock ?? LoopClock(loop), log: log) { error in
      log.report(error)
      report(error)
    }
    serial.onPress = { [weak self] key, device in self?.press(key, of: device) }
  }

  /// Sets the screens from now on; devices that no plan names belong to the first screen.
  func setScreens(_ plans: [ScreenPlan]) {
    let before = router.routing
    let screens = plans.map { plan in
      let known = ([before.first] + before.others).first { $0.name == plan.name }
      return TouchRouting.Screen(name: plan.name, mapping: known?.mapping ?? Self.unlit, devices: plan.touch)
    }
    guard let first = screens.first else { return }
    use(TouchRouting(first: first, others: Array(screens.dropFirst())))
  }

  /// Delivers the touches on a screen of that shape. If the settings have changed, it opens all devices again.
  ///
  /// - Throws: 6001 or 6003 where no device can be opened; playback goes on without input.
  func listen(
    as name: String, _ mapping: TouchMapping, _ settings: InputSettings, heard: @escaping (Batch) -> Void
  ) throws(VitrineError) {
    listeners[name] = heard
    var routing = router.routing
    if routing.first.name == name {
      routing.first.mapping = mapping
    } else if let index = routing.others.firstIndex(where: { $0.name == name }) {
      routing.others[index].mapping = mapping
    }
    use(routing)
    if source != nil, self.settings != settings { closeSource() }
    guard source == nil else { return }
    self.settings = settings
    let source = try LibinputSource(on: loop, settings: settings, routing: routing)
    self.source = source
    source.onInput = { [weak self] batch in self?.deliver(batch) }
    logUnusedDevices()
  }

  /// Delivers the buttons on GPIO lines, which no compositor handles, with every kind of output.
  func listen(as name: String, to wanted: [InputLine], heard: @escaping (Batch) -> Void) {
    listeners[name] = heard
    guard wanted != lines?.lines ?? [] else { return }
    lines?.close()
    lines = wanted.isEmpty ? nil : LineSource(on: loop, lines: wanted) { [log] in log.report($0) }
    lines?.onInput = { [weak self] batch in self?.deliver(batch) }
  }

  /// Delivers a word of a serial line, as a button that is pressed and let go at once.
  private func press(_ key: String, of device: InputDevice) {
    // Only for the screen that it belongs to.
    _ = router.route(.deviceAdded(device))
    deliver([KeyChange.Kind.down, .up].map { (.key(KeyChange(device: device.id, key: key, $0)), .monotonicNow) })
  }

  /// Stops the delivery to a screen that closes.
  func leave(_ name: String) {
    listeners[name] = nil
    guard listeners.isEmpty else { return }
    closeSource()
    lines?.close()
    lines = nil
  }

  private func closeSource() {
    source?.close()
    source = nil
    told = (0, 0)
  }

  private func use(_ routing: TouchRouting) {
    router.routing = routing
    source?.routing = routing
  }

  /// Delivers a batch in its order, the events for one screen together.
  private func deliver(_ batch: Batch) {
    var names: [String] = []
    var parts: [String: Batch] = [:]
    for (event, time) in batch {
      for routed in router.route(event) {
        if parts[routed.screen] == nil { names.append(routed.screen) }
        parts[routed.screen, default: []].append((routed.event, time))
      }
      if case .deviceAdded = event { logUnusedDevices() }
    }
    for name in names { listeners[name]?(parts[name] ?? []) }
  }

  /// Logs new problems and newly ignored devices.
  private func logUnusedDevices() {
    guard let source else { return }
    for problem in source.problems.dropFirst(told.problems) { log.report(problem) }
    for (device, reason) in source.ignored.dropFirst(told.ignored) {
      log.info("input: \(device.path) '\(device.name)' isn't used: \(reason)")
    }
    told = (source.problems.count, source.ignored.count)
  }
}
