import InteractionCore
import PlaybackCore
import Testing

@Suite("Volume")
struct VolumeControlTests {
  private func text(_ control: VolumeControl) -> String { VisitorTexts.english.text(control.text) }

  let screen = PixelSize(width: 1000, height: 500)
  var control = VolumeControl(volume: 0.5)

  /// Whether an action has changed anything.
  private mutating func isChanged(by action: GestureAction) -> Bool { control.handle(action, screen: screen) }

  private func drag(_ y: Double) -> Drag {
    Drag(
      kind: .vertical, start: ScreenPoint(x: 100, y: 400), point: ScreenPoint(x: 100, y: y), scale: TouchScale(unit: 10)
    )
  }

  @Test("Keys change the volume by percents within 0...1, and as many down as up lead back")
  mutating func keys() {
    for _ in 0..<7 { control.change(by: 5) }
    for _ in 0..<7 { control.change(by: -5) }
    #expect(control.volume == 0.5 && text(control) == "Volume 50 %")
    for _ in 0..<20 { control.change(by: 10) }
    #expect(control.volume == 1)
    for _ in 0..<20 { control.change(by: -10) }
    #expect(control.volume == 0)
  }

  @Test("Raising the volume ends a mute, and lowering it doesn't")
  mutating func mute() {
    control.toggleMute()
    control.change(by: -10)
    #expect(control.isMuted && text(control) == "Muted")
    control.change(by: 5)
    #expect(!control.isMuted && text(control) == "Volume 45 %")
  }

  @Test("A drag over six tenths of the height covers the whole volume; a cancelled one changes nothing")
  mutating func drags() {
    let changes = [
      isChanged(by: .dragBegan(drag(400))), isChanged(by: .dragMoved(drag(310))), isChanged(by: .dragMoved(drag(309))),
    ]
    #expect(changes == [false, true, false] && text(control) == "Volume 80 %", "the last is less than a step")
    let farther = isChanged(by: .dragMoved(drag(0)))
    #expect(farther && control.volume == 1)
    let lifted = isChanged(by: .dragEnded(drag(520), .lifted))
    #expect(lifted && text(control) == "Volume 10 %")
    let cancelled = [
      isChanged(by: .dragBegan(drag(400))), isChanged(by: .dragMoved(drag(100))),
      isChanged(by: .dragEnded(drag(100), .cancelled)),
    ]
    #expect(cancelled == [false, true, true] && text(control) == "Volume 10 %")
    let stray = isChanged(by: .dragMoved(drag(Double.nan)))
    #expect(!stray, "no drag is under way")
  }
}
