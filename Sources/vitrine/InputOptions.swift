import ArgumentParser
import InteractionCore
import KioskRuntime
import PlaybackCore

/// The options for input devices, gestures and keys.
struct InputOptions: ParsableArguments, KioskOptionsOverride {
  @Option(
    help: ArgumentHelp(
      "Listen to this device, such as /dev/input/event3, instead of those of the seat, under KMS; may be given several "
        + "times.",
      valueName: "device"))
  var inputDevice: [String] = []

  @Option(
    help: ArgumentHelp(
      "What corrects a touchscreen: six numbers in one argument, the first two rows of a matrix over shares of width and "
        + "height.",
      discussion: "As in udev's LIBINPUT_CALIBRATION_MATRIX. 1 0 0 0 1 0 changes nothing.", valueName: "a b c d e f"),
    transform: InputOptions.calibration)
  var calibration: CalibrationMatrix?

  @Option(
    help: ArgumentHelp(
      "What of the input is ignored: none of it, all, or all but the keys (buttons-only).",
      valueName: "none|all|buttons-only"))
  var lock: LockMode?

  @Option(
    help: ArgumentHelp(
      "What a key does, by its name in the kernel: KEY_1=\"play hall.mp4\"; may be given several times.",
      discussion: "Actions: \(Binding.grammar).", valueName: "KEY=ACTION"),
    transform: InputOptions.binding)
  var key: [Named] = []

  @Option(
    help: ArgumentHelp(
      "What a gesture does: \(GestureName.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "GESTURE=ACTION"),
    transform: InputOptions.gestureBinding)
  var gesture: [Named] = []

  @Option(
    help: ArgumentHelp(
      "After this long without a touch or a key, paused playback goes on, and the loop replaces the visitors' list.",
      valueName: "seconds"),
    transform: RecordOptions.seconds)
  var idle: Duration?

  @Flag(help: "With --idle: at once, instead of at the end of the current item.")
  var idleAtOnce = false

  /// For measurements: see `ScrubPacing`.
  @Option(help: .hidden, transform: InputOptions.pacing)
  var scrubPacing: ScrubPacing?

  /// A binding written as NAME=ACTION.
  struct Named: Sendable {
    var name: String
    var binding: Binding
  }

  static func binding(_ text: String) throws -> Named {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else { throw ValidationError("'\(text)' is not NAME=ACTION.") }
    guard let binding = Binding(parts[1]) else {
      throw ValidationError("'\(parts[1])' is not an action; use one of: \(Binding.grammar).")
    }
    return Named(name: parts[0], binding: binding)
  }

  static func gestureBinding(_ text: String) throws -> Named {
    let named = try binding(text)
    guard let gesture = GestureName(rawValue: named.name) else {
      throw ValidationError(
        "'\(named.name)' is not a gesture; use one of: "
          + GestureName.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    guard named.binding == .nothing || gesture.isDrag == named.binding.isForDrags else {
      throw ValidationError("\(named.name) can't do '\(named.binding)'; drags scrub or change the volume.")
    }
    return named
  }

  /// Overrides the configuration's settings.
  func apply(to options: inout KioskOptions) {
    if !inputDevice.isEmpty { options.interaction.devices.devicePaths = inputDevice }
    if let calibration { options.interaction.devices.calibration = calibration }
    for named in key { options.interaction.actions.keys[named.name] = named.binding }
    for named in gesture {
      if let name = GestureName(rawValue: named.name) { options.interaction.actions.gestures[name] = named.binding }
    }
    if let idle { options.interaction.attract.idleAfter = idle }
    if idleAtOnce { options.interaction.attract.returns = .atOnce }
    if let lock { options.interaction.actions.lock = lock }
    if let scrubPacing {
      options.interaction.scrubbing.pacing = scrubPacing
      if let seeks = SliderSeeks(scrubPacing) { options.makeOutput = seeks.makeOutput }
    }
  }

  static func pacing(_ text: String) throws -> ScrubPacing {
    guard let pacing = ScrubPacing(rawValue: text) else {
      throw ValidationError("'\(text)' is not one of \(ScrubPacing.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return pacing
  }

  static func calibration(_ text: String) throws -> CalibrationMatrix {
    guard let matrix = CalibrationMatrix(parsing: text) else {
      throw ValidationError("'\(text)' is not a calibration; write six numbers, such as \"1 0 0 0 1 0\".")
    }
    return matrix
  }
}
