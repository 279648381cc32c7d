import PlaybackCore
import Testing

@testable import Supervision

@Suite("The keeper's machine")
struct KeeperMachineTests {
  private struct Bench {
    var machine: KeeperMachine
    var now = Instant(nanoseconds: 0)

    init(_ change: (inout KeeperPolicy) -> Void = { _ in }) {
      var policy = KeeperPolicy()
      change(&policy)
      machine = KeeperMachine(policy: policy)
    }

    mutating func feed(_ events: KeeperMachine.Event...) -> [KeeperMachine.Action] {
      events.flatMap { machine.handle($0, at: now) }
    }

    /// Moves the time to the deadline, and not further.
    mutating func atDeadline() -> [KeeperMachine.Action] {
      now = machine.deadline ?? now
      return feed(.timeIsUp)
    }

    /// A keeper whose child has said READY.
    static func running(_ change: (inout KeeperPolicy) -> Void = { _ in }) -> Bench {
      var bench = Bench(change)
      _ = bench.feed(.start, .started, .said(.ready))
      return bench
    }
  }

  @Test("A crashed child is replaced after the delay, one that asks for it at once; codes 0 and 64 end the keeper")
  func deaths() {
    for death in [KeeperMachine.Death.signal(11), .code(70), .code(69), .code(76), .code(127)] {
      var bench = Bench.running()
      let actions = bench.feed(.died(death))
      #expect(actions.contains(.reboot) == (death == .code(76)), "\(death)")
      #expect(actions.contains(.tell(.died(death))))
      #expect(bench.machine.deadline == bench.now + .milliseconds(100))
      #expect(bench.atDeadline() == [.start])
    }
    var bench = Bench.running()
    #expect(bench.feed(.died(.code(75))) == [.tell(.died(.code(75))), .start])
    for code: Int32 in [0, 64] {
      var bench = Bench.running()
      #expect(bench.feed(.died(.code(code))) == [.end(code)])
      #expect(bench.feed(.start, .timeIsUp, .signalled(.end), .died(.signal(9))) == [])
    }
  }

  @Test("The delay grows with each child that never says READY, and starts again after one that does")
  func backOff() {
    var bench = Bench()
    var actions = bench.feed(.start)
    var delays: [Duration] = []
    for _ in 0..<14 {
      #expect(actions == [.start])
      _ = bench.feed(.started, .died(.signal(11)))
      delays.append((bench.machine.deadline ?? bench.now) - bench.now)
      actions = bench.atDeadline()
    }
    #expect(delays.prefix(5).allSatisfy { $0 == .milliseconds(100) })
    #expect(delays[5...7] == [.milliseconds(200), .milliseconds(400), .milliseconds(800)])
    #expect(delays.suffix(2) == [.seconds(10), .seconds(10)])
    _ = bench.feed(.started, .said(.ready), .died(.signal(11)))
    #expect(bench.machine.deadline == bench.now + .milliseconds(100))
    // Code 75 has the same delay.
    for _ in 0..<5 { _ = (bench.atDeadline(), bench.feed(.started, .died(.code(75)))) }
    _ = bench.feed(.started)
    #expect(bench.feed(.died(.code(75))).contains(.tell(.waits(.milliseconds(200)))))
  }

  @Test("A child that can't be started is tried again")
  func notStarted() {
    var bench = Bench()
    #expect(bench.feed(.start, .notStarted) == [.start])
    #expect(bench.atDeadline() == [.start])
    #expect(bench.feed(.signalled(.end)) == [.end(0)])
  }

  @Test("A child that isn't ready in time, or falls silent, is aborted, then killed, then reported as stuck")
  func hangs() {
    var bench = Bench()
    _ = bench.feed(.start, .started)
    #expect(bench.machine.deadline == bench.now + .seconds(300))
    // Before READY the watchdog doesn't count.
    #expect(bench.feed(.said(.watchdog)) == [] && bench.machine.deadline == bench.now + .seconds(300))
    #expect(bench.atDeadline() == [.tell(.isNotReady(after: .seconds(300))), .abort])

    bench = .running()
    bench.now = bench.now + .seconds(5)
    _ = bench.feed(.said(.watchdog))
    bench.now = bench.now + .seconds(5)
    #expect(bench.feed(.timeIsUp) == [])
    #expect(bench.machine.deadline == bench.now + .seconds(1))
    #expect(bench.atDeadline() == [.tell(.hangs(afterSilence: .seconds(6))), .abort])
    // The child sends a message after the abort: too late.
    #expect(bench.feed(.said(.watchdog), .said(.ready)) == [])
    #expect(bench.machine.deadline == bench.now + .seconds(2))
    #expect(bench.atDeadline() == [.tell(.isKilled), .kill])
    #expect(bench.machine.deadline == bench.now + .seconds(10))
    #expect(bench.atDeadline() == [.tell(.cannotBeKilled), .reboot])
    #expect(bench.machine.deadline == nil)
    #expect(bench.feed(.died(.signal(9))) == [.tell(.died(.signal(9)))])
    #expect(bench.atDeadline() == [.start])
  }

