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

  /// The rows and columns with opaque white pixels, which are letters.
  private func letters(_ image: OverlayImage) -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
    var rows: [Int] = []
    var columns: [Int] = []
    for (index, pixel) in image.pixels.enumerated() where pixel == 0xFFFF_FFFF {
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

  @Test("Slanted, bold and underlined text differs from plain text")
  func styles() throws {
    let screen = PixelSize(width: 640, height: 480)
    let plain = try image([States.cue("Hello")], on: screen)
    for style in [StyleSpan.Style.italic, .bold, .underline] {
      let styled = try image([States.cue("Hello", spans: [StyleSpan(style, bytes: 0..<5)])], on: screen)
      #expect(styled.pixels != plain.pixels)
    }
    // Spans beyond the text are ignored.
    _ = try image([States.cue("Hello", spans: [StyleSpan(.bold, bytes: 3..<900)])], on: screen)
  }
}
