import Foundation
import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// Songs with tags and a cover of one colour, made by FFmpeg.
struct Songs {
  let directory: TemporaryDirectory
  static let green = (0x20, 0xA0, 0x60)

  init() async throws {
    directory = try TemporaryDirectory()
    try await Self.ffmpeg([
      "-f", "lavfi", "-i", "color=0x20A060:s=300x300", "-frames:v", "1", directory.path("cover.jpg"),
    ])
  }

  /// - Parameter name: the ending says the format.
  func make(_ name: String, seconds: Double = 1.2, hasCover: Bool = false) async throws -> String {
    let path = directory.path(name)
    var arguments = ["-f", "lavfi", "-i", "sine=440:d=\(seconds)"]
    if hasCover {
      arguments += ["-i", directory.path("cover.jpg"), "-map", "0:a", "-map", "1:v", "-c:v", "copy"]
      arguments += ["-disposition:v", "attached_pic"]
    }
    arguments += ["-metadata", "title=A Tone", "-metadata", "artist=Nobody", "-metadata", "album=Tones"]
    try await Self.ffmpeg(arguments + [path])
    return path
  }

  private static func ffmpeg(_ arguments: [String]) async throws {
    let outcome = try await Tool.run("ffmpeg", ["-v", "error", "-y"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}

@Suite(
  "Items without a picture, headless", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "FFmpeg is not installed (make setup)"))
struct SoundOnlyTests {
  @Test("Songs of all kinds count as played for their length, without a gap to films and pictures")
  func list() async throws {
    let songs = try await Songs()
    let film = try await Media.path("h264-640x360-30-2s.mp4")
    let picture = try await Media.path("picture-640x480.jpg")
    let names = ["a.mp3", "b.flac", "c.ogg", "d.m4a", "e.wav", "f.opus"]
    var items = ""
    for name in names { items += "[[playlist.main.item]]\nuri = \"\(try await songs.make(name))\"\n" }
    items += "[[playlist.main.item]]\nuri = \"\(film)\"\n"
    items += "[[playlist.main.item]]\nuri = \"\(songs.directory.path("a.mp3"))\"\n"
    items += "[[playlist.main.item]]\nuri = \"\(picture)\"\nduration = 0.5\n"
    items += "[[playlist.main.item]]\nuri = \"\(songs.directory.path("b.flac"))\"\nstart = 0.4\nend = 0.9\n"
    let file = try songs.directory.write("version = 1\n[playback]\nloop = false\n" + items, as: "vitrine.toml")
    let run = try await Player.run(["run", "--config", file, "--output", "headless"])
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let report = try #require(run.report)
    #expect(report.items.map(\.status) == Array(repeating: "played", count: 10))
    #expect(report.stallsTotal == 0 && report.errors.isEmpty)
    #expect(report.transitionsTotal == 9)
    let expected = [1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 2, 1.2, 0.5, 0.5]
    for (item, seconds) in zip(report.items, expected) {
      #expect(abs(item.playedSeconds - seconds) < 0.15, "\(item.uri): \(item.playedSeconds) s of \(seconds) s")
    }
    // A busy machine may be late for one or two seams; a wrong clock is late at all.
    #expect((report.gapSummary.medianMilliseconds ?? 1000) < 40, "\(report.gapsMilliseconds)")
  }

  @Test("With --no-audio a song still takes its time, from --start on")
  func silent() async throws {
    let songs = try await Songs()
    let song = try await songs.make("song.mp3", seconds: 5)
    let run = try await Player.run(["play", "--no-audio", "--start", "3.5", "--output", "headless", song])
    let report = try #require(run.report)
    #expect(run.outcome.status == 0 && report.items.map(\.status) == ["played"], "\(run.outcome.errors)")
    #expect(abs((report.items.first?.playedSeconds ?? 0) - 1.5) < 0.15, "\(report.items)")
    #expect(report.stallsTotal == 0)
  }

  @Test("A song's card has its cover, its words and the moving bar", arguments: ["mp3", "flac", "m4a"])
  func card(kind: String) async throws {
    let songs = try await Songs()
    let song = try await songs.make("song.\(kind)", seconds: 4, hasCover: true)
    func snapshot(at seconds: String) async throws -> Pixels {
      let picture = songs.directory.path("s.png")
      let run = try await Player.run([
        "play", "--output", "headless", "--size", "800x600", "--snapshot", picture, "--at", seconds, "--for", "3.5",
        song,
      ])
      #expect(run.outcome.status == 0, "\(run.outcome.errors)")
      return try await Pixels(path: picture)
    }
    /// The end of the played part of the bar: the last accent pixel of its row, from the left.
    func end(_ pixels: Pixels) -> Int {
      let row = 600 - Int(3.4 * 600 / 54)
      return (0..<800).last { pixels.isNear($0, row, (0xFF, 0xC2, 0x4B), within: 24) } ?? 0
    }
    let early = try await snapshot(at: "0.5")
    let late = try await snapshot(at: "3")
    #expect(end(early) > 0 && end(late) > end(early) + 50, "\(end(early)), \(end(late))")
    // The cover stands in the left half.
    #expect((0..<400).contains { late.isNear($0, 260, Songs.green, within: 12) })
    // White words are right of the cover.
    var whites = 0
    for y in 150..<350 { for x in 350..<800 where late.isNear(x, y, (255, 255, 255), within: 8) { whites += 1 } }
    #expect(whites > 100, "\(whites)")
  }

  @Test("The bar has a loudspeaker for a film with sound, also without a device, and none for a silent one")
  func loudspeaker() async throws {
    let directory = try TemporaryDirectory()
    func hasLoudspeaker(_ clip: String) async throws -> Bool {
      let picture = directory.path("s.png")
      let run = try await Player.run(
        [
          "play", "--output", "headless", "--size", "1280x720", "--osd", "always", "--snapshot", picture, "--at", "0.5",
          "--for", "1.5", try await Media.path(clip),
        ], environment: ["PULSE_SERVER": "unix:/no/such/socket"])
      #expect(run.outcome.status == 0, "\(run.outcome.errors)")
      let pixels = try await Pixels(path: picture)
      var bar = TransportBar(title: "", position: .zero, duration: .seconds(4))
      bar.buttons = [.playPause, .mute]
      let targets = OverlayRenderer().targets(of: bar, screen: PixelSize(width: 1280, height: 720))
      let box = try #require(targets.buttons[.mute])
      // A loudspeaker is higher than the digits that take its place otherwise.
      let unit = 720.0 / 54
      let (middle, from, to) = (box.y + box.height / 2, 0.54 * unit, 0.72 * unit)
      for y in Int(middle - to)...Int(middle - from) {
        for x in Int(box.x)..<min(1280, Int(box.x + box.width)) where pixels.isNear(x, y, (255, 255, 255), within: 40) {
          return true
        }
      }
      return false
    }
    #expect(try await hasLoudspeaker("h264-aac-640x360-30.mp4"))
    #expect(try await !hasLoudspeaker("h264-640x360-30-2s.mp4"))
  }

  @Test("A station that breaks off is reopened, and counts neither as ended nor as failed")
  func station() async throws {
    let songs = try await Songs()
    _ = try await songs.make("radio.mp3", seconds: 3)
    let server = try DripServer(songs.directory.url.path)
    // 64 kbit/s at playback speed after a burst; the connection ends after three seconds.
    let run = try await Player.run([
      "play", "--loop", "--no-audio", "--output", "headless", "--for", "9",
      server.uri("radio.mp3", "icy=One,Two&rate=8000&burst=16000"),
    ])
    let report = try #require(run.report)
    let item = try #require(report.items.first)
    #expect(run.outcome.status == 0 && item.status == "played" && item.errors.isEmpty, "\(run.outcome.errors)")
    #expect(item.plays == 1 && item.reconnects >= 1 && item.playedSeconds > 4, "\(item)")
    withExtendedLifetime(server) {}
  }
}
