import ControlProtocol
import InteractionCore
import JSONText
import KioskCore
import PlaybackCore
import Testing

@Suite("Requests to the control socket")
struct ControlRequestTests {
  private func read(_ text: String) -> Result<ControlRequest, ControlRequest.Refusal> {
    Result { () throws(ControlRequest.Refusal) in try ControlRequest(line: text.utf8) }
  }

  private func action(_ text: String) -> ControlRequest.Action? { try? read(text).get().action }

  private func number(_ text: String) -> Int? {
    if case .failure(let refusal) = read(text) { refusal.error.number } else { nil }
  }

  @Test("Each verb is parsed into its command")
  func verbs() {
    let all: [(String, ControlRequest.Action)] = [
      (#"{"verb":"hello"}"#, .hello), (#"{"verb":"hello","version":1}"#, .hello), (#"{"verb":"status"}"#, .status),
      (#"{"verb":"play"}"#, .command(.play)), (#"{"verb":"pause"}"#, .command(.pause)),
      (#"{"verb":"toggle"}"#, .command(.playPause)), (#"{"verb":"seek","to":1.5}"#, .command(.seek(to: .seconds(1.5)))),
      (#"{"verb":"seek","to":1.5,"keyframe":true}"#, .command(.seek(to: .seconds(1.5), .nearestKeyframe))),
      (#"{"verb":"seek","to":1.5,"keyframe":false}"#, .command(.seek(to: .seconds(1.5), .exact))),
      (#"{"verb":"seek","by":-10}"#, .command(.skip(by: .seconds(-10)))), (#"{"verb":"next"}"#, .command(.next)),
      (#"{"verb":"previous"}"#, .command(.previous)), (#"{"verb":"select","number":3}"#, .command(.select(number: 3))),
      (#"{"verb":"clip","playlist":"hall"}"#, .command(.playOnce(ClipRequest(list: "hall")))),
      (#"{"verb":"clip","playlist":"hall","item":2}"#, .command(.playOnce(ClipRequest(list: "hall", number: 2)))),
      (
        #"{"verb":"clip","playlist":"hall","at":1.5,"then":"hold"}"#,
        .command(.playOnce(ClipRequest(list: "hall", start: .seconds(1.5), isHeldAtEnd: true)))
      ), (#"{"verb":"clip","playlist":"hall","then":"back"}"#, .command(.playOnce(ClipRequest(list: "hall")))),
      (#"{"verb":"hold"}"#, .command(.hold)), (#"{"verb":"release"}"#, .command(.release)),
      (#"{"verb":"captions"}"#, .command(.captions(.toggle))), (#"{"verb":"language"}"#, .command(.language(.next))),
      (#"{"verb":"captions","show":"on"}"#, .command(.captions(.on))),
      (#"{"verb":"description"}"#, .command(.description(nil))), (#"{"verb":"tiles"}"#, .command(.showTiles)),
      (#"{"verb":"choices"}"#, .command(.showChoices)),
      (#"{"verb":"description","on":true}"#, .command(.description(true))),
      (#"{"verb":"signed"}"#, .command(.signed(nil))), (#"{"verb":"signed","on":false}"#, .command(.signed(false))),
      (#"{"verb":"volume","percent":40}"#, .command(.setVolume(percent: 40))),
      (#"{"verb":"volume","by":-5}"#, .command(.changeVolume(byPercent: -5))),
      (#"{"verb":"mute"}"#, .command(.toggleMute)), (#"{"verb":"mute","on":true}"#, .command(.setMuted(true))),
      (#"{"verb":"reload"}"#, .command(.reload)), (#"{"verb":"retry"}"#, .command(.retry(nil))),
      (#"{"verb":"retry","uri":"file:///a"}"#, .command(.retry("file:///a"))),
      (#"{"verb":"screenshot"}"#, .screenshot(.init())),
      (#"{"verb":"screenshot","width":320}"#, .screenshot(.init(width: 320))),
      (#"{"verb":"osd","show":"controls"}"#, .command(.showControls)),
      (#"{"verb":"osd","show":"status"}"#, .command(.showStatus(true))),
      (#"{"verb":"osd","show":"toggle-status"}"#, .command(.showStatus(nil))),
      (#"{"verb":"osd","show":"nothing"}"#, .command(.hideOverlay)),
      (#"{"verb":"screen","on":false}"#, .command(.switchScreen(isOn: false))),
      (#"{"verb":"message","text":"a","seconds":3}"#, .command(.showMessage("a", for: .seconds(3)))),
      (#"{"verb":"message","text":""}"#, .command(.showMessage("", for: .seconds(10)))),
      (
        #"{"verb":"alert","text":"a","until":"20m"}"#,
        .command(.alert(AlertRequest(text: "a", until: .after(.seconds(1200)))))
      ),
      (
        #"{"verb":"alert","text":"a","until":"9s","alert_id":"b","instead":true,"test":true,"screen":"left"}"#,
        .command(
          .alert(AlertRequest(id: "b", text: "a", until: .after(.seconds(9)), isInstead: true, isTest: true)))
      ),
      (
        #"{"verb":"alert","text":"a","until":"9s","playlist":"out"}"#,
        .command(.alert(AlertRequest(text: "a", until: .after(.seconds(9)), playlist: "out")))
      ),
      (#"{"verb":"alert-end"}"#, .command(.endAlert(id: "alert"))),
      (#"{"verb":"alert-end","alert_id":"b"}"#, .command(.endAlert(id: "b"))),
      (#"{"verb":"quit"}"#, .command(.quit)), (#"{"verb":"subscribe","events":["state"]}"#, .subscribe([.state])),
      (#"{"verb":"subscribe"}"#, .subscribe(Set(ControlEventKind.allCases).subtracting([.position]))),
      (#"{"verb":"unsubscribe"}"#, .subscribe([])),
    ]
    for (text, expected) in all { #expect(action(text) == expected, "\(text)") }
    let tried = Set(all.compactMap { try? read($0.0).get().verb })
    #expect(tried == Set(ControlVerb.allCases), "a verb isn't in the table")
  }

  @Test("An answer carries the request's id, and a request may name its screen")
  func ids() throws {
    for id: JSONValue in [.null, .integer(-7), .string("a b")] {
      #expect(try read(#"{"id":\#(id.compact),"verb":"play","screen":"left"}"#).get().id == id)
    }
    #expect(try read(#"{"verb":"play","screen":"left"}"#).get().screen == "left")
    #expect(try read(#"{"verb":"play","screen":null}"#).get().screen == nil)
    guard case .failure(let refusal) = read(#"{"id":5,"verb":"dance"}"#) else { return #expect(Bool(false)) }
    #expect(refusal.id == .integer(5) && refusal.error.number == 7603)
    #expect(number(#"{"id":1.5,"verb":"play"}"#) == 7602)
    #expect(number(#"{"id":"\#(String(repeating: "x", count: 65))","verb":"play"}"#) == 7602)
  }

  @Test(
    "A request with a parameter that its verb doesn't take is refused by number",
    arguments: [
      ("", 7602), ("x", 7602), ("[]", 7602), ("{}", 7602), (#"{"verb":1}"#, 7602), (#"{"verb":"status"} x"#, 7602),
      (#"{"verb":"Status"}"#, 7603), (#"{"verb":"play","now":true}"#, 7604), (#"{"verb":"status","screen":"a"}"#, 7604),
      (#"{"verb":"play","screen":""}"#, 7604), (#"{"verb":"play","screen":7}"#, 7604), (#"{"verb":"seek"}"#, 7604),
      (#"{"verb":"seek","to":1,"by":1}"#, 7604), (#"{"verb":"seek","to":-1}"#, 7604),
      (#"{"verb":"seek","by":1,"keyframe":true}"#, 7604), (#"{"verb":"seek","to":1,"keyframe":1}"#, 7604),
      (#"{"verb":"seek","keyframe":true}"#, 7604),
      (#"{"verb":"seek","to":"1"}"#, 7604),
      (#"{"verb":"seek","to":1e300}"#, 7604), (#"{"verb":"select"}"#, 7604), (#"{"verb":"select","number":0}"#, 7604),
      (#"{"verb":"select","number":1.5}"#, 7604), (#"{"verb":"volume","percent":101}"#, 7604),
      (#"{"verb":"volume"}"#, 7604),
      (#"{"verb":"mute","on":1}"#, 7604), (#"{"verb":"screenshot","width":0}"#, 7604),
      (#"{"verb":"screenshot","format":"bmp"}"#, 7604), (#"{"verb":"osd"}"#, 7604),
      (#"{"verb":"osd","show":"all"}"#, 7604), (#"{"verb":"screen"}"#, 7604), (#"{"verb":"message"}"#, 7604),
      (#"{"verb":"alert","text":"a"}"#, 7604), (#"{"verb":"alert","until":"20m"}"#, 7604),
      (#"{"verb":"alert","text":" ","until":"20m"}"#, 7604), (#"{"verb":"alert","text":"a","until":"soon"}"#, 7604),
      (#"{"verb":"alert","text":"a","until":"1441m"}"#, 7604), (#"{"verb":"alert","text":"a","until":20}"#, 7604),
      (#"{"verb":"alert","text":"a","until":"20m","alert_id":"a b"}"#, 7604),
      (#"{"verb":"alert-end","alert_id":""}"#, 7604),
      (#"{"verb":"alert-end","screen":"left"}"#, 7604),
      (#"{"verb":"subscribe","events":["x"]}"#, 7604), (#"{"verb":"subscribe","events":"state"}"#, 7604),
      (#"{"verb":"hello","version":2}"#, 7613), (#"{"verb":"play","screen":{"a":{"b":{"c":{}}}}}"#, 7602),
    ] as [(String, Int)])
  func refused(text: String, expected: Int) { #expect(number(text) == expected) }

  @Test("A message may be as long as a screen can show, and no longer")
  func message() {
    #expect(action(#"{"verb":"message","text":"\#(String(repeating: "ä", count: 500))"}"#) != nil)
    #expect(number(#"{"verb":"message","text":"\#(String(repeating: "ä", count: 501))"}"#) == 7604)
    // In its longest escaped form a message still fits a line.
    #expect(500 * 6 + 100 < ControlLimits.lineBytes)
  }

  @Test("An alert that is too long is told the limit, and one of the limit fits a line in its longest form")
  func alert() {
    let limit = CommandLimits.alertCharacters
    func text(_ count: Int) -> String {
      #"{"verb":"alert","until":"20m","text":"\#(String(repeating: "ä", count: count))"}"#
    }
    #expect(action(text(limit)) != nil)
    for count in [limit + 1, 10_000] {
      guard case .failure(let refusal) = read(text(count)) else { return #expect(Bool(false)) }
      #expect(refusal.error.number == 7604 && refusal.error.message.contains("at most \(limit) characters"))
    }
    #expect(limit * 12 + 300 < ControlLimits.lineBytes)
  }

  @Test("The buffers of all clients together stay below 1 MB")
  func limits() { #expect(ControlLimits.total < 1_000_000) }

  @Test("Every refusal says what to do")
  func refusals() {
    for refusal in KioskRefusal.allCases {
      let error = ControlErrors.refused(.command(.play), refusal)
      #expect(error.number == 7609 && !error.remedy.isEmpty)
    }
  }
}
