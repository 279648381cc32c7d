internal import func Glibc.exp
internal import func Glibc.log
internal import func Glibc.pow

/// The transfer curves of HDR, from signal to light (ITU-R BT.2100).
public enum HDRTransfer: String, Hashable, Sendable, CaseIterable {
  /// Perceptual quantiser (SMPTE ST 2084): each code is a luminance.
  case pq
  /// Hybrid log-gamma (ARIB STD-B67): light of the scene, which a display shows by its own peak.
  case hlg

  /// The light of a display, in cd/m².
  ///
  /// - Parameter signal: R'G'B'; clamped to 0...1.
  func light(of signal: RGB) -> RGB {
    let signal = signal.map { min(1, max(0, $0)) }
    switch self {
    case .pq: return signal.map(PQ.luminance)
    case .hlg: return HLG.light(of: signal)
    }
  }

  /// The signal of a grey of this luminance.
  ///
  /// - Parameter luminance: cd/m²; clamped to the curve's range.
  /// - Returns: 0...1
  public func signal(ofGrey luminance: Double) -> Double {
    switch self {
    case .pq: PQ.signal(of: luminance)
    case .hlg: HLG.signal(ofGrey: luminance)
    }
  }
}

/// SMPTE ST 2084, as in BT.2100 table 4.
enum PQ {
  /// The luminance of the greatest code, cd/m².
  static let peak = 10_000.0

  private static let m1 = 2610.0 / 16384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32

  /// - Parameter signal: 0...1.
  static func luminance(of signal: Double) -> Double {
    let power = pow(signal, 1 / m2)
    return peak * pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1)
  }

  /// - Parameter luminance: cd/m²; clamped to 0...10,000.
  static func signal(of luminance: Double) -> Double {
    let power = pow(min(1, max(0, luminance / peak)), m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}

/// ARIB STD-B67, as in BT.2100 table 5, on a display of 1000 cd/m² in a dim room.
enum HLG {
  /// cd/m². For this peak BT.2100 gives the system gamma of 1.2, and BT.2408 diffuse white at 203 cd/m².
  static let displayPeak = 1000.0

  private static let gamma = 1.2
  private static let a = 0.178_832_77
  private static let b = 1 - 4 * a
  private static let c = 0.5 - a * log(4 * a)
  /// Weights of the scene's luminance, in BT.2020.
  private static let weights = RGB(0.2627, 0.6780, 0.0593)

  /// - Parameter signal: R'G'B', 0...1.
  static func light(of signal: RGB) -> RGB {
    let scene = signal.map { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - c) / a) + b) / 12 }
    let factor = displayPeak * pow(weights.dot(scene), gamma - 1)
    return scene.map { $0 * factor }
  }

  static func signal(ofGrey luminance: Double) -> Double {
    let scene = pow(min(1, max(0, luminance / displayPeak)), 1 / gamma)
    return scene <= 1.0 / 12 ? (3 * scene).squareRoot() : a * log(12 * scene - b) + c
  }
}
