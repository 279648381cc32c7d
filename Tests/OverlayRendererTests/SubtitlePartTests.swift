import InteractionCore
import PlaybackCore
import Testing

@testable import OverlayRenderer

@Suite("Subtitles on the overlay")
struct SubtitlePartTests {
  private static let screens = [(640, 480), (1280, 720), (1920, 1080), (720, 1280)]
    .map { PixelSize(width: $0.0, height: $0.1) }
  private let renderer = OverlayRenderer()

  private func image(_ cues: [SubtitleCue], bar: TransportBar? = nil, on screen: PixelSize) throws -> OverlayImage {
    try #require(renderer.render(OverlayModel(bar: bar, subtitles: cues), screen: screen))
  }

  /// The rows and columns with opaque pixels of a colour; the white ones are letters.
  private func letters(
    _ image: OverlayImage, _ color: UInt32 = 0xFFFF_FFFF
  ) -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
    var rows: [Int] = []
    var columns: [Int] = []
    for (index, pixel) in image.pixels.enumerated() where pixel == color {
      rows.append(image.frame.y + index / image.frame.width)
      columns.append(image.frame.x + index % image.frame.width)
    }
    guard let top = rows.min(), let bottom = rows.max(), let left = columns.min(), let right = columns.max() else {
      return nil
    }
    return (top...bottom, left...right)
  }

  @Test("Subtitles are at the bottom, centred, in letters that match the screen's size", arguments: screens)
  func place(screen: PixelSize) throws {
    let found = try #require(letters(try image([States.cue("HOH")], on: screen)))
    let unit = Double(min(screen.width, screen.height)) / 54
    #expect(abs(Double(found.columns.lowerBound + found.columns.upperBound) / 2 - Double(screen.width) / 2) < unit)
    #expect(Double(screen.height - found.rows.upperBound) > 2 * unit)
    #expect(Double(screen.height - found.rows.upperBound) < 5 * unit)
    // Capitals of 0.727 em.
    #expect(abs(Double(found.rows.count) - 2.5 * 0.727 * unit) < 0.5 * unit)
  }

  @Test("Subtitles are above the bar, clear of its title", arguments: screens)
  func aboveBar(screen: PixelSize) throws {
    var bar = States.playingBar
    bar.title = "ÅÉ"
    let alone = try #require(renderer.render(OverlayModel(bar: bar), screen: screen))
    let titleTop = try #require(letters(alone)?.rows.lowerBound)
    let both = try image([States.cue("gjpq")], bar: bar, on: screen)
    let rows = (both.frame.y..<screen.height).filter { row in
      (0..<screen.width).contains { both.pixel(x: $0, y: row) == 0xFFFF_FFFF }
    }
    // A blank row between the two.
    let between = try #require((0..<titleTop).last { !rows.contains($0) })
    #expect(rows.contains { $0 < between })
    #expect((between..<titleTop).allSatisfy { !rows.contains($0) })
  }

  @Test("White letters have a dark edge, readable over a white film", arguments: screens)
  func contrast(screen: PixelSize) throws {
    let image = try image([States.cue("HHHH")], on: screen)
    let found = try #require(letters(image))
    let row = (found.rows.lowerBound + found.rows.upperBound) / 2
    // In a row through the letters, each change to or from white passes a pixel with 4.5:1 to it.
    var isLetter = false
    var darkest = 1.0
    var edges: [Double] = []
    for x in image.frame.x..<image.frame.x + image.frame.width {
      let pixel = image.pixel(x: x, y: row)
      let color = image.color(x: x, y: row, over: .white)
      if pixel == 0xFFFF_FFFF, !isLetter {
        edges.append(darkest)
        isLetter = true
        darkest = 1
      } else if pixel != 0xFFFF_FFFF {
        isLetter = false
        darkest = max(darkest, RGBColor.white.contrast(with: color))
      }
    }
    #expect(edges.count >= 4)
    #expect(edges.allSatisfy { $0 >= 4.5 }, "\(edges)")
  }

  @Test("A cue is placed where its author wants it; a right-to-left text starts at the right")
  func placements() throws {
    let screen = PixelSize(width: 1280, height: 720)
    func found(_ text: String, _ placement: CuePlacement) throws -> (ClosedRange<Int>, ClosedRange<Int>) {
      try #require(letters(try image([States.cue(text, placement: placement)], on: screen)))
    }
    #expect(try found("HO", CuePlacement(line: .row(0))).0.upperBound < 100)
    #expect(try found("HO", CuePlacement(line: .percent(50))).0.lowerBound > 350)
    #expect(try found("HO", CuePlacement(alignment: .left)).1.upperBound < 160)
    #expect(try found("HO", CuePlacement(alignment: .start)).1.upperBound < 160)
    #expect(try found("HO", CuePlacement(alignment: .end)).1.lowerBound > 1120)
    #expect(try found("\u{5D0}\u{5D1}", CuePlacement(alignment: .start)).1.lowerBound > 1120)
    #expect(try found("\u{5D0}\u{5D1}", CuePlacement(alignment: .left)).1.upperBound < 160)
    let middle = try found("HO", CuePlacement(position: 25)).1
    #expect((300...400).contains((middle.lowerBound + middle.upperBound) / 2))
  }

  @Test("Several cues are stacked; one without room is left out, and none leaves the screen")
  func many() throws {
    let screen = PixelSize(width: 640, height: 480)
    let one = try image([States.cue("HO")], on: screen)
    let two = try image([States.cue("HO"), States.cue("HO")], on: screen)
    #expect(two.frame.height > one.frame.height + 20)
    let crowd = try image((0..<16).map { States.cue("\($0)\n\($0)\n\($0)") }, on: screen)
    #expect(crowd.frame.y >= 0 && crowd.frame.y + crowd.frame.height <= 480)
    let long = String(repeating: "no end of it ", count: 300)
    let wide = String(repeating: "W", count: 4000)
    for text in [long, wide, "\n\n\n", "\u{0}\u{7}\u{2028}", String(repeating: "x\n", count: 500)] {
      guard let image = renderer.render(OverlayModel(subtitles: [States.cue(text)]), screen: screen) else { continue }
      #expect(image.frame.x >= 0 && image.frame.x + image.frame.width <= 640)
      #expect(image.frame.y >= 0 && image.frame.y + image.frame.height <= 480)
    }
  }

  /// The rows and columns with pixels of one colour.
  private func area(_ image: OverlayImage, _ color: RGBColor) -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
    letters(image, 0xFF00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue))
  }

  private static let (yellow, blue) = (RGBColor(0xFFFF00), RGBColor(0x0000FF))

  @Test("An author's colours are shown; the ground behind the letters, too, but in a visitor's box")
  func colors() throws {
    let screen = PixelSize(width: 640, height: 480)
    let spans = [StyleSpan(.background(Self.blue), bytes: 0..<3), StyleSpan(.color(Self.yellow), bytes: 0..<3)]
    var model = OverlayModel(subtitles: [States.cue("HOH HH", spans: spans)])
    let plain = try #require(renderer.render(model, screen: screen))
    let (words, ground) = try (#require(area(plain, Self.yellow)), #require(area(plain, Self.blue)))
    let white = try #require(letters(plain))
    #expect(words.columns.upperBound < white.columns.lowerBound)
    #expect(
      ground.columns.lowerBound < words.columns.lowerBound && ground.columns.upperBound < white.columns.lowerBound)
    model.captionLook.ground = .box
    let boxed = try #require(renderer.render(model, screen: screen))
    #expect(area(boxed, Self.yellow) != nil && area(boxed, Self.blue) == nil)
    (model.captionLook.ground, model.captionLook.hasHighContrast) = (.outline, true)
    let high = try #require(renderer.render(model, screen: screen))
    #expect(area(high, Self.yellow) != nil && area(high, Self.blue) == nil)
  }

  @Test("A colour that couldn't be read is mixed with white, and different ones stay different")
  func legible() throws {
    let colors = [0x000000, 0x0000FF, 0xFF0000, 0x800000, 0x00FF00, 0xFFFFFF].map { RGBColor($0) }
    for ground in [RGBColor.black, RGBColor(0x333333), Self.blue, Self.yellow, .white] {
      let best = max(RGBColor.white.contrast(with: ground), RGBColor.black.contrast(with: ground))
      for contrast in [4.5, 7] {
        let legible = colors.map { $0.legible(on: ground, contrast: contrast) }
        #expect(legible.allSatisfy { $0.contrast(with: ground) >= min(contrast, best) })
      }
    }
    #expect(Self.yellow.legible(on: .black, contrast: 7) == Self.yellow)
    let kept = [0x0000FF, 0xFF0000, 0xFF00FF, 0x00FF00].map { RGBColor($0).legible(on: .black, contrast: 7) }
    #expect(Set(kept).count == 4)
    // The letters on an author's ground have no colour of their own.
    let screen = PixelSize(width: 640, height: 480)
    let image = try image([States.cue("HOH", spans: [StyleSpan(.background(Self.yellow), bytes: 0..<3)])], on: screen)
    #expect(letters(image) == nil && area(image, Self.yellow) != nil)
  }

  @Test("A region's cues stand in it, the newest at its lower edge, and never leave the screen", arguments: screens)
  func regions(screen: PixelSize) throws {
    var region = CueRegion()
    (region.width, region.lines) = (40, 3)
    (region.anchor, region.viewportAnchor) = (.init(x: 0, y: 100), .init(x: 10, y: 60))
    let placement = CuePlacement(alignment: .start, region: region)
    func colored(_ text: String, _ color: RGBColor) -> SubtitleCue {
      States.cue(text, spans: [StyleSpan(.color(color), bytes: 0..<text.utf8.count)], placement: placement)
    }
    let image = try image([colored("HO", Self.yellow), colored("OH", RGBColor(0x00FF00))], on: screen)
    let (old, new) = try (#require(area(image, Self.yellow)), #require(area(image, RGBColor(0x00FF00))))
    let (width, height, unit) = (screen.width, screen.height, Double(min(screen.width, screen.height)) / 54)
    #expect(old.rows.upperBound < new.rows.lowerBound)
    #expect(Double(height * 6 / 10 - new.rows.upperBound) < 1.5 * unit && new.rows.upperBound < height * 6 / 10)
    #expect(abs(Double(new.columns.lowerBound) - Double(width) / 10) < unit || new.columns.lowerBound > width / 10)
    for (x, y) in [(0.0, 0.0), (100, 0), (0, 100), (100, 100)] {
      region.viewportAnchor = .init(x: x, y: y)
      let cues = (0..<9).map { States.cue("\($0) HOHO HOHO", placement: CuePlacement(region: region)) }
      let edge = try self.image(cues, on: screen)
      #expect(edge.frame.x >= 0 && edge.frame.x + edge.frame.width <= width)
      #expect(edge.frame.y >= 0 && edge.frame.y + edge.frame.height <= height)
    }
  }

  @Test("Slanted, bold and underlined text differs from plain text")
  func styles() throws {
    let screen = PixelSize(width: 640, height: 480)
    let plain = try image([States.cue("Hello")], on: screen)
    for style in [StyleSpan.Style.italic, .bold, .underline, .color(RGBColor(0xFFFF00)), .background(.black)] {
      let styled = try image([States.cue("Hello", spans: [StyleSpan(style, bytes: 0..<5)])], on: screen)
      #expect(styled.pixels != plain.pixels)
    }
    // Spans beyond the text are ignored.
    _ = try image([States.cue("Hello", spans: [StyleSpan(.bold, bytes: 3..<900)])], on: screen)
  }
}
