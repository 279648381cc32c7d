import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Reload, as values")
struct ReloadMachineTests {
  private typealias Machine = ReloadMachine

  /// A machine with its own time, and its actions.
  private struct Run {
    var machine = ReloadMachine()
    var time: Int64 = 0

    @discardableResult
    mutating func after(_ milliseconds: Int64, _ event: ReloadMachine.Event) -> [ReloadMachine.Action] {
      time += milliseconds
      return machine.handle(event, at: Instant(nanoseconds: time * 1_000_000))
    }

    /// Looks at frames once a second.
    mutating func frames(_ isGood: Bool, seconds: Int) -> [ReloadMachine.Action] {
      (0..<seconds).flatMap { _ in
        let asked = after(1000, .timerFired(.frames))
        guard asked == [.lookAtFrames] else { return asked }
        return after(0, .framesLooked(isGood: isGood))
      }
    }
  }

  private let a = Machine.Revision(number: 1, fingerprint: "a")
  private let b = Machine.Revision(number: 2, fingerprint: "b")
  private let c = Machine.Revision(number: 3, fingerprint: "c")
  private func mark(_ size: Int64) -> FilesMark {
    FilesMark([FilesMark.File(path: "/v", inode: 1, size: size, modified: 1)])
  }
  private func confirmedRun() -> Run {
    var run = Run()
    run.after(0, .booted(a, isConfirmed: true))
    return run
  }

