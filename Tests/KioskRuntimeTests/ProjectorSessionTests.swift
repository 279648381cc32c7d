import ControlProtocol
import Foundation
import InteractionCore
import KioskCore
import KioskTestSupport
import Logging
import MainLoop
import PlaybackCore
import PlaylistConfig
import Testing
import VitrinePlayback

@testable import KioskRuntime

/// The session of one projector on a loop, with an owner that records what it is told.
private actor ProjectorBench: ScreenSessionOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private(set) var problems: [Int] = []
  private var session: ProjectorSession?

  init() throws { executor = try GLibExecutor.start(name: "projector-bench") }

  /// The pauses of minutes are tenths of a second here. The limit of an answer stays: the machine may be busy.
  private static var policy: PJLinkPolicy {
    var policy = PJLinkPolicy()
    policy.settleTime = .milliseconds(50)
    policy.lookInterval = .milliseconds(100)
    policy.obeyTime = .milliseconds(200)
    policy.retryDelay = .milliseconds(50)
    policy.longestRetryDelay = .milliseconds(100)
    return policy
  }

  func follow(_ address: String?, passwordFile: String? = nil) throws {
    var display = DisplaySettings()
    display.projector = try address.map { try #require(ProjectorAddress($0)) }
    display.projectorPasswordFile = passwordFile
    if session == nil {
      let loop = EventLoop(executor: executor)
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      session = ProjectorSession(
        of: nil, on: loop, clock: LoopClock(loop), policy: Self.policy, owner: self, log: log)
    }
    session?.follow(display)
  }

  func want(isOn: Bool) { session?.want(isOn: isOn) }

  var status: KioskStatus.Projector? { session?.status }

  func stop() {
    session?.stop()
    session = nil
  }

  nonisolated func screen(_ name: String?, tells notice: ScreenNotice) {
    assumeIsolated { bench in if case .problem(let error) = notice { bench.problems.append(error.number) } }
  }
  nonisolated func screen(_ name: String?, asksFor command: Command) -> KioskReply { .done }
  nonisolated func screenAsksForRollBack() -> Bool { false }
  nonisolated func screenAsksForStatus() -> KioskStatus { KioskStatus(version: "1", name: "b", uptimeSeconds: 0) }
}

/// Projectors by a real network, with a program in place of the projector.
@Suite("Projectors: a session and a stand-in")
struct ProjectorSessionTests {
  private func eventuallyPower(_ power: String, _ bench: ProjectorBench, _ projector: ToolProjector) async throws {
    try await eventually("\(power): \(projector.log)") {
      await bench.status?.power == power
    }
  }

  @Test("With a password: on, warming, its input; off, cooling, and on again only when it has cooled down")
  func cycle() async throws {
    let projector = try ToolProjector("--password", "JBMIAProjectorLink")
    let directory = try TemporaryDirectory()
    let file = try directory.write("JBMIAProjectorLink\r\n", as: "password")
    let bench = try ProjectorBench()
    try await bench.follow("pjlink://127.0.0.1:\(projector.port)/31", passwordFile: file)
    #expect(projector.log.isEmpty)
    await bench.want(isOn: true)
    try await eventuallyPower("warming", bench, projector)
    try projector.tell("ready")
    try await eventuallyPower("on", bench, projector)
    try await eventually("the input: \(projector.log)") { await bench.status?.input == "31" }
    try await eventually("the lamp: \(projector.log)") { await bench.status?.lampHours == [1200] }
    #expect(projector.count("%1POWR 1") == 1 && projector.count("%1INPT 31") == 1)

    await bench.want(isOn: false)
    try await eventuallyPower("cooling", bench, projector)
    await bench.want(isOn: true)
    let asked = projector.count("%1POWR ?")
    try await eventually("it is asked on: \(projector.log)") { projector.count("%1POWR ?") > asked + 3 }
    #expect(projector.count("%1POWR 1") == 1)
    try projector.tell("ready")
    try await eventuallyPower("warming", bench, projector)
    try projector.tell("ready")
    try await eventuallyPower("on", bench, projector)
    #expect(projector.count("%1POWR 1") == 2 && projector.count("%1POWR 0") == 1)
    #expect(projector.count("second connection") == 0 && projector.count("wrong password") == 0)
    #expect(await bench.problems.isEmpty)
    await bench.stop()
  }

