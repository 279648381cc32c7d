import InteractionCore
import JSONText
import PlaybackCore
import Testing

@testable import ControlProtocol

/// A door on a clock that stands still until it is moved; requests are answered with `reply`.
private struct Bench {
  var door: SerialDoor
  var now = Instant(nanoseconds: 0)
  var reply = ControlReply.done(.object([]))
  private(set) var asked: [Command] = []
  private(set) var pressed: [String] = []
  private(set) var told: [Int] = []
  /// The player's answers since the last look.
  private var sent = ""

  init(words: Set<String> = []) {
    var input = SerialInput("/dev/ttyUSB0")
    input.words = words
    door = SerialDoor(input)
  }

  mutating func feed(_ event: SerialDoor.Event) {
    for action in door.handle(event, at: now) {
      switch action {
      case .ask(let request):
        if case .command(let command) = request.action { asked.append(command) }
        feed(.answered(reply, request))
      case .press(let word): pressed.append(word)
      case .send(let bytes): sent += String(decoding: bytes, as: UTF8.self)
      case .tell(let error): told.append(error.number)
      }
    }
  }

  /// - Returns: the player's answers.
  mutating func hear(_ text: String) -> String { hear(Array(text.utf8)) }

  mutating func hear(_ bytes: [UInt8]) -> String {
    feed(.received(bytes))
    defer { sent = "" }
    return sent
  }

  mutating func wait(_ duration: Duration) {
    now = now + duration
    if let due = door.deadline, due <= now { feed(.timePassed) }
  }
}

@Suite("Serial lines: commands and words")
struct SerialDoorTests {
  @Test("Commands are answered, whatever ends a line and however its bytes come", arguments: ["\r", "\n", "\r\n"])
  func ends(end: String) {
    var bench = Bench()
    #expect(bench.hear("next\(end)@left volume 40\(end)ne") == "ok\r\nok\r\n")
    bench.wait(.seconds(5))
    #expect(bench.hear("xt") == "" && bench.hear(end) == "ok\r\n")
    #expect(bench.hear("{\"id\":7,\"verb\":\"pause\"}\(end)") == "{\"id\":7,\"ok\":true,\"result\":{}}\n")
    #expect(bench.asked == [.next, .setVolume(percent: 40), .next, .pause] && bench.told == [])
  }

  @Test("A refused line is answered with its number, and logged once until a command comes")
  func refusals() {
    var bench = Bench()
    #expect(bench.hear("dance\r") == "error 7603 there is no verb 'dance'\r\n")
    #expect(bench.hear("jump\r").hasPrefix("error 7603"))
    #expect(bench.told == [7603])
    #expect(bench.hear("subscribe\r").hasPrefix("error 7604") && bench.hear("next\r") == "ok\r\n")
    bench.now = bench.now + .seconds(61)
    #expect(bench.hear("dance\r").hasPrefix("error 7603"))
    #expect(bench.told == [7603, 7604, 7603])
    bench.reply = .failed(VitrineError(7609, subject: "next", message: "nothing plays", remedy: "wait"))
    #expect(bench.hear("next\r") == "error 7609 nothing plays\r\n")
  }

  @Test("A device that sends back what it gets doesn't go on for ever")
  func echo() {
    var bench = Bench()
    var (echo, rounds) = ("next\r\n", 0)
    while !echo.isEmpty, rounds < 100 {
      echo = bench.hear(echo)
      rounds += 1
    }
    // "ok" and three errors.
    #expect(rounds == 5 && bench.told == [7603, 7667])
    #expect(bench.hear("next\r") == "ok\r\n", "it works as before")
  }

  @Test("Lines that come together are answered one after the other, as if each came alone")
  func together() {
    var (alone, together) = (Bench(), Bench())
    let lines = ["next\r"] + (0..<6).map { "dance \($0)\r" } + ["pause\r", "dance\r", "next\r"]
    let answers = lines.map { alone.hear($0) }.joined()
    #expect(together.hear(lines.joined()) == answers && together.asked == alone.asked)
    #expect(answers.matches(of: /error/).count == 4 && answers.matches(of: /ok/).count == 3)
    #expect(together.told == alone.told)
  }

