import Testing

@testable import Displays

@Suite("Features not proven on hardware")
struct UnprovenTests {
  @Test("displays marks exactly the features for which the checklist has a command")
  func sameAsTheChecklist() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = try #require(readText("/\(root)/docs/board-checklist.md"))
    let lines = text.split(separator: "\n").compactMap { line in
      line.hasPrefix("| ") ? line.dropFirst(2).split(separator: " ").first.flatMap { Int($0) } : nil
    }
    #expect(lines == Array(1...lines.count) && lines.count > 10)
    #expect(Set(Unproven.list.flatMap(\.lines)) == Set(lines))
  }
}
