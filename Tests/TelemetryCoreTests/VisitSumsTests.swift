import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskCore
@testable import TelemetryCore

@Suite("Visits in the log of plays")
struct VisitSumsTests {
  private static let noon: Int64 = 1_795_000_000_000

  private static func play(
    _ name: String, screen: String? = nil, visit: Int? = nil, at start: Int64, lasts seconds: Int64 = 10,
    _ ending: PlayEnding = .end, captions: String? = nil, language: String? = nil, description: Bool = false,
    signed: Bool = false
  ) -> PlayEntry {
    var item = PlayedItem(uri: "file:///\(name).mp4", title: "Film \(name)", list: "visitors", screen: screen)
    item.visit = visit.map { PlayedVisit(number: $0) }
    item.visit?.captions = captions
    item.visit?.hearsDescription = description
    item.visit?.isSigned = signed
    item.visit?.language = language
    return PlayEntry(
      item, start: noon + start * 1000, end: noon + (start + seconds) * 1000, seconds: Double(seconds), ending: ending,
      isClockGood: true)
  }

  @Test("A line has the visit, and what was chosen in it")
  func lines() throws {
    let entry = Self.play("a", visit: 3, at: 0, captions: "de", language: "en-gb", description: true, signed: true)
    #expect(PlayEntry(line: Array(entry.line.utf8)) == entry)
    #expect(entry.line.contains(#""visit":3,"captions":"de","language":"en-gb","description":"on","signed":"on""#))
    let loop = Self.play("a", at: 0)
    #expect(PlayEntry(line: Array(loop.line.utf8)) == loop && !loop.line.contains("visit\""))
    // Without a number there is no visit.
    let forged = loop.line.replacing("\"why\"", with: "\"captions\":\"de\",\"visit\":-1,\"why\"")
    #expect(PlayEntry(line: Array(forged.utf8)) == loop)
  }

  @Test("A visit notes the language of the captions that the visitor switched on, and that captions were switched off")
  func choices() throws {
    let german = try #require(LanguageTag("de"))
    var visit = PlayedVisit(number: 1)
    var wish = TrackWish()
    for (captions, noted) in [
      (.on(german), "de"), (.on(nil), "on"), (.off, "off"), (.configured, nil),
    ] as [(TrackWish.Captions, String?)] {
      wish.captions = captions
      visit.chose(wish)
      #expect(visit.captions == noted && visit.language == nil)
    }
    wish.language = german
    wish.hearsDescription = true
    wish.isSigned = true
    visit.chose(wish)
    #expect(visit.language == "de" && visit.hearsDescription && visit.isSigned)
  }

