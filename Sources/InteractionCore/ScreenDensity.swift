public import PlaybackCore

/// How large the pixels of a screen are, from what the screen tells of its size, as far as that can be true.
public enum ScreenDensity {
  /// Sizes that are a shape and no size, as screens and converters tell them: in millimetres or centimetres of 16:9 and 16:10.
  private static let shapesOnly: Set<[Int]> = [
    [16, 9], [16, 10], [160, 90], [160, 100], [1600, 900], [1600, 1000], [9, 16], [10, 16], [90, 160], [100, 160],
    [900, 1600], [1000, 1600],
  ]
  /// Pixels in a millimetre: from a wall of lamps to a telephone.
  private static let plausible = 0.1...25.0
  /// The sides of a pixel differ by no more. The commonest 7 inch panel, of 800x480 pixels on 154x86 mm, has 1.08.
  private static let widestPixel = 1.2

  /// Pixels in a millimetre, along the side where they are closer together, so that nothing gets smaller than is asked for.
  ///
  /// - Parameters:
  ///   - pixels: of the screen.
  ///   - millimetres: of the same sides; nil where the screen doesn't say.
  /// - Returns: nil where that isn't known, or can't be true.
  public static func pixelsInMillimetre(_ pixels: PixelSize, millimetres: PixelSize?) -> Double? {
    guard let millimetres, !millimetres.isEmpty, !pixels.isEmpty,
      !shapesOnly.contains([millimetres.width, millimetres.height])
    else { return nil }
    let across = Double(pixels.width) / Double(millimetres.width)
    let down = Double(pixels.height) / Double(millimetres.height)
    let density = max(across, down)
    guard plausible.contains(density), density / min(across, down) <= widestPixel else { return nil }
    return density
  }
}
