/// A film's own statement of the light it was graded for (SMPTE ST 2086 and CTA-861.3). Zero stands for unknown.
public struct HDRLight: Hashable, Sendable {
  /// A chromaticity in units of 0.00002.
  public struct Chromaticity: Hashable, Sendable {
    public var x, y: UInt16

    public init(x: UInt16, y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  /// Red, green, blue and white of the display on which the film was graded; nil where unknown.
  public struct Display: Hashable, Sendable {
    public var red, green, blue, white: Chromaticity
    /// Greatest and least luminance, in units of 0.0001 cd/m².
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

  /// cd/m², for a film that names neither its brightest pixel nor its display's. Most films are graded for it, and HLG
  /// is shown at it here.
  static let usualPeak = 1000.0
  /// Plausible peaks in cd/m²: below diffuse white a film isn't HDR, and PQ ends at 10,000.
  static let peaks = 203.0...10_000.0

  /// The greatest luminance to reckon with, cd/m²: that of the film, else that of its display, else 1000. Implausible
  /// numbers, which some encoders write, are passed over.
  var peak: Double {
    let told = [Double(brightestPixel), Double(display?.most ?? 0) / 10_000]
    return told.first(where: Self.peaks.contains) ?? Self.usualPeak
  }
}
