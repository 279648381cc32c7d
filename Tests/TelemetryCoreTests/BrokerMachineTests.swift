import ControlProtocol
import InteractionCore
import JSONText
import KioskCore
import PlaybackCore
import Testing

@testable import TelemetryCore

@Suite("Broker")
struct BrokerMachineTests {
  private let start = Instant(nanoseconds: 1_000_000_000)

  private func online(_ policy: BrokerMachine.Policy = BrokerMachine.Policy()) -> (BrokerMachine, Instant) {
    var machine = BrokerMachine(policy, seed: 3, at: start)
    let now = machine.due ?? start
    #expect(machine.handle(.looked, at: now) == [.connect])
    #expect(machine.handle(.connected, at: now) == [.greet, .status])
    return (machine, now)
  }

  @Test("A connected player sends its status in each interval, and groups changes into one status soon after")
  func life() throws {
    let made = online()
    var machine = made.0
    let now = made.1
    _ = machine.handle(.sent, at: now)
    #expect(machine.due == now + .seconds(60))
    #expect(machine.handle(.changed, at: now + .seconds(10)).isEmpty)
    #expect(machine.due == now + .seconds(10))
    #expect(machine.handle(.looked, at: now + .seconds(10)) == [.status])
    // A change with each frame gives one status in two seconds.
    var told = 0
    for frame in 0..<600 {
      let at = now + .seconds(20) + .milliseconds(16 * frame)
      _ = machine.handle(.changed, at: at)
      if machine.due.map({ $0 <= at }) == true { told += machine.handle(.looked, at: at).count }
      _ = machine.handle(.sent, at: at)
    }
    #expect((4...6).contains(told), "\(told)")
  }

  @Test("A broker that is away for a day is rarely tried and reported once, and memory doesn't grow")
  func outage() throws {
    var (machine, now) = online()
    let end = now + .seconds(86_400)
    var tries = 0
    var actions = machine.handle(.disconnected("gone"), at: now)
    #expect(actions == [.tellFailure("gone")])
    while let due = machine.due, due < end {
      now = due
      #expect(machine.handle(.looked, at: now) == [.connect])
      #expect(machine.handle(.happened("{}"), at: now).isEmpty)
      #expect(machine.handle(.disconnected("no route"), at: now).isEmpty)
      tries += 1
    }
    #expect((150...400).contains(tries), "\(tries)")
    #expect(machine.keptEvents == 32 && machine.eventsLost == tries - 32)
    now = try #require(machine.due)
    _ = machine.handle(.looked, at: now)
    actions = machine.handle(.connected, at: now)
    #expect(actions.prefix(3) == [.tellRecovery(failures: tries + 1), .greet, .status])
    #expect(machine.keptEvents <= 1, "there is room for 31 beside the status")
  }

  @Test("A stalled connection gets no more messages than the limit")
  func stuck() {
    var (machine, now) = online()
    var handed = 1
    for second in 0..<10_000 {
      now = now + .seconds(1)
      var actions = machine.handle(.happened("{\(second)}"), at: now)
      actions += machine.handle(.looked, at: now)
      for action in actions {
        if case .events(let lines) = action { handed += lines.count } else { handed += 1 }
      }
    }
    #expect(handed == 32 && machine.keptEvents == 32)
  }

  @Test("A connection that keeps breaking is retried at growing intervals; a good one resets them")
  func flapping() throws {
    var policy = BrokerMachine.Policy()
    policy.jitter = 0
    var (machine, now) = online(policy)
    var waits: [Duration] = []
    for _ in 0..<6 {
      _ = machine.handle(.disconnected("x"), at: now)
      let due = try #require(machine.due)
      waits.append(due - now)
      now = due
      _ = machine.handle(.looked, at: now)
      _ = machine.handle(.connected, at: now)
    }
    #expect(waits == [2, 4, 8, 16, 32, 64].map { .seconds($0) })
    now = now + .seconds(61)
    _ = machine.handle(.disconnected("x"), at: now)
    #expect(machine.due == now + .seconds(2))
  }

  // MARK: Commands

