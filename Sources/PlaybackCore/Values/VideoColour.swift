/// How the numbers of a YUV picture become colours.
public struct VideoColour: Hashable, Sendable {
  public enum Matrix: String, Hashable, Sendable {
    case bt601, bt709, bt2020
  }
  public var matrix: Matrix
  /// Whether black is 0 and white 255; else black is 16 and white 235, as nearly all video has it.
  public var isFullRange: Bool

  public init(matrix: Matrix, isFullRange: Bool) {
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  /// High-definition video as it is nearly always made.
  public static let highDefinition = VideoColour(matrix: .bt709, isFullRange: false)
}
