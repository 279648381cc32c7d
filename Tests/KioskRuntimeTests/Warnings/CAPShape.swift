import InteractionCore
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

private typealias M = MadeWarning

/// A message or a feed, and what a screen shows of it at 14:00 UTC on 2026-11-27, after CAP 1.2. Made anew.
struct CAPShape: Sendable, CustomTestStringConvertible {
  var name: String
  var document: String
  var messages: [String: String] = [:]
  var wish = WarningWish()
  var language = "en"
  var shown: [String]

  var testDescription: String { name }
}

/// The board of the table: in a district, and at a place.
private func board(
  _ areas: [String] = [], at place: (Double, Double)? = nil, least: WarningSeverity = .severe, tests: Bool = false
) -> WarningWish {
  var wish = WarningWish()
  wish.areas = Set(areas.compactMap { WarningArea($0) })
  wish.place = place.flatMap { GeoPlace(latitude: $0.0, longitude: $0.1) }
  wish.leastSeverity = least
  wish.showsTests = tests
  return wish
}

private let storm = ["Storm until four"]
private let none: [String] = []
private let square = "<polygon>52,13 53,13 53,14 52,14 52,13</polygon>"

extension CAPShape {
  // 3.2.1: the message.
  private static let heads: [CAPShape] = [
    CAPShape(name: "An alert in force", document: M.message(), shown: storm),
    CAPShape(name: "An exercise", document: M.message("A", ["status": "Exercise"]), shown: none),
    CAPShape(name: "A message between systems", document: M.message("A", ["status": "System"]), shown: none),
    CAPShape(name: "A draft", document: M.message("A", ["status": "Draft"]), shown: none),
    CAPShape(name: "A test", document: M.message("A", ["status": "Test"]), shown: none),
    CAPShape(
      name: "A test that is wished for", document: M.message("A", ["status": "Test"]), wish: board(tests: true),
      shown: ["TEST Storm until four"]),
    CAPShape(
      name: "An exercise where tests are wished for", document: M.message("A", ["status": "Exercise"]),
      wish: board(tests: true), shown: none),
    CAPShape(name: "One for some", document: M.message("A", ["scope": "Restricted"]), shown: none),
    CAPShape(name: "One for addresses", document: M.message("A", ["scope": "Private"]), shown: none),
    CAPShape(name: "An acknowledgement", document: M.message("A", ["msgType": "Ack"]), shown: none),
    CAPShape(name: "A rejection", document: M.message("A", ["msgType": "Error"]), shown: none),
    CAPShape(name: "A cancel by itself", document: M.message("A", ["msgType": "Cancel"]), shown: none),
    CAPShape(name: "An update by itself", document: M.message("A", ["msgType": "Update"]), shown: storm),
    CAPShape(name: "A message without an info", document: M.message(infos: []), shown: none),
  ]

  // 3.2.2: times.
  private static let times: [CAPShape] = [
    CAPShape(
      name: "Over since a second", document: M.message(infos: [M.info(["expires": "2026-11-27T14:00:00+00:00"])]),
      shown: none),
    CAPShape(
      name: "Over in two minutes", document: M.message(infos: [M.info(["expires": "2026-11-27T14:02:00+00:00"])]),
      shown: storm),
    CAPShape(
      name: "Times of another zone", document: M.message(infos: [M.info(["expires": "2026-11-27T09:02:00-05:00"])]),
      shown: storm),
    CAPShape(
      name: "Over in another zone", document: M.message(infos: [M.info(["expires": "2026-11-27T15:30:00+02:00"])]),
      shown: none),
    CAPShape(
      name: "Z, and fractions of a second",
      document: M.message(infos: [M.info(["expires": "2026-11-27T14:02:01.500Z"])]), shown: storm),
    CAPShape(
      name: "Effective later", document: M.message(infos: [M.info(["effective": "2026-11-27T15:00:00+00:00"])]),
      shown: none),
    CAPShape(
      name: "In force, for an event that begins later",
      document: M.message(infos: [M.info(["onset": "2026-11-27T15:30:00+00:00"])]), shown: storm),
    CAPShape(
      name: "Without an end, sent today", document: M.message(infos: [M.info(["expires": ""])]), shown: storm),
    CAPShape(
      name: "Without an end, sent two days ago",
      document: M.message("A", ["sent": "2026-11-25T13:50:00+00:00"], infos: [M.info(["expires": ""])]), shown: none),
    CAPShape(
      name: "With an end that is no time", document: M.message(infos: [M.info(["expires": "tonight"])]), shown: storm),
    CAPShape(
      name: "For days", document: M.message(infos: [M.info(["expires": "2026-12-01T00:00:00+00:00"])]), shown: storm),
  ]

