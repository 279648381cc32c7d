import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("The clock of an output (0122)")
struct MediaClockTests {
  @Test("Frames are shown when they are due by their own output's clock", arguments: [3600, -5] as [Int64])
  func frames(ahead: Int64) async throws {
    try GStreamerLibrary.start()
    let clock = MediaClock(ahead: .seconds(ahead))
    let (plain, other) = (try await Rig(), try await Rig(clock: clock))
    for (rig, clock) in [(plain, MediaClock.system), (other, clock)] {
      let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4")
      defer { deck.drop() }
      let readiness = try await rig.ready()
      // A preview of a held deck is shown at once.
      let before = clock.now
      deck.preview()
      let preview = try await rig.frame(of: 1)
      #expect(preview.at >= before && preview.at <= clock.now)
      let base = clock.now + .milliseconds(200) - readiness.firstRunningTime
      deck.play(base: base)
      let next = try await rig.frame(of: 1)
      #expect(next.at >= base + next.streamTime && next.at <= clock.now)
    }
  }

  @Test("An instant of an output's clock is converted to the system's clock, for timers")
  func waits() throws {
    try GStreamerLibrary.start()
    let clock = MediaClock(ahead: .seconds(3600))
    let before = Instant.monotonicNow
    let due = Instant(nanoseconds: clock.monotonicNanoseconds(at: clock.now + .seconds(2)))
    #expect(due >= before + .seconds(2) - .milliseconds(1) && due <= Instant.monotonicNow + .seconds(2))
    #expect(MediaClock.system.monotonicNanoseconds(at: before) == before.nanoseconds)
  }
}