  @Test("A day of visits on two screens, with alerts, failures and a restart, gives each visit as it was")
  func day() throws {
    var random = SplitMix64(state: 7)
    // What happened, by screen, and its lines in the order of their ends, as the player writes them.
    var (visits, lines) = ([Visit](), [PlayEntry]())
    for screen in ["left", "right"] {
      var (now, number): (Int64, Int) = (0, 0)
      for round in 0..<200 {
        // The player starts again, and counts from 1.
        if round == 120 { number = 0 }
        let loop = Self.play("loop", screen: screen, at: now, lasts: .random(in: 1...30, using: &random), .skipped)
        lines.append(loop)
        now += Int64(loop.seconds)
        number += 1
        let captions = [nil, "de", "off"].randomElement(using: &random) ?? nil
        var plays: [PlayEntry] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let ending = [PlayEnding.end, .skipped, .failed].randomElement(using: &random) ?? .end
          let seconds = ending == .failed ? 0 : Int64.random(in: 1...60, using: &random)
          let name = "\(Int.random(in: 0..<5, using: &random))"
          plays.append(
            Self.play(
              name, screen: screen, visit: number, at: now, lasts: seconds, ending, captions: captions,
              language: number.isMultiple(of: 3) ? "fr" : nil))
          now += seconds
        }
        lines += plays
        if round.isMultiple(of: 10) {
          var alert = Self.play("", screen: screen, at: now - 1, lasts: 1)
          alert.item = PlayedItem(alert: "fire", text: "Leave", screen: screen)
          lines.append(alert)
        }
        let (first, last) = (try #require(plays.first), try #require(plays.last))
        visits.append(Visit(screen: screen, start: first.start, end: last.end, plays: plays))
      }
    }
    lines = lines.enumerated().sorted { ($0.element.end, $0.offset) < ($1.element.end, $1.offset) }.map(\.element)
    var sums = VisitSums()
    for line in lines { sums.add(try #require(PlayEntry(line: Array(line.line.utf8)))) }
    func sorted(_ visits: [Visit]) -> [Visit] {
      visits.sorted { ($0.start, $0.screen ?? "") < ($1.start, $1.screen ?? "") }
    }
    #expect(sorted(sums.visits) == sorted(visits))
    let items = VisitSums.items(of: sums.visits)
    #expect(items.reduce(0) { $0 + $1.plays } == visits.reduce(0) { $0 + $1.plays.count })
    #expect(items.map(\.plays) == items.map(\.plays).sorted(by: >))
    // A visit belongs to the time at which it began, with all of its plays.
    let middle = Self.noon + 3_000_000
    var (early, late) = (VisitSums(PlayPeriod(until: middle)), VisitSums(PlayPeriod(since: middle)))
    for line in lines {
      early.add(line)
      late.add(line)
    }
    #expect(sorted(early.visits + late.visits) == sorted(visits) && !early.visits.isEmpty && !late.visits.isEmpty)
  }

  @Test("Visits as a table for people, as lines for a spreadsheet and as JSON")
  func tables() {
    var sums = VisitSums()
    for play in [
      Self.play("a", visit: 1, at: 0, lasts: 90, .end, captions: "de"),
      Self.play("b", visit: 1, at: 90, lasts: 30, .skipped, captions: "de", language: "de", description: true),
      Self.play("loop", at: 120),
      Self.play("a", visit: 2, at: 130, lasts: 60, .skipped, captions: "off", signed: true),
    ] { sums.add(play) }
    let visits = sums.visits
    #expect(
      VisitTable.text(visits) == [
        "2 visits, 0:01:30 long on average; captions in 1, another language in 1, audio description in 1, "
          + "sign language in 1",
        "   plays  to its end     average  item", "       2           1     0:01:15  Film a (file:///a.mp4)",
        "       1           0     0:00:30  Film b (file:///b.mp4)",
      ])
    #expect(
      VisitTable.row(visits[0])
        == "2026-11-18T11:06:40.000Z,2026-11-18T11:08:40.000Z,120.000,,2,1,de,de,on,Film a: 90.000 | Film b: 30.000,,")
    #expect(VisitTable.row(visits[1]).hasSuffix(",off,,,Film a: 60.000,,on"))
    #expect(VisitTable.sums(visits)[1] == "file:///a.mp4,Film a,2,1,150.000")
    let json = VisitTable.json(visits, withVisits: true)
    #expect(json["visits"]?.elements?.map { $0["plays"]?.elements?.count } == [2, 1])
    #expect(json["items"]?.elements?.first?["ended"]?.wholeNumber == 1)
    #expect(VisitTable.json(visits, withVisits: false)["visits"] == nil)
    #expect(VisitTable.text([]) == ["nobody has come for the visitors' list"])
  }

  @Test("A title steers no terminal and forges no line")
  func titles() {
    var sums = VisitSums()
    var play = Self.play("a", visit: 1, at: 0)
    play.item.title = "\u{1B}]0;PWN\u{7}\u{202E}gnp\nvitrine: all is well"
    sums.add(play)
    let visits = sums.visits
    let texts =
      VisitTable.text(visits) + visits.map(VisitTable.row) + VisitTable.sums(visits)
      + [VisitTable.json(visits, withVisits: true).compact]
    for text in texts { #expect(!text.unicodeScalars.contains(where: PlainText.isActive), "\(text)") }
  }
}
