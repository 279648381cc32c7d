import Foundation
import OverlayRenderer
import PlaybackCore
import Testing

@Suite("Splash picture")
struct SplashPictureTests {
  /// Red, 4x2 pixels.
  private func file(_ name: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-\(name)").path
    let size = PixelSize(width: 4, height: 2)
    let picture = try #require(Picture(size: size, pixels: Array(repeating: 0xFFFF_0000, count: 8)))
    try PNGWriter.write(picture, to: path)
    return path
  }

  @Test("It is as large as fits, in the middle, on the background")
  func fits() throws {
    let path = try file("red.png")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let splash = try SplashPicture(pngFile: path)
    #expect(splash.size == PixelSize(width: 4, height: 2))
    let pixels = try #require(splash.pixels(screen: PixelSize(width: 8, height: 8), background: 0x10_2030))
    #expect(pixels.count == 64)
    for row in 0..<8 {
      let expected: UInt32 = (2..<6).contains(row) ? 0xFFFF_0000 : 0xFF10_2030
      #expect(pixels[(row * 8)..<(row * 8 + 8)].allSatisfy { $0 == expected }, "row \(row)")
    }
    #expect(splash.pixels(screen: PixelSize(width: 0, height: 8), background: 0) == nil)
  }

  @Test("What is no PNG, or isn't there, is 5009", arguments: ["/proc/self/status", "/no/such.png"])
  func refused(path: String) throws {
    let error = #expect(throws: VitrineError.self) { try SplashPicture(pngFile: path) }
    #expect(error?.number == 5009 && error?.subject == path)
  }
}
