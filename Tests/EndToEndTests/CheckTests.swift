import Foundation
import KioskTestSupport
import Testing

@Suite("vitrine check and vitrine config")
struct CheckTests {
  @Test(
    "A user's own configuration is used when there is one and no other is named; root and a service use the board's",
    .enabled(if: geteuid() == 0, "becomes other users"))
  func userConfiguration() async throws {
    let home = try TemporaryDirectory()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.url.path)
    try FileManager.default.createDirectory(
      at: home.url.appending(path: ".config/vitrine"), withIntermediateDirectories: true)
    _ = try home.write("version = 1\n[playback]\nlop = true\n", as: ".config/vitrine/vitrine.toml")
    func check(_ words: [String], _ environment: [String: String] = [:]) async throws -> String {
      let all = environment.merging(["HOME": home.url.path, "XDG_CONFIG_HOME": ""]) { own, _ in own }
      let outcome = try await Tool.run(words[0], Array(words.dropFirst()) + [Player.path, "check"], environment: all)
      return outcome.output + outcome.errors
    }
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    #expect(try await check(user).contains(".config/vitrine/vitrine.toml:3:1: [playback].lop"))
    for (words, environment) in [(["env"], [:]), (user, ["STATE_DIRECTORY": "/var/lib/vitrine"])] {
      let said = try await check(words, environment)
      #expect(!said.contains(".config"), "\(said)")
    }
  }

  private func vitrine(_ arguments: [String], environment: [String: String] = [:]) async throws -> Tool.Outcome {
    try await Tool.run(Player.path, arguments, environment: environment)
  }

  @Test("A good file gives exit code 0; missing media are warnings, or errors on request")
  func good() async throws {
    let directory = try TemporaryDirectory()
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    let file = try directory.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"\(clip)\"\n[[playlist.main.item]]\nuri = \"gone.mp4\"\n",
      as: "k.toml")
    let outcome = try await vitrine(["check", file])
    #expect(outcome.status == 0)
    #expect(
      outcome.output.split(separator: "\n").map(String.init) == [
        "\(file):5:7: warning: [playlist.main.item 2].uri: \"gone.mp4\": no such file or directory (error 1101), "
          + "check the spelling",
        "\(file): 0 errors, 1 warning",
      ])
    #expect(try await vitrine(["check", "--strict", file]).status == 66)
    #expect(try await vitrine(["check", "--probe", file]).status == 66)
  }

  @Test(
    "--probe opens what lies beside a film: what is missing or broken is an error, a sound that is too short a warning")
  func besideFilms() async throws {
    let directory = try TemporaryDirectory()
    for film in ["hall", "shop"] {
      try FileManager.default.copyItem(
        atPath: try await Media.path("h264-640x360-30-2s.mp4"), toPath: directory.path("\(film).mp4"))
    }
    try FileManager.default.copyItem(
      atPath: directory.path("hall.mp4"), toPath: directory.path("hall.bsl.mp4"))
    let tone = try await Tool.run(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:d=0.5", directory.path("hall.de.wav")])
    try #require(tone.status == 0)
    _ = try directory.write("1\n00:00:00,000 --> 00:00:01,000\nGood\n", as: "hall.en.srt")
    _ = try directory.write("not a caption\n", as: "hall.de.srt")
    _ = try directory.write("not a picture", as: "hall.png")
    _ = try directory.write("not a film", as: "shop.ad.mp3")
    let list = """
      version = 1
      [[playlist.main.item]]
      uri = "hall.mp4"
      signed = "hall.bsl.mp4"
      poster = "hall.png"
      [[playlist.main.item]]
      uri = "shop.mp4"
      signed = "gone.mp4"

      """
    let file = try directory.write(list, as: "k.toml")
    let probed = try await vitrine(["check", "--probe", file])
    let lines = probed.output.split(separator: "\n").filter { $0.hasPrefix("\(file):") }
    func has(_ key: String, _ word: String, _ isWarning: Bool = false) -> Bool {
      lines.contains { $0.contains(key) && $0.contains(word) && $0.contains(": warning: ") == isWarning }
    }
    #expect(probed.status == 66, "\(probed)")
    #expect(has("[playlist.main.item 1].poster", "hall.png"), "\(lines)")
    #expect(has("[playlist.main.item 1].uri", "hall.de.srt\": there are no subtitles in it (error 3203)"), "\(lines)")
    #expect(has("[playlist.main.item 1].uri", "hall.de.wav\": lasts 0.5 s and the film 2.0 s", true), "\(lines)")
    #expect(has("[playlist.main.item 2].signed", "gone.mp4"), "\(lines)")
    #expect(has("[playlist.main.item 2].uri", "shop.ad.mp3"), "\(lines)")
    // And no others: the captions and the version that are right.
    #expect(lines.last?.hasSuffix("4 errors, 1 warning") == true, "\(lines)")
    // Without --probe only what isn't there, and as a warning.
    let plain = try await vitrine(["check", file])
    #expect(plain.status == 0 && plain.output.contains("warning: [playlist.main.item 2].signed: "), "\(plain)")
    #expect(plain.output.hasSuffix("0 errors, 1 warning\n"), "\(plain)")
    // The same for a film that is named.
    let named = try await vitrine(["check", "--probe", directory.path("hall.mp4")])
    #expect(named.status == 66 && named.output.contains("hall.de.srt: there are no subtitles in it"), "\(named)")
  }

  @Test("A colour of low contrast is a warning, and none with high contrast")
  func accent() async throws {
    let directory = try TemporaryDirectory()
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    let list = "[[playlist.main.item]]\nuri = \"\(clip)\"\n"
    let file = try directory.write("version = 1\n[overlay]\naccent = \"#B06000\"\n" + list, as: "k.toml")
    let outcome = try await vitrine(["check", file])
    #expect(outcome.status == 0 && outcome.output.contains("warning: [overlay].accent: is hard to see"), "\(outcome)")
    let high = try directory.write(
      "version = 1\n[overlay]\naccent = \"#B06000\"\ncontrast = \"high\"\n" + list, as: "h.toml")
    #expect(try await vitrine(["check", high]).output.hasSuffix("0 errors, 0 warnings\n"))
  }

  @Test("A bad file gives exit code 78 and every problem, in text and in JSON")
  func bad() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("version = 1\n[playback]\nlop = 1\npicture_duration = -1\n", as: "k.toml")
    let outcome = try await vitrine(["check", file])
    #expect(outcome.status == 78)
    #expect(outcome.output.contains("\(file):3:1: [playback].lop: unknown key, did you mean loop?\n"))
    #expect(outcome.output.hasSuffix("\(file): 2 errors, 1 warning\n"))
    let json = try await vitrine(["check", "--json", file])
    #expect(json.status == 78)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(report["ok"] as? Bool == false && report["errors"] as? Int == 2 && report["warnings"] as? Int == 1)
    let diagnostics = try #require(report["diagnostics"] as? [[String: Any]])
    #expect(diagnostics.first?["line"] as? Int == 3 && diagnostics.first?["key"] as? String == "[playback].lop")
    #expect(try await vitrine(["check", directory.path("none.toml")]).status == 78)
  }

  @Test("check reads the drop-ins of a folder, and reports their errors")
  func folder() async throws {
    let directory = try TemporaryDirectory()
    _ = try directory.write("version = 1\n[[playlist.main.item]]\nuri = \"http://h/a.mp4\"\n", as: "vitrine.toml")
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "conf.d"), withIntermediateDirectories: true)
    _ = try directory.write("[playback]\nloop = 3\n", as: "conf.d/10-a.toml")
    let outcome = try await vitrine(["check", directory.url.path])
    #expect(outcome.status == 78)
    #expect(outcome.output.contains("conf.d/10-a.toml:2:8: [playback].loop: 3: is of type integer and not boolean"))
    let shown = try await vitrine(
      ["config", "show", "--origin", "--config", directory.url.path, "--set", "playback.loop=false"],
      environment: ["VITRINE_OVERLAY_OSD": "never"])
    #expect(shown.status == 78)
    #expect(shown.output.contains("playback.loop = false ") && shown.output.contains("# --set playback.loop\n"))
    #expect(shown.output.contains("# VITRINE_OVERLAY_OSD\n") && shown.output.contains("vitrine.toml:3\n"))
  }

  @Test("check --probe opens every medium, describes it, and compares checksums")
  func probe() async throws {
    let directory = try TemporaryDirectory()
    let clip = try await Media.path("h264-aac-640x360-30.mp4")
    let picture = try await Media.path("picture-640x480.jpg")
    let text = try await Media.path("text.mp4")
    let sum = try await Tool.run("sha256sum", [picture]).output.prefix(64)
    let file = try directory.write(
      """
      version = 1
      [[playlist.main.item]]
      uri = "\(clip)"
      [[playlist.main.item]]
      uri = "\(picture)"
      checksum = "sha256:\(sum)"
      [[playlist.main.item]]
      uri = "\(text)"
      [[playlist.main.item]]
      uri = "\(clip)"
      checksum = "\(sum)"
      """, as: "k.toml")
    let outcome = try await vitrine(["check", "--probe", "--json", file])
    #expect(outcome.status == 66)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let media = try #require(report["media"] as? [[String: Any]])
    #expect(media.count == 3)
    let streams = try #require(media[0]["streams"] as? [[String: Any]])
    let video = try #require(streams.first { $0["kind"] as? String == "video" })
    #expect(video["width"] as? Int == 640 && video["height"] as? Int == 360 && video["rate"] as? Double == 30)
    #expect((video["codec"] as? String)?.contains("H.264") == true && video["decoder"] is String)
    #expect(streams.contains { $0["kind"] as? String == "audio" })
    #expect((media[0]["duration"] as? Double).map { $0 > 1 } == true)
    #expect((media[1]["streams"] as? [[String: Any]])?.first?["kind"] as? String == "picture")
    let problems = try #require(report["diagnostics"] as? [[String: Any]])
    #expect(
      problems.map { $0["key"] as? String } == ["[playlist.main.item 3].uri", "[playlist.main.item 4].checksum"])
    #expect(problems.map { $0["line"] as? Int } == [8, 10])
  }

  @Test(
    "A film that is too much for the board is reported, and the advised command makes one that plays",
    arguments: [
      "-vf scale=1280:720 -r 50 -c:v libx264 -pix_fmt yuv420p",
      "-vf scale=720:576,setsar=16/11 -c:v libx264 -pix_fmt yuv422p10le -flags +ildct+ilme -x264opts tff=1",
      "-vf scale=480:854 -metadata:s:v:0 rotate=90 -c:v mpeg4", "-vf scale=1281:721 -c:v libx264 -pix_fmt yuv444p",
    ])
  func conversion(options: String) async throws {
    let directory = try TemporaryDirectory()
    let boards = try directory.write(
      """
      version = 1
      [plays.h264]
      software = "640x360@30"
      [plays.mpeg4]
      software = "640x360@30"
      """, as: "10-small.toml")
    let film = directory.path("Anna's film.mov")
    let sources = "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -f lavfi -i sine=d=1"
    let made = try await Tool.run(
      "sh", ["-c", "ffmpeg -loglevel error \(sources) \(options) -c:a pcm_s16le \"$0\"", film])
    #expect(made.status == 0, "\(made.errors)")
    let environment = [
      "VITRINE_BOARD": "small", "VITRINE_BOARD_DIR": URL(filePath: boards).deletingLastPathComponent().path,
    ]
    func advice(_ path: String) async throws -> [String: Any] {
      let outcome = try await vitrine(["check", "--probe", "--json", path], environment: environment)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      let report = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      let medium = try #require((report?["media"] as? [[String: Any]])?.first)
      return try #require(medium["advice"] as? [String: Any])
    }
    let before = try await advice(film)
    #expect(before["verdict"] as? String == "too_much")
    let command = try #require(before["convert"] as? String)
    let converted = try await Tool.run("sh", ["-c", command.replacing("ffmpeg -i", with: "ffmpeg -loglevel error -i")])
    #expect(converted.status == 0, "\(command): \(converted.errors)")
    let after = try await advice(directory.path("Anna's film-h264.mp4"))
    #expect(after["verdict"] as? String == "plays", "\(command): \(after)")
    // The text has the medium, its streams, the verdict, the command and the count.
    let text = try await vitrine(["check", "--probe", film], environment: environment)
    let lines = text.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("  video: ") } && lines.contains("  convert it:"), "\(text.output)")
    #expect(
      lines.contains { $0.hasPrefix("  too much for small: ") } && lines.last?.hasSuffix("0 errors, 1 warning") == true)
  }

  @Test("check --probe reports a medium that can't be opened, with a remedy, and the other media too")
  func namedMedia() async throws {
    let directory = try TemporaryDirectory()
    let picture = try await Media.path("picture-640x480.jpg")
    let text = try directory.write("no film", as: "text.mp4")
    let outcome = try await vitrine(["check", "--probe", picture, text, directory.path("gone.mp4")])
    #expect(outcome.status == 66)
    #expect(outcome.output.contains("picture-640x480.jpg\n  picture: JPEG, 640x480"), "\(outcome.output)")
    #expect(outcome.output.contains("\n  plays in time\n") && outcome.output.contains("or convert it: ffmpeg -i"))
    #expect(outcome.output.hasSuffix("3 media: 2 errors, 0 warnings\n"))
    #expect(try await vitrine(["check", picture, text]).status == 64)
  }

  @Test(
    "check opens pictures by the player's own decoders, not by GStreamer",
    arguments: [
      ("phone.heic", "HEIC, 160x90"), ("bitmap.bmp", "BMP, 160x90"), ("bare.jxl", "JPEG XL, 160x90, by libjxl"),
      ("plain.tga", "Targa, 160x90"), ("lzw.tif", "TIFF, 160x90"),
      ("turned-6.png", "PNG, 90x160, to be turned (rotate-90)"),
      ("vector.svg", "SVG"),
    ])
  func pictures(name: String, words: String) async throws {
    let outcome = try await vitrine(["check", "--probe", try await Pictures.path(name)])
    #expect(outcome.status == 0 && outcome.output.contains("\n  picture: \(words)"), "\(outcome.output)")
    let large = try await vitrine(["check", "--probe", try await Pictures.path("large.png")])
    #expect(large.status == 66 && large.output.contains("3101"), "\(large.output)")
  }

  @Test("vitrine schedule says what plays and why, at a moment and over a week")
  func schedule() async throws {
    let directory = try TemporaryDirectory()
    let text = """
      version = 1
      [schedule]
      timezone = "Europe/Berlin"
      [[schedule.rule]]
      name = "bar"
      playlist = "evening"
      days = ["fri", "sat"]
      start = "18:00"
      end = "02:30"
      [[schedule.off]]
      start = "03:00"
      end = "07:30"
      [[playlist.main.item]]
      uri = "http://h/a.mp4"
      [[playlist.evening.item]]
      uri = "http://h/b.mp4"
      """
    let file = try directory.write(text, as: "k.toml")
    // 02:30 comes twice that night, and the first one ends the bar's evening.
    let night = try await vitrine(["schedule", "--config", file, "--at", "2026-10-25 02:15"])
    #expect(night.status == 0)
    #expect(
      night.output.split(separator: "\n").map(String.init) == [
        "sun 2026-10-25 02:15 Europe/Berlin: playlist evening",
        "  because of rule 1 \"bar\" for evening (fri, sat 18:00 to 02:30)", "  item 1: http://h/b.mp4",
        "  rule 1 \"bar\" for evening, priority 0: is on (fri, sat 18:00 to 02:30)",
        "  until sun 2026-10-25 02:30, then playlist main",
      ])
    let off = try await vitrine(["schedule", "--config", file, "--at", "2026-06-01T02:00Z"])
    #expect(off.output.hasPrefix("mon 2026-06-01 04:00 Europe/Berlin: the screen is off\n"))
    let week = try await vitrine(["schedule", "--config", file, "--at", "2026-10-23 12:00", "--week"])
    let lines = week.output.split(separator: "\n").map(String.init)
    #expect(
      lines.count == 1 + 4 + 5 + 4 + 4 * 3 && lines[5] == "sat 2026-10-24  00:00  playlist evening", "\(week.output)")
    // A day with the screen off has one line, whatever else would begin on it.
    let sundays = try directory.write(text + "\n[[schedule.off]]\ndays = [\"sun\"]\n", as: "s.toml")
    let dark = try await vitrine(["schedule", "--config", sundays, "--at", "2026-10-23 12:00", "--week"])
    let sunday = dark.output.split(separator: "\n").drop { !$0.hasPrefix("sun ") }.prefix { !$0.hasPrefix("mon ") }
    #expect(sunday == ["sun 2026-10-25  00:00  the screen is off"], "\(dark.output)")
    #expect(try await vitrine(["schedule", "--config", file, "--at", "noon"]).status == 64)
    let unknown = try directory.write(text.replacing("Berlin", with: "Nowhere"), as: "n.toml")
    #expect(try await vitrine(["schedule", "--config", unknown]).status == 78)
    #expect(try await vitrine(["check", unknown]).status == 78)
  }
}
