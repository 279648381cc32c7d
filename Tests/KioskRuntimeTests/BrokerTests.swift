import Foundation
import InteractionCore
import JSONText
import KioskCore
import KioskTestSupport
import PlaybackCore
import TelemetryCore
import Testing

@testable import KioskRuntime

/// MQTT with a real mosquitto, whose connection is cut.
@Suite("Broker, end to end")
struct BrokerTests {
  private static var quick: BrokerMachine.Policy {
    var policy = BrokerMachine.Policy()
    policy.interval = .milliseconds(200)
    policy.gathering = .milliseconds(50)
    policy.firstRetry = .milliseconds(50)
    policy.longestRetry = .milliseconds(200)
    return policy
  }

  private func options(_ broker: Broker, scheme: String = "mqtt") throws -> TelemetryOptions.Broker {
    let address = try #require(BrokerAddress("\(scheme)://127.0.0.1:\(broker.port)"))
    return TelemetryOptions.Broker(address: address)
  }

  private let problem = VitrineError(4711, subject: "a", message: "it broke", remedy: "mend it")

  @Test("The session publishes presence, status and end, and the retained messages are right")
  func life() async throws {
    let broker = try await Broker()
    let bench = try ReportBench()
    await bench.connect(try options(broker), Self.quick)
    try await eventually("several statuses") {
      broker.heard.count { $0.hasPrefix("vitrine/bench/status {\"health\":") } >= 3
    }
    #expect(broker.heard.first { $0.hasPrefix("vitrine/bench/presence") } == "vitrine/bench/presence online")
    await bench.reportProblem(problem)
    try await eventually("the event") {
      broker.heard.contains { $0.hasPrefix("vitrine/bench/event {\"event\":\"problem\"") && $0.contains("4711") }
    }
    let kept = try await Tool.run(
      "mosquitto_sub",
      [
        "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "vitrine/bench/#", "-v", "--retained-only", "-C", "2", "-W",
        "10",
      ])
    #expect(kept.output.contains("presence online") && kept.output.contains("status {"))
    #expect(!broker.heard.contains { $0.hasPrefix("homeassistant") })
    await bench.stop()
    try await eventually("goodbye") { broker.heard.last == "vitrine/bench/presence offline" }
  }

  @Test("After a broker's crash the session connects again, and doesn't publish everything that happened meanwhile")
  func cut() async throws {
    let broker = try await Broker()
    let bench = try ReportBench()
    await bench.connect(try options(broker), Self.quick)
    try await eventually("online") { broker.heard.contains { $0.contains("presence online") } }
    broker.signal(SIGKILL)
    for number in 0..<200 {
      await bench.reportProblem(VitrineError(5000 + number, subject: "a", message: "b", remedy: "c"))
    }
    let again = try await Broker(port: broker.port)
    // The listener may have connected after that event.
    try await eventually("another one") {
      await bench.reportProblem(problem)
      return again.heard.contains { $0.contains("\"number\":4711") }
    }
    #expect(again.heard.contains { $0.contains("presence online") })
    #expect(again.heard.count { $0.contains("\"number\":5") } <= 64)
    await bench.stop()
  }

  @Test("A silent broker doesn't block the loop")
  func hangs() async throws {
    let broker = try await Broker()
    let bench = try ReportBench()
    await bench.connect(try options(broker), Self.quick)
    try await eventually("online") { broker.heard.contains { $0.contains("presence online") } }
    broker.signal(SIGSTOP)
    // Each of these takes a turn of the loop.
    for number in 0..<5000 {
      await bench.reportProblem(VitrineError(number, subject: "a", message: "b", remedy: "c"))
      await bench.turn()
    }
    broker.signal(SIGCONT)
    try await eventually("another one") {
      await bench.reportProblem(problem)
      return broker.heard.contains { $0.contains("mend it") }
    }
    await bench.stop()
  }

