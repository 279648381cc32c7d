import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@Suite("Headless, real files", .serialized)
struct HeadlessTests {
  @Test("H.264 with AAC plays every frame in its size and duration, without a stall (S1, S5, S6)")
  func h264() async throws {
    let run = try await Player.run(["play", "--output", "headless", try await Media.path("h264-aac-640x360-30.mp4")])
    #expect(run.outcome.status == 0)
    let report = try #require(run.report)
    #expect(report.output == "headless")
    #expect(report.framesRendered + report.framesDropped == 120)
    #expect(report.framesRendered >= 60)  // a noisy machine may drop some; virtual time proves that none has to be
    let item = try #require(report.items.first)
    #expect(item.status == "played")
    #expect(item.width == 640 && item.height == 360 && item.pixelAspect == "1/1")
    #expect(abs((item.durationSeconds ?? 0) - 4.02) < 0.1)
    #expect(report.firstFrameMilliseconds != nil)
    #expect(report.errors.isEmpty && item.errors.isEmpty)
  }

  @Test("Films of several codecs and pictures play in turn, and each transition is counted (S14)")
  func mixed() async throws {
    let config = try TemporaryDirectory()
    var items = ""
    for name in ["vp8-vorbis-320x240-25.webm", "theora-vorbis-320x240-25.ogg", "anamorphic-720x576.mp4"] {
      items += "[[playlist.main.item]]\nuri = \"\(try await Media.path(name))\"\n"
    }
    items += "[[playlist.main.item]]\nuri = \"\(try await Media.path("picture-800x600.png"))\"\nduration = 0.5\n"
    items += "[[playlist.main.item]]\nuri = \"\(try await Media.path("picture-640x480.jpg"))\"\nduration = 0.5\n"
    let file = try config.write("version = 1\n[playback]\nloop = false\n" + items, as: "vitrine.toml")
    let run = try await Player.run(["run", "--config", file, "--output", "headless"])
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let report = try #require(run.report)
    #expect(report.items.map(\.status) == Array(repeating: "played", count: 5))
    #expect(report.items.map { $0.pixelAspect ?? "" } == ["1/1", "1/1", "16/15", "1/1", "1/1"])
    #expect(report.transitionsTotal == 4)
    #expect(
      report.transitions.map { "\($0.fromKind)>\($0.toKind)" } == [
        "file>file", "file>file", "file>picture", "picture>picture",
      ])
    #expect(report.unexpectedEvents == 0, "\(run.outcome.errors)")
    for (index, seconds) in [3.0, 3.0].enumerated() {
      #expect(abs(report.items[index].playedSeconds - seconds) < 0.2)
    }
  }

  @Test(
    "Media with sound play without a line in GStreamer's log",
    arguments: [
      "h264-aac-640x360-30.mp4", "vp8-vorbis-320x240-25.webm", "theora-vorbis-320x240-25.ogg", "tracks-320x240-25.mkv",
      "beeps-320x240-25.mov", "tagged.mp3", "tagged.ogg",
    ])
  func noWarnings(name: String) async throws {
    let run = try await Player.run(["play", "--output", "headless", "--for", "1", try await Media.path(name)])
    #expect(run.outcome.status == 0)
    #expect(!run.outcome.errors.contains("GStreamer"), "\(run.outcome.errors)")
  }

  @Test("A shuffled playlist plays each item once in a round, in another order than the list's")
  func shuffled() async throws {
    let config = try TemporaryDirectory()
    let picture = try Data(contentsOf: URL(filePath: try await Media.path("picture-640x480.jpg")))
    let names = (0..<8).map { "\($0).jpg" }
    for name in names { try picture.write(to: config.url.appending(path: name)) }
    let items = names.map { "[[playlist.main.item]]\nuri = \"\($0)\"\nduration = 0.2\n" }.joined()
    let file = try config.write(
      "version = 1\n[playback]\nloop = false\n[playlist.main]\nshuffle = true\n" + items, as: "vitrine.toml")
    let run = try await Player.run(["run", "--config", file, "--output", "headless"])
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let report = try #require(run.report)
    let order = ([report.transitions.first?.from].compactMap(\.self) + report.transitions.map(\.to)).map {
      URL(string: report.items[$0].uri)?.lastPathComponent ?? "?"
    }
    #expect(order.sorted() == names, "\(order)")
    // One shuffle in 40,320 keeps the order.
    #expect(order != names)
  }

  @Test("GIF and WebP pictures are recognised by their content, and last as long as pictures do")
  func otherPictures() async throws {
    let config = try TemporaryDirectory()
    var items = ""
    for name in ["animated-100x60.gif", "picture-320x180.webp"] {
      items += "[[playlist.main.item]]\nuri = \"\(try await Media.path(name))\"\nduration = 0.5\n"
    }
    let file = try config.write("version = 1\n[playback]\nloop = false\n" + items, as: "vitrine.toml")
    let run = try await Player.run(["run", "--config", file, "--output", "headless"])
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let report = try #require(run.report)
    #expect(report.items.map(\.status) == ["played", "played"])
    #expect(report.transitions.map { "\($0.fromKind)>\($0.toKind)" } == ["picture>picture"])
    #expect(report.framesRendered > 2, "the GIF moves")
  }

  @Test("A live UDP stream plays until the player is stopped, without a stall (S12)")
  func live() async throws {
    let sender = try LiveSender()
    let run = try await Player.run(["play", "--output", "headless", "--for", "2", sender.uri])
    withExtendedLifetime(sender) {}
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let report = try #require(run.report)
    #expect(report.items.first?.uri == sender.uri)
    #expect((20...60).contains(report.framesRendered), "two seconds of 25 frames")
    #expect(report.errors.isEmpty)
  }

  @Test("A snapshot is the shown frame with the overlay, fitted to the screen")
  func snapshot() async throws {
    let directory = try TemporaryDirectory()
    let picture = directory.path("s.png")
    let run = try await Player.run([
      "play", "--output", "headless", "--size", "800x600", "--osd", "always", "--snapshot", picture, "--at", "1",
      try await Media.path("h264-640x360-30-2s.mp4"),
    ])
    #expect(run.outcome.status == 0)
    let pixels = try await Pixels(path: picture)
    #expect(pixels.width == 800 && pixels.height == 600)
    // 640x360 on 800x600 is 800x450, 75 from the top; black above it.
    #expect(pixels.isNear(400, 30, (0, 0, 0), within: 2))
    let number = try #require(pixels.frameNumber(x: 0, y: 75, width: 800))
    #expect((20...45).contains(number))
    // The played part of the bar in the accent colour, at the height of the row.
    let unit = 600.0 / 54
    let row = 600 - Int(3.4 * unit)
    #expect((0..<800).contains { pixels.isNear($0, row, (0xFF, 0xC2, 0x4B), within: 24) })
  }

  @Test("Sidecar subtitles appear with the frames of their time, in the chosen language")
  func subtitles() async throws {
    let directory = try TemporaryDirectory()
    let film = directory.path("film.mp4")
    try FileManager.default.createSymbolicLink(
      atPath: film, withDestinationPath: try await Media.path("h264-60s-640x360-30.mp4"))
    _ = try directory.write("1\n00:00:00,000 --> 00:00:30,000\nHallo\n", as: "film.de.srt")
    _ = try directory.write("Not a subtitle", as: "film.en.srt")
    /// Counts white pixels in the strip of the subtitles; the clip's own white gets there after two seconds.
    func whites(_ choice: String...) async throws -> (count: Int, errors: String) {
      let picture = directory.path("s.png")
      let run = try await Player.run(
        [
          "play", "--output", "headless", "--size", "1280x720", "--for", "2.5", "--snapshot", picture, "--at", "0.5",
          film,
        ] + choice)
      #expect(run.outcome.status == 0)
      let pixels = try await Pixels(path: picture)
      var count = 0
      for y in 630..<690 { for x in 500..<780 where pixels.isNear(x, y, (255, 255, 255), within: 4) { count += 1 } }
      return (count, run.outcome.errors)
    }
    let shown = try await whites("--subtitles", "de")
    #expect(shown.count > 300, "\(shown)")
    #expect(try await whites().count < 50, "subtitles are off by default")
    #expect(try await whites("--subtitles", "off").count < 50)
    let broken = try await whites("--subtitles", "en")
    #expect(broken.count < 50)
    #expect(broken.errors.contains("(error 3203)"))
  }

  @Test("The configuration chooses an item's subtitles, and the command line overrides it")
  func subtitlesConfigured() async throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("film.mp4"), withDestinationPath: try await Media.path("h264-60s-640x360-30.mp4"))
    _ = try directory.write("1\n00:00:00,000 --> 00:00:30,000\nHallo\n", as: "film.de.srt")
    let file = try directory.write(
      """
      version = 1
      [[playlist.main.item]]
      uri = "film.mp4"
      subtitles = "always"
      subtitle_language = ["fr", "de"]
      """, as: "vitrine.toml")
    func whites(_ more: String...) async throws -> Int {
      let picture = directory.path("s.png")
      let run = try await Player.run(
        [
          "run", "--config", file, "--output", "headless", "--size", "1280x720", "--for", "2.5", "--snapshot", picture,
          "--at", "0.5",
        ] + more)
      #expect(run.outcome.status == 0, "\(run.outcome.errors)")
      let pixels = try await Pixels(path: picture)
      var count = 0
      for y in 630..<690 { for x in 500..<780 where pixels.isNear(x, y, (255, 255, 255), within: 4) { count += 1 } }
      return count
    }
    #expect(try await whites() > 300)
    #expect(try await whites("--subtitles", "off") < 50)
  }

  @Test("An option for a language refuses other values", arguments: ["--subtitles", "--audio-language"])
  func noLanguage(option: String) async throws {
    let run = try await Player.run(["play", option, "12", "film.mp4"])
    #expect(run.outcome.status == 64)
    #expect(run.outcome.errors.contains("'12' is not a language"))
  }

  @Test("A snapshot due after the end shows the last frame")
  func snapshotAtTheEnd() async throws {
    let directory = try TemporaryDirectory()
    let picture = directory.path("s.png")
    let run = try await Player.run([
      "play", "--output", "headless", "--osd", "never", "--snapshot", picture, "--at", "60",
      try await Media.path("h264-640x360-30-2s.mp4"),
    ])
    #expect(run.outcome.status == 0)
    #expect(try await Pixels(path: picture).frameNumber(x: 0, y: 0, width: 1280) == 59)
  }

  @Test("--start sets the first position, and --for ends the run")
  func startAndLimit() async throws {
    let run = try await Player.run([
      "play", "--output", "headless", "--start", "30", "--for", "1", try await Media.path("h264-60s-640x360-30.mp4"),
    ])
    #expect(run.outcome.status == 0)
    #expect(!run.outcome.wasKilled)
    let report = try #require(run.report)
    // A second at 30 frames a second, fewer on a busy machine, and far from the whole minute.
    #expect((5...45).contains(report.framesRendered))
  }

  @Test(
    "A looping playlist plays until it is stopped, and the report is written then", arguments: [SIGTERM, SIGINT])
  func signals(number: Int32) async throws {
    let run = try await Player.run(
      ["play", "--loop", "--output", "headless", try await Media.path("h264-640x360-30-2s.mp4")],
      signals: [(after: 5, number: number)])
    #expect(run.outcome.status == 0)
    // The board's tests check how soon, in virtual time.
    #expect(!run.outcome.wasKilled)
    let report = try #require(run.report)
    #expect(report.items[0].plays >= 2)
    #expect(report.transitionsTotal >= 1)
  }

  @Test("SIGHUP reloads the configuration and plays it")
  func reload() async throws {
    let directory = try TemporaryDirectory()
    let first = try await Media.path("h264-640x360-30-2s.mp4")
    let second = try await Media.path("vp8-vorbis-320x240-25.webm")
    let file = try directory.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"\(first)\"\n", as: "vitrine.toml")
    let rewrite = Task.detached {
      try await Task.sleep(for: .seconds(3))
      _ = try directory.write("version = 1\n[[playlist.main.item]]\nuri = \"\(second)\"\n", as: "vitrine.toml")
    }
    let run = try await Player.run(
      ["run", "--config", file, "--output", "headless"],
      signals: [(after: 4, number: SIGHUP), (after: 8, number: SIGTERM)])
    try await rewrite.value
    #expect(run.outcome.status == 0)
    let report = try #require(run.report)
    #expect(report.items.count == 1)
    #expect(report.items[0].uri.hasSuffix("vp8-vorbis-320x240-25.webm"))
    #expect(report.items[0].playedSeconds > 1)
  }
}
