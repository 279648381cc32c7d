import InteractionCore
import PlaybackCore
import Testing

@Suite("The end of an alert, as people write it")
struct AlertRequestTests {
  @Test("Spans, times of day, and dates with times are read, and written in a form that is read again")
  func reading() throws {
    let time = try #require(TimeOfDay(parsing: "15:30"))
    let date = try #require(CivilDate(parsing: "2026-12-24"))
    let civil = CivilTime(date, time)
    let all: [(String, AlertEnd)] = [
      ("90s", .after(.seconds(90))), ("20m", .after(.seconds(1200))), ("24h", .after(.seconds(86_400))),
      ("15:30", .timeOfDay(time)), ("2026-12-24T15:30", .civil(civil)), ("2026-12-24 15:30:00", .civil(civil)),
      ("2026-12-24T15:30Z", .utc(civil.localSeconds)), ("2026-12-24t15:30:00+01:00", .utc(civil.localSeconds - 3600)),
      ("2026-12-24T15:30-05:30", .utc(civil.localSeconds + 19_800)),
    ]
    for (text, end) in all {
      #expect(AlertEnd(parsing: text) == end, "\(text)")
      #expect(AlertEnd(parsing: end.description) == end, "\(end)")
    }
  }

  @Test(
    "Anything else isn't an end",
    arguments: [
      "", "s", "0s", "-5m", "+5m", "5", "5d", "1.5h", "99999999m", "25:00", "15:3", "tomorrow", "2026-12-24",
      "2026-02-30T10:00",
      "2026-12-24T24:00", "2026-12-24T15:30+25:00", "2026-12-24T", "T15:30", "2026-12-24T15:30ZZ", "15:30Z",
    ])
  func refusing(text: String) { #expect(AlertEnd(parsing: text) == nil) }

  @Test("A key's alert has its options first and its text last, as it is")
  func bindings() throws {
    let request = AlertRequest(
      id: "fire", text: "Leave by stair B --now", until: .after(.seconds(1200)), isInstead: true, isTest: true)
    let film = AlertRequest(text: "Out", until: .after(.seconds(60)), playlist: "way-out")
    for request in [request, film, AlertRequest(text: "a", until: .after(.seconds(5)))] {
      let binding = try #require(Binding("\(Binding.command(.alert(request)))"))
      #expect(binding == .command(.alert(request)))
    }
    #expect(Binding("alert Leave by stair B") == nil, "it has no end")
    #expect(Binding("alert --until 20m") == nil, "it says nothing")
    #expect(Binding("alert --until 20m --instead --playlist way-out Out") == nil, "it would cover the film")
    #expect(Binding("alert-end fire") == .command(.endAlert(id: "fire")))
    #expect(Binding("alert-end") == .command(.endAlert(id: "alert")))
    #expect(Binding("message --for 60 Back at two") == .command(.showMessage("Back at two", for: .seconds(60))))
    #expect(Binding("message --not an option") == .command(.showMessage("--not an option", for: .seconds(10))))
  }

  @Test("A line of words has the options where people write them")
  func words() throws {
    let arguments = try Verb.alert.arguments(["Leave by stair B", "--until", "15:30", "--instead"])
    let time = try #require(TimeOfDay(parsing: "15:30"))
    #expect(
      try Verb.alert.command(arguments)
        == .alert(AlertRequest(text: "Leave by stair B", until: .timeOfDay(time), isInstead: true)))
    #expect(Verb.alert.usage == "alert TEXT --until UNTIL [--id ALERT_ID] [--instead] [--test] [--playlist PLAYLIST]")
  }
}
