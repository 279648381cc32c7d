import ControlProtocol
import Foundation
import InteractionCore
import KioskCore
import KioskTestSupport
import Logging
import MainLoop
import PlaybackCore
import PlaylistConfig
import TelemetryCore
import Testing
import VitrinePlayback

@testable import KioskRuntime

/// A cue session on a loop, with an owner that records what it is told.
private actor CueBench: ScreenSessionOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private(set) var problems: [VitrineError] = []
  private(set) var published: [String] = []
  private var session: CueSession?

  init() throws { executor = try GLibExecutor.start(name: "cue-bench") }

  /// Takes these cues: their tables, without the header.
  func follow(_ tables: String...) throws {
    let text = "version = 1\n" + tables.map { "[[cue]]\non = \"visit-started\"\n\($0)\n" }.joined()
    let source = ConfigurationSource(path: "/etc/v.toml", text: Array(text.utf8))
    var options = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
    options.follow(try Configuration.check([source]).get())
    let loop = EventLoop(executor: executor)
    if session == nil {
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      session = CueSession(on: loop, clock: LoopClock(loop), owner: self, log: log)
    }
    session?.follow(options)
  }

  /// The moment of all cues of the bench has come.
  func happen() { session?.happened(.visitStarted, on: nil) }

  func stop() {
    session?.stop()
    session = nil
  }

  nonisolated func screen(_ name: String?, tells notice: ScreenNotice) {
    assumeIsolated { bench in
      switch notice {
      case .problem(let error): bench.problems.append(error)
      case .publish(let topic, let text): bench.published.append("\(topic) \(text)")
      default: break
      }
    }
  }
  nonisolated func screen(_ name: String?, asksFor command: Command) -> KioskReply { .done }
  nonisolated func screenAsksForRollBack() -> Bool { false }
  nonisolated func screenAsksForStatus() -> KioskStatus { KioskStatus(version: "1", name: "b", uptimeSeconds: 0) }
}

/// Cues to real programs.
@Suite("Cues: to other machines")
struct CueSessionTests {
  @Test("Texts by UDP, as they stand; by an address, and by a name that is looked up")
  func datagrams() async throws {
    let listener = try await Listener.datagrams()
    let bench = try CueBench()
    try await bench.follow(
      "send = \"udp://127.0.0.1:\(listener.port)\"\ntext = \"LIGHTS 50\\r\\n\"",
      "send = \"udp://localhost:\(listener.port)\"\ntext = \"DOORS\\n\"")
    await bench.happen()
    try await eventually("both: \(listener.heard)") { listener.lines.count == 2 }
    #expect(Set(listener.lines) == ["LIGHTS 50", "DOORS"])
    #expect(await bench.problems.isEmpty)
    await bench.stop()
  }

