import ControlProtocol
import Displays
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

/// The serial lines and the cues of a configuration, with a fake kiosk.
private actor SerialBench: ControlServerOwner, ScreenSessionOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private(set) var performed: [Command] = []
  private(set) var pressed: [String] = []
  private(set) var problems: [VitrineError] = []
  private var made: (serial: SerialSession, cues: CueSession)?

  init() throws { executor = try GLibExecutor.start(name: "serial-bench") }

  /// Takes this configuration, without its version.
  func follow(_ text: String) throws {
    let source = ConfigurationSource(path: "/etc/v.toml", text: Array(("version = 1\n" + text).utf8))
    var options = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
    options.follow(try Configuration.check([source]).get())
    let (serial, cues) = made ?? make()
    made = (serial, cues)
    serial.follow(options)
    cues.follow(options)
  }

  private func make() -> (SerialSession, CueSession) {
    let loop = EventLoop(executor: executor)
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let serial = SerialSession(on: loop, clock: LoopClock(loop), log: log) { [weak self] error in
      self?.assumeIsolated { $0.problems.append(error) }
    }
    serial.owner = self
    serial.onPress = { [weak self] key, device in self?.assumeIsolated { $0.pressed.append(key) } }
    return (serial, CueSession(on: loop, clock: LoopClock(loop), owner: self, serial: serial, log: log))
  }

  func isOpen(_ terminal: PseudoTerminal) -> Bool { made?.serial.isOpen(terminal.path) == true }

  func opened(_ terminal: PseudoTerminal) async throws {
    try await eventually("the line is open: \(problems)") { isOpen(terminal) }
  }

  /// The moment of all cues has come.
  func happen() { made?.cues.happened(.visitStarted, on: nil) }

  /// The keys that two screens hear when a word comes by each of these devices; the second screen names a part of one.
  func keys(of devices: [String], touch: String) -> [String] {
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let inputs = ScreenInputs(on: EventLoop(executor: executor), log: log)
    let options = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
    inputs.setScreens(
      [ScreenPlan(name: "a", options: options), ScreenPlan(name: "b", options: options, touch: [touch])])
    var heard: [String] = []
    for name in ["a", "b"] {
      inputs.listen(as: name, to: []) { batch in
        for case .key(let change) in batch.map(\.event) { heard.append("\(name) \(change.key) \(change.kind)") }
      }
    }
    for (number, device) in devices.enumerated() {
      inputs.serial.onPress(
        "serial \(device) A",
        InputDevice(id: InputDeviceID(UInt32(number)), name: device, path: device, abilities: [.keys]))
    }
    for name in ["a", "b"] { inputs.leave(name) }
    return heard
  }

  func stop() {
    made?.cues.stop()
    made?.serial.stop()
    made = nil
  }

  nonisolated func control(performs command: Command, on screen: String?) -> KioskReply {
    assumeIsolated { bench in
      bench.performed.append(command)
      return command == .next ? .refused(.nothingPlays) : .done
    }
  }
  nonisolated func controlAsksForStatus() -> KioskStatus { KioskStatus(version: "1", name: "b", uptimeSeconds: 0) }
  nonisolated func controlAsksForPicture(
    of screen: String?, _ wish: ControlPictureWish, for request: LoopReference<ScreenshotRequest>
  ) {}
  nonisolated func screen(_ name: String?, tells notice: ScreenNotice) {
    assumeIsolated { bench in if case .problem(let error) = notice { bench.problems.append(error) } }
  }
  nonisolated func screen(_ name: String?, asksFor command: Command) -> KioskReply { .done }
  nonisolated func screenAsksForRollBack() -> Bool { false }
  nonisolated func screenAsksForStatus() -> KioskStatus { controlAsksForStatus() }
}

/// Serial lines, with pseudo-terminals of the kernel in their place.
@Suite("Serial lines")
struct SerialSessionTests {
  private func input(_ terminal: PseudoTerminal, _ more: String = "") -> String {
    "[[input.serial]]\ndevice = \"\(terminal.path)\"\n\(more)\n"
  }

  private func cue(_ terminal: PseudoTerminal, _ text: String, settings: String = "") -> String {
    "[[cue]]\non = \"visit-started\"\nsend = \"serial:\(terminal.path)\(settings)\"\ntext = \"\(text)\"\n"
  }