  // 3.2.2: severity, languages, text.
  private static let infos: [CAPShape] = [
    CAPShape(
      name: "Extreme", document: M.message(infos: [M.info(["severity": "Extreme"])]), shown: storm),
    CAPShape(name: "Moderate", document: M.message(infos: [M.info(["severity": "Moderate"])]), shown: none),
    CAPShape(
      name: "Moderate, wished for", document: M.message(infos: [M.info(["severity": "Moderate"])]),
      wish: board(least: .moderate), shown: storm),
    CAPShape(name: "Not rated", document: M.message(infos: [M.info(["severity": "Unknown"])]), shown: none),
    CAPShape(
      name: "Not rated, all wished for", document: M.message(infos: [M.info(["severity": "Unknown"])]),
      wish: board(least: .minor), shown: storm),
    CAPShape(name: "Past", document: M.message(infos: [M.info(["urgency": "Past"])]), shown: none),
    CAPShape(
      name: "All clear (Canada)", document: M.message(infos: [M.info(["responseType": "AllClear"])]), shown: none),
    CAPShape(
      name: "Two languages (Canada), French screen",
      document: M.message(infos: [
        M.info(["language": "en-CA", "headline": "Warning"]), M.info(["language": "fr-CA", "headline": "Alerte"]),
      ]), language: "fr", shown: ["Alerte"]),
    CAPShape(
      name: "Two languages, none of them the screen's: the first",
      document: M.message(infos: [
        M.info(["language": "de-DE", "headline": "Sturm"]), M.info(["language": "fr", "headline": "Alerte"]),
      ]), language: "el", shown: ["Sturm"]),
    CAPShape(
      name: "Without a language: en-US",
      document: M.message(infos: [
        M.info(["language": "es", "headline": "Tormenta"]), M.info(["headline": "Storm"]),
      ]), shown: ["Storm"]),
    CAPShape(
      name: "Two infos of one language: the first that is in force and severe enough",
      document: M.message(infos: [
        M.info(["severity": "Minor", "headline": "Breeze"]), M.info(["headline": "Storm"]),
        M.info(["severity": "Extreme", "headline": "Later words"]),
      ]), shown: ["Storm"]),
    CAPShape(
      name: "The first info is over",
      document: M.message(infos: [
        M.info(["expires": "2026-11-27T13:55:00+00:00", "headline": "Gust"]), M.info(["headline": "Storm"]),
      ]), shown: ["Storm"]),
    CAPShape(
      name: "A headline and what to do",
      document: M.message(infos: [
        M.info(["instruction": "Close all\n   windows.", "description": "Gusts of 120 km/h"])
      ]),
      shown: ["Storm until four. Close all windows."]),
    CAPShape(
      name: "Without a headline: the event and its description",
      document: M.message(infos: [M.info(["headline": "", "description": "Gusts of 120 km/h."])]),
      shown: ["Storm: Gusts of 120 km/h."]),
    CAPShape(
      name: "Without headline and description", document: M.message(infos: [M.info(["headline": ""])]),
      shown: ["Storm"]),
    CAPShape(
      name: "Without any text", document: M.message(infos: [M.info(["headline": "", "event": ""])]), shown: none),
  ]

