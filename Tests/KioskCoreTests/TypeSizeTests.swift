import Foundation
import Testing

/// A type that grows beyond these limits has more than one subject. The ones that were larger before may only shrink.
@Suite("Sizes of types")
struct TypeSizeTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  /// Lines of types that have more than 600, by type, and why they do.
  private static let long: [String: Cap] = [
    "Checkup": .init(833, "each function is one check of the doctor, and reads facts alone"),
    "Deck": .init(720, "one pipeline: what its threads report and what it is asked for share one lock"),
    "PlaybackMachine": .init(1692, "queue, decks, seeks and recovery change each other within one event"),
    "Player": .init(796, "the library's front: each function passes one call to the engine's loop"),
    "PlayerEngine": .init(815, "each function carries out one action of the machine"),
    "Schema": .init(680, "a table: each constant describes one table of the configuration"),
    "ScreenSession": .init(1389, "passes what one part of a screen tells to the other parts"),
    "ValueRule": .init(861, "each function is one rule for one type of value"),
  ]

  /// Stored properties of types that have more than 15, by type, and why they do.
  private static let wide: [String: Cap] = [
    "Deck": .init(33, "half of them are the state behind its lock"),
    "DeckGate": .init(18, "nearly all of them are the state behind its lock"),
    "InteractionMachine": .init(
      18, "the front of one visit's machines: gestures, lock, attract loop, tiles, volume, tracks"),
    "KMSDisplay": .init(16, "one screen: its place, its colour, and what lives from opening to closing"),
    "KioskOptions": .init(41, "options alone: its functions replace the playlists as a whole"),
    "Lookup": .init(16, "limits of one search, and what it has found and spent"),
    "PlaybackStatistics": .init(22, "one count or time for each thing that a report tells"),
    "Player": .init(19, "the library's front: what it tells, by subject, and who waits for it"),
    "PlayerEngine": .init(38, "decks, output and timers of one player, which its actions use together"),
    "ScreenGroup": .init(22, "what all screens have in common, for screens that come later"),
    "ScreenSession": .init(24, "the parts of one screen"),
    "StreamFacts": .init(19, "facts alone: its function fills in a medium's answers"),
    "VideoChain": .init(28, "most of them are the state behind its lock"),
  ]

  @Test("No type has over 600 lines with its extensions or over 15 stored properties; the exceptions only shrink")
  func sizes() throws {
    var types = TypeSizes()
    let paths = FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil)
    for url in (paths?.allObjects ?? []).compactMap({ $0 as? URL }) where url.pathExtension == "swift" {
      types.add(try String(contentsOf: url, encoding: .utf8))
    }
    #expect(types.sizes.count > 1000)
    let faults = types.faults(long: Self.long, wide: Self.wide)
    #expect(faults == [], "\(faults.joined(separator: "\n"))")
  }

  @Test("A type with too many lines or properties is found in all its parts; a plain value may have many properties")
  func found() {
    let properties = (1...8).map { "  private var p\($0), q\($0): Int\n" }.joined()
    let few = "  static let a = 1\n  var b: Int { 1 }\n  var c: Int {\n    2\n  }\n  let d = 1 { didSet {} }\n"
    var types = TypeSizes()
    types.add("public struct Wide {\n\(properties)\n  mutating func change() { p1 = 2 }\n}\n")
    types.add("final class Locked {\n  struct State {\n\(properties.replacing("  p", with: "    p"))  }\n}\n")
    types.add("struct Plain {\n\(properties)}\n")
    types.add("actor Few {\n\(few)}\n")
    types.add("enum Long {\n" + String(repeating: "  case a\n", count: 400) + "}\n")
    types.add("extension Long: Sendable {\n" + String(repeating: "  // b\n", count: 197) + "}\n")
    #expect(types.sizes["Few"]?.stored == 1 && types.sizes["Long"]?.lines == 601)
    let faults = types.faults(long: [:], wide: [:])
    #expect(
      faults == [
        "Locked has 16 stored properties, more than 15", "Long has 601 lines, more than 600",
        "Wide has 16 stored properties, more than 15",
      ])
  }

  @Test("An exception has to be needed, and close to the real figure")
  func caps() {
    var types = TypeSizes()
    types.add("enum Long {\n" + String(repeating: "  case a\n", count: 798) + "}\n")
    func faults(_ lines: Int) -> [String] { types.faults(long: ["Long": .init(lines, "")], wide: [:]) }
    #expect(faults(800) == [] && faults(840) == [])
    #expect(faults(799) == ["Long has 800 lines, more than 799"])
    #expect(faults(841) == ["Long has 800 lines: lower its cap of 841"])
    let unneeded = types.faults(long: ["Long": .init(800, ""), "Gone": .init(700, "")], wide: ["Long": .init(20, "")])
    #expect(unneeded == ["Gone needs no exception for lines", "Long needs no exception for stored properties"])
  }
}

