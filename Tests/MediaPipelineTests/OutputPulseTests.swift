import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("The state of the frames that have come to an output (0139)")
struct OutputPulseTests {
  private func tag(_ index: UInt32) -> FrameTag {
    FrameTag(deck: DeckID(generation: 1), index: index, streamTime: .zero)
  }

  private func frame(_ index: UInt32, at now: Int64, wasRendered: Bool = true) -> RenderedFrame {
    RenderedFrame(
      deck: DeckID(generation: 1), index: index, streamTime: .zero, at: Instant(nanoseconds: now),
      wasRendered: wasRendered)
  }

  @Test("A frame counts as waiting until it is shown; a frame behind it counts from then on")
  func waits() {
    let pulse = OutputPulse(dropsCount: true)
    #expect(pulse.activity == OutputActivity())
    pulse.came(tag(0), at: Instant(nanoseconds: 10))
    pulse.came(tag(1), at: Instant(nanoseconds: 20))
    #expect(pulse.activity.waitingSince == Instant(nanoseconds: 10))
    pulse.went(frame(0, at: 30))
    #expect(pulse.activity.waitingSince == Instant(nanoseconds: 30))
    pulse.went(frame(1, at: 40))
    #expect(pulse.activity == OutputActivity(deck: DeckID(generation: 1)))
  }

  @Test(
    "Dropped frames are counted and keep waiting; on a surface, which a compositor may hide, they don't",
    arguments: [true, false])
  func drops(dropsCount: Bool) {
    let pulse = OutputPulse(dropsCount: dropsCount)
    for index in 0..<3 as Range<UInt32> {
      pulse.came(tag(index), at: Instant(nanoseconds: 10))
      pulse.went(frame(index, at: 20, wasRendered: false))
    }
    #expect(pulse.activity.dropped == (dropsCount ? 3 : 0))
    #expect((pulse.activity.waitingSince != nil) == dropsCount)
  }
}
