import Testing

@testable import PlaybackCore

@Suite("Placement of a frame by a plane that scales")
struct PlanePlacementTests {
  private let panel = PixelSize(width: 800, height: 480)
  private func frame(_ width: Int, _ height: Int, _ aspect: Ratio = .one) -> PresentationSize {
    PresentationSize(pixels: PixelSize(width: width, height: height), pixelAspect: aspect)
  }

  @Test("A contained film is shown whole in its shape, and one of the screen's size needs no scaling")
  func contain() {
    let film = PlanePlacement(frame(1280, 720), fit: .contain, screen: panel)
    #expect(film.part == PixelRect(x: 0, y: 0, width: 1280, height: 720))
    #expect(film.pixelAspect == .one && film.isScaled)
    let pal = Ratio(numerator: 64, denominator: 45)
    #expect(PlanePlacement(frame(720, 576, pal), fit: .contain, screen: panel).pixelAspect == pal)
    for fitted in [frame(800, 450), frame(640, 480), frame(800, 480)] {
      #expect(!PlanePlacement(fitted, fit: .contain, screen: panel).isScaled)
    }
    // Sides are rounded, and to even numbers for halved chroma: 800x449 and 800x448 of 1068x600.
    for height in [448, 449] {
      #expect(!PlanePlacement(frame(800, height), fit: .contain, screen: panel).isScaled)
    }
  }

  @Test("A cropped part, or the stretched film, fills the screen exactly")
  func filling() {
    let cover = PlanePlacement(frame(1280, 720), fit: .cover, screen: panel)
    #expect(cover.part == PixelRect(x: 40, y: 0, width: 1200, height: 720))
    #expect(cover.pixelAspect == .one && cover.isScaled)
    let stretch = PlanePlacement(frame(640, 480), fit: .stretch, screen: panel)
    #expect(stretch.part == PixelRect(x: 0, y: 0, width: 640, height: 480))
    #expect(stretch.pixelAspect == Ratio(numerator: 5, denominator: 4))
    for fit in [ScreenFit.cover, .stretch] {
      let exact = PlanePlacement(frame(800, 480), fit: fit, screen: panel)
      #expect(!exact.isScaled && exact.pixelAspect == .one)
    }
  }

  @Test("Ratios are multiplied exactly while small, and stay small in any case")
  func ratios() {
    let thirds = Ratio(numerator: 4, denominator: 3).times(Ratio(numerator: 16, denominator: 15))
    #expect(thirds == Ratio(numerator: 64, denominator: 45))
    #expect(thirds.times(thirds.inverse) == .one)
    var state: UInt64 = 17
    func next(_ most: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % most + 1
    }
    for _ in 0..<2000 {
      let a = Ratio(numerator: next(4096), denominator: next(4096))
      let b = Ratio(numerator: next(4096), denominator: next(4096))
      let product = a.times(b)
      #expect(product.numerator <= Ratio.largestPart && product.denominator <= Ratio.largestPart)
      let exact = Double(a.numerator) * Double(b.numerator) / (Double(a.denominator) * Double(b.denominator))
      let found = Double(product.numerator) / Double(product.denominator)
      // Ratios far from 1 can't be approximated by small numbers; no film and screen differ that much.
      if (0.1...10).contains(exact) { #expect(abs(found / exact - 1) < 0.001, "\(a) \(b)") }
    }
    // Numbers from files: none may trap.
    let huge = Ratio(numerator: .max, denominator: 1)
    #expect(huge.times(huge).numerator > 0 && huge.inverse.times(huge.inverse).denominator > 0)
  }

  @Test("A refused frame is fitted for its item alone; a size that is refused twice is fitted from then on")
  func refusals() {
    var scaling = PlaneScaling()
    let (film, other) = (PixelSize(width: 1920, height: 1080), PixelSize(width: 640, height: 360))
    let decks = (1...4).map { DeckID(generation: $0) }
    #expect(!scaling.mustFit(decks[0], size: film))
    let isNews = scaling.refused(decks[0], size: film)
    // Frames already under way are refused too.
    let isNewsAgain = scaling.refused(decks[0], size: film)
    #expect(isNews && !isNewsAgain)
    #expect(scaling.mustFit(decks[0], size: film) && scaling.mustFit(decks[0], size: other))
    #expect(!scaling.mustFit(decks[1], size: film))
    _ = scaling.refused(decks[1], size: film)
    #expect(scaling.mustFit(decks[2], size: film) && !scaling.mustFit(decks[2], size: other))
    #expect(!scaling.mustFit(decks[3], size: other))
  }
}
