import Testing

@testable import PlaybackCore

/// Numbers from files, media and clocks, of any size.
@Suite("Arithmetic on numbers from outside")
struct OutsideNumbersTests {
  @Test("Sums, differences and products saturate at 64 bits")
  func clamped() {
    #expect(Int64.max.clampedAdding(1) == .max && Int64.min.clampedAdding(-1) == .min && Int64(2).clampedAdding(3) == 5)
    #expect(Int64.min.clampedSubtracting(1) == .min && Int64(0).clampedSubtracting(.min) == .max)
    #expect(Int64.max.clampedSubtracting(-1) == .max && Int64(2).clampedSubtracting(3) == -1)
    #expect(Int64.max.clampedMultiplied(by: 2) == .max && Int64.max.clampedMultiplied(by: -2) == .min)
    #expect(Int64.min.clampedMultiplied(by: 2) == .min && Int64.min.clampedMultiplied(by: -1) == .max)
    #expect(Int64(-2).clampedMultiplied(by: 3) == -6)
  }

  @Test("A medium that claims to last for 292 years plays without a trap")
  func instants() {
    let longest = Duration.nanoseconds(Int64.max)
    #expect((longest + .milliseconds(500)).wholeNanoseconds == .max)
    #expect((.zero - longest - longest).wholeNanoseconds == .min)
    #expect(Instant(nanoseconds: 1) + longest == Instant(nanoseconds: .max))
    #expect(Instant(nanoseconds: -2) - longest == Instant(nanoseconds: .min))
    #expect(Instant(nanoseconds: .max) - Instant(nanoseconds: -1) == longest)
    #expect(Duration.nanoseconds(-1_500_000_000).wholeNanoseconds == -1_500_000_000)
  }

  /// Durations beyond those of any clock.
  private static let extremes = [
    Duration.seconds(Int64.max), .seconds(10_000_000_000), .zero, .seconds(-1), .seconds(Int64.min),
  ]

  @Test("A policy with any duration in every place plays, waits, fails and tries again", arguments: extremes)
  func policies(time: Duration) throws {
    var policy = PlaybackPolicy()
    (policy.localPrerollDeadline, policy.remotePrerollDeadline, policy.openingLead) = (time, time, time)
    policy.openingLeadOfPicture = time
    (policy.openingLeadWithSound, policy.armLead, policy.gapLead, policy.soundTail) = (time, time, time, time)
    (policy.retireDelay, policy.seekGuard, policy.quickSeek, policy.pictureDuration) = (time, time, time, time)
    (policy.failedRoundPause, policy.checkDeadline, policy.rtsp.latency, policy.source.timeout) = (
      time, time, time, time
    )
    (policy.buffering.fullScale, policy.buffering.start, policy.buffering.resume) = (time, time, time)
    (policy.buffering.longest, policy.buffering.memory, policy.buffering.dry) = (time, time, time)
    (policy.reconnect.firstDelay, policy.reconnect.longestDelay, policy.reconnect.budget) = (time, time, time)
    policy.rates = -1...1
    var item = MediaItem(uri: "http://h/a.mp4", kind: .progressive, start: time, end: time, pictureDuration: time)
    item.network = NetworkOverrides(buffer: time, rtspLatency: time)
    #expect(item.start == item.start.bounded && policy.buffering.bytes(in: time) >= 0)
    let picture = MediaItem(uri: "file:///b.png", kind: .picture, pictureDuration: time)
    var machine = PlaybackMachine(queue: [item, picture, item], loops: true, startAt: time, policy: policy, seed: 0)
    var now = Instant(nanoseconds: 1_000_000_000)
    var current: DeckID { machine.current?.id ?? DeckID(generation: 0) }
    let ready = DeckReadiness(duration: .longest, hasSound: true, frameInterval: .nanoseconds(1))
    let broken = VitrineError(2001, subject: "s", message: "m", remedy: "r")
    for _ in 0..<3 {
      let events: [PlaybackEvent] = [
        .start, .outputReady, .deckReady(current, ready), .frameShown(current, streamTime: .seconds(1)),
        .bufferingChanged(current, percent: 0), .timerFired(.drained(current)), .bufferingChanged(current, percent: 50),
        .seekRequested(to: time, .exact), .rateRequested(2),
        .rateChanged(current, 2, at: time.bounded, position: time.bounded),
        .streamEnded(current, .video, at: .longest), .deckFailed(current, broken), .timerFired(.reconnect(current)),
        .timerFired(.stuck(current)), .nextRequested, .timerFired(.nextRound),
      ]
      for event in events {
        now = now + .seconds(1)
        _ = machine.handle(event, at: now)
      }
    }
    #expect(machine.policy.rates == PlaybackPolicy().rates)
    for kind in [item, picture] { #expect(machine.policy.buffer(for: kind) >= .zero) }
  }
}