/// The figure that a type may not exceed, and the reason for which it exceeds the limit.
private struct Cap {
  let figure: Int

  init(_ figure: Int, _ reason: String) { self.figure = figure }
}

/// Sizes of the types in sources that swift-format has written.
private struct TypeSizes {
  struct Size {
    /// Lines of a type that isn't in another one, with all extensions.
    var lines = 0
    var stored = 0
    /// A plain value, such as settings or a report, may have as many properties as its subject: no function of it
    /// changes one of them by the others.
    var isStruct = false
    var mutates = false
  }

  private(set) var sizes: [String: Size] = [:]
  private static let modifiers: Set<Substring> = [
    "distributed", "fileprivate", "final", "indirect", "internal", "lazy", "mutating", "nonisolated", "override",
    "package", "private", "public", "static", "unowned", "weak",
  ]

  mutating func add(_ text: String) {
    // The types that the line is in, with the columns of their first and last lines.
    var open: [(name: String, column: Int)] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if let outermost = open.first { sizes[outermost.name, default: Size()].lines += 1 }
      let column = line.prefix { $0 == " " }.count
      if let last = open.last {
        if column == last.column, line.dropFirst(column).hasPrefix("}") { open.removeLast() }
        guard column == last.column + 2 else { continue }
      }
      let all = line.split(separator: " ")
      let words = all.drop { Self.modifiers.contains($0.prefix { $0 != "(" }) || $0.hasPrefix("@") }
      guard let keyword = words.first,
        let name = words.dropFirst().first?.prefix(while: { $0.isLetter || $0.isNumber || "_.".contains($0) })
      else { continue }
      let modifiers = all.prefix(all.count - words.count)
      switch keyword {
      case "struct", "class", "enum", "actor", "extension":
        let path = ((open.last.map { [$0.name] } ?? []) + [String(name)]).joined(separator: ".")
        if open.isEmpty { sizes[path, default: Size()].lines += 1 }
        if keyword != "extension" { sizes[path, default: Size()].isStruct = keyword == "struct" }
        if !line.hasSuffix("}") { open.append((path, column)) }
      case "func" where modifiers.contains("mutating"):
        if let last = open.last { sizes[last.name, default: Size()].mutates = true }
      case "var", "let":
        let next = lines.dropFirst(number + 1).first ?? ""
        guard let last = open.last, !modifiers.contains("static"), Self.isStored(line, next) else { continue }
        // What a lock guards is a part of the type around it.
        let owner = last.name.hasSuffix(".State") ? String(last.name.dropLast(6)) : last.name
        // `let width, height: Int` has two.
        sizes[owner, default: Size()].stored += line.prefix { $0 != ":" && $0 != "=" }.count { $0 == "," } + 1
      default: break
      }
    }
  }

  private static func isStored(_ line: Substring, _ next: Substring) -> Bool {
    guard let brace = line.firstIndex(of: "{") else { return true }
    return line[..<brace].contains("=") || (line + next).contains("didSet") || (line + next).contains("willSet")
  }

  private static let mostLines = 600
  private static let mostStored = 15
  /// A cap lies at most this far above the figure, in hundredths of it: else the type could grow again.
  private static let slack = 5

  /// - Parameters:
  ///   - long: caps of types with more lines.
  ///   - wide: caps of types with more stored properties.
  func faults(long: [String: Cap], wide: [String: Cap]) -> [String] {
    let stored = sizes.mapValues { $0.isStruct && !$0.mutates ? 0 : $0.stored }
    let tooLong = Self.faults(sizes.mapValues(\.lines), "lines", limit: Self.mostLines, long)
    return (tooLong + Self.faults(stored, "stored properties", limit: Self.mostStored, wide)).sorted()
  }

  private static func faults(_ figures: [String: Int], _ unit: String, limit: Int, _ caps: [String: Cap]) -> [String] {
    Set(figures.keys).union(caps.keys).compactMap { type in
      let figure = figures[type] ?? 0
      let cap = caps[type]?.figure
      if figure > cap ?? limit { return "\(type) has \(figure) \(unit), more than \(cap ?? limit)" }
      guard let cap else { return nil }
      if figure <= limit { return "\(type) needs no exception for \(unit)" }
      return cap * 100 > figure * (100 + slack) ? "\(type) has \(figure) \(unit): lower its cap of \(cap)" : nil
    }
  }
}