  @Test("OSC with all kinds of arguments, read by oscdump of liblo")
  func osc() async throws {
    let listener = try await Listener { ["oscdump", "-L", "\($0)"] }
    let bench = try CueBench()
    try await bench.follow(
      "send = \"osc://127.0.0.1:\(listener.port)/cue/5/start\"",
      "send = \"osc://127.0.0.1:\(listener.port)/hall\"\narguments = [1, -7, 5000000000, 0.5, \"Back at two\", true, false]"
    )
    await bench.happen()
    try await eventually("both: \(listener.heard)") { listener.lines.count == 2 }
    #expect(listener.lines.first?.hasSuffix(" /cue/5/start ") == true, "\(listener.lines)")
    #expect(
      listener.lines.last?.hasSuffix(" /hall iihfsTF 1 -7 5000000000 0.500000 \"Back at two\" #T #F") == true,
      "\(listener.lines)")
    await bench.stop()
  }

  @Test(
    "Texts by TCP over one connection, to a device that greets; one that is away is told once, and again when it is back"
  )
  func connections() async throws {
    let port = try FreePort.next()
    let bench = try CueBench()
    try await bench.follow("send = \"tcp://127.0.0.1:\(port)\"\ntext = \"SCENE 5\\r\\n\"")
    for _ in 0..<3 { await bench.happen() }
    try await eventually("the failure") { await bench.problems.count == 1 }
    #expect(await bench.problems.first?.number == 7640)
    let directory = try TemporaryDirectory()
    let heard = directory.path("device")
    let device = try await Listener(isDatagram: false, port: port) {
      ["socat", "TCP-LISTEN:\($0),reuseaddr,fork", "SYSTEM:echo welcome; echo open >> \(heard); cat >> \(heard)"]
    }
    func lines() -> [String] {
      ((try? String(contentsOfFile: heard, encoding: .utf8)) ?? "").split(whereSeparator: \.isNewline).map(String.init)
    }
    await bench.happen()
    try await eventually("the first: \(lines())") { lines().last == "SCENE 5" }
    await bench.happen()
    try await eventually("the second: \(lines())") { lines() == ["open", "SCENE 5", "SCENE 5"] }
    #expect(await bench.problems.count == 1)
    device.stop()
    await bench.stop()
  }

  @Test("A POST with the text, in the type that it has; a server that refuses is told")
  func web() async throws {
    let directory = try TemporaryDirectory()
    let server = try ToolServer("report-server", ["--log", directory.path("log"), "200", "200", "404"])
    let bench = try CueBench()
    try await bench.follow(
      "send = \"\(server.uri("scene/5"))\"", "send = \"\(server.uri("json"))\"\ntext = '{\"on\":true}'",
      "send = \"\(server.uri("gone"))\"\ntext = \"a\"")
    await bench.happen()
    try await eventually("the refusal") { await bench.problems.count == 1 }
    #expect(await bench.problems.first?.message.contains("404") == true)
    let log = try String(contentsOfFile: directory.path("log"), encoding: .utf8).split(separator: "\n")
    #expect(log.count == 3 && log[0].contains("\"/scene/5\"") && log[0].contains("text/plain"), "\(log)")
    #expect(log.count == 3 && log[1].contains("application/json") && log[1].contains("on"), "\(log)")
    await bench.stop()
  }

  @Test("A message for a topic is published at the broker")
  func broker() async throws {
    let broker = try await Broker()
    let bench = try CueBench()
    try await bench.follow(
      "send = \"mqtt:hall/lights\"\ntext = \"on\"\n[telemetry]\nmqtt = \"mqtt://127.0.0.1:\(broker.port)\"")
    await bench.happen()
    try await eventually("handed over") { await bench.published == ["hall/lights on"] }
    let reports = try ReportBench()
    let address = try #require(BrokerAddress("mqtt://127.0.0.1:\(broker.port)"))
    await reports.connect(.init(address: address), .init())
    try await eventually("published") {
      await reports.report(.publish("hall/lights", "on"))
      return broker.heard.contains("hall/lights on")
    }
    await reports.stop()
    await bench.stop()
  }

  @Test("Receivers that are dead, silent or unknown delay no other, and the loop goes on")
  func dead() async throws {
    let listener = try await Listener.datagrams()
    let silent = try ToolServer("report-server", ["--log", "/dev/null", "hang"])
    let bench = try CueBench()
    let dead = try FreePort.next()
    try await bench.follow(
      "send = \"udp://no-such-machine.invalid:9\"\ntext = \"a\"",
      "send = \"tcp://no-such-machine.invalid:9\"\ntext = \"a\"",
      "send = \"tcp://127.0.0.1:\(dead)\"\ntext = \"a\"", "send = \"\(silent.uri("x"))\"",
      "send = \"udp://127.0.0.1:\(listener.port)\"\ntext = \"here\\n\"")
    for _ in 0..<5 { await bench.happen() }
    try await eventually("all of the living one: \(listener.heard)") { listener.lines.count == 5 }
    try await eventually("each dead one, once") { await bench.problems.count == 4 }
    #expect(await Set(bench.problems.map(\.subject)).count == 4)
    #expect(await bench.problems.allSatisfy { $0.number == 7640 })
    await bench.stop()
  }

  @Test("A reload keeps what stays, and ends what is gone")
  func reload() async throws {
    let listener = try await Listener.datagrams()
    let bench = try CueBench()
    try await bench.follow("send = \"udp://127.0.0.1:\(listener.port)\"\ntext = \"one\\n\"")
    await bench.happen()
    try await bench.follow("send = \"udp://127.0.0.1:\(listener.port)\"\ntext = \"two\\n\"")
    await bench.happen()
    try await eventually("both: \(listener.heard)") { listener.lines == ["one", "two"] }
    try await bench.follow()
    await bench.happen()
    try await bench.follow("send = \"udp://127.0.0.1:\(listener.port)\"\ntext = \"three\\n\"")
    await bench.happen()
    try await eventually("the last: \(listener.heard)") { listener.lines == ["one", "two", "three"] }
    await bench.stop()
  }
}
