import PlaybackCore
import Testing

@Suite("Overlay pixels")
struct OverlayPixelsTests {
  private func ayuv(_ pixel: UInt32, _ colour: VideoColour = .highDefinition) throws -> [UInt8] {
    let frame = PixelRect(x: 0, y: 0, width: 1, height: 1)
    return try #require(OverlayPixels(frame: frame, pixels: [pixel])).ayuv(colour)
  }

  @Test("Colours get the video values of the frame's matrix and range")
  func colours() throws {
    #expect(try ayuv(0xFFFF_FFFF) == [255, 235, 128, 128])
    #expect(try ayuv(0xFF00_0000) == [255, 16, 128, 128])
    #expect(try ayuv(0xFFFF_0000) == [255, 63, 102, 240])
    #expect(try ayuv(0xFFFF_0000, VideoColour(matrix: .bt601, isFullRange: false)) == [255, 81, 90, 240])
    #expect(try ayuv(0xFFFF_FFFF, VideoColour(matrix: .bt601, isFullRange: true)) == [255, 255, 128, 128])
  }

  @Test("Premultiplied colours are divided by their alpha, except by zero")
  func alpha() throws {
    #expect(try ayuv(0x8080_8080) == [128, 235, 128, 128])
    #expect(try ayuv(0x0000_0000) == [0, 16, 128, 128])
    // A channel above its alpha isn't a valid premultiplied pixel, and becomes the brightest value.
    #expect(try ayuv(0x10FF_FFFF) == [16, 235, 128, 128])
  }

  @Test("An overlay without pixels, or with another number than the frame's, is refused")
  func refused() {
    #expect(OverlayPixels(frame: PixelRect(x: 0, y: 0, width: 0, height: 4), pixels: []) == nil)
    #expect(OverlayPixels(frame: PixelRect(x: 0, y: 0, width: 2, height: 2), pixels: [1, 2, 3]) == nil)
  }
}
