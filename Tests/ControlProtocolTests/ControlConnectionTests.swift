import ControlProtocol
import InteractionCore
import JSONText
import KioskCore
import PlaybackCore
import Testing

@Suite("A connection of the control socket")
struct ControlConnectionTests {
  /// A connection's machine with the bytes it sent and the requests it passed on.
  private struct Bench {
    var machine = ControlConnection()
    var asked: [ControlRequest] = []
    var told: [Int] = []
    var wantsTurn = false
    var isClosed = false
    /// The bytes sent to the client.
    var got: [UInt8] = []
    /// The answer to each request; nil leaves requests waiting.
    var reply: ControlReply? = .done

    mutating func feed(_ event: ControlConnection.Event) {
      var events = [event]
      while !events.isEmpty {
        for action in machine.handle(events.removeFirst()) {
          switch action {
          case .ask(let request):
            asked.append(request)
            if let reply { events.append(.answered(reply)) }
          case .wantsTurn: wantsTurn = true
          case .tell(let error): told.append(error.number)
          case .close: isClosed = true
          }
        }
      }
    }

    mutating func say(_ text: String) { feed(.received(Array(text.utf8))) }

    /// The client reads up to `limit` bytes.
    mutating func read(_ limit: Int = .max) {
      let part = machine.output.prefix(limit)
      got += part
      feed(.wrote(part.count))
    }

    /// Turns and reads until neither changes anything.
    mutating func settle() {
      while wantsTurn || machine.wantsToWrite {
        read()
        guard wantsTurn else { continue }
        wantsTurn = false
        feed(.turn)
      }
    }

    var lines: [JSONValue] {
      got.split(separator: 0x0A).map { line in (try? JSONValue(parsing: line)) ?? .string("no JSON") }
    }
    var numbers: [Int64?] { lines.map { $0["error"]?["number"]?.wholeNumber } }
  }

  private let event = ControlEvent(.problem, [.init("error", .string(String(repeating: "x", count: 1000)))])

  @Test("Requests are answered one at a time, in order, by their ids")
  func order() {
    var bench = Bench()
    bench.reply = nil
    bench.say("{\"id\":1,\"verb\":\"play\"}\n{\"id\":2,\"verb\":\"pause\"}\n")
    #expect(bench.asked.map(\.verb) == [.command(.play)] && !bench.machine.wantsToRead)
    bench.feed(.answered(.done))
    #expect(bench.asked.map(\.verb) == [.command(.play), .command(.pause)])
    bench.feed(.answered(.failed(ControlErrors.refused(.command(.pause), .nothingPlays), reason: "nothing-plays")))
    bench.settle()
    #expect(bench.lines.map { $0["id"]?.wholeNumber } == [1, 2])
    #expect(bench.lines[0]["ok"] == .boolean(true) && bench.lines[1]["error"]?["reason"]?.text == "nothing-plays")
    #expect(bench.machine.wantsToRead)
  }

