import InteractionCore
import PlaybackCore
import Testing

@testable import OverlayRenderer

/// Text must have 4.5:1 over the worst film, a white one. Measured on rendered pixels.
@Suite("Contrast over a white film")
struct ContrastTests {
  let renderer = OverlayRenderer()
  let theme = Theme()
  static let screens = [(640, 480), (1280, 720), (1920, 1080), (720, 1280)]
    .map { PixelSize(width: $0.0, height: $0.1) }
  static let needed = 4.5

  /// Asserts that accent, white and secondary text can be read on `ground`.
  private func expectLegible(_ ground: RGBColor, lowestOpacity: Double, accent: Bool, _ what: Comment) {
    #expect(RGBColor.white.contrast(with: ground) >= Self.needed, what)
    #expect(RGBColor.white.over(ground, opacity: lowestOpacity).contrast(with: ground) >= Self.needed, what)
    if accent { #expect(theme.accent.contrast(with: ground) >= Self.needed, what) }
  }

  @Test("The words of the status card have enough contrast")
  func statusWords() {
    let ground = OverlayMetrics.ground.over(.white, opacity: OverlayMetrics.cardOpacity)
    for word in [OverlayMetrics.healthy, OverlayMetrics.trouble, theme.accent] {
      #expect(word.contrast(with: ground) >= Self.needed)
    }
  }

  @Test("Words and marks of the panel of choices, and captions in a box, have enough contrast")
  func choices() {
    for hasHighContrast in [false, true] {
      let metrics = OverlayMetrics(
        screen: PixelSize(width: 1280, height: 720), hasHighContrast: hasHighContrast)
      let ground = metrics.ground.over(.white, opacity: metrics.cardOpacity)
      expectLegible(ground, lowestOpacity: metrics.secondaryOpacity, accent: true, "headings, choices, check marks")
      #expect(RGBColor.white.contrast(with: metrics.ground) >= Self.needed, "a filled field")
      let rest = RGBColor.white.over(ground, opacity: metrics.buttonOpacity)
      #expect(RGBColor.white.contrast(with: rest) >= Self.needed, "another field")
      // Of a control, 3:1 is enough.
      let off = RGBColor.white.over(ground, opacity: hasHighContrast ? 0.5 : OverlayMetrics.choiceSwitchRest)
      #expect(off.contrast(with: ground) >= 3 && RGBColor.white.contrast(with: off) >= 3, "a switch that is off")
    }
    let box = RGBColor.black.over(.white, opacity: OverlayMetrics.subtitleBoxOpacity)
    #expect(RGBColor.white.contrast(with: box) >= 12)
  }

  @Test("The title has enough contrast", arguments: screens)
  func title(screen: PixelSize) throws {
    var model = States.playing
    model.bar?.title = "ÅÉhpq"
    let with = try #require(renderer.render(model, screen: screen))
    model.bar?.title = ""
    let without = try #require(renderer.render(model, screen: screen))
    // The title is short, and starts at the left.
    let columns = 0..<screen.width / 4
    // A pixel of which a letter covers less than a quarter is its rim, and doesn't count.
    let rows = (with.frame.y..<screen.height).filter { row in
      columns.contains { column in
        let (letter, ground) = (with.pixel(x: column, y: row), without.pixel(x: column, y: row))
        return Int(letter & 0xFF) - Int(ground & 0xFF) >= 64
      }
    }
    // The capitals' accents reach highest, where the scrim is palest.
    let top = try #require(rows.first)
    #expect(rows.count > 8)
    expectLegible(
      without.color(x: 0, y: top, over: .white), lowestOpacity: 1, accent: false, "first row of the title")
    // The letters themselves are white.
    #expect(rows.contains { row in columns.contains { with.pixel(x: $0, y: row) == 0xFFFF_FFFF } })
  }

  @Test("Buttons, times and track have enough contrast", arguments: screens)
  func row(screen: PixelSize) throws {
    let image = try #require(renderer.render(States.playing, screen: screen))
    let metrics = OverlayMetrics(screen: screen)
    let half = metrics.pixels(OverlayMetrics.timeType) / 2
    let centre = metrics.height - metrics.pixels(OverlayMetrics.rowCentre)
    for y in Int(centre - half)...Int(centre + half) {
      expectLegible(
        image.color(x: 0, y: y, over: .white), lowestOpacity: OverlayMetrics.secondaryOpacity, accent: true, "row \(y)")
    }
    let button = metrics.pixels(OverlayMetrics.sideMargin + 0.5)
    let ground = image.color(x: Int(button), y: Int(centre), over: .white)
    expectLegible(ground, lowestOpacity: 1, accent: false, "button")
  }

  @Test(
    "The unplayed track has a contrast of 3:1 to its surroundings, over a white film and a black one",
    arguments: screens)
  func track(screen: PixelSize) throws {
    for contrast in OverlayLook.Contrast.allCases {
      var look = OverlayLook()
      look.contrast = contrast
      let renderer = OverlayRenderer(theme: Theme(look))
      var bar = States.playingBar
      bar.position = .zero
      bar.duration = .seconds(60)
      let image = try #require(renderer.render(OverlayModel(bar: bar), screen: screen))
      let track = try #require(renderer.targets(of: bar, screen: screen).track)
      let (x, y) = (Int(track.x + track.width * 0.7), Int(track.y + track.height / 2))
      for film in [RGBColor.white, .black] {
        let (rest, ground) = (image.color(x: x, y: y, over: film), image.color(x: 0, y: y, over: film))
        #expect(rest.contrast(with: ground) >= 3, "\(rest) on \(ground)")
      }
    }
  }

  @Test("Message, ring and card have enough contrast", arguments: screens)
  func grounds(screen: PixelSize) throws {
    let metrics = OverlayMetrics(screen: screen)
    let message = try #require(renderer.render(States.message, screen: screen))
    let pill = metrics.messageType / OverlayMetrics.badgeType
    let inside = Int(metrics.pixels(OverlayMetrics.sideMargin + OverlayMetrics.messagePadding * pill / 2))
    let middle = Int(metrics.pixels(OverlayMetrics.sideMargin + OverlayMetrics.messageHeight * pill / 2))
    expectLegible(message.color(x: inside, y: middle, over: .white), lowestOpacity: 1, accent: true, "message")

    let ring = try #require(renderer.render(OverlayModel(bufferingPercent: 50), screen: screen))
    let above = screen.height / 2 - Int(metrics.pixels(1.5))
    expectLegible(ring.color(x: screen.width / 2, y: above, over: .white), lowestOpacity: 1, accent: true, "ring")

    let card = try #require(renderer.render(States.error, screen: screen))
    let side = screen.width / 2 - Int(metrics.pixels(OverlayMetrics.cardWidth / 2 - 1))
    expectLegible(
      card.color(x: side, y: screen.height / 2, over: .white), lowestOpacity: OverlayMetrics.footerOpacity,
      accent: true, "card")
  }

  @Test("The contrast figure for configuration checks tells a good accent from a bad one")
  func accentFigure() {
    #expect(Theme().accentContrast >= Self.needed)
    var look = OverlayLook()
    look.contrast = .high
    // Black on white is 21:1.
    #expect(Theme(look).accentContrast > 12)
    look.accent = 0x0000A0
    #expect(Theme(look).accentContrast < 2)
    #expect(Theme(accent: RGBColor(red: 0, green: 0, blue: 160)).accentContrast < 2)
  }
}

@Suite("Colours")
struct RGBColorTests {
  @Test(
    "A colour parses from hexadecimal notation",
    arguments: [("#FFC24B", 0xFF, 0xC2, 0x4B), ("#00ff7f", 0, 0xFF, 0x7F)] as [(String, UInt8, UInt8, UInt8)])
  func hex(text: String, red: UInt8, green: UInt8, blue: UInt8) {
    #expect(RGBColor(hex: text) == RGBColor(red: red, green: green, blue: blue))
  }

  @Test("Other notations are refused", arguments: ["", "#", "FFC24B", "#FFC24", "#FFC24BA", "#FFC2+B", "#FFC24\u{E9}"])
  func notHex(text: String) {
    #expect(RGBColor(hex: text) == nil)
  }

  @Test("The contrast of two colours is WCAG's")
  func contrast() {
    #expect(abs(RGBColor.white.contrast(with: .black) - 21) < 1e-9)
    // The grey that just passes on white.
    let grey = RGBColor(red: 0x76, green: 0x76, blue: 0x76)
    #expect(abs(grey.contrast(with: .white) - 4.54) < 0.01)
  }
}
