import PictureDecoder
import PlaybackCore
import Testing

@Suite("Pictures as JPEG")
struct JPEGWriterTests {
  @Test("Pixels become a JPEG that is smaller than they are; no pixels, or too many, become none")
  func written() throws {
    let size = PixelSize(width: 64, height: 48)
    var pixels: [UInt32] = []
    for row in 0..<size.height {
      for column in 0..<size.width { pixels.append(UInt32(column * 4) << 16 | UInt32(row)) }
    }
    let bytes: [UInt8] = try #require(JPEGWriter.bytes(pixels, size: size))
    #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF])
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
    #expect(bytes.count < pixels.count * 4)
    let other = PixelSize(width: 64, height: 47)
    #expect(JPEGWriter.bytes(pixels, size: other) == nil)
    let none = PixelSize(width: 0, height: 0)
    #expect(JPEGWriter.bytes([], size: none) == nil)
  }
}
