import KioskCore
import Testing

@Suite("Restart ladder: another process, a reboot")
struct RestartEscalationTests {
  @Test("Two hanging pipelines cause a restart, one doesn't")
  func two() {
    var ladder = RestartEscalation(history: RestartEscalation.History())
    #expect(ladder.decksHang(1, at: 1000) == .goOn)
    #expect(ladder.history == RestartEscalation.History())
    #expect(ladder.decksHang(2, at: 1000) == .restart)
  }

  @Test("A permanent fault causes five restarts an hour and one reboot, then nothing more, across processes")
  func budget() {
    var text = ""
    var steps: [RestartEscalation.Step] = []
    for minute in 0..<300 {
      var ladder = RestartEscalation(history: RestartEscalation.History(text: text))
      steps.append(ladder.decksHang(2, at: 1_700_000_000 + Int64(minute) * 60))
      text = ladder.history.text
    }
    #expect(steps.prefix(7) == [.restart, .restart, .restart, .restart, .restart, .reboot, .goOn])
    // Five hours: five times five restarts, and one reboot.
    #expect(steps.filter { $0 == .restart }.count == 25)
    #expect(steps.filter { $0 == .reboot }.count == 1)
  }

  @Test("Items that hang while others play cause five restarts an hour, and never a reboot")
  func items() {
    var text = ""
    var steps: [RestartEscalation.Step] = []
    for minute in 0..<120 {
      var ladder = RestartEscalation(history: RestartEscalation.History(text: text))
      steps.append(ladder.decksHang(2, isItems: true, at: 1_700_000_000 + Int64(minute) * 60))
      text = ladder.history.text
    }
    #expect(steps.count { $0 == .restart } == 10 && !steps.contains(.reboot))
    // Other hangs have a budget of their own.
    var ladder = RestartEscalation(history: RestartEscalation.History(text: text))
    #expect(ladder.history.restarts.isEmpty && ladder.history.itemRestarts.count == 5)
    #expect(ladder.decksHang(2, at: 1_700_007_200) == .restart)
    #expect(ladder.decksHang(1, isItems: true, at: 1_700_100_000) == .goOn)
  }

  @Test("A wrong clock or a damaged file neither stops restarts for good nor allows more of them")
  func wrongClock() {
    var future = RestartEscalation.History()
    future.restarts = Array(repeating: 4_000_000_000, count: 5)
    var ladder = RestartEscalation(history: future)
    #expect(ladder.decksHang(2, at: 1_700_000_000) == .reboot)
    #expect(ladder.decksHang(2, at: 1_700_003_601) == .restart, "an hour later they are forgotten")
    var damaged = RestartEscalation(
      history: RestartEscalation.History(text: "restart\nrestart soon\n\u{0}\nrestart 1700000000\n"))
    #expect(damaged.history.restarts == [1_700_000_000])
    #expect(damaged.decksHang(2, at: 1_700_000_001) == .restart)
  }

  @Test("A history with impossible times doesn't stop a restart")
  func restarts() {
    var ladder = RestartEscalation(
      history: RestartEscalation.History(text: "restart -9223372036854775808\nreboot 9223372036854775807\n"))
    #expect(ladder.decksHang(2, at: 1_700_000_000) == .restart)
  }

  @Test("An output that shows nothing has the same budget as hanging pipelines")
  func output() {
    var ladder = RestartEscalation(history: RestartEscalation.History())
    let policy = RestartEscalation.Policy()
    for restart in 0..<policy.restarts {
      #expect(restart % 2 == 0 ? ladder.outputHangs(at: 1000) == .restart : ladder.decksHang(2, at: 1000) == .restart)
    }
    #expect(ladder.outputHangs(at: 1001) == .reboot && ladder.outputHangs(at: 1002) == .goOn)
    #expect(ladder.decksHang(1, at: 9999) == .goOn && ladder.outputHangs(at: 9999) == .restart)
  }
}
