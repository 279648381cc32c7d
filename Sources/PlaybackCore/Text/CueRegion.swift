/// A part of the picture that the author of a WebVTT file has set apart for some cues: they stand in it one below the
/// other, the newest at the bottom.
public struct CueRegion: Hashable, Sendable {
  /// 0...100 of the width and of the height, from the top left.
  public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// 0...100 of the picture's width.
  public var width = 100.0
  /// Height in lines of text, 1...`mostLines`.
  public var lines = 3
  /// The point of the region that lies on the picture's `viewportAnchor`.
  public var anchor = Point(x: 0, y: 100)
  public var viewportAnchor = Point(x: 0, y: 100)

  /// More than any screen has.
  static let mostLines = 100

  /// A region with WebVTT's defaults.
  public init() {}

  /// Takes a line of a REGION block, such as `width:40%`. Unknown and broken ones are ignored, as WebVTT demands.
  ///
  /// - Returns: the region's name, where the line says it.
  mutating func read(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var name: ArraySlice<UInt8>?
    for setting in line.split(whereSeparator: SubtitleLines.isBlank) {
      guard let colon = setting.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = setting[colon...].dropFirst()
      switch String(decoding: setting[..<colon], as: UTF8.self) {
      case "id": name = value
      case "width": width = CueTimes.percentage(value) ?? width
      case "lines":
        if let count = Int(String(decoding: value, as: UTF8.self)), (1...Self.mostLines).contains(count) {
          lines = count
        }
      case "regionanchor": anchor = Self.point(value) ?? anchor
      case "viewportanchor": viewportAnchor = Self.point(value) ?? viewportAnchor
      default: break
      }
    }
    return name
  }

  private static func point(_ value: ArraySlice<UInt8>) -> Point? {
    let parts = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count == 2, let x = CueTimes.percentage(parts[0]), let y = CueTimes.percentage(parts[1]) else {
      return nil
    }
    return Point(x: x, y: y)
  }
}
