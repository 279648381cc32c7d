import Foundation
import KioskTestSupport
import Testing

@Suite("The library's documentation")
struct DocumentationTests {
  @Test("The tests compile every piece of code in the documentation")
  func snippets() throws {
    let folder = Tool.root.appending(path: "Sources/VitrinePlayback/VitrinePlayback.docc")
    let here = Tool.root.appending(path: "Tests/VitrinePlaybackTests/DocumentationSnippets.swift")
    // A page shows a function's body without its indentation.
    func plain(_ text: String) -> String {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
    let compiled = plain(try String(contentsOf: here, encoding: .utf8))
    var count = 0
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
    for page in pages.map({ folder.appending(path: $0) }) + [Tool.root.appending(path: "README.md")] {
      let text = try String(contentsOf: page, encoding: .utf8)
      for part in text.components(separatedBy: "```swift\n").dropFirst() {
        let snippet = try #require(part.components(separatedBy: "```").first)
        #expect(compiled.contains(plain(snippet)), "\(page): not compiled:\n\(snippet)")
        count += 1
      }
    }
    #expect(count > 8, "\(count) pieces of code")
  }

  @Test("The table of AVFoundation's counterparts has no empty cell")
  func names() throws {
    let table = Tool.root.appending(path: "Sources/VitrinePlayback/VitrinePlayback.docc/ForAVFoundation.md")
    let text = try String(contentsOf: table, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
    // Columns: AVFoundation's name, the counterpart here, the difference. No cell may be empty.
    #expect(rows.count > 40)
    for row in rows {
      let cells = row.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      #expect(cells.count == 5 && cells[1...3].allSatisfy { !$0.isEmpty }, "\(row)")
    }
  }
}
