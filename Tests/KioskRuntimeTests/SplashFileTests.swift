import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

@testable import KioskRuntime

@Suite("Splash picture, from its file")
struct SplashFileTests {
  @Test("A PNG of any kind is read, with the background in transparent places")
  func kinds() async throws {
    for name in ["upright.png", "sixteen.png", "alpha.png", "palette.png"] {
      let splash = try SplashPicture(pngFile: try await Pictures.path(name), background: 0x0000FF)
      #expect(splash.size == PixelSize(width: 160, height: 90), "\(name)")
      let pixels = try #require(splash.pixels(screen: splash.size, background: 0))
      let corner = pixels[10 * 160 + 10]
      let blue = corner & 0xFF
      #expect(corner >> 24 == 0xFF && (name == "alpha.png" ? (120...135).contains(blue) : blue < 20), "\(name)")
    }
  }

  @Test("A file that isn't a PNG, is too large, or is missing gives error 5009")
  func refused() async throws {
    for path in [
      "/proc/self/status", "/no/such.png", try await Pictures.path("baseline.jpg"), try await Pictures.path("bomb.png"),
      try await Pictures.path("large.png"),
    ] {
      let error = #expect(throws: VitrineError.self) { try SplashPicture(pngFile: path, background: 0) }
      #expect(error?.number == 5009 && error?.subject == path)
    }
  }
}