  @Test("A command becomes a request of the control socket; one that needs a connection of its own is refused")
  func commands() throws {
    var commands = BrokerCommands()
    func handle(_ text: String, isRetained: Bool = false) -> BrokerCommands.Verdict {
      commands.handlePayload(Array(text.utf8), isRetained: isRetained, at: start)
    }
    guard case .perform(let request) = handle("{\"id\":1,\"verb\":\"volume\",\"percent\":30}") else {
      return #expect(Bool(false), "not understood")
    }
    #expect(request.action == .command(.setVolume(percent: 30)))
    #expect(handle("{\"verb\":\"next\"}", isRetained: true) == .ignore(.retained))
    // An alert that would begin again with each connection isn't taken either.
    for (until, isTaken) in [("20m", false), ("15:30", false), ("2026-11-27T15:30", true), ("2026-11-27T15:30Z", true)]
    {
      let verdict = handle("{\"verb\":\"alert\",\"text\":\"a\",\"until\":\"\(until)\"}", isRetained: true)
      #expect((verdict != .ignore(.retained)) == isTaken, "\(until)")
    }
    for (text, number) in [
      ("next", 7602), ("{\"verb\":\"explode\"}", 7603), ("{\"verb\":\"screenshot\"}", 7763),
      ("{\"verb\":\"subscribe\"}", 7763), (String(repeating: " ", count: 5000), 7605),
    ] {
      guard case .refuse(_, let error) = handle(text) else { return #expect(Bool(false), "\(text)") }
      #expect(error.number == number)
    }
  }

  @Test("Commands beyond the limit are ignored")
  func flood() {
    var commands = BrokerCommands()
    var performed = 0
    for message in 0..<10_000 {
      let verdict = commands.handlePayload(
        Array("{\"verb\":\"next\"}".utf8), isRetained: false, at: start + .milliseconds(message))
      if case .perform = verdict { performed += 1 }
    }
    #expect((60...75).contains(performed), "20 at once, 5 in each of 10 s: \(performed)")
  }

  // MARK: Topics and Home Assistant

  @Test("Topics are valid for any name of the board")
  func topics() {
    for name in ["foyer", "Foyer 1/+#", "ärger", "", "$SYS"] {
      let topics = BrokerTopics(base: nil, name: name)
      #expect(topics.status.allSatisfy { $0.isASCII && !"+#$ ".contains($0) })
      #expect(topics.status.split(separator: "/").count == 3)
    }
    #expect(BrokerTopics(base: "museum/hall", name: "x").command == "museum/hall/command")
    // Boards of one name, and players of one board, are different clients; a restarted player is the same one.
    let clients = [("hall", "m1"), ("hall", "m2"), ("door", "m1"), ("hall", "m1")].map { base, machine in
      BrokerTopics(base: base, name: "board").client(machine: machine)
    }
    #expect(Set(clients).count == 3 && clients[0] == clients[3] && clients[0].hasPrefix("vitrine-board-"))
  }

  @Test("Home Assistant gets JSON with a topic for each entity, and commands only where they are accepted")
  func homeAssistant() throws {
    let topics = BrokerTopics(base: nil, name: "foyer")
    let quiet = HomeAssistant.announcements(topics, name: "Foyer", version: "1", takesCommands: false)
    let all = HomeAssistant.announcements(topics, name: "Foyer", version: "1", takesCommands: true)
    #expect(quiet.count == 6 && all.count == 12 && Set(all.map(\.topic)).count == 12)
    #expect(all.allSatisfy { $0.isRetained })
    for message in all {
      let value = try JSONValue(parsing: message.payload)
      #expect(value["unique_id"]?.text?.hasPrefix("vitrine-foyer-") == true)
      for member in ["payload_press", "payload_on", "payload_off"] {
        guard let payload = value[member]?.text else { continue }
        guard case .command = try ControlRequest(line: Array(payload.utf8)).action else {
          #expect(Bool(false), "\(payload)")
          continue
        }
      }
    }
    #expect(!quiet.contains { String(decoding: $0.payload, as: UTF8.self).contains("command") })
  }
}
