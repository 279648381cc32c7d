import PlaybackCore
import Testing

@testable import Displays

@Suite("Screens put to sleep and woken by CEC")
struct CECMachineTests {
  private static let start = Instant(nanoseconds: 1_000_000_000)
  private static let address = CECAddress(physical: 0x1000, logicalMask: 1 << 4)
  private static let imageViewOn = CECMessage(from: 4, to: 0, 0x04)
  private static let activeSource = CECMessage(from: 4, to: 15, 0x82, [0x10, 0x00])
  private static let standby = CECMessage(from: 4, to: 0, 0x36)
  private static let question = CECMessage(from: 4, to: 0, 0x8F)

  /// A machine, its clock, and a television that acknowledges or doesn't.
  private struct Rig {
    var machine = CECMachine()
    var now = CECMachineTests.start
    var sent: [CECMessage] = []
    var notes: [CECMachine.Note] = []
    /// Whether the television acknowledges.
    var isHeard: (CECMessage) -> Bool = { _ in true }

    mutating func feed(_ event: CECMachine.Event) {
      for action in machine.handle(event, at: now) {
        switch action {
        case .tell(let note): notes.append(note)
        case .send(let message):
          sent.append(message)
          feed(.sent(wasHeard: isHeard(message)))
        }
      }
    }

    /// Lets time go by to the machine's next deadline.
    mutating func wait() throws {
      now = try #require(machine.deadline)
      feed(.time)
    }

    /// Returns the messages that were sent since the last call.
    mutating func news() -> [CECMessage] {
      defer { sent = [] }
      return sent
    }
  }

  private func rig() -> Rig {
    var rig = Rig()
    rig.feed(.address(Self.address))
    return rig
  }

  @Test("Waking: the screen is switched on and to the player's socket, then asked for its status, and no more")
  func wakes() throws {
    var rig = rig()
    rig.feed(.wanted(isOn: true))
    #expect(rig.news() == [Self.imageViewOn, Self.activeSource])
    try rig.wait()
    #expect(rig.news() == [Self.question])
    rig.feed(.received(CECMessage(from: 0, to: 4, 0x90, [0])))
    #expect(rig.notes == [.obeyed(isOn: true)] && rig.machine.deadline == nil && rig.sent == [])
  }

  @Test("Sleep: standby goes to the screen alone, then it is asked for its status; falling asleep is enough")
  func sleeps() throws {
    var rig = rig()
    rig.feed(.wanted(isOn: false))
    #expect(rig.news() == [Self.standby])
    try rig.wait()
    #expect(rig.news() == [Self.question])
    rig.feed(.received(CECMessage(from: 0, to: 4, 0x90, [3])))
    #expect(rig.notes == [.obeyed(isOn: false)] && rig.machine.deadline == nil)
  }

  @Test("A screen that reports not to have obeyed gets the command again, five times, at growing intervals")
  func disobeys() throws {
    var rig = rig()
    rig.feed(.wanted(isOn: false))
    var pauses: [Duration] = []
    while rig.notes.isEmpty {
      #expect(rig.news() == [Self.standby])
      try rig.wait()
      rig.feed(.received(CECMessage(from: 0, to: 4, 0x90, [0])))
      #expect(rig.news() == [Self.question])
      guard rig.notes.isEmpty else { break }
      let asked = rig.now
      try rig.wait()
      pauses.append(rig.now - asked)
    }
    #expect(rig.notes == [.gaveUp(isOn: false)] && rig.machine.deadline == nil)
    #expect(pauses == [.seconds(1), .seconds(2), .seconds(3), .seconds(4)])
  }

  @Test("A command without an acknowledgement is repeated without the messages after it, and then given up")
  func deaf() throws {
    var rig = rig()
    rig.isHeard = { _ in false }
    rig.feed(.wanted(isOn: true))
    for _ in 1..<5 {
      #expect(rig.news() == [Self.imageViewOn])
      try rig.wait()
    }
    #expect(rig.news() == [Self.imageViewOn])
    #expect(rig.notes == [.gaveUp(isOn: true)] && rig.machine.deadline == nil)
    // A new wish gets its own attempts.
    rig.isHeard = { _ in true }
    rig.feed(.wanted(isOn: true))
    #expect(rig.news() == [Self.imageViewOn, Self.activeSource])
  }

  @Test("A screen that acknowledges late still wakes")
  func hearsLate() throws {
    var rig = rig()
    rig.isHeard = { _ in false }
    rig.feed(.wanted(isOn: true))
    rig.isHeard = { _ in true }
    _ = rig.news()
    try rig.wait()
    #expect(rig.news() == [Self.imageViewOn, Self.activeSource])
  }

  @Test("A screen that gives no status counts as having obeyed", arguments: 0..<3)
  func silent(way: Int) throws {
    var rig = rig()
    rig.feed(.wanted(isOn: true))
    if way == 2 { rig.isHeard = { _ in false } }
    try rig.wait()
    if way == 1 { rig.feed(.received(CECMessage(from: 0, to: 4, 0x00, [0x8F, 0]))) }
    if way == 0 { try rig.wait() }
    #expect(rig.notes == [.obeyed(isOn: true)] && rig.machine.deadline == nil)
  }

  @Test("Asleep without a hotplug line: woken by somebody without an address, shown our picture when one comes")
  func wakesWithoutAddress() throws {
    var rig = Rig()
    rig.feed(.address(nil))
    rig.feed(.wanted(isOn: true))
    #expect(rig.news() == [CECMessage(from: 15, to: 0, 0x04)])
    rig.feed(.address(Self.address))
    #expect(rig.news() == [Self.imageViewOn, Self.activeSource])
  }

