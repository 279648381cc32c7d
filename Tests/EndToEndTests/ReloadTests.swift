import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@Suite("Changes of the configuration while it plays", .serialized)
struct ReloadTests {
  private func text(_ uris: [String], _ settings: String = "") -> String {
    "version = 1\n\(settings)" + uris.map { "[[playlist.main.item]]\nuri = \"\($0)\"\n" }.joined()
  }

  /// Starts a player that confirms after a second of good frames.
  private func start(_ text: String, _ arguments: [String] = []) throws -> RunningPlayer {
    let directory = try TemporaryDirectory()
    try RunningPlayer.write(text, as: "vitrine.toml", in: directory)
    return try RunningPlayer(["--confirm-after", "1"] + arguments, in: directory)
  }

  @Test("A changed configuration is noticed, played and confirmed, and the current item goes on")
  func change() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let other = try await Media.path("vp8-vorbis-320x240-25.webm")
    let player = try start(text([long]))
    let first = try await player.state { $0.state == "confirmed" }
    #expect(first.active != nil && first.active == first.files)

    // A drop-in that moves the playing item to another place.
    try player.write(text([other, long]), as: "conf.d/10-more.toml")
    try await player.state { $0.state == "candidate" && $0.active != first.active }
    let second = try await player.state { $0.state == "confirmed" }
    #expect(second.active != first.active)
    let run = try await player.stop()
    #expect(run.outcome.status == 0)
    let report = try #require(run.report)
    // The long film was never interrupted.
    #expect(report.transitionsTotal == 0)
    #expect(report.items.count == 2)
    #expect(report.items[1].uri.hasSuffix("h264-60s-640x360-30.mp4") && report.items[1].plays == 1)

