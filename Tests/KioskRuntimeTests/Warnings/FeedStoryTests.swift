import InteractionCore
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

private typealias M = MadeWarning

@Suite("Warnings of a feed, over time")
struct FeedStoryTests {
  private static func update(_ id: String, of other: String, _ headline: String) -> String {
    M.message(
      id, ["msgType": "Update", "references": "warn@example.org,\(other),2026-11-27T13:50:00+00:00"],
      infos: [M.info(["headline": headline])])
  }

  @Test("Alert, update and cancel follow each other, each with its reason, and each message is read once")
  func chain() throws {
    var story = try FeedStory()
    try story.poll(M.index(M.entry("a")), ["a": M.message("a")])
    #expect(story.shown == ["Storm until four"])
    let second = Self.update("b", of: "a", "Storm until six")
    try story.poll(M.index(M.entry("a"), M.entry("b")), ["b": second])
    #expect(story.shown == ["Storm until six"] && story.ended["Storm until four"] == .replaced)
    // What was replaced isn't shown again when the update has gone from the index.
    try story.poll(M.index(M.entry("a")))
    #expect(story.shown.isEmpty && story.ended["Storm until six"] == .removed)
    try story.poll(M.index(M.entry("a"), M.entry("c")), ["c": M.message("c")])
    let cancel = M.message(
      "d", ["msgType": "Cancel", "references": "warn@example.org,c,2026-11-27T13:50:00+00:00"], infos: [])
    try story.poll(M.index(M.entry("c"), M.entry("d")), ["d": cancel])
    #expect(story.shown.isEmpty && story.ended["Storm until four"] == .takenBack)
    #expect(story.asked == ["a", "b", "c", "d"] && story.told.isEmpty)
  }

  @Test("A warning goes at its end, comes when it takes effect, and the next of its sayings follows")
  func times() throws {
    var story = try FeedStory()
    let message = M.message(infos: [
      M.info(["headline": "Now", "expires": "2026-11-27T14:10:00+00:00"]),
      M.info(["headline": "Later", "effective": "2026-11-27T14:20:00+00:00"]),
    ])
    try story.poll(message)
    #expect(story.shown == ["Now"])
    story.wait(until: 599)
    #expect(story.shown == ["Now"])
    story.wait(until: 600)
    #expect(story.shown.isEmpty && story.ended["Now"] == .expired)
    try story.poll(message)
    story.wait(until: 1199)
    #expect(story.shown.isEmpty)
    story.wait(until: 1200)
    #expect(story.shown == ["Later"])
    story.wait(until: 7200)
    #expect(story.shown.isEmpty && story.ended["Later"] == .expired)
  }

  @Test("A feed that can't be read changes nothing and is told once; what expires goes all the same")
  func unreadable() throws {
    var story = try FeedStory()
    try story.poll(M.index(M.entry("a")), ["a": M.message("a")])
    for text in ["<html/>", "<html/>", ""] { try story.poll(text) }
    #expect(story.shown == ["Storm until four"])
    #expect(story.told.map(\.number) == [7671])
    try story.poll(M.index(M.entry("a")))
    try story.poll("<html/>")
    #expect(story.told.map(\.number) == [7671, 7671], "it is news again")
    story.wait(until: 7200)
    #expect(story.shown.isEmpty)
  }

  @Test("A poll without one of its messages takes nothing back, but what was cancelled; the message is asked for again")
  func incomplete() throws {
    var story = try FeedStory()
    try story.poll(
      M.index(M.entry("a"), M.entry("b")),
      [
        "a": M.message("a"), "b": M.message("b", infos: [M.info(["headline": "Flood"])]),
      ])
    #expect(Set(story.shown) == ["Flood", "Storm until four"])
    let cancel = M.message(
      "c", ["msgType": "Cancel", "references": "warn@example.org,b,2026-11-27T13:50:00+00:00"], infos: [])
    try story.poll(M.index(M.entry("x"), M.entry("c")), ["c": cancel])
    #expect(story.shown == ["Storm until four"] && story.ended["Flood"] == .takenBack)
    #expect(story.told.map(\.number) == [7672])
    try story.poll(M.index(M.entry("x"), M.entry("c")))
    #expect(story.shown == ["Storm until four"] && story.told.count == 1)
    try story.poll(M.index(M.entry("x")), ["x": M.message("x", infos: [M.info(["headline": "Hail"])])])
    #expect(story.shown == ["Hail"] && story.asked.filter { $0 == "x" }.count == 3)
  }

  @Test("Messages that an index rules out aren't read; an update of them is, while something is shown")
  func ruledOut() throws {
    var wish = WarningWish()
    wish.areas = [try #require(WarningArea("EMMA_ID=DE413"))]
    var story = try FeedStory(wish)
    let calm = M.index(
      M.european("minor", area: "DE413", severity: "Moderate"), M.european("far", area: "DE999"),
      M.european("changed", area: "DE999", kind: "Update"), M.european("cancelled", area: "DE413", kind: "Cancel"))
    try story.poll(calm)
    #expect(story.asked.isEmpty)
    try story.poll(M.index(M.european("a", area: "DE413")), ["a": M.message("a")])
    #expect(story.asked == ["a"] && story.shown == ["Storm until four"])
    // It becomes less severe: the index alone would leave the old one.
    let less = M.message(
      "b", ["msgType": "Update", "references": "warn@example.org,a,2026-11-27T13:50:00+00:00"],
      infos: [M.info(["severity": "Moderate"])])
    let index = M.index(
      M.european("a", area: "DE413"), M.european("b", area: "DE413", severity: "Moderate", kind: "Update"))
    try story.poll(index, ["b": less])
    #expect(story.shown.isEmpty && story.asked == ["a", "b"])
  }

  @Test("A poll reads fifty messages; the rest follows ten seconds later, and no later warning is lost")
  func many() throws {
    var story = try FeedStory()
    let names = (1...120).map { "m\($0)" }
    let messages = Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, M.message(name, infos: [M.info(["severity": name == "m120" ? "Extreme" : "Severe", "headline": name])]))
      })
    for (poll, count) in [50, 100, 120].enumerated() {
      try story.poll(M.index(names.map { M.entry($0) }), messages)
      #expect(story.asked.count == count, "\(poll)")
      #expect(story.shown.count == AlertMachine.mostAlerts)
    }
    #expect(story.shown.first == "m120")
  }

  @Test("A text of any length fits, and is cut between words")
  func long() throws {
    let words = String(repeating: "water ", count: 500)
    for parts in [
      ["headline": words], ["headline": "", "description": words], ["instruction": words],
      ["headline": words, "instruction": words], ["headline": String(repeating: "水", count: 2000)],
    ] {
      var story = try FeedStory()
      try story.poll(M.message(infos: [M.info(parts)]))
      let text = try #require(story.shown.first)
      #expect(
        (160...CommandLimits.alertCharacters).contains(text.unicodeScalars.count) && text.hasSuffix("…"), "\(text)")
      #expect(!text.contains("wat…"), "\(text)")
    }
    var both = try FeedStory()
    try both.poll(M.message(infos: [M.info(["headline": words, "instruction": "Climb! " + words])]))
    #expect(both.shown.first?.contains("Climb!") == true)
    var hidden = try FeedStory()
    try hidden.poll(M.message(infos: [M.info(["headline": "A\u{202E}B&#10;C"])]))
    #expect(hidden.shown == ["A B C"])
  }
}
