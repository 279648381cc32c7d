import InteractionCore
import PlaybackCore
import Testing

@testable import OverlayRenderer

@Suite("Buttons and chapters of the bar")
struct BarButtonTests {
  private static let usual: [OverlayButton] = [.previous, .playPause, .next, .mute]

  private func bar(_ buttons: [OverlayButton] = usual, title: String = "Hall") -> TransportBar {
    var bar = TransportBar(title: title, position: .seconds(30), duration: .seconds(60))
    bar.buttons = buttons
    return bar
  }

  private func targets(
    _ bar: TransportBar, _ width: Int, _ height: Int, scale: Double = 1, density: Double? = nil
  ) -> OverlayTargets {
    var look = OverlayLook()
    look.scale = scale
    return OverlayRenderer(theme: Theme(look)).targets(
      of: bar, screen: PixelSize(width: width, height: height), density: density)
  }

  @Test(
    "Each button is pressed where it is drawn, is as large as a finger, and overlaps nothing",
    arguments: [(1280, 720), (640, 480), (720, 1280), (3840, 2160)])
  func places(width: Int, height: Int) throws {
    let targets = targets(bar(), width, height)
    let unit = Double(min(width, height)) / 54
    #expect(Set(targets.buttons.keys) == Set(Self.usual))
    let areas = try Self.usual.map { try #require(targets.buttons[$0]) }
    #expect(areas.allSatisfy { $0.width >= 3.2 * unit && $0.height >= 3.2 * unit })
    // From left to right: previous, play, next, the track, mute.
    let track = try #require(targets.track)
    let row = Array(areas[0...2]) + [track, areas[3]]
    for (left, right) in zip(row, row.dropFirst()) { #expect(left.x + left.width <= right.x) }
    #expect(track.width >= 14 * unit)
  }

  @Test("Captions, language and description stand before mute, each as large as a finger", arguments: [1280, 1920])
  func captions(width: Int) throws {
    let all = OverlayButton.allCases.filter { $0 != .tiles }
    let targets = targets(bar(all), width, 720)
    let row = try [.captions, .language, .description, .mute].map { (button: OverlayButton) in
      try #require(targets.buttons[button])
    }
    #expect(row.allSatisfy { $0.width >= 3.2 * 720 / 54 })
    for (left, right) in zip(row, row.dropFirst()) { #expect(left.x + left.width <= right.x) }
    let track = try #require(targets.track)
    #expect(track.x + track.width <= row[0].x)
    // Narrow: mute goes first, then previous and next; captions stay as long as play has a track beside them.
    #expect(targets.buttons.count == all.count)
    func narrow(_ scale: Double, _ buttons: [OverlayButton]) -> Set<OverlayButton> {
      Set(self.targets(bar(buttons), 720, 1280, scale: scale).buttons.keys)
    }
    let steps: [Set<OverlayButton>] = [
      [.playPause, .captions, .description, .signed], [.playPause, .captions, .signed], [.playPause, .captions],
    ]
    #expect([1.4, 1.6, 1.7].map { narrow($0, all) } == steps)
    // The way back to the tiles stays longest: there is no other for a finger.
    #expect(narrow(1.6, OverlayButton.allCases) == [.tiles, .playPause, .captions])
    #expect(narrow(2.2, OverlayButton.allCases) == [.tiles, .playPause])
  }

  @Test("Buttons keep their places with every title and language: they are signs, not words")
  func neverMirrored() {
    let plain = targets(bar(), 1280, 720)
    #expect(targets(bar(title: "القاعة الكبرى"), 1280, 720) == plain)
    var look = OverlayLook()
    look.language = LanguageTag("ar") ?? .english
    let arabic = OverlayRenderer(theme: Theme(look))
    #expect(arabic.targets(of: bar(title: "القاعة الكبرى"), screen: PixelSize(width: 1280, height: 720)) == plain)
  }

  @Test(
    "On a narrow screen the times move above the track, then mute goes, then previous and next; play stays"
  )
  func narrow() throws {
    #expect(targets(bar(), 720, 1280).buttons.count == 4)
    let before = try #require(targets(bar(), 720, 1280).track)
    let above = targets(bar(), 720, 1280, scale: 1.12)
    #expect(above.buttons.count == 4 && (above.track?.width ?? 0) > before.width)
    #expect(Set(targets(bar(), 720, 1280, scale: 1.7).buttons.keys) == [.previous, .playPause, .next])
    #expect(Set(targets(bar(), 720, 1280, scale: 2.2).buttons.keys) == [.playPause])
  }

  /// Panels by their data sheets: pixels, and pixels per millimetre.
  static let panels: [(name: String, width: Int, height: Int, density: Double)] = [
    ("7 inch", 800, 480, 5.58), ("7 inch, upright", 480, 800, 5.58), ("7 inch HD", 1280, 800, 8.5),
    ("5 inch", 800, 480, 7.41), ("10 inch", 1280, 800, 5.9), ("15 inch", 1920, 1080, 5.57),
    ("24 inch", 1920, 1080, 3.6), ("43 inch", 1920, 1080, 2.02), ("43 inch, 4K", 3840, 2160, 4.03),
    ("43 inch, upright", 1080, 1920, 2.02),
  ]

  @Test(
    "With a known size of the glass, targets are 9 mm or more, and 12 mm where there is room", arguments: panels)
  func millimetres(name: String, width: Int, height: Int, density: Double) throws {
    let targets = targets(bar(), width, height, density: density)
    let smallest = try #require(targets.buttons.values.map { min($0.width, $0.height) / density }.min())
    #expect(smallest >= 9, "\(smallest)")
    if !name.hasPrefix("5 inch"), !name.contains("7 inch, upright") { #expect(smallest >= 11.5, "\(smallest)") }
    #expect(targets.buttons.count == 4)
    let track = try #require(targets.track)
    #expect(track.width >= 14 * Double(min(width, height)) / 54)
    let screen = OverlayTargets.Area(x: 0, y: 0, width: Double(width), height: Double(height))
    for area in targets.buttons.values {
      #expect(screen.contains(ScreenPoint(x: area.x, y: area.y)))
      #expect(screen.contains(ScreenPoint(x: area.x + area.width, y: area.y + area.height)))
    }
    // At the largest scale the buttons are no smaller, and those that remain are inside too.
    let large = self.targets(bar(), width, height, scale: 3, density: density)
    for area in large.buttons.values {
      #expect(min(area.width, area.height) / density >= 9)
      #expect(area.x >= 0 && area.x + area.width <= Double(width) && area.y + area.height <= Double(height))
    }
    #expect((large.track?.width ?? 0) > 4 * Double(min(width, height)) / 54)
  }

  @Test("Large screens look the same whether their size is known or not")
  func large() {
    let unknown = targets(bar(), 1920, 1080)
    #expect(targets(bar(), 1920, 1080, density: 2.02) == unknown)
    #expect(targets(bar(), 1920, 1080, density: 0.3) == unknown)
  }

  @Test(
    "Times, titles and messages are large enough to read from an arm's length and from three metres",
    arguments: panels)
  func type(name: String, width: Int, height: Int, density: Double) {
    let screen = PixelSize(width: width, height: height)
    let metrics = OverlayMetrics(screen: screen, density: density)
    func capitals(_ units: Double) -> Double { metrics.pixels(units) * OverlayMetrics.capitalHeight / density }
    #expect(capitals(metrics.timeType) >= 2.99 && capitals(metrics.titleType) >= 3.2)
    // A 7 inch panel has no room for such messages: theirs are as large as leaves room for words.
    #expect(capitals(metrics.messageType) >= 8.99 || metrics.messageType >= 5)
    #expect(metrics.messageType >= 1.8 && metrics.messageType <= 5)
  }

  @Test("The bar has the wanted buttons only; without any the track takes their room")
  func wanted() throws {
    #expect(Set(targets(bar([.mute, .playPause]), 1280, 720).buttons.keys) == [.mute, .playPause])
    let none = targets(bar([]), 1280, 720)
    #expect(none.buttons.isEmpty)
    let (wide, narrow) = (try #require(none.track), try #require(targets(bar([.playPause]), 1280, 720).track))
    #expect(wide.x < narrow.x && wide.width > narrow.width)
  }

  @Test("The track is cut where chapters begin, but not at its start, its end or beyond")
  func chapters() throws {
    var bar = bar([.playPause])
    let track = try #require(targets(bar, 1280, 720).track)
    let renderer = OverlayRenderer()
    let screen = PixelSize(width: 1280, height: 720)
    bar.position = .zero
    let whole = try #require(renderer.render(OverlayModel(bar: bar), screen: screen))
    bar.chapters = [.zero, .seconds(15), .seconds(45), .milliseconds(59_990), .seconds(70), .seconds(-3)]
    let cut = try #require(renderer.render(OverlayModel(bar: bar), screen: screen))
    let y = Int(track.y + track.height / 2)
    let changed = (0..<1280).filter { whole.pixel(x: $0, y: y) != cut.pixel(x: $0, y: y) }
    let wanted = [15.0, 45.0].map { (track.x + track.width * $0 / 60).rounded() }
    // Each change is as wide as a cut, two pixels here.
    #expect(changed == wanted.flatMap { [Int($0), Int($0) + 1] })
  }
}
