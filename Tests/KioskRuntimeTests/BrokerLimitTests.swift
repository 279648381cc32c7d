import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import Mosquitto

/// A connection to a broker, and its events.
private actor LinkBench {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var link: BrokerLink?
  private(set) var events: [BrokerLink.Event] = []

  init() throws { executor = try GLibExecutor(name: "link-bench") }

  func connect(_ setup: BrokerSetup) {
    events = []
    link = BrokerLink(setup, on: EventLoop(executor: executor)) { [weak self] event in
      self?.assumeIsolated { $0.events.append(event) }
    }
    link?.connect()
  }

  func publish(_ text: String, to topic: String) {
    link?.publish(Array(text.utf8), to: topic, isRetained: false)
  }

  func hangUp() {
    link?.hangUp()
    link = nil
  }

  var ending: String? {
    for case .disconnected(let reason) in events { return reason }
    return nil
  }

  /// The lengths of the messages that have come.
  var lengths: [Int] {
    events.compactMap { event in
      if case .message(let bytes, _) = event { return bytes.count }
      return nil
    }
  }
}

@Suite("Limits for messages from a broker")
struct BrokerLimitTests {
  private func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  @Test("The bytes of an incomplete message are limited; each whole message resets the limit")
  func budget() {
    var budget = IncomingBudget()
    let all = budget.consume(IncomingBudget.limit, at: instant(0))
    var full = budget
    let more = full.consume(1, at: instant(0))
    budget.messageIsWhole()
    let again = budget.consume(IncomingBudget.limit, at: instant(0))
    #expect(all && !more && again)
  }

  @Test("Keep-alive packets don't use up the limit in a year; a message that drips in slowly does")
  func silence() {
    var budget = IncomingBudget()
    var refusedAt: Double?
    for time in stride(from: 0.0, to: 365 * 86_400, by: 30) where !budget.consume(31, at: instant(time)) {
      refusedAt = time
      break
    }
    #expect(refusedAt == nil)
    var kept = 0
    var dripping = IncomingBudget()
    for time in stride(from: 0.0, to: 86_400, by: 1) {
      guard dripping.consume(100, at: instant(time)) else { break }
      kept += 100
    }
    #expect(kept < 2 * IncomingBudget.limit)
  }

  @Test(
    "A message that is too large ends the connection with a reason; others arrive whole, in clear text and by TLS",
    arguments: [false, true])
  func large(usesTLS: Bool) async throws {
    let directory = try TemporaryDirectory()
    var settings = "allow_anonymous true"
    if usesTLS {
      try await Certificates.make(in: directory, days: 10)
      let files = ["certfile": "cert.pem", "keyfile": "key.pem"]
      settings += files.map { "\n\($0.key) \(directory.path($0.value))" }.joined()
    }
    let broker = try await Broker(settings, listens: false)
    let scheme = usesTLS ? "mqtts" : "mqtt"
    var setup = BrokerSetup(try #require(BrokerAddress("\(scheme)://127.0.0.1:\(broker.port)")), client: "bench")
    setup.authoritiesFile = usesTLS ? directory.path("ca.pem") : nil
    setup.commandTopic = "bench/command"
    setup.will = ("bench/presence", "offline")
    func send(_ bytes: Int) async throws {
      let file = directory.url.appending(path: "message")
      try Data(repeating: 0x41, count: bytes).write(to: file)
      let tls = usesTLS ? ["--cafile", directory.path("ca.pem")] : []
      let outcome = try await Tool.run(
        "mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "bench/command", "-f", file.path] + tls)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let bench = try LinkBench()
    await bench.connect(setup)
    try await eventually("connected") { await bench.events.contains(.connected) }
    // A published message comes back: that shows that the connection listens.
    try await eventually("an echo") {
      await bench.publish("hello", to: "bench/command")
      return await bench.lengths.contains(5)
    }
    for size in [1, 8 * 1024, 60_000] { try await send(size) }
    try await eventually("what may come") {
      await bench.lengths.filter { $0 != 5 } == [1, 8 * 1024, BrokerLink.longestMessage]
    }
    for _ in 0..<4 { try await send(60_000) }
    try await eventually("four more, more than a line may keep") { await bench.lengths.filter { $0 != 5 }.count == 7 }
    #expect(await bench.ending == nil)
    try await send(8_000_000)
    try await eventually("the end") { await bench.ending != nil }
    #expect(try #require(await bench.ending).contains("64 kB"))
    #expect(await bench.lengths.filter { $0 != 5 }.count == 7)
    // The next connection works like the first one.
    await bench.connect(setup)
    try await eventually("another echo") {
      await bench.publish("hello", to: "bench/command")
      return await bench.lengths.contains(5)
    }
    await bench.hangUp()
  }
}
