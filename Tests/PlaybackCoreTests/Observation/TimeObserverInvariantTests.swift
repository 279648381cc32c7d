import Testing

@testable import PlaybackCore

@Suite("Time observers: invariants of their schedule")
struct TimeObserverInvariantTests {
  @Test("The invariants report a timer in a pause or without an observer, a short interval, and unsorted boundaries")
  func broken() {
    let now = Instant(nanoseconds: 0)
    var healthy = TimeObserverSchedule()
    _ = healthy.handle(.added(1, .every(.zero)), at: now)
    _ = healthy.handle(.added(2, .boundaries([.seconds(2), .seconds(1)])), at: now)
    _ = healthy.handle(.moved(Playhead(position: .zero, at: now, rate: 1)), at: now)
    #expect(healthy.timer != nil && healthy.invariants.violations == [])

    let idle = "A timer runs only while time does, and for somebody"
    for change: (inout TimeObserverSchedule) -> Void in [
      { $0.playhead?.rate = 0 }, { $0.isHeld = true }, { $0.observers = [:] },
    ] {
      var schedule = healthy
      change(&schedule)
      #expect(schedule.invariants.violations == [idle])
    }
    var short = healthy
    short.observers[1]?.rule = .every(.milliseconds(1))
    #expect(short.invariants.violations == ["No interval is shorter than may be"])
    var mixed = healthy
    mixed.observers[2]?.rule = .boundaries([.seconds(2), .seconds(1)])
    #expect(mixed.invariants.violations == ["Boundaries are in order"])
  }
}