  @Test("Commands are answered if the configuration allows them; retained commands are ignored")
  func commands() async throws {
    let broker = try await Broker()
    try await broker.publish("{\"verb\":\"quit\"}", to: "vitrine/bench/command", isRetained: true)
    let (bench, deaf) = (try ReportBench(), try ReportBench())
    var wanted = try options(broker)
    wanted.takesCommands = true
    wanted.announcesHomeAssistant = true
    await bench.connect(wanted, Self.quick)
    var other = try options(broker)
    other.topic = "deaf"
    await deaf.connect(other, Self.quick)
    try await eventually("both online") { broker.heard.count { $0.contains("presence online") } == 2 }
    try await broker.publish("{\"verb\":\"pause\"}", to: "deaf/command")
    try await broker.publish("{\"id\":1,\"verb\":\"pause\"}", to: "vitrine/bench/command")
    try await broker.publish("{\"id\":2,\"verb\":\"next\"}", to: "vitrine/bench/command")
    try await broker.publish("nonsense", to: "vitrine/bench/command")
    try await broker.publish("{\"id\":4,\"verb\":\"status\"}", to: "vitrine/bench/command")
    try await eventually("the answers") { broker.heard.count { $0.hasPrefix("vitrine/bench/answer") } == 4 }
    let answers = broker.heard.filter { $0.hasPrefix("vitrine/bench/answer ") }.map { $0.dropFirst(21) }
      .compactMap { try? JSONValue(parsing: $0.utf8) }
    #expect(answers.map { $0["ok"]?.truth } == [true, false, false, true])
    #expect(answers[1]["error"]?["number"]?.wholeNumber == 7609 && answers[2]["error"]?["number"]?.wholeNumber == 7602)
    #expect(answers[3]["result"]?["name"]?.text == "bench")
    #expect(await bench.performed == [.pause, .next])
    #expect(await deaf.performed.isEmpty)
    #expect(broker.heard.contains { $0.hasPrefix("homeassistant/button/vitrine-bench/next/config") })
    await bench.stop()
    await deaf.stop()
  }

  @Test("With TLS and a password, only the named authority is trusted, and clients without the password are refused")
  func secured() async throws {
    let directory = try TemporaryDirectory()
    try await Certificates.make(in: directory, days: 10)
    let made = try await Tool.run("mosquitto_passwd", ["-b", "-c", directory.path("users"), "board", "secret"])
    #expect(made.status == 0, "\(made.errors)")
    try Data("secret\n".utf8).write(to: directory.url.appending(path: "password"))
    let broker = try await Broker(
      """
      cafile \(directory.path("ca.pem"))
      certfile \(directory.path("cert.pem"))
      keyfile \(directory.path("key.pem"))
      password_file \(directory.path("users"))
      allow_anonymous false
      """, listens: false)
    func heard() async throws -> String {
      try await Tool.run(
        "mosquitto_sub",
        [
          "-p", "\(broker.port)", "-h", "127.0.0.1", "--cafile", directory.path("ca.pem"), "-u", "board", "-P",
          "secret",
          "-t", "#", "-v", "--retained-only", "-W", "1",
        ]
      ).output
    }
    var good = try options(broker, scheme: "mqtts")
    good.authoritiesFile = directory.path("ca.pem")
    good.user = "board"
    good.passwordFile = directory.path("password")
    var (stranger, distrustful) = (good, good)
    (stranger.user, stranger.topic) = ("somebody", "stranger")
    (distrustful.authoritiesFile, distrustful.topic) = (nil, "distrustful")
    let benches = [try ReportBench(), try ReportBench(), try ReportBench()]
    for (bench, options) in zip(benches, [stranger, distrustful, good]) { await bench.connect(options, Self.quick) }
    try await eventually("the good one") { try await heard().contains("vitrine/bench/presence online") }
    let all = try await heard()
    #expect(!all.contains("stranger/") && !all.contains("distrustful/"))
    for bench in benches { await bench.stop() }
  }
}
