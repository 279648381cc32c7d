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

    mutating func tell(_ events: KeeperMachine.Event...) -> [KeeperMachine.Effect] {
      events.flatMap { machine.handle($0, at: now) }
    }

    /// Up to its deadline, and not a moment further.
    mutating func atDeadline() -> [KeeperMachine.Effect] {
      now = machine.deadline ?? now
      return tell(.timeIsUp)
    }

    /// A child that runs, and has said READY.
    static func running(_ change: (inout KeeperPolicy) -> Void = { _ in }) -> Bench {
      var bench = Bench(change)
      _ = bench.tell(.start, .started, .said(.ready))
      return bench
    }
  }

  @Test("A child that dies is followed by another after the delay; one that asks for it, at once; code 0 and 64 end it")
  func deaths() {
    for death in [KeeperMachine.Death.signal(11), .code(70), .code(69), .code(76), .code(127)] {
      var bench = Bench.running()
      let effects = bench.tell(.died(death))
      #expect(effects.contains(.reboot) == (death == .code(76)), "\(death)")
      #expect(effects.contains(.tell(.died(death))))
      #expect(bench.machine.deadline == bench.now + .milliseconds(100))
      #expect(bench.atDeadline() == [.start])
    }
    var bench = Bench.running()
    #expect(bench.tell(.died(.code(75))) == [.tell(.died(.code(75))), .start])
    for code: Int32 in [0, 64] {
      var bench = Bench.running()
      #expect(bench.tell(.died(.code(code))) == [.end(code)])
      #expect(bench.tell(.start, .timeIsUp, .signalled(.end), .died(.signal(9))) == [])
    }
  }

  @Test("Children that are never ready come more and more slowly, and one that is ready sets that back")
  func backOff() {
    var bench = Bench()
    var effects = bench.tell(.start)
    var delays: [Duration] = []
    for _ in 0..<14 {
      #expect(effects == [.start])
      _ = bench.tell(.started, .died(.signal(11)))
      delays.append((bench.machine.deadline ?? bench.now) - bench.now)
      effects = bench.atDeadline()
    }
    #expect(delays.prefix(5).allSatisfy { $0 == .milliseconds(100) })
    #expect(delays[5...7] == [.milliseconds(200), .milliseconds(400), .milliseconds(800)])
    #expect(delays.suffix(2) == [.seconds(10), .seconds(10)])
    _ = bench.tell(.started, .said(.ready), .died(.signal(11)))
    #expect(bench.machine.deadline == bench.now + .milliseconds(100))
    // Code 75 doesn't get round it.
    for _ in 0..<5 { _ = (bench.atDeadline(), bench.tell(.started, .died(.code(75)))) }
    _ = bench.tell(.started)
    #expect(bench.tell(.died(.code(75))).contains(.tell(.waits(.milliseconds(200)))))
  }

  @Test("What can't be started is tried again")
  func notStarted() {
    var bench = Bench()
    #expect(bench.tell(.start, .notStarted) == [.start])
    #expect(bench.atDeadline() == [.start])
    #expect(bench.tell(.signalled(.end)) == [.end(0)])
  }

  @Test("One that isn't ready in time, or says nothing any more, is aborted, then killed, then told to be stuck")
  func hangs() {
    var bench = Bench()
    _ = bench.tell(.start, .started)
    #expect(bench.machine.deadline == bench.now + .seconds(300))
    // Before that it has no watchdog to answer.
    #expect(bench.tell(.said(.watchdog)) == [] && bench.machine.deadline == bench.now + .seconds(300))
    #expect(bench.atDeadline() == [.tell(.isNotReady(after: .seconds(300))), .abort])

    bench = .running()
    bench.now = bench.now + .seconds(5)
    _ = bench.tell(.said(.watchdog))
    bench.now = bench.now + .seconds(5)
    #expect(bench.tell(.timeIsUp) == [])
    #expect(bench.machine.deadline == bench.now + .seconds(1))
    #expect(bench.atDeadline() == [.tell(.hangs(afterSilence: .seconds(6))), .abort])
    // It says something yet: too late.
    #expect(bench.tell(.said(.watchdog), .said(.ready)) == [])
    #expect(bench.machine.deadline == bench.now + .seconds(2))
    #expect(bench.atDeadline() == [.tell(.isKilled), .kill])
    #expect(bench.machine.deadline == bench.now + .seconds(10))
    #expect(bench.atDeadline() == [.tell(.cannotBeKilled), .reboot])
    #expect(bench.machine.deadline == nil)
    #expect(bench.tell(.died(.signal(9))) == [.tell(.died(.signal(9)))])
    #expect(bench.atDeadline() == [.start])
  }

  @Test("It may say itself that it hangs, and ask for more time to begin or to end")
  func words() {
    var bench = Bench.running()
    #expect(bench.tell(.said(.watchdogTrigger)) == [.tell(.hangs(afterSilence: nil)), .abort])

    bench = Bench()
    _ = bench.tell(.start, .started, .said(.extendTimeout(.seconds(1))))
    #expect(bench.machine.deadline == bench.now + .seconds(300), "time is never taken away")
    _ = bench.tell(.said(.extendTimeout(.seconds(390))))
    #expect(bench.machine.deadline == bench.now + .seconds(390))

    bench = .running()
    _ = bench.tell(.said(.stopping))
    #expect(bench.machine.deadline == bench.now + .seconds(5))
    _ = bench.tell(.said(.extendTimeout(.seconds(8))))
    #expect(bench.machine.deadline == bench.now + .seconds(8))
    // It ends by itself, and not because it was asked to.
    #expect(bench.tell(.died(.code(75))) == [.tell(.died(.code(75))), .start])
  }

  @Test("Asked to end, it asks the child, waits, kills, and ends with the child's code")
  func end() {
    for (death, code) in [(KeeperMachine.Death.code(0), Int32(0)), (.code(73), 73), (.signal(9), 137)] {
      var bench = Bench.running()
      #expect(bench.tell(.signalled(.end)) == [.askToEnd])
      #expect(bench.tell(.signalled(.end)) == [], "once is enough")
      #expect(bench.atDeadline() == [.tell(.isKilled), .kill])
      #expect(bench.tell(.died(death)) == [.end(code)])
    }
    // While one that hangs is on its way out, none follows.
    var bench = Bench.running()
    _ = bench.tell(.said(.watchdogTrigger))
    #expect(bench.tell(.signalled(.end)) == [.askToEnd])
    #expect(bench.tell(.died(.signal(6))) == [.end(134)])
    // While none runs, at once.
    bench = .running()
    _ = bench.tell(.died(.signal(6)))
    #expect(bench.tell(.signalled(.end)) == [.end(0)])
  }

  @Test("Signals for the child wait until it is ready: before that they would end it")
  func signals() {
    var bench = Bench()
    _ = bench.tell(.start, .started)
    let (hangUp, off, on) = (KeeperMachine.Event.signalled(.command(1)), Int32(10), Int32(12))
    #expect(bench.tell(hangUp, .signalled(.command(off)), hangUp, .signalled(.command(on))) == [])
    #expect(bench.tell(.said(.ready)) == [.send(off), .send(1), .send(on)])
    #expect(bench.tell(hangUp) == [.send(1)])
    // One that comes between two players is for the next.
    _ = bench.tell(.died(.signal(11)))
    #expect(bench.tell(.signalled(.command(off))) == [])
    _ = bench.atDeadline()
    #expect(bench.tell(.started, .said(.ready)) == [.send(off)])
  }

  @Test("Without limits nothing is waited for")
  func unlimited() {
    var bench = Bench {
      $0.watchdog = nil
      $0.startLimit = nil
    }
    _ = bench.tell(.start, .started)
    #expect(bench.machine.deadline == nil)
    _ = bench.tell(.said(.extendTimeout(.seconds(1))))
    #expect(bench.machine.deadline == nil)
    _ = bench.tell(.said(.ready))
    #expect(bench.machine.deadline == nil)
  }

  /// Every order of facts: debug builds check what always holds, and here it is checked that no child is started beside another and that
  /// something is always waited for.
  @Test("Whatever comes in whatever order, there is one child at most, and none is forgotten")
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
      var effects = bench.tell(.start)
      for _ in 0..<60 where !hasEnded {
        for effect in effects {
          switch effect {
          case .start:
            #expect(!runs)
            runs = true
            effects = bench.tell(.started)
          case .end:
            #expect(!runs)
            hasEnded = true
          default: break
          }
        }
        let isStuck = if case .ending(.stuck, _) = bench.machine.state { true } else { false }
        #expect(hasEnded || isStuck || bench.machine.deadline != nil)
        // Asking it to end is seldom, else no run would come far.
        let event = events[Int(generator.next() % UInt64(events.count - (generator.next() % 8 == 0 ? 0 : 1)))]
        if case .died = event {
          guard runs else { continue }
          runs = false
        }
        if event == .timeIsUp {
          effects = bench.atDeadline()
        } else {
          effects = bench.tell(event)
        }
      }
    }
  }
}

/// Numbers that are the same each time.
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