  @Test("Without an address, sleep has nothing to do, and a wake that brings none is given up")
  func noScreen() throws {
    var rig = Rig()
    rig.feed(.wanted(isOn: false))
    #expect(rig.sent == [] && rig.machine.deadline == nil)
    rig.feed(.wanted(isOn: true))
    while rig.machine.deadline != nil { try rig.wait() }
    #expect(rig.sent == Array(repeating: CECMessage(from: 15, to: 0, 0x04), count: 5))
    #expect(rig.notes == [.gaveUp(isOn: true)])
  }

  @Test("The newest wish wins over messages of the one before")
  func newestWish() throws {
    var machine = CECMachine()
    _ = machine.handle(.address(Self.address), at: Self.start)
    #expect(machine.handle(.wanted(isOn: true), at: Self.start) == [.send(Self.imageViewOn)])
    // Not sent yet: one at a time.
    #expect(machine.handle(.wanted(isOn: false), at: Self.start) == [])
    #expect(machine.handle(.sent(wasHeard: true), at: Self.start) == [.send(Self.standby)])
    #expect(machine.handle(.sent(wasHeard: true), at: Self.start) == [])
    #expect(machine.wish == false && machine.deadline != nil)
  }

  @Test("The player announces itself as the active source, unless it sleeps or another device was chosen")
  func requests() throws {
    let request = CECMessage(from: 0, to: 15, 0x85)
    var rig = rig()
    rig.feed(.wanted(isOn: true))
    _ = rig.news()
    rig.feed(.received(request))
    #expect(rig.news() == [Self.activeSource])
    rig.feed(.received(CECMessage(from: 8, to: 15, 0x82, [0x20, 0x00])))
    rig.feed(.received(request))
    #expect(rig.news() == [])
    // Chosen again by the remote control.
    rig.feed(.received(CECMessage(from: 0, to: 15, 0x86, [0x10, 0x00])))
    #expect(rig.news() == [Self.activeSource])
    rig.feed(.received(CECMessage(from: 0, to: 15, 0x80, [0x10, 0x00, 0x30, 0x00])))
    rig.feed(.received(request))
    #expect(rig.news() == [])
    rig.feed(.wanted(isOn: false))
    _ = rig.news()
    rig.feed(.received(CECMessage(from: 0, to: 15, 0x86, [0x10, 0x00])))
    #expect(rig.news() == [])
  }

  @Test("The player answers requests to its own address, refuses unknown ones, and ignores all others")
  func answers() throws {
    var rig = rig()
    rig.feed(.received(CECMessage(from: 0, to: 4, 0x8F)))
    #expect(rig.news() == [CECMessage(from: 4, to: 0, 0x90, [0])])
    rig.feed(.received(CECMessage(from: 0, to: 4, 0x42, [1])))
    #expect(rig.news() == [CECMessage(from: 4, to: 0, 0x00, [0x42, 0])])
    rig.feed(.received(CECMessage(from: 0, to: 15, 0x42, [1])))
    rig.feed(.received(CECMessage(from: 0, to: 4, 0x00, [0x42, 0])))
    rig.feed(.received(CECMessage(from: 0, to: 4, 0x36)))
    #expect(rig.news() == [])
  }

  @Test("No message, however short or odd, makes it fail, loop, or talk without end")
  func anyMessage() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var rig = rig()
      rig.feed(.wanted(isOn: Bool.random(using: &generator)))
      _ = rig.news()
      let bytes = (0..<Int.random(in: 1...16, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if let message = CECMessage(bytes: bytes) {
        #expect(message.bytes == bytes)
        rig.feed(.received(message))
      }
      #expect(rig.sent.count <= 1)
    }
  }

  @Test("The player announces itself again after it was plugged into another socket")
  func anotherSocket() throws {
    var rig = rig()
    rig.feed(.wanted(isOn: true))
    _ = rig.news()
    rig.feed(.address(nil))
    rig.feed(.address(CECAddress(physical: 0x2000, logicalMask: 1 << 8)))
    #expect(rig.news() == [CECMessage(from: 8, to: 15, 0x82, [0x20, 0x00])])
  }

  @Test("An address needs a socket and a logical address by which somebody can answer")
  func addresses() {
    #expect(CECAddress(physical: 0xFFFF, logicalMask: 1 << 4) == nil)
    #expect(CECAddress(physical: 0x1000, logicalMask: 0) == nil)
    #expect(CECAddress(physical: 0x1000, logicalMask: 1 << 15) == nil)
    #expect(CECAddress(physical: 0x1000, logicalMask: 1 << 8)?.logical == 8)
  }

  @Test("A connector's CEC adapter is the one that names it, else a single one without a connector")
  func adapterChoice() {
    typealias Facts = CECAdapter.Facts
    func choose(_ adapters: [(String, Facts)]) -> String? {
      CECAdapter.choose(card: "/dev/dri/card1", connector: 33, among: adapters.map { (path: $0.0, facts: $0.1) })
    }
    let other = Facts(canControl: true, connector: .init(card: 1, connector: 40))
    let ours = Facts(canControl: true, connector: .init(card: 1, connector: 33))
    let usb = Facts(canControl: true, connector: nil)
    #expect(choose([("a", other), ("b", ours), ("c", usb)]) == "b")
    #expect(choose([("a", Facts(canControl: true, connector: .init(card: 0, connector: 33)))]) == nil)
    #expect(choose([("c", usb)]) == "c")
    #expect(choose([("a", other), ("c", usb)]) == nil)
    #expect(choose([("c", usb), ("d", usb)]) == nil)
    #expect(choose([("b", Facts(canControl: false, connector: .init(card: 1, connector: 33)))]) == nil)
    #expect(choose([]) == nil)
  }
}
