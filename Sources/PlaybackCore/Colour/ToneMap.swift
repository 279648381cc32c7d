internal import func Glibc.pow

/// Maps HDR pictures to a screen without HDR, so that faces look as they do in SDR.
///
/// The curve is the EETF of ITU-R BT.2390, from the film's peak to 203 cd/m², which is diffuse white by ITU-R BT.2408
/// and the white of our screen. Up to about half of that nothing changes; highlights share what is above. It is applied
/// to the greatest of the screen's red, green and blue, and the other two follow in proportion, so that no hue changes.
/// Reasons and measurements: docs/decisions/0067-hdr-to-sdr.md.
public struct ToneMap: Hashable, Sendable {
  public var transfer: HDRTransfer
  public var primaries: ColourPrimaries
  /// The greatest luminance of the film, cd/m².
  public var sourcePeak: Double

  /// Diffuse white of HDR in cd/m² (BT.2408), and the white of a screen without HDR.
  public static let white = 203.0
  /// Gamma of a screen without HDR (BT.1886, with black at zero).
  static let displayGamma = 2.4

  public init(transfer: HDRTransfer, primaries: ColourPrimaries = .bt2020, sourcePeak: Double) {
    self.transfer = transfer
    self.primaries = primaries
    // HLG has no peak of its own: it is shown as on a display of 1000 cd/m².
    let peak = transfer == .hlg ? HLG.displayPeak : sourcePeak
    self.sourcePeak = min(HDRLight.peaks.upperBound, max(HDRLight.peaks.lowerBound, peak))
  }

  /// The luminance that a screen without HDR has for a signal.
  ///
  /// - Parameter signal: 0...1.
  /// - Returns: cd/m², with diffuse white at the level of BT.2408.
  public static func luminance(ofSignal signal: Double) -> Double { white * pow(signal, displayGamma) }

  /// Maps one colour.
  ///
  /// - Parameter signal: R'G'B' of the film, 0...1.
  /// - Returns: R'G'B' of BT.709, 0...1.
  public func map(_ signal: RGB) -> RGB { Curve(self).map(signal) }

  /// The map with everything computed that is the same for all colours.
  struct Curve {
    private let transfer: HDRTransfer
    private let rows: [RGB]
    private let peakSignal: Double
    /// The greatest value that comes out, and where the curve leaves the diagonal; both in shares of the film's peak
    /// signal.
    private let most: Double
    private let knee: Double

    init(_ map: ToneMap) {
      transfer = map.transfer
      rows = map.primaries.toBT709
      peakSignal = PQ.signal(of: map.sourcePeak)
      most = min(1, PQ.signal(of: ToneMap.white) / peakSignal)
      knee = 1.5 * most - 0.5
    }

    func map(_ signal: RGB) -> RGB {
      let light = transfer.light(of: signal)
      let colour = RGB(rows[0].dot(light), rows[1].dot(light), rows[2].dot(light))
      let greatest = colour.greatest
      guard greatest > 0 else { return RGB(0, 0, 0) }
      let factor = shown(greatest) / greatest / ToneMap.white
      return Self.intoGamut(colour.map { $0 * factor }).map { pow($0, 1 / ToneMap.displayGamma) }
    }

    /// Applies BT.2390's EETF in PQ, without its lift of black: a screen's black is black.
    ///
    /// - Parameter luminance: the film's, in cd/m².
    /// - Returns: the screen's, in cd/m²; at most `ToneMap.white`.
    private func shown(_ luminance: Double) -> Double {
      let e = min(1, PQ.signal(of: luminance) / peakSignal)
      // A film that is no brighter than the screen is shown as it is.
      guard e > knee, most < 1 else { return min(luminance, ToneMap.white) }
      let t = (e - knee) / (1 - knee)
      let (t2, t3) = (t * t, t * t * t)
      let bent = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most
      return min(PQ.luminance(of: bent * peakSignal), ToneMap.white)
    }

    /// Brings a colour into the screen's gamut: mixes it with grey of the same luminance until no component is
    /// negative. Hue and brightness stay, and as much of the saturation as the screen can show.
    ///
    /// - Parameter colour: linear; no component exceeds 1.
    private static func intoGamut(_ colour: RGB) -> RGB {
      let grey = max(0, colour.dot(RGB(0.2126, 0.7152, 0.0722)))
      let share = colour.least < 0 ? grey / (grey - colour.least) : 1
      return colour.map { min(1, max(0, grey + ($0 - grey) * share)) }
    }
  }
}
