import InteractionCore
import PlaybackCore
import Testing

@testable import OverlayRenderer

@Suite("Buttons and chapters of the bar")
struct BarButtonTests {
  private func bar(_ buttons: [OverlayButton] = OverlayButton.allCases, title: String = "Hall") -> TransportBar {
    var bar = TransportBar(title: title, position: .seconds(30), duration: .seconds(60))
    bar.buttons = buttons
    return bar
  }

  private func targets(_ bar: TransportBar, _ width: Int, _ height: Int, scale: Double = 1) -> OverlayTargets {
    var look = OverlayLook()
    look.scale = scale
    return OverlayRenderer(theme: Theme(look)).targets(of: bar, screen: PixelSize(width: width, height: height))
  }

  @Test(
    "Each is met where it is drawn, is as large as a finger, and none overlaps another or the track",
    arguments: [(1280, 720), (640, 480), (720, 1280), (3840, 2160)])
  func places(width: Int, height: Int) throws {
    let targets = targets(bar(), width, height)
    let unit = Double(min(width, height)) / 54
    #expect(Set(targets.buttons.keys) == Set(OverlayButton.allCases))
    let areas = try OverlayButton.allCases.map { try #require(targets.buttons[$0]) }
    #expect(areas.allSatisfy { $0.width >= 3.2 * unit && $0.height >= 3.2 * unit })
    // From left to right: previous, play, next, the track, mute.
    let track = try #require(targets.track)
    let row = Array(areas[0...2]) + [track, areas[3]]
    for (left, right) in zip(row, row.dropFirst()) { #expect(left.x + left.width <= right.x) }
    #expect(track.width >= 14 * unit)
  }

  @Test("A row that reads from right to left has them in a mirror")
  func mirrored() throws {
    let (plain, turned) = (targets(bar(), 1280, 720), targets(bar(title: "القاعة الكبرى"), 1280, 720))
    for button in OverlayButton.allCases {
      let (a, b) = (try #require(plain.buttons[button]), try #require(turned.buttons[button]))
      #expect(abs(a.x + a.width + b.x - 1280) < 0.01, "\(button)")
    }
  }

  @Test("Where the track would be too short mute goes first, then previous and next, and play last of all")
  func narrow() {
    #expect(targets(bar(), 720, 1280).buttons.count == 4)
    #expect(Set(targets(bar(), 720, 1280, scale: 1.12).buttons.keys) == [.previous, .playPause, .next])
    #expect(Set(targets(bar(), 720, 1280, scale: 1.4).buttons.keys) == [.playPause])
  }

  @Test("Only what is wanted is there; none at all leaves its room to the track")
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
    // Each as wide as a cut, which is two pixels here.
    #expect(changed == wanted.flatMap { [Int($0), Int($0) + 1] })
  }
}
