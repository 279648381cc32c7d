import PlaybackCore
import Testing

@Suite("Orientation of pictures")
struct PictureOrientationTests {
  /// A picture of 3x2, so that all eight orientations differ.
  private static let size = PixelSize(width: 3, height: 2)
  private static let pixels: [UInt32] = [1, 2, 3, 4, 5, 6]

  /// The expected pixels: mirrored row by row, then rotated as `ScreenRotation` does it.
  private func turn(_ pixels: [UInt32], _ size: PixelSize, _ orientation: PictureOrientation) -> [UInt32] {
    var rows = stride(from: 0, to: pixels.count, by: size.width).map { Array(pixels[$0..<($0 + size.width)]) }
    if orientation.isMirrored { rows = rows.map { $0.reversed() } }
    return orientation.rotation.turn(rows.flatMap { $0 }, size: size)
  }

  @Test("Two orientations in a row make one of the eight, and each has an inverse")
  func group() {
    #expect(Set(PictureOrientation.all.map { turn(Self.pixels, Self.size, $0) }).count == 8)
    for first in PictureOrientation.all {
      let turned = turn(Self.pixels, Self.size, first)
      let size = first.rotation.turned(Self.size)
      for next in PictureOrientation.all {
        #expect(
          turn(turned, size, next) == turn(Self.pixels, Self.size, first.then(next)), "\(first), then \(next)")
      }
      #expect(first.then(first.inverse) == .upright && first.inverse.then(first) == .upright, "\(first)")
    }
  }

  @Test("A part of a picture follows its pixels, and the pixel aspect rotates with it")
  func parts() {
    for orientation in PictureOrientation.all {
      let turned = turn(Self.pixels, Self.size, orientation)
      let size = orientation.rotation.turned(Self.size)
      for (index, pixel) in Self.pixels.enumerated() {
        let place = orientation.turned(
          PixelRect(x: index % 3, y: index / 3, width: 1, height: 1), in: Self.size)
        #expect(turned[place.y * size.width + place.x] == pixel, "\(orientation), \(pixel)")
      }
    }
    let wide = PresentationSize(
      pixels: PixelSize(width: 720, height: 576), pixelAspect: Ratio(numerator: 16, denominator: 15))
    #expect(
      PictureOrientation(isMirrored: true, rotation: .clockwise).turned(wide)
        == PresentationSize(
          pixels: PixelSize(width: 576, height: 720), pixelAspect: Ratio(numerator: 15, denominator: 16)))
    #expect(PictureOrientation(rotation: .half).turned(wide) == wide)
  }
}