    // The files haven't changed, so they are known to be good and get no trial.
    let again = try RunningPlayer(["--confirm-after", "60"], in: player.directory)
    #expect(try await again.state { _ in true }.state == "confirmed")
    _ = try await again.stop()
  }

  @Test("A changed link and a change of its target count as changes of the configuration")
  func links() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let other = try await Media.path("vp8-vorbis-320x240-25.webm")
    let directory = try TemporaryDirectory()
    func release(_ name: String, _ uris: [String]) throws {
      try RunningPlayer.write(text(uris), as: "../releases/\(name)/vitrine.toml", in: directory)
    }
    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: directory.path("new"), withDestinationPath: target)
      // The new link takes the old one's name, as with `ln -sfn` and deploy scripts.
      try #require(rename(directory.path("new"), directory.path(name)) == 0)
    }
    try release("1", [long])
    try release("2", [long, other])
    try FileManager.default.createDirectory(atPath: directory.path("etc"), withIntermediateDirectories: true)
    try link("current", to: "releases/1")
    try link("etc/vitrine.toml", to: "../current/vitrine.toml")
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    let first = try await player.state { $0.state == "confirmed" }
    try link("current", to: "releases/2")
    let second = try await player.state { $0.state == "confirmed" && $0.active != first.active }
    // The change is in the new release's folder, which is watched from now on.
    try release("2", [other, long])
    try await player.state { $0.state == "confirmed" && $0.active != second.active && $0.active != first.active }
    #expect(try await player.stop().outcome.status == 0)
  }

  @Test("Faulty files change nothing and are reported; mended files take effect")
  func errors() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let player = try start(text([long]))
    let first = try await player.state { $0.state == "confirmed" }
    try player.write("[playback]\nlop = true\n", as: "conf.d/10-bad.toml")
    let refused = try await player.state { $0.state == "refused" }
    #expect(refused.active == first.active)
    #expect(player.log.contains("conf.d/10-bad.toml:2:1: [playback].lop: unknown key, did you mean loop?"))
    // The player doesn't read a file of this name; without a warning its author would wait in vain.
    try player.write("[playback]\nloop = true\n", as: "conf.d/10.toml")
    try await eventually("no word of the name: \(player.log)") {
      player.log.contains("conf.d/10.toml: warning: is not read, the name of a drop-in is two digits")
    }
    try player.write("[playback]\nloop = true\n", as: "conf.d/10-bad.toml")
    try await player.state { $0.state == "confirmed" && $0.active != first.active }
    let report = try #require(try await player.stop().report)
    #expect(report.transitionsTotal == 0)
  }

  @Test("A broken film as the first item is refused before it is tried")
  func brokenItem() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let player = try start(text([long]))
    let first = try await player.state { $0.state == "confirmed" }
    try player.write(text([try await Media.path("text.mp4"), long]))
    let refused = try await player.state { $0.state == "refused" }
    #expect(refused.active == first.active && refused.reason?.contains("text.mp4") == true)
    _ = try await player.stop()
  }

  @Test("A configuration that shows nothing is rolled back, and not tried again after a restart")
  func rollBack() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let player = try start(text([long]), ["-v"])
    let first = try await player.state { $0.state == "confirmed" }
    // No server listens there; a network address is only found to fail when it is tried.
    try player.write(text(["http://127.0.0.1:9/none.mp4"]))
    try await player.state { $0.state == "candidate" }
    let back = try await player.state { $0.state == "rolled-back" }
    #expect(back.active == first.active && back.files != first.active)
    #expect(back.reason?.contains("good frames") == true)
    try await player.logged {
      $0.components(separatedBy: "rolled back").last?.contains("item 1: file://") == true
    }
    #expect(try await player.stop().outcome.status == 0)

    let again = try RunningPlayer(["--confirm-after", "1"], in: player.directory)
    let state = try await again.state { $0.state == "rolled-back" }
    #expect(state.active == first.active)
    #expect(again.log.contains("error 1005"))
    #expect(try #require(try await again.stop().report).items.first?.uri.hasSuffix("h264-60s-640x360-30.mp4") == true)
  }

  @Test("With a bad file at the start the last good configuration plays")
  func badAtStart() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let player = try start(text([long]))
    let first = try await player.state { $0.state == "confirmed" }
    _ = try await player.stop()
    try RunningPlayer.write("version = 1\n[playlist", as: "vitrine.toml", in: player.directory)
    let again = try RunningPlayer(["--confirm-after", "1"], in: player.directory)
    let state = try await again.state { $0.state == "rolled-back" }
    #expect(state.active == first.active && state.reason?.contains("vitrine.toml:2:") == true)
    let run = try await again.stop()
    #expect(run.outcome.status == 0 && run.report?.items.count == 1)
  }

  @Test("With a bad file and no last good one the screen says so, and a mended file plays")
  func nothingKept() async throws {
    let directory = try TemporaryDirectory()
    try RunningPlayer.write("version = 1\n[playback]\nlop = 1\n", as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    let state = try await player.state { $0.state == "none" }
    #expect(state.active == nil && state.reason?.contains("vitrine.toml:3:1") == true)
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    try player.write(text([long]))
    try await player.state { $0.state == "confirmed" }
    let run = try await player.stop()
    #expect(run.outcome.status == 0)
    #expect(run.report?.framesRendered ?? 0 > 0)
  }

  @Test("A file that is still being written isn't read")
  func halfWritten() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let player = try start(text([long]))
    let first = try await player.state { $0.state == "confirmed" }
    // Written slowly in place: the text in between is a faulty configuration.
    let path = player.directory.path("etc/vitrine.toml")
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.truncate(atOffset: 0)
    for line in text([long], "[playback]\nloop = true\n").split(separator: "\n", omittingEmptySubsequences: false) {
      try handle.write(contentsOf: Data("\(line)\n".utf8))
      // The writer takes several quiet periods in all.
      try await Task.sleep(for: .milliseconds(300))
    }
    let before = try await player.state { _ in true }
    #expect(before.state == "confirmed" && before.active == first.active)
    try handle.close()
    try await player.state { $0.state == "confirmed" && $0.active != first.active }
    #expect(!player.log.contains("error:") && !player.log.contains("old configuration"), "\(player.log)")
    _ = try await player.stop()
  }

  @Test("SIGHUP reloads at once, tells unchanged files, and finds a new film in a folder")
  func request() async throws {
    let directory = try TemporaryDirectory()
    let films = directory.url.appending(path: "films")
    try FileManager.default.createDirectory(at: films, withIntermediateDirectories: true)
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    try FileManager.default.createSymbolicLink(atPath: films.appending(path: "a.mp4").path, withDestinationPath: long)
    try RunningPlayer.write(text(["../films"]), as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    try await player.state { $0.state == "confirmed" }
    try FileManager.default.createSymbolicLink(
      atPath: films.appending(path: "b.webm").path,
      withDestinationPath: try await Media.path("vp8-vorbis-320x240-25.webm"))
    player.signal(SIGHUP)
    try await player.state { $0.state == "candidate" }
    try await player.state { $0.state == "confirmed" }
    let report = try #require(try await player.stop().report)
    #expect(report.items.count == 2 && report.transitionsTotal == 0)
  }

  @Test("'vitrine reload' reloads, and its exit code gives the result")
  func command() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let player = try start(text([long]))
    let first = try await player.state { $0.state == "confirmed" }
    func reload(_ more: String...) async throws -> Tool.Outcome {
      try await Tool.run(Player.path, ["reload", "--runtime", player.directory.path("run"), "--wait", "30"] + more)
    }
    // The files haven't changed.
    let same = try await reload()
    #expect(same.status == 0 && same.output == "confirmed\n", "\(same)")
    #expect(player.log.contains("control: reload by process "))
    try player.write(text([try await Media.path("vp8-vorbis-320x240-25.webm"), long]))
    let changed = try await reload()
    #expect(changed.status == 0 && changed.output == "confirmed\n", "\(changed)")
    let second = try await player.state { _ in true }
    #expect(second.state == "confirmed" && second.active != first.active)
    try player.write(text([long], "[playback]\nlop = true\n"))
    let refused = try await reload()
    #expect(refused.status == 78 && refused.output.hasPrefix("refused: "), "\(refused)")
    // A second reload reports the error again.
    #expect(try await reload().status == 78)
    try player.write(text(["http://127.0.0.1:9/none.mp4"]))
    let hasty = try await reload("--wait", "1")
    #expect(hasty.status == 75 && hasty.output == "not confirmed in time (candidate)\n", "\(hasty)")
    let back = try await reload()
    #expect(back.status == 65 && back.output.hasPrefix("rolled back: "), "\(back)")
    _ = try await player.stop()
    let gone = try await reload()
    #expect(gone.status == 69 && gone.errors.contains("error 7305"), "\(gone)")
    let nowhere = try await Tool.run(Player.path, ["reload", "--runtime", "/no/such/folder"])
    #expect(nowhere.status == 69 && nowhere.errors.contains("error 7305"), "\(nowhere)")
  }

  @Test("'vitrine reload' sends a signal when there is no control socket")
  func commandBySignal() async throws {
    let player = try start(text([try await Media.path("h264-60s-640x360-30.mp4")]), ["--control", "none"])
    try await player.state { $0.state == "confirmed" }
    let answer = try await Tool.run(
      Player.path, ["reload", "--runtime", player.directory.path("run"), "--wait", "30"])
    #expect(answer.status == 0 && answer.output == "confirmed\n", "\(answer)")
    #expect(!player.log.contains("control: "))
    _ = try await player.stop()
  }

  @Test("'vitrine reload' right after the start waits for the player's first state")
  func commandBeforeStart() async throws {
    let directory = try TemporaryDirectory()
    try RunningPlayer.write(
      text([try await Media.path("h264-60s-640x360-30.mp4")]), as: "vitrine.toml", in: directory)
    // systemd makes the folder before it starts the player.
    let run = directory.url.appending(path: "run")
    try FileManager.default.createDirectory(at: run, withIntermediateDirectories: true)
    async let asked = Tool.run(Player.path, ["reload", "--runtime", run.path, "--wait", "60"])
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    let answer = try await asked
    #expect(answer.status == 0 && answer.output == "confirmed\n", "\(answer)")
    _ = try await player.stop()
  }

  @Test("An empty file, as a loss of power leaves one, is an error")
  func emptyFile() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let player = try start(text([long]))
    try player.write("playback.picture_duration = 3\n", as: "conf.d/10-a.toml")
    let first = try await player.state { $0.state == "confirmed" && $0.active == $0.files }
    try player.write("", as: "conf.d/10-a.toml")
    let refused = try await player.state { $0.state == "refused" }
    #expect(refused.active == first.active)
    _ = try await player.stop()
    let again = try RunningPlayer(["--confirm-after", "1"], in: player.directory)
    let state = try await again.state { _ in true }
    #expect(state.state == "rolled-back" && state.active == first.active, "\(state)")
    #expect(again.log.contains("conf.d/10-a.toml: is empty"), "\(again.log)")
    _ = try await again.stop()
  }

  @Test("The schedule chooses the playlist and its items, and a change of it takes effect at once")
  func schedule() async throws {
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let other = try await Media.path("vp8-vorbis-320x240-25.webm")
    let never = "when = { until = 2020-01-01 }\n"
    let items = "[[playlist.other.item]]\nuri = \"\(long)\"\n\(never)[[playlist.other.item]]\nuri = \"\(other)\"\n"
    let player = try start(
      "version = 1\n[[schedule.rule]]\nplaylist = \"other\"\n[[playlist.main.item]]\nuri = \"\(long)\"\n" + items,
      ["-v"])
    try await player.logged { $0.contains("item 1: file://\(other)") }
    #expect(!player.log.contains(long))
    try player.write("[schedule]\nrule = []\n", as: "conf.d/10-off.toml")
    try await player.logged { $0.contains("item 1: file://\(long)") }
    #expect(try await player.stop().outcome.status == 0)
  }
}
