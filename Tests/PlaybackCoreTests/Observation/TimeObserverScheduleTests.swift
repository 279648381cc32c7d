import PlaybackCore
import Testing

/// A schedule, with a clock that the test sets and a timer that it fires.
private struct Watch {
  var schedule = TimeObserverSchedule()
  var now = Instant(nanoseconds: 0)
  var timer: Instant?
  var told: [Told] = []

  struct Told: Hashable {
    var id: Int
    var milliseconds: Int
    init(_ id: Int, _ milliseconds: Int) {
      self.id = id
      self.milliseconds = milliseconds
    }
  }

  mutating func feed(_ event: TimeObserverSchedule.Event) {
    for action in schedule.handle(event, at: now) {
      switch action {
      case .tell(let id, let time): told.append(Told(id, Int(time.inMilliseconds.rounded())))
      case .startTimer(let at): timer = at
      case .cancelTimer: timer = nil
      }
    }
  }

  mutating func move(_ milliseconds: Int, rate: Double = 1, trust: Duration? = nil) {
    feed(.moved(Playhead(position: .milliseconds(milliseconds), at: now, rate: rate, isValidFor: trust)))
  }

  mutating func jump(_ milliseconds: Int, rate: Double = 1) {
    feed(.jumped(Playhead(position: .milliseconds(milliseconds), at: now, rate: rate)))
  }

  /// Lets time pass and fires the timer when it is due. Fails if the timer never comes to rest.
  mutating func wait(_ milliseconds: Int) {
    let end = now + .milliseconds(milliseconds)
    for _ in 0..<1000 {
      guard let due = timer, due <= end else {
        now = end
        return
      }
      now = max(now, due)
      timer = nil
      feed(.timerFired)
    }
    Issue.record("the timer never comes to rest")
  }

  /// The observers called since the last call of this function.
  mutating func drain() -> [Told] {
    defer { told = [] }
    return told
  }
}

@Suite("Time observers: times of their calls (S23)")
struct TimeObserverScheduleTests {
  @Test("A periodic observer is called at the start, at each multiple of the interval and at the stop")
  func periodic() {
    var watch = Watch()
    watch.feed(.added(1, .every(.milliseconds(500))))
    watch.move(0, rate: 0)
    #expect(watch.drain() == [.init(1, 0)], "where playback is has become known")
    watch.move(0)
    watch.wait(1200)
    watch.move(1200, rate: 0)
    #expect(watch.drain() == [.init(1, 0), .init(1, 500), .init(1, 1000), .init(1, 1200)])
    watch.wait(5000)
    #expect(watch.drain() == [] && watch.timer == nil, "nothing in a pause")
  }

  @Test("A periodic observer follows media time, not the clock", arguments: [0.25, 0.5, 2, 4])
  func rates(rate: Double) {
    var watch = Watch()
    watch.feed(.added(1, .every(.seconds(1))))
    watch.jump(0, rate: rate)
    watch.wait(Int(3500 / rate))
    #expect(watch.drain() == [.init(1, 0), .init(1, 1000), .init(1, 2000), .init(1, 3000)])
  }

  @Test("In reverse, multiples and boundaries are reached from above")
  func reverse() {
    var watch = Watch()
    watch.feed(.added(1, .every(.seconds(1))))
    watch.feed(.added(2, .boundaries([.milliseconds(1500), .milliseconds(2500)])))
    watch.jump(3200, rate: -1)
    watch.wait(2500)
    #expect(
      watch.drain() == [
        .init(1, 3200), .init(1, 3000), .init(2, 2500), .init(1, 2000), .init(2, 1500), .init(1, 1000),
      ])
  }

  @Test("A jump gives one call, and multiples count on from there")
  func jumps() {
    var watch = Watch()
    watch.feed(.added(1, .every(.seconds(1))))
    watch.jump(0)
    watch.wait(300)
    watch.feed(.held)
    watch.wait(3000)
    #expect(watch.drain() == [.init(1, 0)], "nothing while a seek is under way")
    watch.jump(10_400)
    #expect(watch.drain() == [.init(1, 10_400)])
    watch.wait(700)
    #expect(watch.drain() == [.init(1, 11_000)])
  }

  @Test("Passed boundaries give one call each, in order, and another one only after a jump back")
  func boundaries() {
    var watch = Watch()
    watch.feed(.added(1, .boundaries([.seconds(2), .seconds(1), .seconds(9)])))
    watch.jump(0)
    watch.wait(2500)
    #expect(watch.drain() == [.init(1, 1000), .init(1, 2000)])
    // Some frames are a little behind the clock.
    for position in [1990, 1999, 2001, 2010, 2400] { watch.move(position) }
    #expect(watch.drain() == [])
    watch.jump(8000)
    watch.jump(1500)
    #expect(watch.drain() == [], "jumping over one isn't passing it")
    watch.wait(1000)
    #expect(watch.drain() == [.init(1, 2000)])
  }

  @Test("Boundaries work with a pause just past one, a start on one, and several between two frames")
  func edges() {
    var watch = Watch()
    watch.feed(.added(1, .boundaries([.seconds(1), .milliseconds(1010), .milliseconds(1020)])))
    watch.jump(1000, rate: 0)
    #expect(watch.drain() == [], "standing on one isn't passing it")
    watch.move(1000)
    watch.now = watch.now + .milliseconds(16)
    watch.move(1016, rate: 0)
    #expect(watch.drain() == [.init(1, 1000), .init(1, 1010)])
    watch.move(1010, rate: 0)
    watch.move(1016, rate: 0)
    #expect(watch.drain() == [])
  }

  @Test("The clock runs ahead of the shown frames no further than it is trusted")
  func stalls() {
    var watch = Watch()
    watch.feed(.added(1, .boundaries([.seconds(1)])))
    watch.jump(0)
    watch.move(900, trust: .milliseconds(50))
    watch.wait(1000)
    #expect(watch.drain() == [] && watch.timer == nil)
    watch.move(960, trust: .milliseconds(50))
    watch.wait(45)
    #expect(watch.drain() == [.init(1, 1000)])
  }

  @Test("A boundary at the very end is reported when the item has played to its end")
  func ends() {
    var watch = Watch()
    watch.feed(.added(1, .boundaries([.seconds(2)])))
    watch.jump(1900)
    watch.move(1967, trust: .zero)
    watch.feed(.reachedEnd(.seconds(2)))
    watch.move(1967, rate: 0)
    #expect(watch.drain() == [.init(1, 2000)])
  }

  @Test("A single timer serves the observer that is due first; a removed observer isn't called")
  func oneTimer() {
    var watch = Watch()
    watch.jump(0)
    #expect(watch.timer == nil)
    watch.feed(.added(1, .every(.seconds(5))))
    watch.feed(.added(2, .boundaries([.seconds(3)])))
    #expect(watch.timer == Instant(nanoseconds: 3_000_000_000))
    watch.feed(.removed(2))
    #expect(watch.timer == Instant(nanoseconds: 5_000_000_000))
    watch.feed(.removed(1))
    #expect(watch.timer == nil && watch.schedule.isEmpty)
    watch.wait(10_000)
    #expect(watch.drain() == [])
  }

  @Test("An interval of zero or less doesn't starve the loop", arguments: [0, -5])
  func tooShort(milliseconds: Int) {
    var watch = Watch()
    watch.feed(.added(1, .every(.milliseconds(milliseconds))))
    watch.jump(0)
    watch.wait(100)
    #expect(watch.drain().count == 11)
  }
}