  // 3.2.4: areas.
  private static let areas: [CAPShape] = [
    CAPShape(
      name: "A code of the board (SAME)",
      document: M.message(infos: [M.info(more: M.area(M.code("SAME", "006037") + M.code("UGC", "CAC037")))]),
      wish: board(["SAME=006037"]), shown: storm),
    CAPShape(
      name: "The same code of another list",
      document: M.message(infos: [M.info(more: M.area(M.code("FIPS6", "006037")))]), wish: board(["SAME=006037"]),
      shown: none),
    CAPShape(
      name: "A list in other capitals (DWD)",
      document: M.message(infos: [M.info(more: M.area(M.code("WarnCellID", "801011000")))]),
      wish: board(["WARNCELLID=801011000"]), shown: storm),
    CAPShape(
      name: "The second area of the second info",
      document: M.message(infos: [
        M.info(["headline": "Elsewhere"], more: M.area(M.code("SAME", "1"))),
        M.info(more: M.area(M.code("SAME", "2")) + M.area(M.code("SAME", "3"))),
      ]), wish: board(["SAME=3"]), shown: storm),
    CAPShape(
      name: "Within a polygon", document: M.message(infos: [M.info(more: M.area(square))]),
      wish: board(at: (52.5, 13.4)), shown: storm),
    CAPShape(
      name: "Beside a polygon", document: M.message(infos: [M.info(more: M.area(square))]),
      wish: board(at: (51.9, 13.4)), shown: none),
    CAPShape(
      name: "Within the second polygon",
      document: M.message(infos: [M.info(more: M.area("<polygon>1,1 2,1 2,2 1,1</polygon>" + square))]),
      wish: board(at: (52.5, 13.4)), shown: storm),
    CAPShape(
      name: "A polygon over the 180th meridian",
      document: M.message(infos: [M.info(more: M.area("<polygon>-20,178 -20,-178 -15,-178 -15,178 -20,178</polygon>"))]
      ),
      wish: board(at: (-17, -179.5)), shown: storm),
    CAPShape(
      name: "Within a circle", document: M.message(infos: [M.info(more: M.area("<circle>52.0,13.4 60</circle>"))]),
      wish: board(at: (52.5, 13.4)), shown: storm),
    CAPShape(
      name: "Beside a circle", document: M.message(infos: [M.info(more: M.area("<circle>52.0,13.4 50</circle>"))]),
      wish: board(at: (52.5, 13.4)), shown: none),
    CAPShape(
      name: "A circle of no size", document: M.message(infos: [M.info(more: M.area("<circle>52.0,13.4 0</circle>"))]),
      wish: board(at: (52.5, 13.4)), shown: none),
    CAPShape(
      name: "An area in words alone", document: M.message(infos: [M.info(more: M.area(""))]), wish: board(["SAME=1"]),
      shown: none),
    CAPShape(name: "Without an area: not limited to any", document: M.message(), wish: board(["SAME=1"]), shown: storm),
    CAPShape(
      name: "Code or place: one of them is enough",
      document: M.message(infos: [M.info(more: M.area(M.code("SAME", "1")))]),
      wish: board(["SAME=1"], at: (0, 0)), shown: storm),
    CAPShape(
      name: "A polygon with a fault counts as none",
      document: M.message(infos: [M.info(more: M.area("<polygon>52,13 53,13 x 52,14</polygon>"))]),
      wish: board(at: (52.5, 13.4)), shown: none),
  ]

