import Foundation
import Testing

/// What can be counted of the shape that docs/architecture.md tells.
@Suite("Shape of the sources")
struct ShapeTests {
  /// Longer files have always turned out to be about two things.
  private static let mostLines = 400
  /// `Kiosk` makes the parts and tells the one what another has told. What is longer decides something.
  private static let mostKioskLines = 300
  private static let mostKioskProperties = 15

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  private func files(_ matches: (String) -> Bool) throws -> [(name: String, lines: [Substring])] {
    let paths = FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil)
    let found = (paths?.allObjects ?? []).compactMap { $0 as? URL }.filter {
      $0.pathExtension == "swift" && matches($0.lastPathComponent)
    }
    return try found.map { url in
      let text = try String(contentsOf: url, encoding: .utf8)
      return (url.lastPathComponent, text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  @Test("No file of Swift is longer than 400 lines")
  func lines() throws {
    let files = try files { _ in true }
    #expect(files.count > 300)
    for file in files { #expect(file.lines.count - 1 <= Self.mostLines, "\(file.name)") }
  }

  @Test("Kiosk has less than 300 lines and 15 stored properties")
  func kiosk() throws {
    let files = try files { $0 == "Kiosk.swift" || $0.hasPrefix("Kiosk+") }
    #expect(files.count >= 2)
    let lines = files.flatMap(\.lines)
    #expect(lines.count < Self.mostKioskLines)
    // Those of the actor itself: two blanks before, no body after.
    let stored = lines.filter { line in
      line.wholeMatch(of: #/  (?:public |private |private\(set\) |nonisolated )*(?:let|var) [^{]*/#) != nil
    }
    #expect(stored.count > 5 && stored.count < Self.mostKioskProperties, "\(stored)")
  }

  @Test("What the program prints goes through one door, which shows what would steer a terminal")
  func oneDoor() throws {
    let folder = Self.sources.appending(path: "vitrine")
    let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let files = (paths?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 20)
    for file in files where file.lastPathComponent != "ConfigurationOptions.swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let prints = text.matches(of: /(?:^|[^.\w])(?:Swift\.)?print\(|fputs\(|puts\(/.anchorsMatchLineEndings())
      #expect(prints.isEmpty, "\(file.lastPathComponent) prints by itself")
    }
  }

  @Test("Everything that docs/architecture.md says of walks is counted there")
  func walks() throws {
    let page = Self.sources.deletingLastPathComponent().appending(path: "docs/architecture.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    // `### A walk: 14 hops`, then as many numbered lines.
    let walks = text.matches(of: #/\#\#\# ([^\n]+): (\d+) hops\n(.*?)(?=\n\#\#)/#.dotMatchesNewlines())
    #expect(walks.count == 3)
    for walk in walks {
      let steps = walk.3.matches(of: #/^\d+\. /#.anchorsMatchLineEndings()).count
      #expect(steps == Int(walk.2), "\(walk.1)")
    }
    #expect(walks.first.flatMap { Int($0.2) } ?? .max <= 15)
    #expect(walks.last.flatMap { Int($0.2) } ?? .max <= 22)
    // The types that they name are there.
    let declared = try files { _ in true }.flatMap(\.lines).compactMap {
      $0.firstMatch(of: /(?:class|struct|enum|actor|protocol) ([A-Z]\w+)/)?.1
    }
    for name in Set(walks.flatMap { $0.3.matches(of: /`([A-Z]\w+)/).map(\.1) }) {
      #expect(declared.contains(name), "\(name) is in no source")
    }
  }
}
