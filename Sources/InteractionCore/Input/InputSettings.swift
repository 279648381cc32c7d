/// The devices that are used, and the mapping of their positions to the screen.
public struct InputSettings: Hashable, Sendable {
  /// Only devices whose name contains one of these words, in any case; empty for all devices.
  public var onlyDevices: [String]
  /// Devices whose name contains one of these words aren't used.
  public var ignoredDevices: [String]
  /// Whether full keyboards are used; remote controls, pedals and buttons always are. A kiosk without a keyboard
  /// ignores one that a visitor plugs in.
  public var hearsKeyboards: Bool
  /// Paths of devices to use instead of those of the seat.
  public var devicePaths: [String]
  /// For touchscreens that need it: six numbers as in `LIBINPUT_CALIBRATION_MATRIX`, the first two rows of a matrix
  /// over shares of width and height; nil keeps udev's setting.
  public var calibration: CalibrationMatrix?
  /// GPIO lines with buttons.
  public var lines: [InputLine] = []
  /// Serial lines by which commands come.
  public var serial: [SerialInput] = []

  public init(
    onlyDevices: [String] = [], ignoredDevices: [String] = [], hearsKeyboards: Bool = true,
    devicePaths: [String] = [], calibration: CalibrationMatrix? = nil
  ) {
    self.onlyDevices = onlyDevices
    self.ignoredDevices = ignoredDevices
    self.hearsKeyboards = hearsKeyboards
    self.devicePaths = devicePaths
    self.calibration = calibration
  }

  /// The reason for which a device isn't used; nil when it is used.
  ///
  /// - Parameter isKeyboard: the device has the letters of a full keyboard.
  public func reasonToIgnore(name: String, isKeyboard: Bool) -> String? {
    let name = name.lowercased()
    func matches(_ word: String) -> Bool { !word.isEmpty && name.contains(word.lowercased()) }
    if ignoredDevices.contains(where: matches) { return "its name is on the list of ignored devices" }
    if !onlyDevices.isEmpty, !onlyDevices.contains(where: matches) { return "its name isn't on the list of devices" }
    if isKeyboard, !hearsKeyboards { return "keyboards are ignored" }
    return nil
  }
}

/// Corrects the positions that a touchscreen reports: x' = a x + b y + c, y' = d x + e y + f, in shares of the glass.
public struct CalibrationMatrix: Hashable, Sendable {
  public var values: [Double]

  public static let identity = CalibrationMatrix(unchecked: [1, 0, 0, 0, 1, 0])

  /// No glass is a thousand times as wide as its screen; within this limit positions stay precise numbers.
  private static let largest = 1000.0

  /// - Parameter values: a b c d e f. Fails for another number of values, for values beyond -1000 to 1000, and for a
  ///   matrix that maps the whole glass to a line.
  public init?(_ values: [Double]) {
    guard values.count == 6, values.allSatisfy({ abs($0) <= Self.largest }),
      abs(values[0] * values[4] - values[1] * values[3]) > 1e-6
    else { return nil }
    self.values = values
  }

  private init(unchecked values: [Double]) { self.values = values }

  /// Reads six numbers with blanks or commas between them.
  public init?(parsing text: String) {
    let words = text.split { $0 == " " || $0 == "," || $0 == "\t" }
    let values = words.compactMap { Double($0) }
    guard values.count == words.count else { return nil }
    self.init(values)
  }
}
