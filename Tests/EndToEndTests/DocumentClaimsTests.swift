import Foundation
import KioskTestSupport
import Testing

/// Checks the commands, options, keys, files and `make` targets that README and docs name against the program and the
/// repository. Names are taken from between backticks and from blocks of code.
@Suite("Claims of the documents that a program can check")
struct DocumentClaimsTests {
  struct Page: Sendable {
    /// From the root of the repository.
    var path: String
    var text: String
    var folder: URL { Tool.root.appending(path: path).deletingLastPathComponent() }

    /// The words between backticks, outside of blocks.
    var words: [String] {
      var isBlock = false
      return text.split(separator: "\n").flatMap { line -> [String] in
        if line.hasPrefix("```") { isBlock.toggle() }
        return isBlock ? [] : line.matches(of: /`([^`]+)`/).map { String($0.output.1) }
      }
    }

    /// The lines of code blocks.
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
    // Decisions describe the time when they were made.
    let names = docs.filter { $0.hasSuffix(".md") && (decisions || !$0.hasPrefix("decisions/")) }.map { "docs/\($0)" }
    return try (["README.md", "CONTRIBUTING.md", "SECURITY.md"] + names.sorted()).map { path in
      Page(path: path, text: try String(contentsOf: Tool.root.appending(path: path), encoding: .utf8))
    }
  }

  /// Anchors of headings, as GitHub makes them.
  private func anchors(of text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" }.dropFirst().lowercased()
        return String(title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })
          .replacing(" ", with: "-")
      })
  }

  @Test("Each link leads to a file that exists, and to a heading in it")
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

  @Test("Each named file of the repository and each target of make exists")
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
        // NN stands for a number in a template.
        guard !path.contains("NN-") else { continue }
        count += 1
        #expect(FileManager.default.fileExists(atPath: Tool.root.appending(path: path).path), "\(page.path): \(word)")
      }
    }
    #expect(count > 100)
  }

  /// The names that each Swift file of sources and tests declares, by the file's path from the root.
  private func declarations() throws -> [String: (types: Set<String>, members: Set<String>)] {
    func isPartOfName(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    let types = ["actor", "class", "enum", "extension", "protocol", "struct"].map { Array($0.utf8) }
    let members = ["case", "func", "let", "var"].map { Array($0.utf8) }
    var files: [String: (types: Set<String>, members: Set<String>)] = [:]
    for folder in ["Sources", "Tests"] {
      let root = Tool.root.appending(path: folder)
      for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix(".swift") {
        let words = try Data(contentsOf: root.appending(path: path)).split { !isPartOfName($0) }
        var found: (types: Set<String>, members: Set<String>) = ([], [])
        for (word, next) in zip(words, words.dropFirst()) {
          if types.contains(where: word.elementsEqual) { found.types.insert(String(decoding: next, as: UTF8.self)) }
          if members.contains(where: word.elementsEqual) { found.members.insert(String(decoding: next, as: UTF8.self)) }
        }
        files["\(folder)/\(path)"] = found
      }
    }
    return files
  }

  /// A recipe that leads to a file or a function that is gone costs a newcomer an hour.
  @Test("Each file, type, member and test that CONTRIBUTING.md names is there")
  func recipes() throws {
    let files = try declarations()
    let page = try #require(try Self.pages(decisions: false).first { $0.path == "CONTRIBUTING.md" })
    var count = 0
    for word in page.words {
      if word.hasSuffix(".swift") {
        count += 1
        #expect(files.keys.contains { $0 == word || $0.hasSuffix("/\(word)") }, "\(word)")
      } else if let match = word.wholeMatch(of: /([A-Z]+[a-z]\w*)(?:\.([a-z]\w*))?/), match.output.2 != "md" {
        count += 1
        let declaring = files.values.filter { $0.types.contains(String(match.output.1)) }
        #expect(!declaring.isEmpty || files.keys.contains { $0.hasPrefix("Tests/\(word)/") }, "\(word)")
        guard let name = match.output.2 else { continue }
        #expect(declaring.contains { $0.members.contains(String(name)) }, "\(word)")
      }
    }
    #expect(count > 50, "\(count)")
  }

  /// A workflow of the hosted CI that names a command which is gone fails on somebody else's machine, days later.
  @Test("Each step of the hosted CI is a target of make or a script that is there")
  func workflows() async throws {
    let makefile = try String(contentsOf: Tool.root.appending(path: "Makefile"), encoding: .utf8)
    for name in ["tests", "release"] {
      let listed = try await Tool.run(
        Tool.root.appending(path: ".ci/workflow").path, ["--list", ".github/workflows/\(name).yml"])
      let steps = listed.output.split(separator: "\n").map(String.init)
      #expect(steps.count > 4, "\(listed.errors)")
      for step in steps where !step.hasPrefix("apt-get ") {
        if step.hasPrefix("make ") {
          #expect(makefile.contains("\n\(step.dropFirst("make ".count)):"), "\(name): \(step)")
        } else {
          let path = Tool.root.appending(path: step).path
          #expect(FileManager.default.isExecutableFile(atPath: path), "\(name): \(step)")
        }
      }
    }
  }

  @Test("The command for small boards in docs/deploy.md names all that the package recommends")
  func recommended() throws {
    let control = try String(
      contentsOf: Tool.root.appending(path: "deploy/package/debian/control"), encoding: .utf8)
    let page = try String(contentsOf: Tool.root.appending(path: "docs/deploy.md"), encoding: .utf8)
    let command = try #require(page.firstMatch(of: /apt install --no-install-recommends (?s:.*?)\n```/)).output
    let lines = try #require(control.firstMatch(of: /\nRecommends:\n((?: [^\n]*\n)+)/)).output.1.split(separator: "\n")
    #expect(lines.count > 5)
    // For packages with other names in another suite, the page says so beside the command.
    for line in lines {
      let names = line.matches(of: /[a-z][a-z0-9.+-]+(?![^\[]*\])/).map { String($0.output) }
      for name in names { #expect((names.count == 1 ? String(command) : page).contains(name), "\(name)") }
    }
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

  /// Finds an unknown command or option among the words after `vitrine`; nil when all are known.
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

  @Test("Each named command of the program exists, with its options")
  func commands() async throws {
    let dump = try await Tool.run(Player.path, ["--experimental-dump-help"])
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command
    var count = 0
    for page in try Self.pages(decisions: false) {
      for line in page.words + page.code {
        // After systemctl, apt and the like, `vitrine` is a service, a user or a package.
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

  @Test("Each error number has one meaning")
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

  @Test("Each named key of the configuration exists")
  func keys() async throws {
    let printed = try await Tool.run(Player.path, ["config", "schema", "--json"])
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
    let tables = try #require(schema["properties"] as? [String: Any])
    var count = 0
    for page in try Self.pages(decisions: false) {
      for word in page.words {
        // Checks `overlay.osd`, `[overlay]` and `audio.enabled = false`; `[audio] volume` and `audio.volume` among
        // other words aren't checked.
        guard let match = word.wholeMatch(of: /\[{0,2}([a-z0-9_]+(?:\.[A-Za-z0-9_-]+)*)\]{0,2}(?: *=.*)?/) else {
          continue
        }
        let path = match.output.1.split(separator: ".").map(String.init)
        // Names of files have this form too.
        guard tables[path[0]] != nil, path.count > 1 || word.hasPrefix("["), !["json", "toml"].contains(path.last)
        else { continue }
        count += 1
        #expect(has(path[...], in: schema, of: schema), "\(page.path): \(word)")
      }
    }
    #expect(count > 100)
  }

  @Test("The check finds a wrong command, option or key")
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
