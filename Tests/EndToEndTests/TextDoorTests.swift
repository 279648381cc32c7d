import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Titles with terminal control sequences, checked at each output that the program has.
@Suite("Titles and names in the program's outputs")
struct TitleDoorTests {
  private static let title = "\u{1B}]0;PWN\u{7}\u{1B}[2J\u{9B}31m\u{202E}gnp"

  private static func isPlain(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0 != "\n" && PlainText.isActive($0) }
  }

  @Test("No output steers a terminal: log, status, proof of play, state file, metrics and report")
  func everywhere() async throws {
    let directory = try TemporaryDirectory()
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    _ = try directory.write(
      "#EXTM3U\n#EXTINF:2,\(Self.title)\n\(clip)\n#EXTINF:2,x;=HYPERLINK(\"http://e/\")\n\(clip)\n", as: "l.m3u")
    // The name of a broken film, with a line break in it.
    try Data("junk".utf8).write(to: directory.url.appending(path: "bad\nvitrine: all is well\u{1B}[2J.mp4"))
    try RunningPlayer.write(
      """
      version = 1
      [telemetry]
      play_log = true
      [[playlist.main.item]]
      uri = "\(directory.path("l.m3u"))"
      [[playlist.main.item]]
      uri = "\(directory.url.path)"

      """, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await player.logged { $0.components(separatedBy: "vitrine: item 1: ").count > 2 }
    let ctl = try await Tool.run(Player.path, ["ctl", "status", "--socket", directory.path("run/control")])
    let json = try await Tool.run(Player.path, ["ctl", "status", "--json", "--socket", directory.path("run/control")])
    let state = try String(contentsOfFile: directory.path("run/configuration.json"), encoding: .utf8)
    _ = try await player.stop()
    #expect(ctl.status == 0 && json.status == 0, "\(ctl) \(json)")
    var texts = [ctl.output, json.output, state, player.log]
    for form in [[], ["--csv"], ["--json"], ["--sums", "--csv"], ["--sums"]] {
      let printed = try await Tool.run(Player.path, ["log", "--folder", directory.path("state/plays")] + form)
      #expect(printed.status == 0 && printed.output.contains("PWN"), "\(form): \(printed)")
      texts.append(printed.output)
    }
    texts.append(try await Tool.run(Player.path, ["check", directory.path("etc")]).output)
    texts.append(try String(contentsOfFile: directory.path("report.json"), encoding: .utf8))
    for text in texts {
      #expect(Self.isPlain(text), "\(text.debugDescription)")
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("vitrine: all is well") })
    }
    // A spreadsheet may separate cells by semicolons.
    let csv = texts[5].split(separator: "\n").flatMap { $0.split(separator: ";") }
    #expect(csv.count > 3 && !csv.contains { "=+-@\"".contains($0.first ?? " ") }, "\(csv)")
  }
}

@Suite("Lists that would fill the log")
struct LogFloodTests {
  @Test("Five lists that name each other write a line each, at the start and at each reload")
  func lists() async throws {
    let directory = try TemporaryDirectory()
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    for (name, next) in zip("abcd", "bcde") {
      _ = try directory.write(String(repeating: "\(next).m3u\n", count: 100), as: "\(name).m3u")
    }
    try RunningPlayer.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"\(clip)\"\n[[playlist.main.item]]\nuri = \"\(directory.path("a.m3u"))\"\n",
      as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    _ = try await player.state { $0.state == "confirmed" }
    let first = player.log.split(separator: "\n").count
    #expect(first < 40, "\(first) lines")
    let reload = try await Tool.run(Player.path, ["reload", "--runtime", directory.path("run"), "--wait", "30"])
    #expect(reload.status == 0, "\(reload)")
    _ = try await player.stop()
    #expect(player.log.split(separator: "\n").count < 80)
  }
}

@Suite("Errors of a configuration, as users see them")
struct ToldSlipsTests {
  @Test("check shows line, mark and remedy, and reload lists all of it")
  func told() async throws {
    let directory = try TemporaryDirectory()
    let clip = try await Media.path("h264-60s-640x360-30.mp4")
    let good = "version = 1\n[[playlist.main.item]]\nuri = \"\(clip)\"\n"
    try RunningPlayer.write(good, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    _ = try await player.state { $0.state == "confirmed" }
    try player.write("version = 1\n[[playlist.main.item]]\nuri = “film.mp4”\n[audio]\nvolume = 0,5\n")
    let reload = try await Tool.run(Player.path, ["reload", "--runtime", directory.path("run"), "--wait", "30"])
    #expect(reload.status == 78, "\(reload)")
    let file = directory.path("etc/vitrine.toml")
    #expect(
      reload.output == """
        refused: \(file): the configuration has 2 errors; \(file):3:7: “ is a curly quote, and a text stands between straight \
        quotes, as the keyboard types them: "; write: uri = "film.mp4"
        \(file):5:11: the number has a comma in it, a number has a point: 0.5; write: volume = 0.5 (error 1001)

        """)
    let check = try await Tool.run(Player.path, ["check", directory.path("etc")])
    #expect(
      check.status == 78
        && check.output.contains("    volume = 0,5\n              ^\n    volume = 0.5   <- write it so\n"))
    #expect(!(reload.output + check.output + player.log).contains("mend what is listed"))
    _ = try await player.stop()
    #expect(player.log.contains("error: \(file):5:11: the number has a comma in it"))
  }

  @Test("An unknown time zone gets a suggestion, and files skipped for their names are reported")
  func names() async throws {
    let directory = try TemporaryDirectory()
    let list = "version = 1\n[[playlist.main.item]]\nuri = \"http://h/a.mp4\"\n"
    let zone = try directory.write(list + "[schedule]\ntimezone = \"Europe/Berln\"\n", as: "z.toml")
    let outcome = try await Tool.run(Player.path, ["check", zone])
    #expect(
      outcome.output.hasPrefix(
        "\(zone):5:12: [schedule].timezone: \"Europe/Berln\": the system has no time zone of that name, "
          + "did you mean \"Europe/Berlin\"?\n    timezone = \"Europe/Berln\"\n    timezone = \"Europe/Berlin\"   <- write it so\n"
      ),
      "\(outcome)")
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "d/conf.d"), withIntermediateDirectories: true)
    _ = try directory.write(list, as: "d/vitrine.toml")
    _ = try directory.write("[audio]\nvolume = 0.5\n", as: "d/conf.d/20-sound.toml.txt")
    let folder = try await Tool.run(Player.path, ["check", directory.path("d")])
    #expect(folder.status == 0 && folder.output.contains("20-sound.toml.txt: warning: is not read"), "\(folder)")
    try FileManager.default.createDirectory(at: directory.url.appending(path: "e"), withIntermediateDirectories: true)
    _ = try directory.write(list, as: "e/vitrine.toml.txt")
    let hidden = try await Tool.run(Player.path, ["check", directory.path("e")])
    #expect(
      hidden.status == 78 && hidden.output.contains("vitrine.toml.txt: is not read, take .txt off its name"),
      "\(hidden)")
  }
}
