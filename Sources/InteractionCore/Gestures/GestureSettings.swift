public import PlaybackCore

// The times and distances of all gestures, each with its reason.
//
// | what               | default          | reason                                                                 |
// |--------------------|------------------|------------------------------------------------------------------------|
// | tapLimit           | 350 ms           | taps of visitors last 60 to 200 ms, of children and old people longer  |
// | longPress          | 700 ms           | twice a slow tap: the status card isn't opened by chance               |
// | doubleTapInterval  | 280 ms           | from the first up to the second down; each single tap waits this long  |
// | doubleTapReach     | 14 mm, 5 u       | two taps of one finger land within 10 mm                               |
// | slop               | 3 mm, 1.1 u      | a resting finger rolls by 1 to 2 mm                                    |
// | flickLimit         | 200 ms           | from down to up; a deliberate drag takes longer                        |
// | flickReach         | 10 mm, 3.6 u     | a flick is long: a clumsy tap isn't one                                |
// | pairInterval       | 150 ms           | two fingers of a hand come down within 100 ms                          |
// | pairReach          | 8 mm, 3 u        | distance of both fingers that makes a two-finger swipe                 |
// | pinchReach         | 8 mm, 3 u        | change of their distance that makes a pinch, which has no effect       |
// | barHeight          | 9 mm, 3.2 u      | a finger's width, at least this many units; the track is drawn thinner |
// | silence            | 60 s             | a finger on capacitive glass reports more often; this one has gone     |

/// A distance: in millimetres where the device reports its size, else in units of the overlay (short side of the screen
/// / 54).
public struct Reach: Hashable, Sendable {
  public var millimetres: Double
  public var units: Double

  public init(millimetres: Double, units: Double) {
    self.millimetres = millimetres
    self.units = units
  }

  func pixels(_ scale: TouchScale) -> Double {
    if let pixelsPerMillimetre = scale.pixelsPerMillimetre { return millimetres * pixelsPerMillimetre }
    return units * scale.unit
  }
}

/// Converts millimetres and overlay units to pixels of one screen.
public struct TouchScale: Hashable, Sendable {
  /// The overlay's unit, in pixels.
  public var unit: Double
  public var pixelsPerMillimetre: Double?

  public init(unit: Double, pixelsPerMillimetre: Double? = nil) {
    self.unit = unit
    self.pixelsPerMillimetre = pixelsPerMillimetre
  }

  /// - Parameter screen: the size that viewers see, after rotation.
  public init(screen: PixelSize, pixelsPerMillimetre: Double? = nil) {
    self.init(unit: max(1, Double(min(screen.width, screen.height))) / 54, pixelsPerMillimetre: pixelsPerMillimetre)
  }
}

/// Every number of the gestures; see the table above.
public struct GestureSettings: Hashable, Sendable {
  public var tapLimit = Duration.milliseconds(350)
  public var longPress = Duration.milliseconds(700)
  public var doubleTapInterval = Duration.milliseconds(280)
  public var doubleTapReach = Reach(millimetres: 14, units: 5)
  public var slop = Reach(millimetres: 3, units: 1.1)
  public var flickLimit = Duration.milliseconds(200)
  public var flickReach = Reach(millimetres: 10, units: 3.6)
  public var pairInterval = Duration.milliseconds(150)
  public var pairReach = Reach(millimetres: 8, units: 3)
  public var pinchReach = Reach(millimetres: 8, units: 3)
  public var barHeight = Reach(millimetres: 9, units: 3.2)
  public var silence = Duration.seconds(60)
  /// Without a double tap's binding, each tap is reported at once.
  public var hasDoubleTap = true

  public init() {}
}
