import Foundation
import InteractionCore
import KioskTestSupport
import Testing

@Suite("Help")
struct HelpTests {
  /// The description of a program that swift-argument-parser dumps.
  private struct Dump: Decodable {
    var command: Command
  }
  private struct Command: Decodable {
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?
  }
  private struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }
    var kind: String
    var names: [Name]?
    var valueName: String?
    var shouldDisplay: Bool
  }

  private func commands() async throws -> [Command] {
    let dump = try await Tool.run(Player.path, ["--experimental-dump-help"])
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command
    func all(_ command: Command) -> [Command] { [command] + (command.subcommands ?? []).flatMap(all) }
    return all(root)
  }

  /// The subcommands of `vitrine` itself.
  private func ownCommands() async throws -> [Command] {
    let dump = try await Tool.run(Player.path, ["--experimental-dump-help"])
    return try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command.subcommands ?? []
  }

  @Test("Each verb is a command of `vitrine ctl`")
  func verbs() async throws {
    let ctl = try await ownCommands().first { $0.commandName == "ctl" }
    let names = Set(ctl?.subcommands?.map(\.commandName) ?? [])
    #expect(Verb.allCases.filter { !names.contains($0.rawValue) } == [])
  }

  @Test("No option's value is named after the option: <first|last> helps, <built-in-panels> doesn't")
  func values() async throws {
    var count = 0
    for command in try await commands() {
      for option in command.arguments ?? [] where option.kind == "option" && option.shouldDisplay {
        count += 1
        let names = (option.names ?? []).map(\.name)
        #expect(!names.contains(option.valueName ?? ""), "\(command.commandName) --\(names.joined(separator: ", "))")
      }
    }
    #expect(count > 40)
  }

  @Test(
    "A command line without a command gets a hint at the likely one",
    arguments: [
      (["hall.mp4"], "did you mean: vitrine play hall.mp4\n"),
      (["/srv/My films", "--loop"], "did you mean: vitrine play '/srv/My films' --loop\n"),
      (["https://example.org/film"], "did you mean: vitrine play https://example.org/film\n"),
      (["shop.toml"], "did you mean: vitrine run --config shop.toml\n"),
      (["dispalys", "--json"], "did you mean: vitrine displays --json\n"),
      (["ctl", "paly"], "vitrine ctl has no command 'paly'; did you mean: vitrine ctl play\n"),
      (["config", "shcema", "--markdown"], "did you mean: vitrine config schema --markdown\n"),
      (["ctl", "zzzzzz"], "vitrine ctl has no command 'zzzzzz'; it has status, play, "),
    ])
  func slips(arguments: [String], says: String) async throws {
    let outcome = try await Tool.run(Player.path, arguments)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
    #expect(!outcome.errors.contains("probe-child"))
  }

  @Test("A negative step parses as a value, before and after options", arguments: ["seek", "volume"])
  func stepsBack(verb: String) async throws {
    for arguments in [
      ["-10"], ["-10", "--wait", "1"], ["--wait", "1", "-10"], ["--wait=1", "\u{2212}10"], ["--", "-10"],
    ] {
      let outcome = try await Tool.run(
        Player.path, ["ctl", verb] + arguments + (arguments.contains("--") ? [] : ["--socket", "/no/such/socket"]))
      // Parsed as a value: the command fails only because there is no player.
      #expect(outcome.status == 69, "\(arguments): \(outcome.errors)")
    }
  }

  @Test("A hidden command has no manual page, and no page names it")
  func hidden() async throws {
    let directory = try TemporaryDirectory()
    // Stands in for swift-argument-parser's generator, which writes a page for every command, hidden or not, with
    // references to all others.
    let generator = try directory.write(
      """
      #!/bin/bash
      while [ $# -gt 0 ]; do [ "$1" != --output-directory ] || folder=$2; shift; done
      for name in vitrine vitrine.play vitrine.probe-part vitrine.self-test-part vitrine.help; do
        printf '.Nm "%s"\n.Sh SEE ALSO\n.Xr vitrine.play 1 ,\n.Xr vitrine.probe-part 1 ,\n.Xr vitrine.self-test-part 1\n' \
          "${name//./ }" > "$folder/$name.1"
      done
      """, as: "generator")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: generator)
    let outcome = try await Tool.run(
      Tool.root.appending(path: "deploy/package/man-pages").path,
      ["--generator", generator, "--date", "2026-01-01", Player.path, directory.path("pages")])
    #expect(outcome.status == 0, "\(outcome)")
    let pages = try FileManager.default.contentsOfDirectory(atPath: directory.path("pages")).sorted()
    #expect(pages == ["vitrine-play.1", "vitrine.1"])
    for page in pages {
      let text = try String(contentsOfFile: directory.path("pages/\(page)"), encoding: .utf8)
      #expect(text.contains("vitrine-play") && !text.contains("-part"), "\(text)")
    }
  }

  @Test("The examples fit into 80 columns, and name every command but the format's own")
  func examples() async throws {
    let help = try await Tool.run(Player.path, ["--help"]).output
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex(of: "EXAMPLES"))
    let examples = lines[(begin + 1)...].prefix { !$0.isEmpty }
    #expect(examples.count >= 9)
    // A line that is too long would wrap at the margin.
    #expect(examples.allSatisfy { $0.hasPrefix("  vitrine ") }, "\(examples.joined(separator: "\n"))")
    let named = Set(examples.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
    let others: Set = ["config", "help", "self-test-part", "probe-part"]
    let known = Set(try await ownCommands().map(\.commandName)).subtracting(others)
    #expect(named == known)
  }

  @Test("Exit codes fit into 80 columns: a wrapped line would read as a code")
  func exitCodes() async throws {
    var count = 0
    for command in try await commands() where !["vitrine", "help"].contains(command.commandName) {
      let help = try await Tool.run(Player.path, ["help", command.commandName]).output
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
      guard let begin = lines.firstIndex(of: "EXIT CODES") else { continue }
      for line in lines[(begin + 1)...].prefix(while: { !$0.isEmpty }) {
        let code = line.hasPrefix("  ") ? line.split(separator: " ").first : nil
        #expect(code.flatMap { Int($0) } != nil, "\(command.commandName): \(line)")
        count += 1
      }
    }
    #expect(count > 8)
  }
}