  @Test("A wrong password, and none, are told once; mended in its file, it works without a reload")
  func passwords() async throws {
    let projector = try ToolProjector("--password", "right", "--warming", "0")
    let directory = try TemporaryDirectory()
    let bench = try ProjectorBench()
    try await bench.follow("pjlink://127.0.0.1:\(projector.port)", passwordFile: directory.path("password"))
    await bench.want(isOn: true)
    try await eventually("no password") { await bench.status?.problem == 7651 }
    _ = try directory.write("wrong", as: "password")
    try await eventually("wrong: \(projector.log)") { projector.count("wrong password") > 2 }
    #expect(await bench.problems == [7651, 7651])
    _ = try directory.write("right", as: "password")
    try await eventuallyPower("on", bench, projector)
    #expect(await bench.status?.problem == nil)
    await bench.stop()
  }

  @Test("A projector that dies in the middle of an answer is told once; alive again it is switched on")
  func death() async throws {
    let projector = try ToolProjector("--warming", "0")
    let bench = try ProjectorBench()
    try await bench.follow("pjlink://127.0.0.1:\(projector.port)")
    await bench.want(isOn: true)
    try await eventuallyPower("on", bench, projector)
    let asked = projector.log.count
    try projector.tell("cut")
    try await eventually("it goes on: \(projector.log)") { projector.log.count > asked + 6 }
    #expect(await bench.problems.isEmpty)
    try projector.tell("die")
    try await eventually("it is dead") { await bench.status?.problem == 7650 }
    #expect(await bench.status?.power == nil)
    try projector.tell("live")
    try await eventuallyPower("on", bench, projector)
    #expect(await bench.problems == [7650])
    #expect(projector.count("second connection") == 0)
    await bench.stop()
  }

  @Test("A person who switches the projector off three times wins; its faults are told once for each change")
  func people() async throws {
    let projector = try ToolProjector("--warming", "0", "--cooling", "0")
    let bench = try ProjectorBench()
    try await bench.follow("pjlink://127.0.0.1:\(projector.port)")
    await bench.want(isOn: true)
    for count in 1...3 {
      try await eventually("command \(count): \(projector.log)") { projector.count("%1POWR 1") == count }
      try await eventuallyPower("on", bench, projector)
      try projector.tell("off")
    }
    try await eventually("it is told: \(projector.log)") { await bench.status?.problem == 7652 }
    #expect(projector.count("%1POWR 1") == 3)
    try projector.tell("on")
    try projector.tell("faults 020000")
    try await eventually("the lamp") { await bench.status?.problem == 7654 }
    #expect(await bench.status?.faults == ["lamp error"])
    try projector.tell("faults 000000")
    try await eventually("all is well") { await bench.status?.problem == nil }
    #expect(await bench.problems == [7652, 7654])
    await bench.stop()
  }

  @Test(
    "Whatever answers there is told as no projector, and changes nothing else",
    arguments: [
      "SSH-2.0-OpenSSH_9.2\\r\\n", "\\x00\\xff", "A*100000", "PJLINK 1 zzzzzzzz\\r", "PJLINK 0\\r%1POWR=1\\r%1POWR=1",
    ])
  func strangers(text: String) async throws {
    let projector = try ToolProjector("--says", text)
    let bench = try ProjectorBench()
    try await bench.follow("pjlink://127.0.0.1:\(projector.port)")
    await bench.want(isOn: true)
    // What says nothing that is a line is left after the limit of an answer, thrice.
    try await eventually("it is told") { await bench.status?.problem == 7650 }
    #expect(await bench.status?.power == nil)
    await bench.stop()
  }

  @Test("Another address in a reload is another projector, which gets the wish; without one nothing is sent any more")
  func reload() async throws {
    let first = try ToolProjector("--warming", "0")
    let second = try ToolProjector("--warming", "0")
    let bench = try ProjectorBench()
    try await bench.follow("pjlink://127.0.0.1:\(first.port)")
    await bench.want(isOn: true)
    try await eventuallyPower("on", bench, first)
    try await bench.follow("pjlink://localhost:\(second.port)")
    try await eventuallyPower("on", bench, second)
    #expect(first.count("%1POWR 0") == 0)
    try await bench.follow(nil)
    #expect(await bench.status == nil)
    await bench.stop()
  }
}