  @Test("Bytes that are no text do nothing, aren't answered, and are told once")
  func noText() {
    var bench = Bench()
    for _ in 0..<5 { #expect(bench.hear([0xFF, 0x80, 0x0D]) == "" && bench.hear("ne\u{0}xt\r") == "") }
    #expect(bench.told == [7664] && bench.asked == [])
    #expect(bench.hear("next\r") == "ok\r\n")
  }

  @Test("A line without an end is kept up to its limit, and ignored to its end")
  func tooLong() {
    var bench = Bench()
    for _ in 0..<100 {
      #expect(bench.hear(String(repeating: "x", count: 256)) == "")
      #expect(bench.door.keptBytes <= ControlLimits.lineBytes)
    }
    #expect(bench.told == [7665])
    #expect(bench.hear("next\rnext\r") == "ok\r\n", "the first is the end of the long line")
    #expect(bench.asked == [.next])
  }

  @Test("Half a command is forgotten after a while, and when the line is opened again")
  func half() {
    var bench = Bench()
    _ = bench.hear("clip ha")
    bench.wait(.seconds(29))
    #expect(bench.door.deadline != nil)
    bench.wait(.seconds(1))
    #expect(bench.hear("next\r") == "ok\r\n" && bench.door.deadline == nil)
    _ = bench.hear("clip ha")
    bench.feed(.opened)
    #expect(bench.hear("next\r") == "ok\r\n")
    #expect(bench.asked == [.next, .next])
  }

  @Test("A flood is obeyed at the rate of the network's door, and told once")
  func flood() {
    var bench = Bench()
    for _ in 0..<10 {
      for _ in 0..<1000 { _ = bench.hear("next\r") }
      bench.wait(.milliseconds(100))
    }
    let most = ControlLimits.networkBurst + ControlLimits.networkRate
    #expect(Double(bench.asked.count) > ControlLimits.networkBurst && Double(bench.asked.count) <= most)
    #expect(bench.told == [7666])
    bench.wait(.seconds(1))
    #expect(bench.hear("next\r") == "ok\r\n")
  }

  @Test("Words are buttons, with an end or with a pause behind them, and nothing is answered")
  func words() {
    var bench = Bench(words: ["PLAY1", "PLAY10", "\u{2}A\u{3}"])
    #expect(bench.hear("PLAY1\r\nPLAY10\r\u{2}A\u{3}\n") == "")
    #expect(bench.pressed == ["PLAY1", "PLAY10", "\u{2}A\u{3}"])
    // The longer word may follow; after a pause it doesn't.
    _ = bench.hear("PLAY1")
    #expect(bench.pressed.count == 3 && bench.door.deadline == bench.now + .milliseconds(100))
    _ = bench.hear("0")
    bench.wait(.milliseconds(100))
    _ = bench.hear("PLAY1")
    bench.wait(.milliseconds(100))
    #expect(bench.pressed.suffix(2) == ["PLAY10", "PLAY1"])
    // A line's end that comes after the pause is a blank line.
    _ = bench.hear("\r\n")
    #expect(bench.pressed.count == 5 && bench.told == [] && bench.asked == [])
  }

  @Test("A loop that was busy in the pause still tells two words apart")
  func late() {
    var bench = Bench(words: ["A"])
    _ = bench.hear("A")
    bench.now = bench.now + .milliseconds(150)
    _ = bench.hear("A\r")
    #expect(bench.pressed == ["A", "A"])
  }

  @Test("A text that is no word does nothing, is told once, and spoils no word after a pause")
  func unknown() {
    var bench = Bench(words: ["A", "PLAY1"])
    _ = bench.hear("next\rB\r")
    #expect(bench.pressed == [] && bench.told == [7668])
    _ = bench.hear("XY")
    bench.wait(.milliseconds(100))
    _ = bench.hear("A")
    bench.wait(.milliseconds(100))
    #expect(bench.pressed == ["A"])
    // A word may take longer to come than a pause.
    _ = bench.hear("PL")
    bench.wait(.seconds(2))
    _ = bench.hear("AY1\r")
    #expect(bench.pressed == ["A", "PLAY1"])
    _ = bench.hear(String(repeating: "z", count: 300) + "\rA\r")
    #expect(bench.pressed == ["A", "PLAY1", "A"] && bench.told == [7668, 7665])
  }
}