  @Test("A line may come in any pieces, end with CR LF, and be empty")
  func pieces() {
    let text = "\n\r\n{\"id\":1,\"verb\":\"play\"}\r\n\n{\"id\":2,\"verb\":\"next\"}\n"
    for size in 1...text.utf8.count {
      var bench = Bench()
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        bench.feed(.received(Array(bytes[start..<min(start + size, bytes.count)])))
      }
      bench.settle()
      #expect(bench.asked.map(\.verb) == [.command(.play), .command(.next)], "in pieces of \(size)")
    }
  }

  @Test("A malformed request gets an error, and the next request is served")
  func malformed() {
    var bench = Bench()
    bench.say("[what?]\n{\"verb\":\"fly\"}\n{\"verb\":\"play\"}\n")
    bench.settle()
    #expect(bench.numbers == [7602, 7603, nil] && bench.asked.count == 1 && !bench.isClosed)
  }

  @Test("A line that is too long gets one error, and the connection closes")
  func tooLong() {
    for end in ["", "\n{\"verb\":\"play\"}\n"] {
      var bench = Bench()
      bench.say(String(repeating: "x", count: ControlLimits.lineBytes + 1) + end)
      bench.settle()
      #expect(bench.numbers == [7605] && bench.told == [7605] && bench.isClosed && bench.asked.isEmpty)
    }
    var bench = Bench()
    bench.say("{\"verb\":\"play\"}" + String(repeating: " ", count: ControlLimits.lineBytes - 15) + "\n")
    bench.settle()
    #expect(bench.asked.count == 1 && !bench.isClosed)
  }

  @Test("A burst of requests is served a few in each turn, and none is lost")
  func flood() {
    var bench = Bench()
    bench.say(String(repeating: "{\"verb\":\"play\"}\n", count: 100))
    #expect(bench.asked.count == ControlLimits.requestsPerTurn && bench.wantsTurn && !bench.machine.wantsToRead)
    bench.settle()
    #expect(bench.asked.count == 100 && bench.lines.count == 100)
  }

  @Test("The limit of length counts for each request, not for several together")
  func pipelined() {
    var bench = Bench()
    let long = String(repeating: "m", count: CommandLimits.messageCharacters)
    let line = "{\"verb\":\"message\",\"text\":\"\(long)\"}\n"
    let count = ControlLimits.requestsPerTurn + 1 + ControlLimits.lineBytes / line.utf8.count
    bench.say(String(repeating: line, count: count + 1))
    bench.settle()
    #expect(bench.asked.count == count + 1 && bench.told.isEmpty && !bench.isClosed)
    // The error for the long line follows the answers to the lines before it.
    bench.say(String(repeating: line, count: count) + String(repeating: "x", count: ControlLimits.lineBytes + 1))
    bench.settle()
    #expect(bench.asked.count == 2 * count + 1 && bench.told == [7605] && bench.isClosed)
  }

  @Test("The connection stops reading from a client that doesn't read its answers, until it does")
  func asksAndDoesNotRead() {
    var bench = Bench()
    bench.reply = .done(.string(String(repeating: "y", count: 3000)))
    for _ in 0..<1000 {
      if bench.machine.wantsToRead { bench.say("{\"verb\":\"status\"}\n{\"verb\":\"status\"}\n") }
      bench.feed(.turn)
    }
    #expect(bench.asked.count < 20 && !bench.machine.wantsToRead && !bench.isClosed)
    #expect(bench.machine.keptBytes < ControlLimits.outputBytes)
    let asked = bench.asked.count
    bench.settle()
    #expect(bench.asked.count >= asked && bench.machine.wantsToRead)
  }

  @Test("A subscriber that never reads gets one error and is closed after its last whole line")
  func neverReads() {
    var bench = Bench()
    bench.say("{\"verb\":\"subscribe\",\"events\":[\"problem\"]}\n")
    bench.settle()
    bench.feed(.happened(event))
    bench.read(10)
    var most = 0
    for _ in 0..<1000 {
      bench.feed(.happened(event))
      most = max(most, bench.machine.keptBytes)
    }
    #expect(most <= ControlLimits.outputBytes && bench.told == [7607] && bench.machine.isClosing)
    bench.settle()
    #expect(bench.lines.count == 3 && bench.lines[1] == event.json && bench.numbers[2] == 7607 && bench.isClosed)
  }

  @Test("A subscriber gets events until it unsubscribes")
  func subscriptions() {
    var bench = Bench()
    bench.feed(.happened(event))
    bench.say("{\"verb\":\"subscribe\",\"events\":[\"state\"]}\n")
    bench.feed(.happened(event))
    bench.say("{\"verb\":\"subscribe\",\"events\":[\"problem\"]}\n")
    bench.feed(.happened(event))
    bench.say("{\"verb\":\"unsubscribe\"}\n")
    bench.feed(.happened(event))
    bench.settle()
    #expect(bench.lines.count { $0["event"] != nil } == 1)
  }

  @Test("A picture may be larger than other answers, and events follow it")
  func picture() {
    var bench = Bench()
    bench.say("{\"verb\":\"subscribe\",\"events\":[\"problem\"]}\n")
    let base64 = [UInt8](repeating: UInt8(ascii: "A"), count: 5_000_000)
    bench.reply = .picture(ControlPicture(width: 4, height: 3, base64: base64))
    bench.say("{\"id\":\"p\",\"verb\":\"screenshot\"}\n")
    #expect(bench.machine.hasPicture)
    bench.feed(.happened(event))
    while bench.machine.wantsToWrite { bench.read(100_000) }
    #expect(!bench.machine.hasPicture && !bench.isClosed && bench.lines.count == 3)
    let result = bench.lines[1]["result"]
    #expect(result?["base64"]?.text?.utf8.count == 5_000_000 && result?["width"] == .integer(4))
    #expect(bench.lines[2] == event.json)
  }

  @Test("A client that closes its input gets its answers before the connection closes; a subscriber's stays open")
  func inputEnds() {
    var bench = Bench()
    bench.say("{\"verb\":\"play\"}")
    bench.feed(.inputEnded)
    #expect(bench.asked.count == 1 && !bench.isClosed)
    bench.settle()
    #expect(bench.isClosed && bench.lines.count == 1)
    var listener = Bench()
    listener.say("{\"verb\":\"subscribe\",\"events\":[\"problem\"]}\n")
    listener.feed(.inputEnded)
    listener.settle()
    listener.feed(.happened(event))
    listener.settle()
    #expect(!listener.isClosed && listener.lines.count == 2)
  }

  @Test("A stalled or lost connection closes and frees all that it kept for the client")
  func stalled() {
    for end: ControlConnection.Event in [.stalled, .failed] {
      var bench = Bench()
      bench.say("{\"verb\":\"play\"}\n")
      bench.feed(end)
      #expect(
        bench.isClosed && bench.machine.keptBytes == 0 && !bench.machine.wantsToRead && !bench.machine.wantsToWrite)
      bench.feed(.answered(.done))
      bench.say("{\"verb\":\"play\"}\n")
      #expect(bench.asked.count == 1)
    }
  }

  @Test("A connection beyond the limit is told so and closed")
  func refused() {
    var bench = Bench()
    bench.feed(.refused(ControlErrors.tooManyClients))
    bench.settle()
    #expect(bench.numbers == [7606] && bench.isClosed)
  }

  @Test("Every order of six events keeps the connection's invariants")
  func exhaustive() {
    let events: [ControlConnection.Event] = [
      .received(Array("{\"verb\":\"subscribe\"}\n{\"verb\":".utf8)), .received(Array("\"play\"}\n".utf8)), .inputEnded,
      .turn, .answered(.done), .happened(event), .wrote(20), .wrote(.max), .stalled, .refused(ControlErrors.busy),
    ]
    func walk(_ machine: ControlConnection, _ depth: Int) {
      guard depth > 0 else { return }
      for event in events {
        var next = machine
        _ = next.handle(event)
        if !next.invariants.violations.isEmpty { Issue.record("\(next.invariants.violations) after \(event)") }
        walk(next, depth - 1)
      }
    }
    walk(ControlConnection(), 5)
  }

  @Test("10,000 random and malformed messages: each line is answered in its spelling, and memory doesn't grow")
  func random() {
    var seed: UInt64 = 21
    func random(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % UInt64(limit))
    }
    let words = [
      "{\"verb\":\"play\"}", "{\"id\":1,\"verb\":\"seek\",\"to\":", "\"", "{", "}", "[", "\\u00", "1e9", "\u{0}", "ä",
      ":", ",",
      "null", "{\"verb\":\"subscribe\"}", "\n", "\n", "\r\n",
    ]
    var bench = Bench()
    for _ in 0..<10_000 {
      if bench.isClosed { bench = Bench() }
      var bytes: [UInt8] = []
      for _ in 0..<random(6) {
        bytes +=
          random(3) == 0 ? (0..<random(40)).map { _ in UInt8(random(256)) } : Array(words[random(words.count)].utf8)
      }
      if bench.machine.wantsToRead { bench.feed(.received(bytes + (random(2) == 0 ? [0x0A] : []))) }
      if random(4) == 0 { bench.feed(.happened(event)) }
      if random(2) == 0 { bench.read(random(3000)) }
      if random(2) == 0 { bench.feed(.turn) }
      if random(100) == 0 { bench.settle() }
      #expect(bench.machine.keptBytes <= ControlLimits.total / ControlLimits.clients)
    }
    bench.settle()
    // Bytes that begin with a letter are a line of words, which is answered in words.
    for line in bench.got.split(separator: 0x0A) where line.last != 0x0D {
      #expect((try? JSONValue(parsing: line)) != nil, "\(String(decoding: line, as: UTF8.self))")
    }
  }
}