  @Test("A change is read once files are left alone, swapped in, and confirmed by ten seconds of good frames")
  func whole() {
    var run = confirmedRun()
    #expect(run.after(0, .fileChanged("v.toml")) == [.look])
    #expect(run.after(0, .looked(mark(1))) == [.startTimer(.settle, after: .milliseconds(500))])
    #expect(run.after(500, .timerFired(.settle)) == [.check(ifStill: mark(1))])
    #expect(
      run.after(20, .checked(.usable(b)))
        == [.swap(b), .tell(.candidate(b)), .startTimer(.frames, after: .seconds(1))])
    #expect(run.frames(true, seconds: 9).allSatisfy { $0 == .startTimer(.frames, after: .seconds(1)) })
    #expect(run.frames(true, seconds: 1) == [.cancelTimer(.frames), .keep(b), .tell(.confirmed(b))])
    // Nothing goes on after that.
    #expect(run.after(1000, .timerFired(.frames)) == [])
  }

  @Test("Files that change one after the other are read half a second after the last of them has been seen twice")
  func several() {
    var run = confirmedRun()
    run.after(0, .fileChanged("a.toml"))
    run.after(0, .looked(mark(1)))
    #expect(run.after(300, .fileChanged("b.toml")) == [.startTimer(.settle, after: .milliseconds(500))])
    #expect(run.after(500, .timerFired(.settle)) == [.check(ifStill: mark(1))])
    #expect(run.after(0, .looked(mark(2))) == [.startTimer(.settle, after: .milliseconds(500))])
    #expect(run.after(500, .timerFired(.settle)) == [.check(ifStill: mark(2))])
    #expect(run.after(20, .checked(.usable(b))).first == .swap(b))
  }

  @Test("New media of the same texts are used without a trial, also during one; those of other texts aren't")
  func media() {
    func revision(_ number: Int, _ texts: String, _ media: String) -> Machine.Revision {
      Machine.Revision(number: number, fingerprint: "\(texts)-\(media)", texts: texts)
    }
    var run = Run()
    run.after(0, .booted(revision(1, "a", "1"), isConfirmed: true))
    #expect(run.after(0, .mediaFound(revision(2, "a", "1"))) == [])
    #expect(run.after(0, .mediaFound(revision(3, "b", "2"))) == [])
    #expect(run.after(0, .mediaFound(revision(4, "a", "2"))) == [.refresh(revision(4, "a", "2"))])
    // A candidate gets a film and fails; the confirmed revision comes back with its newest media.
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(revision(5, "b", "3"))))
    #expect(run.after(0, .mediaFound(revision(6, "b", "4"))) == [.refresh(revision(6, "b", "4"))])
    let back = run.after(0, .itemBroken("x"))
    #expect(
      back.contains { if case .rollBack(revision(6, "b", "4"), revision(4, "a", "2"), _) = $0 { true } else { false } })
  }

  @Test("While frames can't be seen, the machine looks seldom, and a night of it doesn't count")
  func unseen() {
    var run = confirmedRun()
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(b)))
    #expect(run.frames(false, seconds: 30).allSatisfy { $0 == .startTimer(.frames, after: .seconds(1)) })
    var interval: Int64 = 1000
    for _ in 0..<7200 {
      run.after(interval, .timerFired(.frames))
      #expect(run.after(0, .framesUnknown) == [.startTimer(.frames, after: .seconds(4))])
      interval = 4000
    }
    run.after(interval, .timerFired(.frames))
    #expect(run.after(0, .framesLooked(isGood: false)) == [.startTimer(.frames, after: .seconds(1))])
    // The trial has as many seconds left as before, except for that look's own interval.
    let waiting = run.frames(false, seconds: 25)
    #expect(waiting.allSatisfy { $0 == .startTimer(.frames, after: .seconds(1)) })
    #expect(run.frames(false, seconds: 1).contains(.rollBack(from: b, to: a, reason: "no 10 s of good frames in 60 s")))
  }

  @Test("Files that go on changing are not read")
  func changing() {
    var run = confirmedRun()
    run.after(0, .fileChanged("v.toml"))
    var before: FilesMark?
    for size in 1...20 {
      let asked = before.map { Machine.Action.check(ifStill: $0) } ?? .look
      #expect(run.after(500, .timerFired(.settle)) == [asked])
      let mark = mark(Int64(size))
      #expect(run.after(0, .looked(mark)) == [.startTimer(.settle, after: .milliseconds(500))])
      before = mark
    }
    #expect(run.after(500, .timerFired(.settle)) == [.check(ifStill: mark(20))])
  }

  @Test("A file open for writing isn't read until it is closed or its writer counts as dead")
  func openWriter() {
    var run = confirmedRun()
    let wait = Machine.Action.startTimer(.settle, after: .milliseconds(500))
    #expect(run.after(0, .fileChanging("v.toml")) == [.look])
    run.after(0, .looked(mark(1)))
    for _ in 0..<50 { #expect(run.after(500, .timerFired(.settle)) == [wait]) }
    #expect(run.after(0, .fileChanged("v.toml")) == [wait])
    #expect(run.after(500, .timerFired(.settle)) == [.check(ifStill: mark(1))])
    #expect(run.after(0, .looked(mark(2))) == [wait])
    #expect(run.after(500, .timerFired(.settle)) == [.check(ifStill: mark(2))])

    var dead = confirmedRun()
    dead.after(0, .fileChanging("v.toml"))
    dead.after(0, .looked(mark(1)))
    #expect(dead.after(29_500, .timerFired(.settle)) == [wait])
    #expect(dead.after(500, .timerFired(.settle)) == [.check(ifStill: mark(1))])
  }

  @Test("A request reads at once; files that change during the reading are read again, and the first result is dropped")
  func staleCheck() {
    var run = confirmedRun()
    #expect(run.after(0, .reloadRequested) == [.check()])
    #expect(run.after(10, .fileChanged("v.toml")) == [])
    #expect(run.after(10, .checked(.usable(b))) == [.look])
    #expect(run.after(10, .checked(.usable(b))) == [])
    // Also while files settle.
    run.after(0, .looked(mark(1)))
    #expect(run.after(100, .reloadRequested) == [.cancelTimer(.settle), .check()])
    // The late answer to a look doesn't put it off.
    #expect(run.after(0, .looked(mark(1))) == [])
    #expect(run.after(20, .checked(.usable(b))).first == .swap(b))
  }

  @Test("Files that have changed between the last look and the reading settle once more, and what was read is dropped")
  func changedBeforeReading() {
    var run = confirmedRun()
    run.after(0, .fileChanged("v.toml"))
    run.after(0, .looked(mark(1)))
    run.after(500, .timerFired(.settle))
    #expect(run.after(0, .looked(mark(1))) == [], "an earlier look's answer")
    #expect(run.after(0, .looked(mark(2))) == [.startTimer(.settle, after: .milliseconds(500))])
    #expect(run.after(0, .checked(.usable(b))) == [])
    #expect(run.after(500, .timerFired(.settle)) == [.check(ifStill: mark(2))])
    #expect(run.after(20, .checked(.usable(b))).first == .swap(b))
  }

  @Test("Files with errors change nothing, also during a trial")
  func refused() {
    var run = confirmedRun()
    run.after(0, .reloadRequested)
    #expect(run.after(10, .checked(.refused("v.toml:3:1: no"))) == [.tell(.refused("v.toml:3:1: no"))])
    run.after(0, .reloadRequested)
    run.after(10, .checked(.usable(b)))
    run.after(0, .reloadRequested)
    #expect(run.after(10, .checked(.refused("x"))) == [.tell(.refused("x"))])
    #expect(run.frames(true, seconds: 10).contains(.keep(b)))
  }

  @Test("The same texts are not swapped in")
  func unchanged() {
    var run = confirmedRun()
    run.after(0, .reloadRequested)
    let again = Machine.Revision(number: 7, fingerprint: "a")
    #expect(run.after(10, .checked(.usable(again))) == [.tell(.unchanged)])
  }

  @Test("No good frames: back to the last good one, with the reason")
  func noFrames() {
    var run = confirmedRun()
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(b)))
    #expect(run.frames(false, seconds: 59).allSatisfy { $0 == .startTimer(.frames, after: .seconds(1)) })
    let reason = "no 10 s of good frames in 60 s"
    #expect(
      run.frames(false, seconds: 1) == [
        .cancelTimer(.frames), .rollBack(from: b, to: a, reason: reason), .tell(.rolledBack(to: a, reason: reason)),
      ])
  }

  @Test("Frames that come and go prove nothing")
  func flicker() {
    var run = confirmedRun()
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(b)))
    for _ in 0..<5 {
      #expect(!run.frames(true, seconds: 9).contains(.keep(b)))
      #expect(!run.frames(false, seconds: 1).contains(.keep(b)))
    }
    #expect(!run.frames(true, seconds: 9).contains(.keep(b)))
    #expect(run.frames(false, seconds: 1).contains(.rollBack(from: b, to: a, reason: "no 10 s of good frames in 60 s")))
  }

  @Test("A stick's broken item doesn't roll it back; a lack of frames does")
  func brokenOnStick() {
    let stick = Machine.Revision(number: 2, fingerprint: "s", isTransient: true)
    var run = confirmedRun()
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(stick)))
    #expect(run.after(500, .itemBroken("x: damaged")) == [])
    #expect(
      run.frames(false, seconds: 60).contains(.rollBack(from: stick, to: a, reason: "no 10 s of good frames in 60 s")))
  }

  @Test("A broken item of the candidate rolls back at once; nothing is rolled back twice or without a trial")
  func broken() {
    var run = confirmedRun()
    #expect(run.after(0, .itemBroken("x")) == [])
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(b)))
    let actions = run.after(500, .itemBroken("x: damaged"))
    #expect(actions.contains(.rollBack(from: b, to: a, reason: "an item of it can't be played: x: damaged")))
    #expect(run.after(0, .itemBroken("x: damaged")) == [])
    #expect(run.after(1000, .timerFired(.frames)) == [])
  }

  @Test("A candidate that replaces another is rolled back to the confirmed revision, not to the other candidate")
  func replacedCandidate() {
    var run = confirmedRun()
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(b)))
    run.after(0, .reloadRequested)
    #expect(run.after(0, .checked(.usable(c))).first == .swap(c))
    #expect(
      run.after(0, .itemBroken("y")).contains {
        if case .rollBack(from: c, to: a, reason: _) = $0 { true } else { false }
      })
  }

  @Test("Back to the confirmed texts during a trial: nothing to prove")
  func backByHand() {
    var run = confirmedRun()
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(b)))
    run.after(0, .reloadRequested)
    let again = Machine.Revision(number: 4, fingerprint: "a")
    #expect(
      run.after(0, .checked(.usable(again)))
        == [.swap(again), .cancelTimer(.frames), .keep(again), .tell(.confirmed(again))])
  }

  @Test("The first configuration has nothing to roll back to, and stays on trial as long as it takes")
  func first() {
    var run = Run()
    #expect(run.after(0, .booted(b, isConfirmed: false)).first == .tell(.candidate(b)))
    let actions = run.frames(false, seconds: 60)
    #expect(actions.contains(.tell(.unconfirmed("no 10 s of good frames in 60 s"))))
    #expect(!actions.contains { if case .rollBack = $0 { true } else { false } })
    #expect(run.frames(true, seconds: 10).contains(.keep(b)))
  }

  @Test("A start with an unconfirmed configuration can roll back to the kept one")
  func bootCandidate() {
    var run = Run()
    run.machine.adoptConfirmed(a)
    run.after(0, .booted(b, isConfirmed: false))
    #expect(run.after(0, .itemBroken("z")).contains { if case .rollBack(b, a, _) = $0 { true } else { false } })
  }

  @Test("A stand-in for refused files is confirmed without confirming the files")
  func bootStandIn() {
    var run = Run()
    #expect(run.after(0, .booted(a, isConfirmed: true, isStandIn: true)).isEmpty)
    run.after(0, .booted(b, isConfirmed: false))
    #expect(run.after(0, .itemBroken("z")).contains { if case .rollBack(b, a, _) = $0 { true } else { false } })
  }

  @Test(
    "100,000 random events: one candidate at a time, only tried revisions are kept, roll-backs go to the kept one")
  func random() {
    var numbers = SplitMix64(state: 11)
    var run = confirmedRun()
    var kept = "a"
    var playing = "a"
    var faults: [String] = []
    for step in 0..<100_000 {
      let revision = Machine.Revision(number: step, fingerprint: "\(Int.random(in: 0..<4, using: &numbers))")
      let events: [Machine.Event] = [
        .fileChanging("x"), .fileChanged("x"), .reloadRequested, .timerFired(.settle), .timerFired(.frames),
        .looked(mark(Int64.random(in: 0..<2, using: &numbers))), .checked(.usable(revision)), .checked(.refused("r")),
        .framesLooked(isGood: Int.random(in: 0..<20, using: &numbers) > 0), .itemBroken("i"),
        .framesLooked(isGood: true),
        .timerFired(.frames), .framesLooked(isGood: true), .framesLooked(isGood: true),
      ]
      guard let event = events.randomElement(using: &numbers) else { continue }
      if case .itemBroken = event, Int.random(in: 0..<10, using: &numbers) > 0 { continue }
      for action in run.after(Int64.random(in: 0..<700, using: &numbers), event) {
        switch action {
        case .swap(let revision):
          if revision.fingerprint == playing { faults.append("\(step): the same swapped in") }
          playing = revision.fingerprint
        case .keep(let revision):
          if revision.fingerprint != playing { faults.append("\(step): kept what doesn't play") }
          kept = revision.fingerprint
        case .rollBack(let from, let to, _):
          if from.fingerprint != playing || to.fingerprint != kept { faults.append("\(step): rolled back wrongly") }
          playing = to.fingerprint
        default: break
        }
      }
    }
    #expect(faults.prefix(3) == [])
    #expect(kept != "a")
  }

  @Test("A candidate whose screen is missing is rolled back at once, if there is a confirmed revision")
  func screenBroken() {
    var run = confirmedRun()
    #expect(run.after(0, .screenBroken("x")) == [], "nothing is on trial")
    #expect(!run.machine.canRollBack)
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(b)))
    #expect(run.machine.canRollBack)
    let reason = "its screen can't be opened: x"
    #expect(
      run.after(100, .screenBroken("x"))
        == [
          .cancelTimer(.frames), .rollBack(from: b, to: a, reason: reason), .tell(.rolledBack(to: a, reason: reason)),
        ])
    #expect(run.after(0, .screenBroken("x")) == [])

    // The first one there ever was: there is no better screen than none.
    var first = Run()
    first.after(0, .booted(a, isConfirmed: false))
    #expect(!first.machine.canRollBack)
    #expect(first.after(0, .screenBroken("x")) == [])
  }

  @Test("A stick's revision is confirmed but never kept, and never rolled back to")
  func transient() {
    let stick = Machine.Revision(number: 2, fingerprint: "s", isTransient: true)
    var run = confirmedRun()
    run.after(0, .reloadRequested)
    #expect(run.after(0, .checked(.usable(stick))).first == .swap(stick))
    #expect(
      run.frames(true, seconds: 10).suffix(3)
        == [.cancelTimer(.frames), .forgetAttempts(stick), .tell(.confirmed(stick))])
    // The next one breaks: back to the board's own revision, because the stick may be gone.
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(c)))
    let actions = run.after(0, .itemBroken("x"))
    #expect(
      actions.contains { if case .rollBack(from: c, to: a, reason: _) = $0 { true } else { false } }, "\(actions)")
    // Pulled out: the board's own revision is confirmed already.
    run.after(0, .reloadRequested)
    run.after(0, .checked(.usable(stick)))
    run.after(0, .reloadRequested)
    #expect(run.after(0, .checked(.usable(a))) == [.swap(a), .cancelTimer(.frames), .keep(a), .tell(.confirmed(a))])
  }
}
