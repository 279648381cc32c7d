import InteractionCore
import PlaybackCore
import Testing

@Suite("Pixel density of screens")
struct ScreenDensityTests {
  private func density(_ pixels: (Int, Int), _ millimetres: (Int, Int)?) -> Double? {
    ScreenDensity.pixelsInMillimetre(
      PixelSize(width: pixels.0, height: pixels.1),
      millimetres: millimetres.map { PixelSize(width: $0.0, height: $0.1) })
  }

  @Test("The denser side counts, so that a part of 9 mm is nowhere smaller")
  func panels() throws {
    let seven = try #require(density((800, 480), (154, 86)))
    #expect(abs(seven - 480.0 / 86) < 1e-9)
    let upright = try #require(density((480, 800), (86, 154)))
    #expect(abs(upright - seven) < 1e-9)
    let large = try #require(density((1920, 1080), (953, 536)))
    #expect(abs(large - 2.015) < 0.01)
  }

  @Test(
    "An impossible size counts as unknown: an aspect ratio in its place, none, pixels out of all proportion",
    arguments: [
      (1920, 1080, 16, 9), (1920, 1080, 160, 90), (1280, 800, 160, 100), (3840, 2160, 1600, 900), (1080, 1920, 90, 160),
      (1920, 1080, 0, 0), (1920, 1080, 520, 0), (0, 0, 520, 290), (1920, 1080, 300, 300), (1920, 1080, 40, 22),
      (1920, 1080, 52_000, 29_000),
    ])
  func lies(width: Int, height: Int, across: Int, down: Int) {
    #expect(density((width, height), (across, down)) == nil)
  }

  @Test("A screen without a size has no density")
  func silent() { #expect(density((1920, 1080), nil) == nil) }
}