  @Test("A device sends commands and gets answers, raw, at its speed")
  func commands() async throws {
    let (bench, device) = (try SerialBench(), try PseudoTerminal())
    try await bench.follow(input(device, "speed = 38400"))
    try await bench.opened(device)
    device.send("pause\rnext\rstatus\r\n")
    let answers = "ok\r\nerror 7609 nothing plays\r\nok nothing\r\n"
    try await eventually("the answers: \(device.text)") { device.text == answers }
    #expect(await bench.performed == [.pause, .next])
    var settings = device.settings
    #expect(cfgetospeed(&settings) == speed_t(B38400) && settings.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    #expect(settings.c_oflag & tcflag_t(OPOST) == 0 && settings.c_cflag & tcflag_t(CLOCAL) != 0)
    #expect(settings.c_cflag & tcflag_t(HUPCL) == 0)
    await bench.stop()
  }

  @Test("A device's own words are buttons; nothing is answered")
  func words() async throws {
    let (bench, device) = (try SerialBench(), try PseudoTerminal())
    try await bench.follow(input(device, "match = { PLAY1 = \"next\", \"\\u0002A\\u0003\" = \"lock\" }"))
    try await bench.opened(device)
    device.send("PLAY1\r\nnext\r\u{2}A\u{3}")
    try await eventually("both") { await bench.pressed.count == 2 }
    #expect(await bench.pressed == ["serial \(device.path) PLAY1", "serial \(device.path) \u{2}A\u{3}"])
    #expect(device.text == "")
    #expect(await bench.performed.isEmpty)
    await bench.stop()
  }

