import KioskCore
import Testing

@Suite("The last rungs: another process, a reboot")
struct RestartLadderTests {
  @Test("One pipeline that hangs is no reason; two are")
  func two() {
    var ladder = RestartLadder(history: RestartLadder.History())
    #expect(ladder.decksHang(1, at: 1000) == .goOn)
    #expect(ladder.history == RestartLadder.History())
    #expect(ladder.decksHang(2, at: 1000) == .restart)
  }

  @Test("Five restarts an hour, then a reboot, then nothing more: a fault that stays is no loop, across processes")
  func budget() {
    var text = ""
    var steps: [RestartLadder.Step] = []
    for minute in 0..<300 {
      var ladder = RestartLadder(history: RestartLadder.History(text: text))
      steps.append(ladder.decksHang(2, at: 1_700_000_000 + Int64(minute) * 60))
      text = ladder.history.text
    }
    #expect(steps.prefix(7) == [.restart, .restart, .restart, .restart, .restart, .reboot, .goOn])
    // Five hours: five times five, and one.
    #expect(steps.filter { $0 == .restart }.count == 25)
    #expect(steps.filter { $0 == .reboot }.count == 1)
  }

  @Test("Items that hang while others play have the process replaced five times an hour, and never the board")
  func items() {
    var text = ""
    var steps: [RestartLadder.Step] = []
    for minute in 0..<120 {
      var ladder = RestartLadder(history: RestartLadder.History(text: text))
      steps.append(ladder.decksHang(2, isItems: true, at: 1_700_000_000 + Int64(minute) * 60))
      text = ladder.history.text
    }
    #expect(steps.count { $0 == .restart } == 10 && !steps.contains(.reboot))
    // What is no item's has its own budget.
    var ladder = RestartLadder(history: RestartLadder.History(text: text))
    #expect(ladder.history.restarts.isEmpty && ladder.history.itemRestarts.count == 5)
    #expect(ladder.decksHang(2, at: 1_700_007_200) == .restart)
    #expect(ladder.decksHang(1, isItems: true, at: 1_700_100_000) == .goOn)
  }

  @Test("A clock that was wrong, and a damaged file, neither stop a restart for good nor give more of them")
  func wrongClock() {
    var future = RestartLadder.History()
    future.restarts = Array(repeating: 4_000_000_000, count: 5)
    var ladder = RestartLadder(history: future)
    #expect(ladder.decksHang(2, at: 1_700_000_000) == .reboot)
    #expect(ladder.decksHang(2, at: 1_700_003_601) == .restart, "an hour later they are forgotten")
    var damaged = RestartLadder(
      history: RestartLadder.History(text: "restart\nrestart soon\n\u{0}\nrestart 1700000000\n"))
    #expect(damaged.history.restarts == [1_700_000_000])
    #expect(damaged.decksHang(2, at: 1_700_000_001) == .restart)
  }

  @Test("A list of restarts with a time that no clock shows")
  func restarts() {
    var ladder = RestartLadder(
      history: RestartLadder.History(text: "restart -9223372036854775808\nreboot 9223372036854775807\n"))
    #expect(ladder.decksHang(2, at: 1_700_000_000) == .restart)
  }

  @Test("An output that shows nothing has the same budget as pipelines that hang")
  func output() {
    var ladder = RestartLadder(history: RestartLadder.History())
    let policy = RestartLadder.Policy()
    for restart in 0..<policy.restarts {
      #expect(restart % 2 == 0 ? ladder.outputHangs(at: 1000) == .restart : ladder.decksHang(2, at: 1000) == .restart)
    }
    #expect(ladder.outputHangs(at: 1001) == .reboot && ladder.outputHangs(at: 1002) == .goOn)
    #expect(ladder.decksHang(1, at: 9999) == .goOn && ladder.outputHangs(at: 9999) == .restart)
  }
}
