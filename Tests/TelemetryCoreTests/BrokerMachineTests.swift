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

  @Test("It greets, tells the status, and again in each interval; changes are told together, soon")
  func life() throws {
    let made = online()
    var machine = made.0
    let now = made.1
    _ = machine.handle(.sent, at: now)
    #expect(machine.due == now + .seconds(60))
    #expect(machine.handle(.changed, at: now + .seconds(10)).isEmpty)
    #expect(machine.due == now + .seconds(10))
    #expect(machine.handle(.looked, at: now + .seconds(10)) == [.status])
    // One change each frame is one status in two seconds.
    var told = 0
    for frame in 0..<600 {
      let at = now + .seconds(20) + .milliseconds(16 * frame)
      _ = machine.handle(.changed, at: at)
      if machine.due.map({ $0 <= at }) == true { told += machine.handle(.looked, at: at).count }
      _ = machine.handle(.sent, at: at)
    }
    #expect((4...6).contains(told), "\(told)")
  }

  @Test("A broker that is away for a day: seldom tried, told once, and nothing grows")
  func outage() throws {
    var (machine, now) = online()
    let end = now + .seconds(86_400)
    var tries = 0
    var effects = machine.handle(.disconnected("gone"), at: now)
    #expect(effects == [.tellFailure("gone")])
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
    effects = machine.handle(.connected, at: now)
    #expect(effects.prefix(3) == [.tellRecovery(failures: tries + 1), .greet, .status])
    #expect(machine.keptEvents <= 1, "there is room for 31 beside the status")
  }

  @Test("A line that takes nothing: no more is handed over than may be")
  func stuck() {
    var (machine, now) = online()
    var handed = 1
    for second in 0..<10_000 {
      now = now + .seconds(1)
      var effects = machine.handle(.happened("{\(second)}"), at: now)
      effects += machine.handle(.looked, at: now)
      for effect in effects {
        if case .events(let lines) = effect { handed += lines.count } else { handed += 1 }
      }
    }
    #expect(handed == 32 && machine.keptEvents == 32)
  }

  @Test("A connection that breaks at once again and again is tried less and less often; a good one begins anew")
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

  @Test("A command is a request of the control socket; what needs a connection of its own is refused")
  func commands() throws {
    var commands = BrokerCommands()
    func take(_ text: String, isRetained: Bool = false) -> BrokerCommands.Verdict {
      commands.takePayload(Array(text.utf8), isRetained: isRetained, at: start)
    }
    guard case .perform(let request) = take("{\"id\":1,\"verb\":\"volume\",\"percent\":30}") else {
      return #expect(Bool(false), "not understood")
    }
    #expect(request.action == .command(.setVolume(percent: 30)))
    #expect(take("{\"verb\":\"next\"}", isRetained: true) == .ignore(.retained))
    for (text, number) in [
      ("next", 7602), ("{\"verb\":\"explode\"}", 7603), ("{\"verb\":\"screenshot\"}", 7763),
      ("{\"verb\":\"subscribe\"}", 7763), (String(repeating: " ", count: 5000), 7605),
    ] {
      guard case .refuse(_, let error) = take(text) else { return #expect(Bool(false), "\(text)") }
      #expect(error.number == number)
    }
  }

  @Test("More commands than anybody gives are left alone")
  func flood() {
    var commands = BrokerCommands()
    var performed = 0
    for message in 0..<10_000 {
      let verdict = commands.takePayload(
        Array("{\"verb\":\"next\"}".utf8), isRetained: false, at: start + .milliseconds(message))
      if case .perform = verdict { performed += 1 }
    }
    #expect((60...75).contains(performed), "20 at once, 5 in each of 10 s: \(performed)")
  }

  // MARK: Topics and Home Assistant

  @Test("Topics can be written to, whatever the board is called")
  func topics() {
    for name in ["foyer", "Foyer 1/+#", "ärger", "", "$SYS"] {
      let topics = BrokerTopics(base: nil, name: name)
      #expect(topics.status.allSatisfy { $0.isASCII && !"+#$ ".contains($0) })
      #expect(topics.status.split(separator: "/").count == 3)
    }
    #expect(BrokerTopics(base: "museum/hall", name: "x").command == "museum/hall/command")
    // Boards of one name, and players of one board, are different clients; a player that was started anew is the same.
    let clients = [("hall", "m1"), ("hall", "m2"), ("door", "m1"), ("hall", "m1")].map { base, machine in
      BrokerTopics(base: base, name: "board").client(machine: machine)
    }
    #expect(Set(clients).count == 3 && clients[0] == clients[3] && clients[0].hasPrefix("vitrine-board-"))
  }

  @Test("Home Assistant is told in JSON, each entity under a topic of its own; commands only where they are taken")
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
