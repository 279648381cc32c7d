import InteractionCore
import JSONText
import PlaybackCore
import Testing

@testable import ControlProtocol

@Suite("Requests, answers and events as lines of words")
struct ControlWordsTests {
  private func read(_ text: String) -> Result<ControlRequest, ControlRequest.Refusal> {
    do throws(ControlRequest.Refusal) {
      return .success(try ControlRequest(words: Array(text.utf8)))
    } catch {
      return .failure(error)
    }
  }

  @Test(
    "A line of words asks for the same as the JSON",
    arguments: [
      ("next", #"{"verb":"next"}"#), ("NEXT", #"{"verb":"next"}"#), ("  pause ", #"{"verb":"pause"}"#),
      ("seek 1:30", #"{"verb":"seek","to":90}"#), ("seek -10", #"{"verb":"seek","by":-10}"#),
      ("seek\t5 --keyframe", #"{"verb":"seek","to":5,"keyframe":true}"#),
      ("clip hall --item 2", #"{"verb":"clip","playlist":"hall","item":2}"#),
      ("@left mute on", #"{"verb":"mute","on":true,"screen":"left"}"#),
      ("message Back at two -- soon", #"{"verb":"message","text":"Back at two -- soon"}"#),
      (#"message "Say \"two\"" --for 60"#, #"{"verb":"message","text":"Say \"two\"","seconds":60}"#),
      ("message --for 60 Back at two", #"{"verb":"message","text":"Back at two","seconds":60}"#),
      (
        "alert --until 20m --test Leave by stair B",
        #"{"verb":"alert","text":"Leave by stair B","until":"20m","test":true}"#
      ),
      (#"alert "Leave by stair B" --until 20m"#, #"{"verb":"alert","text":"Leave by stair B","until":"20m"}"#),
      (#"message """#, #"{"verb":"message","text":""}"#),
      ("subscribe item-started,item-ended", #"{"verb":"subscribe","events":["item-started","item-ended"]}"#),
      ("status", #"{"verb":"status"}"#), ("hello", #"{"verb":"hello"}"#),
    ])
  func words(line: String, json: String) throws {
    let words = try read(line).get()
    let other = try ControlRequest(line: json.utf8)
    #expect(words.verb == other.verb && words.action == other.action && words.screen == other.screen)
    #expect(words.form == .words && other.form == .json)
  }

  @Test(
    "A line that is no request is refused by number",
    arguments: [
      ("dance", 7603), ("@left", 7603), ("@ next", 7604), ("@left reload", 7604), ("next one", 7604), ("seek", 7604),
      ("seek 1 2", 7604), ("volume 140", 7604), (#"message "open"#, 7604), ("screenshot", 7604), ("hello 2", 7613),
    ] as [(String, Int)])
  func refused(line: String, number: Int) {
    guard case .failure(let refusal) = read(line) else {
      Issue.record("\(line) was read")
      return
    }
    #expect(refusal.error.number == number && refusal.form == .words)
  }

  @Test("Bytes that aren't text are refused")
  func bytes() {
    #expect(throws: ControlRequest.Refusal.self) { try ControlRequest(words: [0x6E, 0xFF, 0x78]) }
  }

  @Test("Each spelling gets its own answer on one connection, and events in the spelling that asked for them")
  func connection() {
    var machine = ControlConnection()
    var output = ""
    func feed(_ event: ControlConnection.Event) {
      for action in machine.handle(event) {
        if case .ask = action { feed(.answered(.done)) }
        if action == .wantsTurn { feed(.turn) }
      }
      output += String(decoding: machine.output, as: UTF8.self)
      _ = machine.handle(.wrote(machine.output.count))
    }
    func say(_ text: String) -> String {
      output = ""
      feed(.received(Array(text.utf8)))
      return output
    }
    // Control systems end their lines with CR alone, too.
    #expect(say("next\r") == "ok\r\n")
    #expect(say("\n{\"id\":1,\"verb\":\"next\"}\n") == "{\"id\":1,\"ok\":true,\"result\":{}}\n")
    #expect(say("dance\n").hasPrefix("error 7603 there is no verb 'dance'"))
    #expect(say("subscribe state\r\n") == "ok\r\n")
    output = ""
    feed(.happened(ControlEvent(.state, screen: "left", [.init("is_wanted", .boolean(false))])))
    #expect(output == "event state left paused\r\n")
    #expect(say("{\"verb\":\"subscribe\",\"events\":[\"state\"]}\n").hasPrefix("{\"id\":null"))
    output = ""
    feed(.happened(ControlEvent(.state, [.init("is_wanted", .boolean(true))])))
    #expect(output == "{\"event\":\"state\",\"is_wanted\":true}\n")
  }

  @Test("A browser that is made to send commands here ends the connection with its first line")
  func crossProtocol() {
    var machine = ControlConnection()
    let request = "POST / HTTP/1.1\r\nHost: board:4010\r\nContent-Type: text/plain\r\n\r\nquit\r\n"
    let actions = machine.handle(.received(Array(request.utf8)))
    #expect(actions.contains(.tell(ControlErrors.isWebRequest)) && machine.isClosing)
    #expect(!actions.contains { if case .ask = $0 { true } else { false } })
    #expect(machine.handle(.turn).isEmpty)
  }

  @Test("Events tell number, times and title; the screen is a hyphen where it has no name")
  func events() throws {
    let item = try JSONValue(
      parsing: #"{"number":3,"title":"The hall","uri":"file:///a","position_seconds":0,"duration_seconds":60.04}"#.utf8)
    let error = ControlReply.json(VitrineError(5004, subject: "card0", message: "no screen", remedy: "plug one in"))
    let lines: [(ControlEvent, String)] = [
      (ControlEvent(.itemStarted, [.init("item", item)]), "event item-started - 3 0 60 The hall"),
      (ControlEvent(.itemEnded, screen: "left", [.init("item", item)]), "event item-ended left 3 0 60 The hall"),
      (ControlEvent(.problem, [.init("error", error)]), "event problem - 5004 no screen"),
      (ControlEvent(.screen, screen: "left", [.init("presence", .string("asleep"))]), "event screen left asleep"),
      (ControlEvent(.visitEnded, []), "event visit-ended -"),
    ]
    for (event, line) in lines { #expect(String(decoding: event.words, as: UTF8.self) == line) }
  }

  @Test("The status is one line: what each screen does, with which item")
  func status() throws {
    let text = """
      {"screens":[{"name":"left","playback":{"is_wanted":true,"waiting_reason":null,
      "item":{"number":1,"uri":"file:///hall.mp4","position_seconds":12.34,"duration_seconds":null}}},
      {"name":"right","playback":{"is_wanted":false,"item":null}}]}
      """
    let reply = ControlReply.done(try JSONValue(parsing: text.utf8))
    #expect(
      String(decoding: reply.words(to: .query(.status)), as: UTF8.self)
        == "ok left: playing 1 12.3 - file:///hall.mp4; right: nothing")
    #expect(String(decoding: ControlReply.done(.null).words(to: .query(.status)), as: UTF8.self) == "ok nothing")
  }
}