  @Test("A word is pressed and let go, on the screen that names its device, else on the first")
  func screens() async throws {
    let keys = try await SerialBench().keys(of: ["/dev/ttyUSB0", "/dev/ttyUSB1"], touch: "ttyusb1")
    #expect(
      keys == [
        "a serial /dev/ttyUSB0 A down", "a serial /dev/ttyUSB0 A up", "b serial /dev/ttyUSB1 A down",
        "b serial /dev/ttyUSB1 A up",
      ])
  }

  @Test("An adapter that is plugged in later, or again, works by itself; what is missing is told once")
  func unplugged() async throws {
    let (bench, device) = (try SerialBench(), try PseudoTerminal())
    device.unplug()
    try await bench.follow(input(device) + cue(device, "SCENE 5\\r"))
    try await eventually("the problem") { await bench.problems.count == 1 }
    #expect(await bench.problems.map(\.number) == [7660])
    await bench.happen()
    try await eventually("the lost cue") { await bench.problems.count == 2 }
    #expect(await bench.problems.last?.number == 7640)
    for round in 1...2 {
      try device.plugIn()
      try await bench.opened(device)
      // Half a command that was under way isn't carried out afterwards.
      device.send(round == 1 ? "pause\rclip ha" : "play\r")
      try await eventually("a command") { await bench.performed.count == round }
      await bench.happen()
      try await eventually("a cue: \(device.text)") { device.text.hasSuffix("SCENE 5\r") }
      device.unplug()
      try await eventually("it is gone") { await !bench.isOpen(device) }
    }
    #expect(await bench.performed == [.pause, .play])
    // Once more after the device had been there.
    try await eventually("told again") { await bench.problems.count { $0.number == 7660 } >= 2 }
    await bench.stop()
  }

  @Test("A line that another program has, and what is no serial line, are told with what to do")
  func refused() async throws {
    let (bench, other, device) = (try SerialBench(), try SerialBench(), try PseudoTerminal())
    try await other.follow(input(device))
    try await other.opened(device)
    try await bench.follow(input(device) + "[[input.serial]]\ndevice = \"/dev/null\"\n")
    try await eventually("both") { await bench.problems.count == 2 }
    #expect(await Set(bench.problems.map(\.number)) == [7662, 7663])
    await other.stop()
    try await bench.opened(device)
    // A pseudo-terminal has eight bits.
    let seven = try SerialBench()
    let pair = try PseudoTerminal()
    try await seven.follow(input(pair, "frame = \"7E1\""))
    try await eventually("the refusal") { await seven.problems.count == 1 }
    #expect(await seven.problems.first?.number == 7663)
    #expect(await seven.problems.first?.message.contains("9600 7E1") == true)
    for bench in [bench, seven] { await bench.stop() }
  }

  @Test("One line takes commands and gets cues, in their order and whole; its settings stand once")
  func both() async throws {
    let (bench, device) = (try SerialBench(), try PseudoTerminal())
    try await bench.follow(input(device, "speed = 115200") + cue(device, "PWR ON\\r") + cue(device, "INPUT 2\\r"))
    try await bench.opened(device)
    await bench.happen()
    try await eventually("both: \(device.text)") { device.text == "PWR ON\rINPUT 2\r" }
    device.send("pause\r")
    try await eventually("the answer: \(device.text)") { device.text == "PWR ON\rINPUT 2\rok\r\n" }
    #expect(await bench.problems.isEmpty)
    await bench.stop()
  }

  @Test("A line for cues alone is set by the cue, and throws away what the device says")
  func cues() async throws {
    let (bench, device) = (try SerialBench(), try PseudoTerminal())
    try await bench.follow(cue(device, "A\\r") + cue(device, "B\\r", settings: ",19200,8N2"))
    try await bench.opened(device)
    device.send("pause\rERR 1\r")
    await bench.happen()
    try await eventually("both: \(device.text)") { device.text == "A\rB\r" }
    var settings = device.settings
    #expect(cfgetospeed(&settings) == speed_t(B19200) && settings.c_cflag & tcflag_t(CSTOPB) != 0)
    #expect(await bench.performed.isEmpty)
    await bench.stop()
  }

  @Test("A device that reads nothing loses its cues, and delays no other one")
  func dead() async throws {
    let (bench, deaf, device) = (try SerialBench(), try PseudoTerminal(), try PseudoTerminal())
    let long = String(repeating: "x", count: 1000)
    try await bench.follow(cue(deaf, long) + cue(device, "A\\r"))
    try await bench.opened(deaf)
    try await bench.opened(device)
    // The kernel keeps some of it for the device, 64 kB or so.
    try await eventually("told") {
      await bench.happen()
      return await bench.problems.contains { $0.number == 7640 }
    }
    let before = device.text.count
    try await eventually("the other goes on") {
      await bench.happen()
      return device.text.count > before
    }
    let failed = await bench.problems.filter { $0.number == 7640 }
    #expect(failed.map(\.subject) == ["serial:\(deaf.path)"], "\(failed)")
    await bench.stop()
  }

  @Test("A flood is obeyed at a bounded rate, and the line works after it")
  func flood() async throws {
    let (bench, device) = (try SerialBench(), try PseudoTerminal())
    try await bench.follow(input(device))
    try await bench.opened(device)
    let begin = ContinuousClock.now
    let flood = Array(String(repeating: "pause\r", count: 5000).utf8)
    var rest = flood[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(max(0, device.send(Array(rest.prefix(1024)))))
      _ = device.text
      await Task.yield()
    }
    try await eventually("the answer") {
      device.send("next\r")
      _ = device.text
      return await bench.performed.last == .next
    }
    let admitted = ControlLimits.networkBurst + ControlLimits.networkRate * (ContinuousClock.now - begin).inSeconds
    let performed = await bench.performed.count { $0 == .pause }
    #expect(performed >= 1 && Double(performed) <= admitted)
    await bench.stop()
  }

  @Test("A reload opens what is new, sets what has changed, and lets go what is gone")
  func reload() async throws {
    let (bench, device) = (try SerialBench(), try PseudoTerminal())
    try await bench.follow(input(device))
    try await bench.opened(device)
    try await bench.follow(input(device, "match = { A = \"next\" }"))
    #expect(await bench.isOpen(device), "it stays open")
    device.send("A\r")
    try await eventually("the word") { await bench.pressed.count == 1 }
    try await bench.follow(input(device, "speed = 1200"))
    try await bench.opened(device)
    var settings = device.settings
    #expect(cfgetospeed(&settings) == speed_t(B1200))
    #expect(await bench.problems.isEmpty, "it is let go before it is opened again")
    try await bench.follow("")
    let port = try SerialPort(device.path, SerialSettings())
    device.send("x")
    #expect(port.descriptor >= 0)
    await bench.stop()
  }
}