  // XML.
  private static let writings: [CAPShape] = [
    CAPShape(
      name: "With prefixes", document: M.message(infos: [M.info(prefix: "cap")], prefix: "cap"), shown: storm),
    CAPShape(
      name: "CAP 1.1", document: M.message().replacing("cap:1.2", with: "cap:1.1"), shown: storm),
    CAPShape(
      name: "CDATA, entities and characters by number",
      document: M.message(infos: [M.info(["headline": "<![CDATA[Wind & <rain>]]> &amp; &#8364;"])]),
      shown: ["Wind & <rain> & €"]),
    CAPShape(
      name: "A byte order mark, a declaration, a comment and a style sheet",
      document: "\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-8\"?><!-- a --><?xml-stylesheet href=\"a.xsl\"?>"
        + M.message(), shown: storm),
    CAPShape(
      name: "Blanks around all texts", document: M.message().replacing(#/>([^<]+)</#) { ">\n  \($0.1)\t<" },
      shown: storm),
    CAPShape(
      name: "A signature and elements of others",
      document: M.message(infos: [
        M.info(
          more: "<x:severity xmlns:x=\"urn:x\">Minor</x:severity><parameter><valueName>a</valueName><value>b</value>"
            + "</parameter><resource><resourceDesc>map</resourceDesc><uri>file:///etc/passwd</uri></resource>")
      ]).replacing(
        "</alert>",
        with: "<Signature xmlns=\"http://www.w3.org/2000/09/xmldsig#\"><status>Draft</status>"
          + "</Signature></alert>"), shown: storm),
  ]

  // Indexes.
  private static let indexes: [CAPShape] = [
    CAPShape(
      name: "An entry with all parts (NWS)", document: M.index(M.inline("urn:oid:1")),
      shown: ["Tornado Warning until ten"]),
    CAPShape(
      name: "An entry with codes (NWS)",
      document: M.index(
        M.inline("urn:oid:1", more: "<cap:geocode><valueName>UGC</valueName><value>CAC037</value></cap:geocode>"),
        M.inline("urn:oid:2", more: "<cap:geocode><valueName>UGC</valueName><value>CAC038</value></cap:geocode>")),
      wish: board(["UGC=CAC038"]), shown: ["Tornado Warning until ten"]),
    CAPShape(
      name: "An entry with several codes in one element (an older form of NWS)",
      document: M.index(
        M.inline(
          "urn:oid:1",
          more: "<cap:polygon></cap:polygon><cap:geocode><valueName>FIPS6</valueName><value>002105 002110</value>"
            + "<valueName>UGC</valueName><value>AKZ020 AKZ025</value></cap:geocode>")),
      wish: board(["UGC=AKZ025"]), shown: ["Tornado Warning until ten"]),
    CAPShape(
      name: "An entry without a status", document: M.index(M.inline("urn:oid:1", ["status": ""])), shown: none),
    CAPShape(name: "An index without entries", document: M.index(), shown: none),
    CAPShape(
      name: "Entries that link (MeteoAlarm): of the board's area, and of another",
      document: M.index(M.european("a", area: "DE413"), M.european("b", area: "DE414")),
      messages: ["a": M.message("a")],
      wish: board(["EMMA_ID=DE413"]), shown: storm),
    CAPShape(
      name: "Entries that link and say nothing (Canada)", document: M.index(M.entry("a"), M.entry("b")),
      messages: ["a": M.message("a"), "b": M.message("b", ["status": "Exercise"])], shown: storm),
    CAPShape(
      name: "A link without a type",
      document: M.index(M.entry("a").replacing(" type=\"application/cap+xml\"", with: "")),
      messages: ["a": M.message("a")], shown: storm),
    CAPShape(
      name: "The whole message within its entry",
      document: M.index(
        "<entry><id>1</id><title>T</title><updated>2026-11-27T13:51:00Z</updated><content type=\"text/xml\">"
          + "\(M.message("a"))</content></entry>"), shown: storm),
    CAPShape(
      name: "A message that lacks a part, beside a whole one", document: M.index(M.entry("a"), M.entry("b")),
      messages: ["a": M.message("", [:]), "b": M.message("b")], shown: storm),
    CAPShape(
      name: "The most severe come first", document: M.index(M.entry("a"), M.entry("b")),
      messages: [
        "a": M.message("a"), "b": M.message("b", infos: [M.info(["severity": "Extreme", "headline": "Flood"])]),
      ], shown: ["Flood", "Storm until four"]),
    CAPShape(
      name: "One message in two entries", document: M.index(M.european("a", area: "X"), M.european("a", area: "Y")),
      messages: ["a": M.message("a")], shown: storm),
  ]

  private static let references: [CAPShape] = [
    CAPShape(
      name: "An update replaces, also where both are listed", document: M.index(M.entry("a"), M.entry("b")),
      messages: ["a": M.message("a"), "b": update("b", of: "a", saying: "Until six")], shown: ["Until six"]),
    CAPShape(
      name: "An update that is listed before what it replaces", document: M.index(M.entry("b"), M.entry("a")),
      messages: ["a": M.message("a"), "b": update("b", of: "a", saying: "Until six")], shown: ["Until six"]),
    CAPShape(
      name: "A chain of updates", document: M.index(M.entry("a"), M.entry("b"), M.entry("c")),
      messages: [
        "a": M.message("a"), "b": update("b", of: "a", saying: "Six"), "c": update("c", of: "b", saying: "Eight"),
      ],
      shown: ["Eight"]),
    CAPShape(
      name: "An update of two", document: M.index(M.entry("a"), M.entry("b"), M.entry("c")),
      messages: ["a": M.message("a"), "b": M.message("b"), "c": update("c", of: "a", "b", saying: "Both")],
      shown: ["Both"]),
    CAPShape(
      name: "An update that is less severe", document: M.index(M.entry("a"), M.entry("b")),
      messages: [
        "a": M.message("a"),
        "b": M.message("b", kind("Update", of: "a"), infos: [M.info(["severity": "Minor", "headline": "Breeze"])]),
      ], shown: none),
    CAPShape(
      name: "A cancel", document: M.index(M.entry("a"), M.entry("b")),
      messages: ["a": M.message("a"), "b": M.message("b", kind("Cancel", of: "a"))], shown: none),
    CAPShape(
      name: "A cancel of another sender's message", document: M.index(M.entry("a"), M.entry("b")),
      messages: [
        "a": M.message("a"),
        "b": M.message("b", ["msgType": "Cancel", "references": "other@example.org,a,2026-11-27T13:50:00+00:00"]),
      ], shown: storm),
    CAPShape(
      name: "An exercise's cancel", document: M.index(M.entry("a"), M.entry("b")),
      messages: [
        "a": M.message("a"),
        "b": M.message("b", kind("Cancel", of: "a").merging(["status": "Exercise"]) { $1 }),
      ], shown: storm),
    CAPShape(
      name: "A test's cancel", document: M.index(M.entry("a"), M.entry("b")),
      messages: [
        "a": M.message("a"), "b": M.message("b", kind("Cancel", of: "a").merging(["status": "Test"]) { $1 }),
      ], wish: board(tests: true), shown: storm),
    CAPShape(
      name: "An update under the name of what it replaces", document: M.index(M.entry("b")),
      messages: ["b": update("b", of: "b", saying: "Until six")], shown: ["Until six"]),
    CAPShape(
      name: "References that can't be read", document: M.index(M.entry("a"), M.entry("b")),
      messages: ["a": M.message("a"), "b": M.message("b", ["msgType": "Cancel", "references": "a"])], shown: storm),
  ]

  private static func kind(_ kind: String, of ids: String...) -> [String: String] {
    ["msgType": kind, "references": references(ids)]
  }

  private static func references(_ ids: [String]) -> String {
    ids.map { "warn@example.org,\($0),2026-11-27T13:50:00+00:00" }.joined(separator: "\n ")
  }

  private static func update(_ id: String, of ids: String..., saying headline: String) -> String {
    M.message(
      id, ["msgType": "Update", "references": references(ids), "sent": "2026-11-27T13:55:00+00:00"],
      infos: [M.info(["headline": headline])])
  }

  static let all = heads + times + infos + areas + writings + indexes + references
}
