/// What a film says of the light it was made for (SMPTE ST 2086 and CTA-861.3). Zero is for what it doesn't say.
public struct HDRLight: Hashable, Sendable {
  /// A chromaticity in units of 0.00002.
  public struct Chromaticity: Hashable, Sendable {
    public var x, y: UInt16

    public init(x: UInt16, y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  /// Red, green, blue and white of the display on which it was graded; nil where it isn't told.
  public struct Display: Hashable, Sendable {
    public var red, green, blue, white: Chromaticity
    /// In units of 0.0001 cd/m².
    public var most, least: UInt32

    public init(
      red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity, most: UInt32, least: UInt32
    ) {
      self.red = red
      self.green = green
      self.blue = blue
      self.white = white
      self.most = most
      self.least = least
    }
  }

  public var display: Display?
  /// The brightest pixel of the film (MaxCLL), cd/m².
  public var brightestPixel: UInt16
  /// The brightest frame's mean (MaxFALL), cd/m².
  public var brightestFrame: UInt16

  public init(display: Display? = nil, brightestPixel: UInt16 = 0, brightestFrame: UInt16 = 0) {
    self.display = display
    self.brightestPixel = brightestPixel
    self.brightestFrame = brightestFrame
  }

  /// Where neither is told: what most films are graded for, and HLG is by definition here.
  static let usualPeak = 1000.0
  /// What can be told: less than diffuse white is no HDR, and PQ has no more than 10,000.
  static let peaks = 203.0...10_000.0

  /// The greatest luminance to reckon with, cd/m²: that of the film, else that of its display, else 1000. Numbers that can't be
  /// are passed over; encoders write such.
  var peak: Double {
    let told = [Double(brightestPixel), Double(display?.most ?? 0) / 10_000]
    return told.first(where: Self.peaks.contains) ?? Self.usualPeak
  }
}
