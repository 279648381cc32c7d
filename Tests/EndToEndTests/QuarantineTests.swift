import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// A file that crashes its decoder, in a real player that is restarted each time.
@Suite("A file that ends the player", .serialized)
struct QuarantineTests {
  /// A folder with `crash.so`, which crashes a decoder on files with the mark at their end.
  static func crasher() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "make", ["-C", Tool.root.appending(path: "Tests/Tools/crash").path, "BUILD=\(directory.url.path)"])
    try #require(made.status == 0, "\(made.errors)")
    return directory
  }

  static let mark = Data("CRASHES!".utf8)

  /// Makes films of 2 s with these names; `bad` ends with the mark.
  private func folder(_ names: [String]) async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let clip = try Data(contentsOf: URL(filePath: try await Media.path("h264-640x360-30-2s.mp4")))
    var text = "version = 1\n"
    for name in names {
      let path = directory.path("\(name).mp4")
      try (name == "bad" ? clip + Self.mark : clip).write(to: URL(filePath: path))
      text += "[[playlist.main.item]]\nuri = \"\(path)\"\n"
    }
    try RunningPlayer.write(text, as: "vitrine.toml", in: directory)
    for name in ["state", "run"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: name), withIntermediateDirectories: true)
    }
    return directory
  }

  /// Runs the player until it ends by itself, or for `seconds`.
  private func play(
    _ directory: TemporaryDirectory, _ crasher: TemporaryDirectory, seconds: Double, runs: Int,
    environment: [String: String] = [:]
  ) async throws -> (report: PlaybackReport?, log: String, ends: [String]) {
    let ends = directory.path("ends")
    try? FileManager.default.removeItem(atPath: ends)
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/restart-loop").path,
      ["\(runs)", ends, Player.path, "run", "--config", directory.path("etc"), "--output", "headless", "--no-audio"]
        + ["-v", "--for", "\(seconds)", "--report", directory.path("report.json")],
      environment: environment.merging([
        "STATE_DIRECTORY": directory.path("state"), "RUNTIME_DIRECTORY": directory.path("run"),
        "LD_PRELOAD": crasher.path("crash.so"), "WAYLAND_DISPLAY": "vitrine-test-no-such-socket",
      ]) { $1 }, limit: 60)
    let lines = try String(contentsOfFile: ends, encoding: .utf8).split(separator: "\n").map(String.init)
    return (try Report.read(directory.path("report.json")), outcome.errors, lines)
  }

  /// The names of the items that began, in order.
  private func begun(_ log: String) -> [String] {
    log.matches(of: #/vitrine: item \d+: file:\S*/(\w+)\.mp4/#).map { String($0.1) }
  }

  @Test("A crashing item is left out from the third time on, with its reason in the report, until its bytes change")
  func quarantine() async throws {
    let crasher = try await Self.crasher()
    let directory = try await folder(["one", "bad", "two"])
    let (report, log, ends) = try await play(directory, crasher, seconds: 7, runs: 6)
    // Two deaths by SIGSEGV keep that exit status, then the player runs to its end.
    #expect(ends == ["139", "139", "0"], "\(log)")
    let items = begun(log)
    // Playback goes on after the bad item, which is tried once more in the next round.
    #expect(Array(items.prefix(5)) == ["one", "bad", "two", "one", "bad"], "\(items)")
    let rest = Array(items.dropFirst(5))
    #expect(!rest.contains("bad") && rest.prefix(3) == ["two", "one", "two"], "\(items)")
    let last = try #require(report)
    #expect(last.errors.contains { $0.number == 7510 && $0.text.contains("SIGSEGV") })
    #expect(
      last.items.contains { $0.uri.hasSuffix("bad.mp4") && $0.errors.contains { $0.number == 3040 } }, "\(last.items)")
    // The crash report for operators.
    let doctor = try await Tool.run(
      Player.path, ["doctor", "--json", "--state", directory.path("state"), "--runtime", directory.path("run")])
    #expect(doctor.output.contains("bad.mp4") && doctor.output.contains("3040"))
    let crash = try await Tool.run(
      Player.path, ["doctor", "crash", "--state", directory.path("state"), "--runtime", directory.path("run")])
    for part in ["signal 11 (SIGSEGV)", "avdec_h264", "bad.mp4", "crash.so +0x", "which worked for deck", "; blamed"] {
      #expect(crash.output.contains(part), "\(part) in \(crash.output)")
    }

    // The report has the command that gives a place in a module its name, where the module has symbols.
    let command = crash.output.split(separator: "\n").first { $0.contains("addr2line") && $0.contains("crash.so") }
    let names = try await Tool.run("bash", ["-c", String(try #require(command))])
    #expect(names.output.contains("faulty_handle_frame\n") && names.output.contains("crash.c:"), "\(names)")

    // Without the mark the file has other bytes and plays.
    let clip = try Data(contentsOf: URL(filePath: directory.path("one.mp4")))
    try clip.write(to: URL(filePath: directory.path("bad.mp4")))
    let after = try await play(directory, crasher, seconds: 5, runs: 1)
    #expect(after.ends == ["0"] && Array(begun(after.log).prefix(3)) == ["one", "bad", "two"], "\(after.log)")
  }

  @Test(
    "An abort and a stack overflow are recorded too, and keep their exit status",
    arguments: [("abort", "134", "SIGABRT"), ("stack", "139", "SIGSEGV")])
  func otherDeaths(how: String, status: String, name: String) async throws {
    let crasher = try await Self.crasher()
    let directory = try await folder(["bad", "one"])
    let (_, log, ends) = try await play(directory, crasher, seconds: 1, runs: 2, environment: ["CRASH_HOW": how])
    #expect(ends == [status, "0"], "\(log)")
    #expect(log.contains("died by signal") && log.contains(name) && log.contains("bad.mp4"), "\(log)")
  }

  @Test("A player killed from outside by any signal goes on where it was, and the film isn't blamed")
  func fromOutside() async throws {
    let directory = try TemporaryDirectory()
    let clip = try await Media.path("h264-60s-640x360-30.mp4")
    let other = try await Media.path("h264-640x360-30-2s.mp4")
    try RunningPlayer.write(
      "version = 1\nplayback.resume = \"off\"\n[[playlist.main.item]]\nuri = \"\(other)\"\n[[playlist.main.item]]\nuri = \"\(clip)\"\nstart = 5\n",
      as: "vitrine.toml", in: directory)
    var player = try RunningPlayer(["-v"], in: directory)
    try await player.logged { $0.contains("vitrine: item 2") }
    for signal in [SIGSEGV, SIGKILL, SIGABRT, SIGKILL] {
      try await Task.sleep(for: .seconds(1.2))
      _ = try? await player.stop(signal: signal)
      player = try RunningPlayer(["-v"], in: directory)
      try await player.showedFrame()
      #expect(player.ownLog.contains("vitrine: item 2") && !player.ownLog.contains("vitrine: item 1"), "\(player.log)")
    }
    try await Task.sleep(for: .seconds(0.5))
    let run = try await player.stop()
    // The item starts at 5 s, and each player played for a second.
    let places = player.log.matches(of: #/going on with \S+ at (\d+\.\d) s/#).compactMap { Double($0.1) }
    #expect(places.count == 4 && places == places.sorted() && Set(places).count == 4 && places[0] > 5, "\(places)")
    #expect(!player.log.contains("left out") && run.report?.errors.contains { $0.number == 7512 } == false)
    // Two SIGKILLs only make a suspicion, which the item's end clears.
    let known = (try? String(contentsOfFile: directory.path("state/quarantine"), encoding: .utf8)) ?? ""
    #expect(!known.contains("held"), "\(known)")

    // A player that was asked to end didn't crash, and the next one starts at the first item.
    player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    #expect(player.ownLog.contains("vitrine: item 1") && !player.ownLog.contains("7510"), "\(player.ownLog)")
    _ = try await player.stop()
  }
}
