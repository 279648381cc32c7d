import InteractionCore
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

private typealias M = MadeWarning

@Suite("Messages of CAP, as alerts")
struct CAPShapesTests {
  @Test("Each shape of a message is shown as the standard says", arguments: CAPShape.all)
  func shape(_ shape: CAPShape) throws {
    var story = try FeedStory(shape.wish, language: shape.language)
    try story.poll(shape.document, shape.messages)
    #expect(story.shown == shape.shown)
    // The same again changes nothing.
    try story.poll(shape.document, shape.messages)
    #expect(story.shown == shape.shown)
    #expect(Set(story.asked).count == story.asked.count, "read once: \(story.asked)")
  }

  @Test("The table has more than forty shapes, with names of their own")
  func table() {
    #expect(CAPShape.all.count > 80 && Set(CAPShape.all.map(\.name)).count == CAPShape.all.count)
  }

  @Test(
    "What can't be read is refused, with its reason",
    arguments: [
      ("", "XML"), ("<html><body>Log in</body></html>", "but html"), ("{\"type\":\"FeatureCollection\"}", "XML"),
      ("<rss version=\"2.0\"><channel/></rss>", "but rss"),
      ("<alert><identifier>a</identifier></alert>", "neither a message"),
      (M.message().replacing("<identifier>A</identifier>", with: ""), "no identifier"),
      (M.message().replacing("<status>Actual</status>", with: ""), "no status"),
      (M.message("A", ["sent": "yesterday"]), "no sent"), (M.message("A", ["msgType": "Shout"]), "no msgType"),
      (M.message(String(repeating: "a", count: 300)), "no identifier"),
      (String(M.message().dropLast(8)), "XML"), (M.message().replacing("Storm", with: "&storm;"), "XML"),
      (
        "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" + M.message(infos: [M.info(["headline": "&e;"])]),
        "XML"
      ),
      ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + M.message(), "ISO-8859-1"),
      ("<?xml version='1.0' encoding='windows-1252'?>" + M.message(), "windows-1252"),
      (String(repeating: "<a>", count: 100_000), "but a"),
      (M.message(infos: [String(repeating: "<a>", count: 100)]), "too deeply"),
      (
        M.message(infos: [M.info(more: M.area("<polygon>\(String(repeating: "1,1 ", count: 100_001))</polygon>"))]),
        "corners"
      ),
    ])
  func refused(_ text: String, _ reason: String) throws {
    do throws(WarningFault) {
      _ = try WarningSession.document(Array(text.utf8))
      Issue.record("it is read")
    } catch {
      #expect(error.words.contains(reason), "\(error.words)")
    }
  }

  @Test("Bytes of UTF-16 and bytes that are no text are refused")
  func bytes() {
    let wide: [UInt8] = [0xFF, 0xFE] + M.message().utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for (bytes, reason) in [(wide, "UTF-16"), (Array(wide.dropFirst(2)), "UTF-16")] {
      #expect { try WarningSession.document(bytes) } throws: { ($0 as? WarningFault)?.words.contains(reason) == true }
    }
    var broken = Array(M.message().utf8)
    broken[broken.count / 2] = 0xFF
    #expect(throws: WarningFault.self) { try WarningSession.document(broken) }
  }

  @Test("An index of more entries than are read is cut, and says so")
  func many() throws {
    let entry = M.inline("urn:oid:1", ["severity": "Minor"])
    let text = M.index([String](repeating: entry, count: CAPReader.mostEntries + 1))
    guard case .index(let entries, isCut: true) = try WarningSession.document(Array(text.utf8)) else {
      Issue.record("it isn't cut")
      return
    }
    #expect(entries.count == CAPReader.mostEntries)
  }
}
