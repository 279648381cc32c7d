import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Crash loop: crashes in a row")
struct CrashLoopTests {
  private func death(_ cause: Death.Cause, shown: Bool = true) throws -> Death {
    var record = CrashRecord.made()
    if shown { record.firstFrame = record.started + .seconds(1) }
    switch cause {
    case .fault(let signal): record.crash = .made(signal: signal, code: 1)
    case .signalled(let signal): record.crash = .made(signal: signal, code: 0, sender: 99)
    case .hang:
      record.crash = .made(signal: 6, code: 0, sender: 1)
      record.alive = .seconds(1000)
      record.crash?.at = .seconds(1010)
    case .unknown, .memory: break
    }
    let death = try #require(Death(of: record))
    try #require(death.cause == cause)
    return death
  }

  /// Crashes `count` times, every `seconds`, from `start` on.
  private func die(_ loop: inout CrashLoop, _ death: Death, _ count: Int, every seconds: Int64, from start: Int64) {
    for number in 0..<Int64(count) { loop.began(after: death, at: start + number * seconds) }
  }

  @Test("Five crashes within ten minutes cause safe mode; four don't, nor do five within a quarter of an hour")
  func toSafeMode() throws {
    var loop = CrashLoop()
    die(&loop, try death(.fault(signal: 11)), 4, every: 10, from: 1000)
    #expect(loop.mode == .normal)
    loop.began(after: try death(.hang), at: 1100)
    #expect(loop.mode == .safe)
    var slow = CrashLoop()
    die(&slow, try death(.fault(signal: 11)), 20, every: 180, from: 1000)
    #expect(slow.mode == .normal)
  }

  @Test("Three more crashes cause the card; after five minutes the player tries again")
  func toCard() throws {
    var loop = CrashLoop()
    die(&loop, try death(.fault(signal: 11)), 7, every: 10, from: 1000)
    #expect(loop.mode == .safe)
    loop.began(after: try death(.fault(signal: 11)), at: 1080)
    #expect(loop.mode == .card)
    loop.triesAgain(at: 1379)
    #expect(loop.mode == .card)
    loop.triesAgain(at: 1380)
    #expect(loop.mode == .safe)
    die(&loop, try death(.fault(signal: 11)), 3, every: 10, from: 1400)
    #expect(loop.mode == .card)
    loop.began(after: nil, at: 1450)
    #expect(loop.mode == .card)
    loop.began(after: nil, at: 1720)
    #expect(loop.mode == .safe)
  }

  @Test("Ten good minutes end safe mode; another process is asked for once")
  func out() throws {
    var loop = CrashLoop()
    die(&loop, try death(.fault(signal: 11)), 5, every: 10, from: 1000)
    let early = loop.ranWell(since: 1050, at: 1649)
    #expect(!early)
    #expect(loop.mode == .safe)
    let isOver = loop.ranWell(since: 1050, at: 1650)
    #expect(isOver)
    #expect(loop.mode == .normal && loop.deaths.isEmpty)
    let again = loop.ranWell(since: 1050, at: 1651)
    #expect(!again)
  }

  @Test("A thousand kills at random moments don't cause safe mode")
  func kills() throws {
    var random = SplitMix64(state: 4)
    var loop = CrashLoop()
    for number in 0..<1000 {
      // One of three comes before the first frame.
      let shown = random.nextFraction() > 0.3
      let cause: Death.Cause = number % 2 == 0 ? .unknown : .signalled(11)
      loop.began(after: try death(cause, shown: shown), at: 1000 + Int64(number) * 3)
      #expect(loop.mode == .normal, "after \(number)")
    }
  }

  @Test("A process that never shows a first frame is in a crash loop")
  func neverStarts() throws {
    var loop = CrashLoop()
    die(&loop, try death(.unknown, shown: false), 5, every: 5, from: 1000)
    #expect(loop.mode == .safe)
  }

  @Test("Crashes of another boot don't count")
  func otherBoot() throws {
    var loop = CrashLoop()
    die(&loop, try death(.fault(signal: 11)), 5, every: 10, from: 100_000)
    loop.began(after: nil, at: 20)
    #expect(loop.mode == .normal && loop.deaths.isEmpty)
  }

  @Test("Reading gives what was written; a damaged file counts as empty")
  func file() throws {
    var loop = CrashLoop()
    die(&loop, try death(.fault(signal: 11)), 6, every: 10, from: 1000)
    loop.began(after: try death(.unknown, shown: false), at: 1060)
    #expect(CrashLoop(text: loop.text) == loop)
    #expect(CrashLoop(text: "mode x safe\ndeath\nmode 5 asleep\ndeath -3\n\0") == CrashLoop())
  }

  @Test("A process that keeps crashing asks for one reboot in six hours")
  func ladder() throws {
    var ladder = RestartEscalation(history: .init())
    let window: Int64 = 6 * 3600
    var steps: [RestartEscalation.Step] = []
    for time in [1000, 999 + window, 1000 + window] { steps.append(ladder.keepsDying(at: time)) }
    #expect(steps == [.reboot, .goOn, .reboot])
  }
}
