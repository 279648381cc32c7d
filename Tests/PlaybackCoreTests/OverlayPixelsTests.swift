import PlaybackCore
import Testing

@Suite("Overlay pixels")
struct OverlayPixelsTests {
  private func ayuv(_ pixel: UInt32, _ colour: VideoColour = .highDefinition) throws -> [UInt8] {
    let frame = PixelRect(x: 0, y: 0, width: 1, height: 1)
    return try #require(OverlayPixels(frame: frame, pixels: [pixel])).ayuv(colour)
  }

  @Test("Colours become what video of that matrix and range has for them")
  func colours() throws {
    #expect(try ayuv(0xFFFF_FFFF) == [255, 235, 128, 128])
    #expect(try ayuv(0xFF00_0000) == [255, 16, 128, 128])
    #expect(try ayuv(0xFFFF_0000) == [255, 63, 102, 240])
    #expect(try ayuv(0xFFFF_0000, VideoColour(matrix: .bt601, isFullRange: false)) == [255, 81, 90, 240])
    #expect(try ayuv(0xFFFF_FFFF, VideoColour(matrix: .bt601, isFullRange: true)) == [255, 255, 128, 128])
  }

  @Test("The premultiplication is undone, and nothing is divided by a zero alpha")
  func alpha() throws {
    #expect(try ayuv(0x8080_8080) == [128, 235, 128, 128])
    #expect(try ayuv(0x0000_0000) == [0, 16, 128, 128])
    // A channel above its alpha is no premultiplied pixel, and comes out as the brightest there is.
    #expect(try ayuv(0x10FF_FFFF) == [16, 235, 128, 128])
  }

  @Test("Nothing to draw, or not as many pixels as the frame has, is no overlay")
  func refused() {
    #expect(OverlayPixels(frame: PixelRect(x: 0, y: 0, width: 0, height: 4), pixels: []) == nil)
    #expect(OverlayPixels(frame: PixelRect(x: 0, y: 0, width: 2, height: 2), pixels: [1, 2, 3]) == nil)
  }
}
