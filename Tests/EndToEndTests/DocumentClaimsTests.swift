import Foundation
import KioskTestSupport
import Testing

/// What README and docs say of commands, options, keys, files and `make`, against the program and the repository. The words are what is
/// between backticks and in blocks of code.
@Suite("Claims of the documents that a program can check")
struct DocumentClaimsTests {
  struct Page: Sendable {
    /// From the root of the repository.
    var path: String
    var text: String
    var folder: URL { Tool.root.appending(path: path).deletingLastPathComponent() }

    /// What stands between backticks in a line, outside of blocks.
    var words: [String] {
      var isBlock = false
      return text.split(separator: "\n").flatMap { line -> [String] in
        if line.hasPrefix("```") { isBlock.toggle() }
        return isBlock ? [] : line.matches(of: /`([^`]+)`/).map { String($0.output.1) }
      }
    }

    /// Lines of blocks of code.
    var code: [String] {
      var isBlock = false
      return text.split(separator: "\n").compactMap { line in
        if line.hasPrefix("```") {
          isBlock.toggle()
          return nil
        }
        return isBlock ? String(line) : nil
      }
    }
  }

  static func pages(decisions: Bool) throws -> [Page] {
    let docs = try FileManager.default.subpathsOfDirectory(atPath: Tool.root.appending(path: "docs").path)
    // Decisions tell what was so when they were made.
    let names = docs.filter { $0.hasSuffix(".md") && (decisions || !$0.hasPrefix("decisions/")) }.map { "docs/\($0)" }
    return try (["README.md"] + names.sorted()).map { path in
      Page(path: path, text: try String(contentsOf: Tool.root.appending(path: path), encoding: .utf8))
    }
  }

  /// As GitHub makes anchors of headings.
  private func anchors(of text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" }.dropFirst().lowercased()
        return String(title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })
          .replacing(" ", with: "-")
      })
  }

  @Test("Each link leads to a file that is there, and to a heading in it")
  func links() throws {
    for page in try Self.pages(decisions: true) {
      for link in page.text.matches(of: /\]\(([^)\s]+)\)/).map({ String($0.output.1) })
      where !link.contains("://") && !link.hasPrefix("mailto:") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? Tool.root.appending(path: page.path) : page.folder.appending(path: parts[0])
        guard FileManager.default.fileExists(atPath: file.path) else {
          Issue.record("\(page.path): there is no \(link)")
          continue
        }
        guard parts.count > 1, file.pathExtension == "md" else { continue }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(anchors(of: text).contains(parts[1]), "\(page.path): no heading for \(link)")
      }
    }
  }

  @Test("Each file of the repository and each target of make that is named is there")
  func filesAndTargets() throws {
    let makefile = try String(contentsOf: Tool.root.appending(path: "Makefile"), encoding: .utf8)
    let targets = Set(makefile.matches(of: /(?m)^([a-z0-9-]+):/).map { String($0.output.1) })
    var count = 0
    for page in try Self.pages(decisions: false) {
      for word in page.words + page.code {
        for match in word.matches(of: /(?:^|\s)make ([a-z0-9-]+)/) {
          count += 1
          #expect(targets.contains(String(match.output.1)), "\(page.path): \(word)")
        }
      }
      for word in page.words {
        guard
          let match = word.prefixMatch(
            of: /(?:deploy|Tests|config|docs|board|Sources|Examples|\.ci)\/[A-Za-z0-9_.\/-]+/)
        else { continue }
        let path = String(match.output)
        // Where one is made, of any name.
        guard !path.contains("NN-") else { continue }
        count += 1
        #expect(FileManager.default.fileExists(atPath: Tool.root.appending(path: path).path), "\(page.path): \(word)")
      }
    }
    #expect(count > 100)
  }

  // MARK: Commands

  private struct Dump: Decodable {
    var command: Command
  }
  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { var name: String }
      var names: [Name]?
    }
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?
    var options: Set<String> { Set((arguments ?? []).flatMap { ($0.names ?? []).map(\.name) }) }
  }

  /// What is wrong with what stands behind `vitrine`; nil where it is understood.
  private func problem(of words: [String], _ root: Command) -> String? {
    var command = root
    var words = words[...]
    while let subcommands = command.subcommands, !subcommands.isEmpty {
      guard let word = words.first else { return nil }
      if word == "help" || command.commandName == root.commandName && word.hasPrefix("-") { return nil }
      guard let next = subcommands.first(where: { $0.commandName == word }) else { return "no command \(word)" }
      command = next
      words = words.dropFirst()
    }
    for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
      let name = word.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
      guard command.options.contains(String(name)) else { return "\(command.commandName) has no --\(name)" }
    }
    return nil
  }

  @Test("Each command of the program that is named is there, with each of its options")
  func commands() async throws {
    let dump = try await Tool.run(Player.path, ["--experimental-dump-help"])
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command
    var count = 0
    for page in try Self.pages(decisions: false) {
      for line in page.words + page.code {
        // Of a service, a user or a unit the name is followed by other words.
        if line.contains(/(?:systemctl|rc-service|rc-update|adduser|journalctl|apt)\b.* vitrine\b/) { continue }
        for match in line.matches(of: /(?:^|[\s;|&(\/"])vitrine ((?:-{0,2}[a-z])[^|;&#`)"\u{2026}]*)/) {
          let words = match.output.1.split(separator: " ").map(String.init)
          count += 1
          let problem = problem(of: words, root)
          #expect(problem == nil, "\(page.path): \(line)")
        }
      }
    }
    #expect(count > 100)
  }

  // MARK: Errors

  @Test("Each number of an error stands for one thing")
  func errorNumbers() throws {
    let page = try String(contentsOf: Tool.root.appending(path: "docs/errors.md"), encoding: .utf8)
    let rows = page.matches(of: /(?m)^\| (\d{4}(?:, \d{4})*) \|/)
    let numbers = rows.flatMap { $0.output.1.split(separator: ", ") }
    #expect(numbers.count > 100)
    let twice = Dictionary(grouping: numbers) { $0 }.filter { $0.value.count > 1 }.keys
    #expect(twice.isEmpty, "\(twice.sorted())")
  }

  // MARK: Keys

  /// Whether the format has a key, by its schema.
  private func has(_ path: ArraySlice<String>, in schema: [String: Any], of root: [String: Any]) -> Bool {
    guard let name = path.first else { return true }
    if let reference = schema["$ref"] as? String {
      let found = reference.split(separator: "/").dropFirst().reduce(root as Any?) { part, key in
        (part as? [String: Any])?[String(key)]
      }
      return (found as? [String: Any]).map { has(path, in: $0, of: root) } ?? false
    }
    let choices = ["anyOf", "oneOf"].flatMap { schema[$0] as? [[String: Any]] ?? [] }
    let patterns = (schema["patternProperties"] as? [String: [String: Any]] ?? [:]).values
    let others = choices + [schema["items"] as? [String: Any]].compactMap(\.self)
    if others.contains(where: { has(path, in: $0, of: root) }) { return true }
    let next =
      [(schema["properties"] as? [String: [String: Any]])?[name], schema["additionalProperties"] as? [String: Any]]
      .compactMap(\.self) + patterns
    return next.contains { has(path.dropFirst(), in: $0, of: root) }
  }

  @Test("Each key of the configuration that is named is one")
  func keys() async throws {
    let printed = try await Tool.run(Player.path, ["config", "schema", "--json"])
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
    let tables = try #require(schema["properties"] as? [String: Any])
    var count = 0
    for page in try Self.pages(decisions: false) {
      for word in page.words {
        // `overlay.osd`, `[overlay]`, `audio.enabled = false`; `[audio] volume` and `audio.volume` beside other words aren't looked at.
        guard let match = word.wholeMatch(of: /\[{0,2}([a-z0-9_]+(?:\.[A-Za-z0-9_-]+)*)\]{0,2}(?: *=.*)?/) else {
          continue
        }
        let path = match.output.1.split(separator: ".").map(String.init)
        // Files are named so too.
        guard tables[path[0]] != nil, path.count > 1 || word.hasPrefix("["), !["json", "toml"].contains(path.last)
        else { continue }
        count += 1
        #expect(has(path[...], in: schema, of: schema), "\(page.path): \(word)")
      }
    }
    #expect(count > 100)
  }

  @Test("A slip in a command, an option or a key is found")
  func slips() async throws {
    let dump = try await Tool.run(Player.path, ["--experimental-dump-help"])
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command
    #expect(problem(of: ["ctl", "--socket", "/s", "status"], root) != nil)
    #expect(problem(of: ["plya", "hall.mp4"], root) != nil)
    #expect(problem(of: ["play", "--lop", "hall.mp4"], root) != nil)
    #expect(problem(of: ["play", "--loop", "hall.mp4"], root) == nil)
    let printed = try await Tool.run(Player.path, ["config", "schema", "--json"])
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
    #expect(!has(["overlay", "mode"], in: schema, of: schema))
    #expect(has(["overlay", "osd"], in: schema, of: schema))
    #expect(has(["playlist", "main", "item", "uri"], in: schema, of: schema))
  }
}
