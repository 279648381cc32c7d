/// The meaning of a YUV picture's numbers: their colours and their brightness.
public struct VideoColour: Hashable, Sendable {
  public enum Matrix: String, Hashable, Sendable {
    case bt601, bt709, bt2020
  }
  public var matrix: Matrix
  /// Whether black is 0 and white 255. Otherwise black is 16 and white 235, as in nearly all video.
  public var isFullRange: Bool
  /// The red, green and blue that the numbers stand for.
  public var primaries: ColourPrimaries
  /// The HDR curve; nil for SDR with any curve.
  public var hdr: HDRTransfer?
  /// An HDR film's statement of its light.
  public var light: HDRLight

  public init(
    matrix: Matrix, isFullRange: Bool, primaries: ColourPrimaries = .bt709, hdr: HDRTransfer? = nil,
    light: HDRLight = HDRLight()
  ) {
    self.matrix = matrix
    self.isFullRange = isFullRange
    self.primaries = primaries
    self.hdr = hdr
    self.light = light
  }

  /// The usual colour of high-definition video.
  public static let highDefinition = VideoColour(matrix: .bt709, isFullRange: false)

  /// The map to a screen without HDR; nil for SDR pictures.
  public var toneMap: ToneMap? {
    hdr.map { ToneMap(transfer: $0, primaries: primaries, sourcePeak: light.peak) }
  }
}

/// The red, green and blue of a picture. White is D65 in all of them.
public enum ColourPrimaries: String, Hashable, Sendable {
  case bt709, bt2020
  /// Display P3 (SMPTE EG 432-1), of telephones and some masters.
  case p3

  /// From linear light in these to linear light in BT.709, row by row. From the chromaticities in BT.709, BT.2020 and
  /// SMPTE EG 432-1; Tests/Tools/tone-map-reference derives them.
  var toBT709: [RGB] {
    switch self {
    case .bt709: [RGB(1, 0, 0), RGB(0, 1, 0), RGB(0, 0, 1)]
    case .bt2020:
      [
        RGB(1.660491002, -0.587641128, -0.072849874), RGB(-0.124550475, 1.132899900, -0.008349426),
        RGB(-0.018150763, -0.100578898, 1.118729661),
      ]
    case .p3:
      [
        RGB(1.224940176, -0.224940176, 0), RGB(-0.042056955, 1.042056955, 0),
        RGB(-0.019637555, -0.078636046, 1.098273600),
      ]
    }
  }
}

extension VideoColour.Matrix {
  /// The weights of red and blue in Y'; green has the rest.
  var weights: (red: Double, blue: Double) {
    switch self {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    case .bt2020: (0.2627, 0.0593)
    }
  }

  /// - Parameters:
  ///   - y: 0 is black, 1 white.
  ///   - cb: -1/2...1/2, as `cr`.
  func rgb(y: Double, cb: Double, cr: Double) -> RGB {
    let (kr, kb) = weights
    let red = y + 2 * (1 - kr) * cr
    let blue = y + 2 * (1 - kb) * cb
    return RGB(red, (y - kr * red - kb * blue) / (1 - kr - kb), blue)
  }

  func yCbCr(_ rgb: RGB) -> (y: Double, cb: Double, cr: Double) {
    let (kr, kb) = weights
    let y = kr * rgb.red + (1 - kr - kb) * rgb.green + kb * rgb.blue
    return (y, (rgb.blue - y) / (2 * (1 - kb)), (rgb.red - y) / (2 * (1 - kr)))
  }
}

/// Three numbers of one colour: signals or light.
public struct RGB: Hashable, Sendable {
  public var red, green, blue: Double

  public init(_ red: Double, _ green: Double, _ blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  func map(_ change: (Double) -> Double) -> RGB { RGB(change(red), change(green), change(blue)) }
  func dot(_ other: RGB) -> Double { red * other.red + green * other.green + blue * other.blue }
  var greatest: Double { max(red, max(green, blue)) }
  var least: Double { min(red, min(green, blue)) }
}
