import PlaybackCore
import Testing

@Suite("Header of a cover")
struct CoverHeaderTests {
  private func png(_ width: Int, _ height: Int) -> [UInt8] {
    func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8 + four(width) + four(height)
  }

  private func jpeg(_ width: Int, _ height: Int, marker: UInt8 = 0xC2) -> [UInt8] {
    let size = [height, width].flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    return [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xFE, 0, 3, 9, 0xFF, marker, 0, 17, 8] + size
  }

  @Test("The size is known before anything is decoded")
  func sizes() {
    #expect(CoverHeader(png(3000, 2000))?.size == PixelSize(width: 3000, height: 2000))
    #expect(CoverHeader(jpeg(600, 599))?.size == PixelSize(width: 600, height: 599))
    #expect(CoverHeader(jpeg(600, 599))?.format == .jpeg)
  }

  @Test("What is huge, empty, cut off or something else is no cover")
  func refused() {
    #expect(CoverHeader(png(60_000, 60_000)) == nil && CoverHeader(png(0xFFFF_FFFF, 0xFFFF_FFFF)) == nil)
    #expect(CoverHeader(jpeg(65_535, 65_535)) == nil && CoverHeader(jpeg(0, 10)) == nil)
    #expect(CoverHeader(jpeg(10, 10, marker: 0xC4)) == nil, "tables, and no frame")
    for file in [png(10, 10), jpeg(10, 10)] {
      for count in 0..<file.count { #expect(CoverHeader(Array(file.prefix(count))) == nil) }
    }
    #expect(CoverHeader(Array("GIF89a".utf8)) == nil)
    #expect(CoverHeader([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 5000)) == nil)
    #expect(CoverHeader([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xE0, 0, 0]) == nil)
  }
}
