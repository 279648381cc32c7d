public import PlaybackCore

/// Computes the density of a screen's pixels from the size that the screen reports, where that is plausible.
public enum ScreenDensity {
  /// Reported sizes that are only an aspect ratio: screens and converters give 16:9 and 16:10 as millimetres or
  /// centimetres.
  private static let shapesOnly: Set<[Int]> = [
    [16, 9], [16, 10], [160, 90], [160, 100], [1600, 900], [1600, 1000], [9, 16], [10, 16], [90, 160], [100, 160],
    [900, 1600], [1000, 1600],
  ]
  /// Pixels in a millimetre: from an LED wall to a telephone.
  private static let plausible = 0.1...25.0
  /// The largest ratio of a pixel's sides. The commonest 7 inch panel, of 800x480 pixels on 154x86 mm, has 1.08.
  private static let widestPixel = 1.2

  /// Pixels in a millimetre, along the side where they are denser, so that nothing is drawn smaller than intended.
  ///
  /// - Parameters:
  ///   - pixels: the screen's size.
  ///   - millimetres: the lengths of the same sides; nil where the screen doesn't report them.
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
