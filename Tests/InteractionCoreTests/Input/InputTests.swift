import InteractionCore
import PlaybackCore
import Testing

@Suite("Input devices and touched places")
struct InputTests {
  @Test("A touched place rotates with the picture", arguments: ScreenRotation.allCases)
  func rotation(rotation: ScreenRotation) {
    // A panel of 1280x720; its top left, and a place near its top right.
    let view = rotation.turned(PixelSize(width: 1280, height: 720))
    let mapping = TouchMapping(view: view, rotation: rotation)
    let wanted: (ScreenPoint, ScreenPoint) =
      switch rotation {
      case .none: (ScreenPoint(x: 0, y: 0), ScreenPoint(x: 1152, y: 72))
      // Hung with its left side up, the panel's top left is the view's bottom left.
      case .clockwise: (ScreenPoint(x: 0, y: 1279), ScreenPoint(x: 72, y: 128))
      case .half: (ScreenPoint(x: 1279, y: 719), ScreenPoint(x: 128, y: 648))
      case .counterclockwise: (ScreenPoint(x: 719, y: 0), ScreenPoint(x: 648, y: 1152))
      }
    for (got, wanted) in [
      (mapping.screenPoint((0, 0)), wanted.0), (mapping.screenPoint((0.9, 0.1)), wanted.1),
    ] {
      #expect(abs(got.x - wanted.x) < 0.001 && abs(got.y - wanted.y) < 0.001, "\(got) instead of \(wanted)")
    }
    #expect(mapping.pixelsPerMillimetre(glassWidth: 128) == 10)
  }

  @Test("A touched place lies on the screen, whatever the device reports")
  func clamped() {
    let mapping = TouchMapping(view: PixelSize(width: 100, height: 50))
    #expect(mapping.screenPoint((-3, 7)) == ScreenPoint(x: 0, y: 49))
    #expect(mapping.screenPoint((.nan, .infinity)) == ScreenPoint(x: 0, y: 0))
    #expect(mapping.pixelsPerMillimetre(glassWidth: 0) == nil)
    #expect(mapping.pixelsPerMillimetre(glassWidth: .nan) == nil)
  }

  @Test("A device is used or ignored by its name, or as a keyboard")
  func filter() {
    let all = InputSettings()
    #expect(all.reasonToIgnore(name: "any", isKeyboard: true) == nil)
    let some = InputSettings(onlyDevices: ["FT5406", "pedal"], ignoredDevices: ["virtual"], hearsKeyboards: false)
    #expect(some.reasonToIgnore(name: "raspberrypi ft5406 ts", isKeyboard: false) == nil)
    #expect(some.reasonToIgnore(name: "Virtual pedal", isKeyboard: false)?.contains("ignored") == true)
    #expect(some.reasonToIgnore(name: "Mouse", isKeyboard: false)?.contains("isn't on the list") == true)
    #expect(some.reasonToIgnore(name: "Pedal", isKeyboard: true)?.contains("keyboards") == true)
  }

  @Test("A calibration is six numbers that map the glass to an area")
  func calibration() {
    #expect(CalibrationMatrix(parsing: "1 0 0 0 1 0") == .identity)
    #expect(CalibrationMatrix(parsing: "0, -1, 1, 1, 0, 0")?.values == [0, -1, 1, 1, 0, 0])
    for text in ["", "1 0 0 0 1", "1 0 0 0 1 x", "1 0 0 2 0 0", "nan 0 0 0 1 0", "0 0 0 0 0 0", "1e300 0 0 0 1 0"] {
      #expect(CalibrationMatrix(parsing: text) == nil, "\(text)")
    }
  }
}
