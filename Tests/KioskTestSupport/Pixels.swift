import Foundation

/// A picture that a test examines.
public struct Pixels: Sendable, CustomStringConvertible {
  public let width: Int
  public let height: Int
  /// Red, green, blue, row by row.
  public let bytes: [UInt8]

  /// A failed expectation prints this instead of three million numbers.
  public var description: String { "a picture of \(width)x\(height)" }

  public subscript(x: Int, y: Int) -> (red: Int, green: Int, blue: Int) {
    let offset = (y * width + x) * 3
    return (Int(bytes[offset]), Int(bytes[offset + 1]), Int(bytes[offset + 2]))
  }

  public func isNear(_ x: Int, _ y: Int, _ colour: (Int, Int, Int), within tolerance: Int) -> Bool {
    let pixel = self[x, y]
    return abs(pixel.red - colour.0) <= tolerance && abs(pixel.green - colour.1) <= tolerance
      && abs(pixel.blue - colour.2) <= tolerance
  }

  /// From pixels of 32 bits each: XRGB in native byte order.
  public init(width: Int, height: Int, xrgb: [UInt32]) {
    self.width = width
    self.height = height
    bytes = xrgb.flatMap {
      [UInt8(truncatingIfNeeded: $0 >> 16), UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
    }
  }

  /// Reads a PPM (P6), or anything else that ImageMagick's `convert` reads.
  public init(path: String) async throws {
    var ppm = path
    let directory = try TemporaryDirectory()
    if !path.hasSuffix(".ppm") {
      ppm = directory.path("picture.ppm")
      let outcome = try await Tool.run("convert", [path, "-depth", "8", ppm])
      guard outcome.status == 0 else { throw MediaError(description: "convert \(path): \(outcome.errors)") }
    }
    let data = [UInt8](try Data(contentsOf: URL(filePath: ppm)))
    var fields: [Int] = []
    var index = 2
    while fields.count < 3, index < data.count {
      while index < data.count, data[index] <= 0x20 { index += 1 }
      var value = 0
      while index < data.count, (0x30...0x39).contains(data[index]) {
        value = value * 10 + Int(data[index] - 0x30)
        index += 1
      }
      fields.append(value)
    }
    guard data.starts(with: Array("P6".utf8)), fields.count == 3, data.count >= index + 1 + fields[0] * fields[1] * 3
    else { throw MediaError(description: "\(path) is not a picture") }
    width = fields[0]
    height = fields[1]
    bytes = Array(data[(index + 1)..<(index + 1 + fields[0] * fields[1] * 3)])
  }

  /// The frame number that make-media draws into its clips: 16 squares, each a twentieth of the width, one square from
  /// the top left of the video.
  ///
  /// - Parameter place: maps a point to its place in a turned picture.
  public func frameNumber(
    x: Int, y: Int, width: Int, place: (Int, Int) -> (x: Int, y: Int) = { (x: $0, y: $1) }
  ) -> Int? {
    var number = 0
    let square = Double(width) / 20
    for bit in 0..<16 {
      let point = place(x + Int(square * (1.5 + Double(bit))), y + Int(square * 1.5))
      let pixel = self[point.x, point.y]
      let level = (pixel.red + pixel.green + pixel.blue) / 3
      guard level < 64 || level > 192 else { return nil }
      number = number * 2 + (level > 128 ? 1 : 0)
    }
    return number
  }

  /// - Parameter rgb: red, green, blue, row by row.
  public init(width: Int, height: Int, rgb: [UInt8]) {
    self.width = width
    self.height = height
    bytes = rgb
  }

  public func cropped(x: Int, y: Int, width: Int, height: Int) -> Pixels {
    var part: [UInt8] = []
    for row in y..<(y + height) {
      let start = (row * self.width + x) * 3
      part += bytes[start..<(start + width * 3)]
    }
    return Pixels(width: width, height: height, rgb: part)
  }

  /// The difference of two pictures, over the pixels whose neighbours in the expected picture look like them: edges may
  /// be smoothed differently.
  public struct Difference: Sendable {
    /// Over all channels.
    public var mean: Double
    public var worst: Int
    public var worstAt: (x: Int, y: Int)
    /// The compared part of the picture: 0...1.
    public var share: Double
  }

  /// The difference from a picture of the same size.
  public func difference(from expected: Pixels) -> Difference {
    guard width == expected.width, height == expected.height else {
      return Difference(mean: 255, worst: 255, worstAt: (0, 0), share: 0)
    }
    var sum = 0
    var count = 0
    var worst = (value: 0, x: 0, y: 0)
    for y in 0..<height {
      for x in 0..<width where expected.isFlat(x, y) {
        let offset = (y * width + x) * 3
        count += 3
        for channel in 0..<3 {
          let value = abs(Int(bytes[offset + channel]) - Int(expected.bytes[offset + channel]))
          sum += value
          if value > worst.value { worst = (value, x, y) }
        }
      }
    }
    return Difference(
      mean: Double(sum) / Double(max(1, count)), worst: worst.value, worstAt: (worst.x, worst.y),
      share: Double(count) / Double(width * height * 3))
  }

  /// Whether all pixels up to two away look alike: halved chroma reaches that far.
  private func isFlat(_ x: Int, _ y: Int) -> Bool {
    let here = (y * width + x) * 3
    for dy in -2...2 {
      for dx in -2...2 where (0..<width).contains(x + dx) && (0..<height).contains(y + dy) {
        let there = ((y + dy) * width + x + dx) * 3
        for channel in 0..<3 where abs(Int(bytes[here + channel]) - Int(bytes[there + channel])) > 12 { return false }
      }
    }
    return true
  }
}
