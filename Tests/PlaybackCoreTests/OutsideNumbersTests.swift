import Testing

@testable import PlaybackCore

/// Numbers from files, media and clocks, as large as they come.
@Suite("Arithmetic on numbers from outside doesn't end the program")
struct OutsideNumbersTests {
  @Test("Sums, differences and products end at what 64 bits hold")
  func clamped() {
    #expect(Int64.max.clampedAdding(1) == .max && Int64.min.clampedAdding(-1) == .min && Int64(2).clampedAdding(3) == 5)
    #expect(Int64.min.clampedSubtracting(1) == .min && Int64(0).clampedSubtracting(.min) == .max)
    #expect(Int64.max.clampedSubtracting(-1) == .max && Int64(2).clampedSubtracting(3) == -1)
    #expect(Int64.max.clampedMultiplied(by: 2) == .max && Int64.max.clampedMultiplied(by: -2) == .min)
    #expect(Int64.min.clampedMultiplied(by: 2) == .min && Int64.min.clampedMultiplied(by: -1) == .max)
    #expect(Int64(-2).clampedMultiplied(by: 3) == -6)
  }

  @Test("A medium that claims to last for 292 years")
  func instants() {
    let longest = Duration.nanoseconds(Int64.max)
    #expect((longest + .milliseconds(500)).wholeNanoseconds == .max)
    #expect((.zero - longest - longest).wholeNanoseconds == .min)
    #expect(Instant(nanoseconds: 1) + longest == Instant(nanoseconds: .max))
    #expect(Instant(nanoseconds: -2) - longest == Instant(nanoseconds: .min))
    #expect(Instant(nanoseconds: .max) - Instant(nanoseconds: -1) == longest)
    #expect(Duration.nanoseconds(-1_500_000_000).wholeNanoseconds == -1_500_000_000)
  }

  @Test("A list of restarts with a time that no clock shows")
  func restarts() {
    var ladder = RestartLadder(
      history: RestartLadder.History(text: "restart -9223372036854775808\nreboot 9223372036854775807\n"))
    #expect(ladder.decksHang(2, at: 1_700_000_000) == .restart)
  }
}
