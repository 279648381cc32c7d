import InteractionCore
import Testing

@testable import Displays

@Suite("Panels that say that they are something else")
struct PanelInputTests {
  @Test("A press reported late has the pointer's place at its time, and the movements since follow it")
  func trail() {
    var trail = PointerTrail()
    #expect(trail.last == nil && trail.place(at: 5) == nil)
    for step in 1...20 {
      trail.append(ScreenPoint(x: Double(step), y: 0), at: UInt64(step) * 10_000)
    }
    #expect(trail.last == ScreenPoint(x: 20, y: 0))
    #expect(trail.place(at: 155_000) == ScreenPoint(x: 15, y: 0))
    #expect(trail.steps(after: 155_000).map(\.place.x) == [16, 17, 18, 19, 20])
    #expect(trail.place(at: 0)?.x == 9, "what is older than twice libinput's 50 ms is forgotten")
    // The pointer has stood still since.
    trail.append(ScreenPoint(x: 30, y: 0), at: 9_000_000)
    #expect(trail.place(at: 8_000_000)?.x == 20)
  }

  @Test(
    "Axes of the kernel's list that are a place",
    arguments: [
      ("3", true), ("2608000 3", true), ("600000 0", false), ("60000000000000", true), ("100", false), ("1", false),
      ("", false), ("x", false),
    ])
  func axes(text: String, tells: Bool) { #expect(UnheardPanels.tellsPlace(text) == tells) }
}
