import PlaybackCore
import Testing

@testable import TelemetryCore

@Suite("Heartbeat")
struct HeartbeatMachineTests {
  private let start = Instant(nanoseconds: 1_000_000_000)

  /// Runs the machine for a while against a server's answers; gives the times of its requests.
  private func run(
    _ machine: inout HeartbeatMachine, from start: Instant, for time: Duration,
    _ answer: (Instant) -> HeartbeatMachine.Answer
  ) -> [Instant] {
    var asked: [Instant] = []
    let end = start + time
    var now = start
    while machine.due <= end {
      now = max(now, machine.due)
      if machine.begin(at: now) != nil {
        asked.append(now)
        _ = machine.answered(answer(now), at: now)
      }
    }
    return asked
  }

  @Test("A heartbeat is sent in each interval, and boards start at different times")
  func steady() {
    var firsts: Set<Int64> = []
    for seed in UInt64(0)..<50 {
      var machine = HeartbeatMachine(HeartbeatMachine.Policy(), seed: seed, at: start)
      let asked = run(&machine, from: start, for: .seconds(3600)) { _ in .accepted }
      #expect(asked.count == 60)
      #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 == .seconds(60) })
      firsts.insert((asked[0] - start).wholeNanoseconds / 1_000_000_000)
    }
    #expect(firsts.count > 20, "they come at once: \(firsts)")
  }

  @Test("A server down for a day is rarely asked and found soon after, and memory doesn't grow")
  func outage() throws {
    var machine = HeartbeatMachine(HeartbeatMachine.Policy(), seed: 7, at: start)
    let asked = run(&machine, from: start, for: .seconds(86_400)) { _ in .failed("refused") }
    #expect((100...400).contains(asked.count), "\(asked.count)")
    for number in 0..<1000 {
      machine.recordProblem(VitrineError(4000 + number, subject: "a", message: "b", remedy: "c"), time: Int64(number))
    }
    #expect(machine.due - start <= .seconds(86_400 + 450))
    let begun = machine.begin(at: machine.due)
    let beat = try #require(begun)
    #expect(beat.problems.count == 32 && beat.problemsLost == 968 && beat.problems.last?.time == 999)
    // A problem that comes during the request isn't lost with those it sent.
    machine.recordProblem(VitrineError(1, subject: "late", message: "", remedy: ""), time: 5000)
    #expect(machine.answered(.accepted, at: machine.due) == .goesAgain(failures: asked.count))
    let again = machine.begin(at: machine.due)
    let next = try #require(again)
    #expect(next.problems.map(\.time) == [5000])
    #expect(next.number == beat.number + 1)
  }

  @Test("A failing heartbeat is reported once, and once more when it works again")
  func words() {
    var machine = HeartbeatMachine(HeartbeatMachine.Policy(), seed: 1, at: start)
    var words: [HeartbeatMachine.Word] = []
    for answer: HeartbeatMachine.Answer in [.failed("a"), .failed("b"), .refused(500, wait: nil), .accepted, .accepted]
    {
      _ = machine.begin(at: machine.due)
      if let word = machine.answered(answer, at: machine.due) { words.append(word) }
    }
    #expect(words == [.fails(.failed("a")), .goesAgain(failures: 3)])
  }

  @Test("A server's wait is kept within reason, and a refusal for good isn't retried soon")
  func patience() {
    func wait(after answer: HeartbeatMachine.Answer) -> Duration {
      var policy = HeartbeatMachine.Policy()
      policy.jitter = 0
      var machine = HeartbeatMachine(policy, seed: 1, at: start)
      let now = machine.due
      _ = machine.begin(at: now)
      _ = machine.answered(answer, at: now)
      return machine.due - now
    }
    #expect(wait(after: .refused(503, wait: .seconds(120))) == .seconds(120))
    #expect(wait(after: .refused(429, wait: .seconds(1 << 30))) == .seconds(3600))
    #expect(wait(after: .refused(500, wait: nil)) == .seconds(5))
    #expect(wait(after: .refused(403, wait: nil)) == .seconds(300))
    #expect(wait(after: .refused(302, wait: nil)) == .seconds(300))
  }

  @Test("A picture is sent as often as configured, again after a failure, and not when it was too large")
  func pictures() throws {
    var policy = HeartbeatMachine.Policy()
    policy.pictures = .seconds(600)
    policy.jitter = 0
    var machine = HeartbeatMachine(policy, seed: 1, at: start)
    func beat(_ answer: HeartbeatMachine.Answer) -> Bool {
      let beat = machine.begin(at: machine.due)
      _ = machine.answered(answer, at: machine.due)
      return beat?.wantsPicture == true
    }
    let first = [beat(.failed("x")), beat(.accepted), beat(.accepted)]
    #expect(first == [true, true, false])
    let more = (0..<20).map { _ in beat(.accepted) }
    #expect(more.count { $0 } == 2)
    while !beat(.refused(413, wait: nil)) {}
    let after = beat(.accepted)
    #expect(!after)
    // One that can't be made isn't one that was sent.
    while machine.begin(at: machine.due)?.wantsPicture != true { _ = machine.answered(.accepted, at: machine.due) }
    machine.pictureFailed()
    _ = machine.answered(.accepted, at: machine.due)
    #expect(beat(.accepted))
    #expect(!beat(.accepted))
  }

  @Test("No second heartbeat starts while one is under way, and an unexpected answer does nothing")
  func oneAtATime() {
    var machine = HeartbeatMachine(HeartbeatMachine.Policy(), seed: 1, at: start)
    #expect(machine.answered(.accepted, at: start) == nil)
    #expect(machine.begin(at: machine.due) != nil)
    #expect(machine.begin(at: machine.due + .seconds(1000)) == nil)
  }
}
