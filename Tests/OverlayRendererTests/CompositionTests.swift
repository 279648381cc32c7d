import InteractionCore
import OverlayRenderer
import PlaybackCore
import Testing

private let grey = RGBColor(red: 40, green: 40, blue: 40)

/// A frame of two colours, left and right, with padding at the end of each row.
private func frame(
  width: Int, height: Int, padding: Int = 8, destination: PixelRect, left: RGBColor, right: RGBColor
) -> VideoFrame {
  var bytes: [UInt8] = []
  for _ in 0..<height {
    for x in 0..<width {
      let color = x < width / 2 ? left : right
      bytes += [color.blue, color.green, color.red, 0]
    }
    bytes += [UInt8](repeating: 0xAA, count: padding)
  }
  return VideoFrame(
    pixels: bytes,
    layout: VideoFrameLayout(
      size: PixelSize(width: width, height: height), stride: 4 * width + padding, destination: destination))
}

private let red = RGBColor(red: 255, green: 0, blue: 0)
private let blue = RGBColor(red: 0, green: 0, blue: 255)

@Suite("Composition")
struct CompositionTests {
  let screen = PixelSize(width: 64, height: 48)

  @Test("The frame fills its destination exactly, at sizes above and below its own", arguments: [4, 32, 300])
  func destination(width: Int) throws {
    let place = PixelRect(x: 8, y: 6, width: 48, height: 36)
    let picture = try Composition.render(
      screen: screen, background: grey,
      frame: frame(width: width, height: width * 3 / 4, destination: place, left: red, right: blue))
    for (x, y) in [(7, 6), (8, 5), (56, 41), (55, 42), (0, 0), (63, 47)] { #expect(picture.color(x: x, y: y) == grey) }
    // The corners count too: a scaled frame's edge must not blend with its surroundings.
    for (x, y) in [(8, 6), (8, 41), (12, 20)] { #expect(picture.color(x: x, y: y) == red) }
    for (x, y) in [(55, 6), (55, 41), (50, 20)] { #expect(picture.color(x: x, y: y) == blue) }
    #expect(picture.pixels.allSatisfy { $0 >> 24 == 0xFF })
  }

  @Test("The overlay is blended above the frame at its place")
  func overlay() throws {
    let place = PixelRect(x: 0, y: 0, width: 64, height: 48)
    let half = OverlayImage(
      frame: PixelRect(x: 10, y: 20, width: 2, height: 1), pixels: [0x8080_8080, 0xFF00_FF00])
    let picture = try Composition.render(
      screen: screen, background: grey,
      frame: frame(width: 64, height: 48, destination: place, left: red, right: blue), overlay: half)
    #expect(picture.color(x: 9, y: 20) == red)
    #expect(picture.color(x: 10, y: 20) == RGBColor(red: 255, green: 128, blue: 128))
    #expect(picture.color(x: 11, y: 20) == RGBColor(red: 0, green: 255, blue: 0))
    #expect(picture.color(x: 12, y: 20) == red)
  }

  @Test("A frame that reaches beyond the screen is cropped there")
  func beyond() throws {
    let place = PixelRect(x: -32, y: -24, width: 128, height: 96)
    let picture = try Composition.render(
      screen: screen, background: grey,
      frame: frame(width: 16, height: 12, destination: place, left: red, right: blue))
    #expect(picture.color(x: 0, y: 0) == red)
    #expect(picture.color(x: 63, y: 47) == blue)
  }

  @Test("Impossible sizes and short frames are errors, not crashes")
  func impossible() {
    let place = PixelRect(x: 0, y: 0, width: 64, height: 48)
    var short = frame(width: 16, height: 12, padding: 0, destination: place, left: red, right: blue)
    short.pixels.removeLast()
    var narrow = short
    narrow.layout.stride = 60
    var odd = short
    odd.layout.stride = 66
    for bad in [short, narrow, odd] {
      #expect { try Composition.render(screen: screen, background: grey, frame: bad) } throws: {
        ($0 as? VitrineError)?.number == 7304
      }
    }
    #expect(throws: VitrineError.self) { try Composition.render(screen: PixelSize(width: 0, height: 9)) }
    #expect(throws: VitrineError.self) { try Composition.render(screen: PixelSize(width: 40_000, height: 9)) }
  }
}

@Suite("PNG files")
struct PNGWriterTests {
  @Test("A written picture can be read again, and no partial file stays")
  func roundTrip() throws {
    let folder = try #require(TemporaryFolder())
    let pixels: [UInt32] = (0..<12).map { 0xFF00_0000 | UInt32($0 * 0x0A_0B0C) }
    let picture = try #require(Picture(size: PixelSize(width: 4, height: 3), pixels: pixels))
    try PNGWriter.write(picture, to: folder.path + "/a.png")
    let read = try #require(Picture(png: folder.path + "/a.png"))
    #expect(read.size == picture.size)
    #expect(read.pixels.map { $0 & 0xFF_FFFF } == pixels.map { $0 & 0xFF_FFFF })
    #expect(folder.names == ["a.png"])
  }

  @Test("A path that can't be written gives an error with the path")
  func unwritable() throws {
    let folder = try #require(TemporaryFolder())
    let picture = try #require(Picture(size: PixelSize(width: 1, height: 1), pixels: [0xFF00_0000]))
    for path in [folder.path + "/none/a.png", folder.path, ""] {
      #expect { try PNGWriter.write(picture, to: path) } throws: {
        guard let error = $0 as? VitrineError else { return false }
        return error.number == 7303 && error.subject == path && !error.detail.isEmpty
      }
    }
    #expect(folder.names.isEmpty)
  }
}
