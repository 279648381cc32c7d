/// A small picture of a film, stored as films are: 8 bits, YUV 4:2:0 by BT.601, black is 16 and white 235.
///
/// A frame comes so from its decoder, takes half the room of RGB, and its brightness can be judged as it is.
package struct PosterImage: Hashable, Sendable {
  package let size: PixelSize
  /// The planes Y, U and V, row by row without padding. U and V have half the width and height, rounded up.
  package let planes: [UInt8]

  /// More than any box. The size may come from a process that a film has taken over.
  private static let longestSide = 1024

  /// - Returns: nil unless the bytes are those of that size.
  package init?(size: PixelSize, planes: [UInt8]) {
    guard !size.isEmpty, max(size.width, size.height) <= Self.longestSide, planes.count == Self.byteCount(of: size)
    else { return nil }
    self.size = size
    self.planes = planes
  }

  /// - Parameter size: of at most 32767 pixels a side.
  package static func byteCount(of size: PixelSize) -> Int {
    size.width * size.height + 2 * ((size.width + 1) / 2) * ((size.height + 1) / 2)
  }

  /// The size of a picture in a box: its shape stays, and it isn't enlarged.
  package static func size(of picture: PixelSize, in box: PixelSize) -> PixelSize {
    let (width, height) = (Double(max(1, picture.width)), Double(max(1, picture.height)))
    let factor = min(1, Double(box.width) / width, Double(box.height) / height)
    return PixelSize(
      width: max(1, min(box.width, Int((width * factor).rounded()))),
      height: max(1, min(box.height, Int((height * factor).rounded()))))
  }

  package var luma: ArraySlice<UInt8> { planes[..<(size.width * size.height)] }

  // MARK: RGB

  /// - Parameter rgba: four bytes for each pixel, row by row; the fourth has no effect.
  /// - Returns: nil unless the bytes are those of that size.
  package init?(rgba: [UInt8], size: PixelSize) {
    guard !size.isEmpty, max(size.width, size.height) <= Self.longestSide,
      rgba.count == size.width * size.height * 4
    else { return nil }
    let (width, height) = (size.width, size.height)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    var planes = [UInt8](repeating: 0, count: Self.byteCount(of: size))
    for pixel in 0..<(width * height) {
      let (red, green, blue) = (Int(rgba[4 * pixel]), Int(rgba[4 * pixel + 1]), Int(rgba[4 * pixel + 2]))
      planes[pixel] = UInt8(16 + (66 * red + 129 * green + 25 * blue + 128) >> 8)
    }
    for row in 0..<halfHeight {
      for column in 0..<halfWidth {
        var (red, green, blue, count) = (0, 0, 0, 0)
        for y in (2 * row)..<min(2 * row + 2, height) {
          for x in (2 * column)..<min(2 * column + 2, width) {
            let place = 4 * (y * width + x)
            red += Int(rgba[place])
            green += Int(rgba[place + 1])
            blue += Int(rgba[place + 2])
            count += 1
          }
        }
        (red, green, blue) = (red / count, green / count, blue / count)
        let place = width * height + row * halfWidth + column
        planes[place] = UInt8(128 + (-38 * red - 74 * green + 112 * blue + 128) >> 8)
        planes[place + halfWidth * halfHeight] = UInt8(128 + (112 * red - 94 * green - 18 * blue + 128) >> 8)
      }
    }
    self.size = size
    self.planes = planes
  }

  /// The pixels as XRGB, 32 bits each in native byte order, row by row. The unused byte is 255.
  package func xrgb() -> [UInt32] {
    let (width, height) = (size.width, size.height)
    let halfWidth = (width + 1) / 2
    let (uStart, vStart) = (width * height, width * height + halfWidth * ((height + 1) / 2))
    func clamped(_ value: Int) -> UInt32 { UInt32(max(0, min(255, value >> 8))) }
    return planes.withUnsafeBufferPointer { planes in
      [UInt32](unsafeUninitializedCapacity: width * height) { target, count in
        for y in 0..<height {
          for x in 0..<width {
            let half = y / 2 * halfWidth + x / 2
            let (u, v) = (Int(planes[uStart + half]) - 128, Int(planes[vStart + half]) - 128)
            let luma = 298 * (Int(planes[y * width + x]) - 16) + 128
            target[y * width + x] =
              0xFF00_0000 | clamped(luma + 409 * v) << 16 | clamped(luma - 100 * u - 208 * v) << 8
              | clamped(luma + 516 * u)
          }
        }
        count = width * height
      }
    }
  }
}
