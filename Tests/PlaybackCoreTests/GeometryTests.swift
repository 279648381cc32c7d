import PlaybackCore
import Testing

@Suite("Picture fit")
struct PictureFitTests {
  @Test(
    "A contained picture keeps its aspect and touches two edges",
    arguments: [
      // picture, pixel aspect, screen, expected
      (640, 360, 1, 1, 1280, 720, PixelRect(x: 0, y: 0, width: 1280, height: 720)),
      (640, 480, 1, 1, 1280, 720, PixelRect(x: 160, y: 0, width: 960, height: 720)),
      (1920, 800, 1, 1, 1280, 720, PixelRect(x: 0, y: 93, width: 1280, height: 533)),
      (720, 576, 16, 15, 1280, 720, PixelRect(x: 160, y: 0, width: 960, height: 720)),
      (320, 240, 1, 1, 720, 1280, PixelRect(x: 0, y: 370, width: 720, height: 540)),
    ])
  func contain(width: Int, height: Int, parN: Int, parD: Int, screenW: Int, screenH: Int, expected: PixelRect) {
    let picture = PresentationSize(
      pixels: PixelSize(width: width, height: height), pixelAspect: Ratio(numerator: parN, denominator: parD))
    #expect(PictureFit.contain(picture, in: PixelSize(width: screenW, height: screenH)) == expected)
  }

  @Test("Subsampled formats get even sizes")
  func even() {
    let fit = PictureFit.contain(
      PresentationSize(pixels: PixelSize(width: 1920, height: 800)), in: PixelSize(width: 1280, height: 720),
      multiple: 2)
    #expect(fit == PixelRect(x: 0, y: 94, width: 1280, height: 532))
  }

  @Test(
    "The part that covers the screen has the screen's aspect and touches two edges of the picture",
    arguments: [
      // picture, pixel aspect, screen, expected
      (640, 360, 1, 1, 1280, 720, PixelRect(x: 0, y: 0, width: 640, height: 360)),
      (640, 480, 1, 1, 1280, 720, PixelRect(x: 0, y: 60, width: 640, height: 360)),
      (1920, 800, 1, 1, 1280, 720, PixelRect(x: 248, y: 0, width: 1424, height: 800)),
      (720, 576, 16, 15, 1280, 720, PixelRect(x: 0, y: 72, width: 720, height: 432)),
      (640, 360, 1, 1, 720, 1280, PixelRect(x: 218, y: 0, width: 204, height: 360)),
    ])
  func cover(width: Int, height: Int, parN: Int, parD: Int, screenW: Int, screenH: Int, expected: PixelRect) {
    let picture = PresentationSize(
      pixels: PixelSize(width: width, height: height), pixelAspect: Ratio(numerator: parN, denominator: parD))
    #expect(PictureFit.cover(picture, of: PixelSize(width: screenW, height: screenH)) == expected)
  }

  @Test("The covering part lies inside the picture for any sizes")
  func coverDegenerate() {
    for (width, height) in [(0, 0), (1, 1), (2, 10_000), (10_000, 1), (3, 3)] {
      for screen in [PixelSize(width: 100, height: 100), PixelSize(width: 1, height: 4000)] {
        let part = PictureFit.cover(
          PresentationSize(pixels: PixelSize(width: width, height: height)), of: screen)
        #expect(part.x >= 0 && part.y >= 0 && part.x + part.width <= width && part.y + part.height <= height)
        #expect(part.width > 0 || width == 0)
      }
    }
  }

  @Test("An empty picture, or one thinner than a pixel, gives a rectangle inside the screen")
  func degenerate() {
    let screen = PixelSize(width: 100, height: 100)
    #expect(
      PictureFit.contain(PresentationSize(pixels: PixelSize(width: 0, height: 0)), in: screen)
        == PixelRect(x: 0, y: 0, width: 100, height: 100))
    #expect(
      PictureFit.contain(PresentationSize(pixels: PixelSize(width: 10_000, height: 1)), in: screen).height == 1)
  }
}
