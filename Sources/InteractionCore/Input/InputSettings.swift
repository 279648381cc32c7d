/// Which devices are listened to, and how theirs become places on the screen.
public struct InputSettings: Hashable, Sendable {
  /// Only devices whose name contains one of these, whatever the case; empty takes all.
  public var onlyDevices: [String]
  /// None of the devices whose name contains one of these.
  public var ignoredDevices: [String]
  /// Whether full keyboards are heard; remote controls, pedals and buttons always are. A kiosk that has no keyboard
  /// has no use for the one that somebody plugs in.
  public var hearsKeyboards: Bool
  /// Devices by path, instead of those of the seat.
  public var devicePaths: [String]
  /// For touchscreens that need it: six numbers as in `LIBINPUT_CALIBRATION_MATRIX`, the first two rows of a matrix over
  /// shares of width and height; nil leaves what udev says.
  public var calibration: CalibrationMatrix?

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

  /// Why a device isn't used; nil when it is.
  ///
  /// - Parameter isKeyboard: it has the letters of a full keyboard.
  public func reasonToIgnore(name: String, isKeyboard: Bool) -> String? {
    let name = name.lowercased()
    func matches(_ word: String) -> Bool { !word.isEmpty && name.contains(word.lowercased()) }
    if ignoredDevices.contains(where: matches) { return "its name is on the list of ignored devices" }
    if !onlyDevices.isEmpty, !onlyDevices.contains(where: matches) { return "its name isn't on the list of devices" }
    if isKeyboard, !hearsKeyboards { return "keyboards are ignored" }
    return nil
  }
}

/// Corrects where a touchscreen says it was touched: x' = a x + b y + c, y' = d x + e y + f, in shares of the glass.
public struct CalibrationMatrix: Hashable, Sendable {
  public var values: [Double]

  public static let identity = CalibrationMatrix(unchecked: [1, 0, 0, 0, 1, 0])

  /// No glass is a thousand times as wide as its screen; places on the screen stay numbers that count pixels.
  private static let largest = 1000.0

  /// - Parameter values: a b c d e f; nil comes back for another number of them, for what isn't within -1000 to 1000, and
  ///   for a matrix that maps the whole glass to a line.
  public init?(_ values: [Double]) {
    guard values.count == 6, values.allSatisfy({ abs($0) <= Self.largest }),
      abs(values[0] * values[4] - values[1] * values[3]) > 1e-6
    else { return nil }
    self.values = values
  }

  private init(unchecked values: [Double]) { self.values = values }

  /// Six numbers with blanks or commas between them.
  public init?(parsing text: String) {
    let words = text.split { $0 == " " || $0 == "," || $0 == "\t" }
    let values = words.compactMap { Double($0) }
    guard values.count == words.count else { return nil }
    self.init(values)
  }
}
