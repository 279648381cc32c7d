import ArgumentParser
import InteractionCore
import KioskRuntime

/// Which devices are listened to.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Listen to this device instead of those of the seat, under KMS; may be given several times.",
      valueName: "/dev/input/eventN"))
  var inputDevice: [String] = []

  @Option(
    help: ArgumentHelp(
      "What corrects a touchscreen: six numbers, the first two rows of a matrix over shares of width and height.",
      discussion: "As in udev's LIBINPUT_CALIBRATION_MATRIX. 1 0 0 0 1 0 changes nothing.", valueName: "a b c d e f"),
    transform: InputOptions.calibration)
  var calibration: CalibrationMatrix?

  @Option(help: ArgumentHelp("What of the input is not heard: none, all, or all but keys (buttons-only)."))
  var lock: LockName?

  /// Overrides what the configuration says.
  func apply(to options: inout KioskOptions) {
    if !inputDevice.isEmpty { options.interaction.devices.devicePaths = inputDevice }
    if let calibration { options.interaction.devices.calibration = calibration }
    if let lock { options.interaction.actions.lock = lock.mode }
  }

  static func calibration(_ text: String) throws -> CalibrationMatrix {
    guard let matrix = CalibrationMatrix(parsing: text) else {
      throw ValidationError("'\(text)' is not a calibration; write six numbers, such as \"1 0 0 0 1 0\".")
    }
    return matrix
  }
}

enum LockName: String, CaseIterable, ExpressibleByArgument {
  case none, all
  case buttonsOnly = "buttons-only"

  var mode: LockMode { LockMode(rawValue: rawValue) ?? .none }
}
