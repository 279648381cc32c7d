internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import PlaybackCore

/// Touchscreens, keyboards and mice that no compositor hands on, of all screens; `TouchRouting` says which is whose. Confined to
/// the loop's thread.
final class ScreenInputs {
  typealias Batch = [(event: InputEvent, time: Instant)]

  private let loop: EventLoop
  private let log: Logger
  private var source: LibinputSource?
  private var settings = InputSettings()
  private var router = InputRouter(TouchRouting(ScreenInputs.unlit))
  private var listeners: [String: (Batch) -> Void] = [:]
  /// How many of its problems and ignored devices have been told.
  private var told = (problems: 0, ignored: 0)

  /// Of a screen that was never lit: its devices touch nothing.
  private static let unlit = TouchMapping(view: PixelSize(width: 1, height: 1))

  init(on loop: EventLoop, log: Logger) {
    self.loop = loop
    self.log = log
  }

  /// These are the screens from now on; what none of them names is the first one's.
  func setScreens(_ plans: [ScreenPlan]) {
    let before = router.routing
    let screens = plans.map { plan in
      let known = ([before.first] + before.others).first { $0.name == plan.name }
      return TouchRouting.Screen(name: plan.name, mapping: known?.mapping ?? Self.unlit, devices: plan.touch)
    }
    guard let first = screens.first else { return }
    use(TouchRouting(first: first, others: Array(screens.dropFirst())))
  }

  /// Hands on what is touched of a screen of that shape. Other settings open all devices anew.
  ///
  /// - Throws: 6001 or 6003 where no devices can be had; the picture goes on without.
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
    source.onInput = { [weak self] batch in self?.hear(batch) }
    tell()
  }

  /// The screen is over.
  func leave(_ name: String) {
    listeners[name] = nil
    if listeners.isEmpty { closeSource() }
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

  /// In the order in which it came; what is for one screen together.
  private func hear(_ batch: Batch) {
    var names: [String] = []
    var parts: [String: Batch] = [:]
    for (event, time) in batch {
      for routed in router.route(event) {
        if parts[routed.screen] == nil { names.append(routed.screen) }
        parts[routed.screen, default: []].append((routed.event, time))
      }
      if case .deviceAdded = event { tell() }
    }
    for name in names { listeners[name]?(parts[name] ?? []) }
  }

  /// Says what is new of devices that can't be used.
  private func tell() {
    guard let source else { return }
    for problem in source.problems.dropFirst(told.problems) { log.tell(problem) }
    for (device, reason) in source.ignored.dropFirst(told.ignored) {
      log.info("input: \(device.path) '\(device.name)' isn't used: \(reason)")
    }
    told = (source.problems.count, source.ignored.count)
  }
}
