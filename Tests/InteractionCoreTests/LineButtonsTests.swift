import InteractionCore
import PlaybackCore
import Testing

@Suite("Buttons on GPIO lines")
struct LineButtonsTests {
  private let start = Instant(nanoseconds: 1_000_000_000)
  private let next = Binding.command(.next)
  private let play = Binding.command(.play)
  private let status = Binding.command(.showStatus(nil))

  private func change(_ kind: KeyChange.Kind, _ key: String = "gpio A", device: UInt32 = 1) -> KeyChange {
    KeyChange(device: InputDeviceID(device), key: key, kind)
  }

  @Test("Without a long press, a press has its effect at once, and the release when the button is let go")
  func short() {
    var buttons = LineButtons()
    let bindings = LineBindings(press: next, release: play)
    #expect(buttons.handle(change(.down), bindings, at: start) == [next])
    #expect(buttons.isPressed && buttons.deadline == nil)
    #expect(buttons.handle(change(.down), bindings, at: start) == [], "a second press without a release is none")
    #expect(buttons.handle(change(.up), bindings, at: start + .seconds(9)) == [play])
    #expect(!buttons.isPressed)
  }

  @Test("With a long press, a short press has its effect at its end, and a long one at its time")
  func long() {
    var buttons = LineButtons()
    let bindings = LineBindings(press: next, release: play, longPress: status, longAfter: .seconds(1))
    #expect(buttons.handle(change(.down), bindings, at: start) == [])
    #expect(buttons.handle(change(.up), bindings, at: start + .milliseconds(300)) == [next, play])
    #expect(buttons.deadline == nil)
    #expect(buttons.handle(change(.down), bindings, at: start) == [])
    #expect(buttons.deadline == start + .seconds(1))
    let lines = ["gpio A": bindings]
    #expect(buttons.timePassed(at: start + .milliseconds(999), lines) == [])
    #expect(buttons.timePassed(at: start + .seconds(1), lines) == [status])
    #expect(buttons.timePassed(at: start + .seconds(2), lines) == [], "once")
    #expect(buttons.handle(change(.up), bindings, at: start + .seconds(3)) == [play])
  }

  @Test("A long press that the busy loop learns of at its end is a long press")
  func late() {
    var buttons = LineButtons()
    let bindings = LineBindings(press: next, longPress: status, longAfter: .seconds(1))
    _ = buttons.handle(change(.down), bindings, at: start)
    #expect(buttons.handle(change(.up), bindings, at: start + .milliseconds(1001)) == [status])
  }

  @Test("A button that was down before the player started has no effect until its next press")
  func before() {
    var buttons = LineButtons()
    #expect(buttons.handle(change(.up), LineBindings(press: next, release: play), at: start) == [])
  }

  @Test("The buttons of an unplugged chip count as let go, and those of other chips don't")
  func unplugged() {
    var buttons = LineButtons()
    let bindings = LineBindings(press: next, release: play, longPress: status)
    let lines = ["gpio A": bindings, "gpio B": bindings, "gpio C": bindings]
    _ = buttons.handle(change(.down), bindings, at: start)
    _ = buttons.handle(change(.down, "gpio B"), bindings, at: start)
    _ = buttons.handle(change(.down, "gpio C", device: 2), bindings, at: start)
    #expect(buttons.removed(InputDeviceID(1), lines) == [play, play])
    #expect(buttons.timePassed(at: start + .seconds(5), lines) == [status], "the button of the other chip")
  }
}