  @Test("A child may report itself that it hangs, and ask for more time to start or to end")
  func words() {
    var bench = Bench.running()
    #expect(bench.feed(.said(.watchdogTrigger)) == [.tell(.hangs(afterSilence: nil)), .abort])

    bench = Bench()
    _ = bench.feed(.start, .started, .said(.extendTimeout(.seconds(1))))
    #expect(bench.machine.deadline == bench.now + .seconds(300), "time is never taken away")
    _ = bench.feed(.said(.extendTimeout(.seconds(390))))
    #expect(bench.machine.deadline == bench.now + .seconds(390))

    bench = .running()
    _ = bench.feed(.said(.stopping))
    #expect(bench.machine.deadline == bench.now + .seconds(5))
    _ = bench.feed(.said(.extendTimeout(.seconds(8))))
    #expect(bench.machine.deadline == bench.now + .seconds(8))
    // The child ends by itself, not on request.
    #expect(bench.feed(.died(.code(75))) == [.tell(.died(.code(75))), .start])
  }

  @Test("Asked to end, the keeper asks the child, waits, kills it, and ends with its code")
  func end() {
    for (death, code) in [(KeeperMachine.Death.code(0), Int32(0)), (.code(73), 73), (.signal(9), 137)] {
      var bench = Bench.running()
      #expect(bench.feed(.signalled(.end)) == [.askToEnd])
      #expect(bench.feed(.signalled(.end)) == [], "once is enough")
      #expect(bench.atDeadline() == [.tell(.isKilled), .kill])
      #expect(bench.feed(.died(death)) == [.end(code)])
    }
    // While a hanging child is being ended, no other one is started.
    var bench = Bench.running()
    _ = bench.feed(.said(.watchdogTrigger))
    #expect(bench.feed(.signalled(.end)) == [.askToEnd])
    #expect(bench.feed(.died(.signal(6))) == [.end(134)])
    // Without a running child the keeper ends at once.
    bench = .running()
    _ = bench.feed(.died(.signal(6)))
    #expect(bench.feed(.signalled(.end)) == [.end(0)])
  }

  @Test("Signals for the child wait until it is ready: before that they would end it")
  func signals() {
    var bench = Bench()
    _ = bench.feed(.start, .started)
    let (hangUp, off, on) = (KeeperMachine.Event.signalled(.command(1)), Int32(10), Int32(12))
    #expect(bench.feed(hangUp, .signalled(.command(off)), hangUp, .signalled(.command(on))) == [])
    #expect(bench.feed(.said(.ready)) == [.send(off), .send(1), .send(on)])
    #expect(bench.feed(hangUp) == [.send(1)])
    // A signal between two children is for the next one.
    _ = bench.feed(.died(.signal(11)))
    #expect(bench.feed(.signalled(.command(off))) == [])
    _ = bench.atDeadline()
    #expect(bench.feed(.started, .said(.ready)) == [.send(off)])
  }

  @Test("Without limits the machine has no deadline")
  func unlimited() {
    var bench = Bench {
      $0.watchdog = nil
      $0.startLimit = nil
    }
    _ = bench.feed(.start, .started)
    #expect(bench.machine.deadline == nil)
    _ = bench.feed(.said(.extendTimeout(.seconds(1))))
    #expect(bench.machine.deadline == nil)
    _ = bench.feed(.said(.ready))
    #expect(bench.machine.deadline == nil)
  }

  /// Facts in random order: debug builds check the invariants; this test checks that never two children run, and that
  /// the machine always waits for something.
  @Test("In any order of events, at most one child runs, and the machine never stops waiting")
  func random() {
    var generator = SplitMix(state: 20)
    let events: [KeeperMachine.Event] = [
      .said(.ready), .said(.watchdog), .said(.watchdogTrigger), .said(.stopping), .said(.extendTimeout(.seconds(3))),
      .signalled(.command(1)), .timeIsUp, .timeIsUp, .timeIsUp, .died(.signal(11)), .died(.code(75)), .died(.code(70)),
      .signalled(.end),
    ]
    for _ in 0..<2000 {
      var bench = Bench()
      var (runs, hasEnded) = (false, false)
      var actions = bench.feed(.start)
      for _ in 0..<60 where !hasEnded {
        for action in actions {
          switch action {
          case .start:
            #expect(!runs)
            runs = true
            actions = bench.feed(.started)
          case .end:
            #expect(!runs)
            hasEnded = true
          default: break
          }
        }
        let isStuck = if case .ending(.stuck, _) = bench.machine.state { true } else { false }
        #expect(hasEnded || isStuck || bench.machine.deadline != nil)
        // The request to end is rare; otherwise no run would get far.
        let event = events[Int(generator.next() % UInt64(events.count - (generator.next() % 8 == 0 ? 0 : 1)))]
        if case .died = event {
          guard runs else { continue }
          runs = false
        }
        if event == .timeIsUp {
          actions = bench.atDeadline()
        } else {
          actions = bench.feed(event)
        }
      }
    }
  }
}

/// Random numbers that are the same in each run.
private struct SplitMix {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
