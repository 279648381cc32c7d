import OverlayRenderer
import PlaybackCore
import Testing

@Suite("Splash picture")
struct SplashPictureTests {
  @Test("The splash is centred on the background")
  func fits() throws {
    // A red picture.
    let size = PixelSize(width: 4, height: 2)
    let splash = try #require(SplashPicture(size: size, pixels: Array(repeating: 0xFFFF_0000, count: 8)))
    #expect(splash.size == PixelSize(width: 4, height: 2))
    let pixels = try #require(splash.pixels(screen: PixelSize(width: 8, height: 8), background: 0x10_2030))
    #expect(pixels.count == 64)
    for row in 0..<8 {
      let expected: UInt32 = (2..<6).contains(row) ? 0xFFFF_0000 : 0xFF10_2030
      #expect(pixels[(row * 8)..<(row * 8 + 8)].allSatisfy { $0 == expected }, "row \(row)")
    }
    #expect(splash.pixels(screen: PixelSize(width: 0, height: 8), background: 0) == nil)
  }

  @Test("A size that doesn't match the pixels gives no splash")
  func refused() {
    #expect(SplashPicture(size: PixelSize(width: 4, height: 2), pixels: [0]) == nil)
    #expect(SplashPicture(size: PixelSize(width: 0, height: 2), pixels: []) == nil)
  }
}
