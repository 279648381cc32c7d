internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import PlaybackCore

/// Touchscreens, keyboards and mice of a screen that no compositor feeds, and what was told of them. A compositor's input comes
/// with its display.
final class InputDevices {
  private let log: Logger
  private var source: LibinputSource?
  /// How many of its problems and ignored devices have been told.
  private var told = (problems: 0, ignored: 0)

  init(log: Logger) { self.log = log }

  var isOpen: Bool { source != nil }

  /// Touches are those of a screen of that shape from now on.
  func open(
    on loop: EventLoop, _ settings: InputSettings, _ mapping: TouchMapping,
    heard: @escaping ([(event: InputEvent, time: Instant)]) -> Void
  ) throws(VitrineError) {
    if let source {
      source.mapping = mapping
      return
    }
    let source = try LibinputSource(on: loop, settings: settings, mapping: mapping)
    self.source = source
    source.onInput = heard
    tell()
  }

  func close() {
    source?.close()
    source = nil
    told = (0, 0)
  }

  /// Says what is new of devices that can't be used.
  func tell() {
    guard let source else { return }
    for problem in source.problems.dropFirst(told.problems) { log.tell(problem) }
    for (device, reason) in source.ignored.dropFirst(told.ignored) {
      log.info("input: \(device.path) '\(device.name)' isn't used: \(reason)")
    }
    told = (source.problems.count, source.ignored.count)
  }
}
