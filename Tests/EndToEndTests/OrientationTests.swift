import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Films with a rotation of their own, compared with ffmpeg's decode of them.
@Suite("Films upright", .serialized)
struct OrientationTests {
  /// Gives ffmpeg's frame: rotated, with square pixels, centred on a screen.
  private func expected(_ clip: String, _ picture: String, screen: (width: Int, height: Int)) async throws -> Pixels {
    let directory = try TemporaryDirectory()
    let file = directory.path("frame.ppm")
    let outcome = try await Tool.run(
      "ffmpeg",
      [
        "-hide_banner", "-loglevel", "error", "-i", try await Media.path(clip), "-vf",
        "select=gte(n\\,12),\(picture),pad=\(screen.width):\(screen.height):(ow-iw)/2:(oh-ih)/2", "-frames:v", "1",
        "-pix_fmt", "rgb24", file,
      ])
    guard outcome.status == 0 else { throw MediaFailure(description: outcome.errors) }
    return try await Pixels(path: file)
  }

  struct MediaFailure: Error, CustomStringConvertible { var description: String }

  struct Film: CustomTestStringConvertible, Sendable {
    var clip: String
    /// The reported size in pixels.
    var size: [Int]
    var aspect: String
    /// The ffmpeg filter that scales and crops a rotated frame as the player should.
    var picture: String
    var fit = "contain"
    var testDescription: String { "\(clip), \(fit)" }
  }

  static let films = [
    Film(clip: "portrait-320x180-25.mp4", size: [180, 320], aspect: "1/1", picture: "scale=270:480"),
    Film(clip: "portrait-320x180-25.mp4", size: [180, 320], aspect: "1/1", picture: "scale=640:480", fit: "stretch"),
    Film(
      clip: "portrait-320x180-25.mp4", size: [180, 320], aspect: "1/1",
      // The middle 135 of 320 lines.
      picture: "crop=180:136,scale=640:480", fit: "cover"),
    Film(clip: "mirrored-320x180-25.mp4", size: [320, 180], aspect: "1/1", picture: "scale=640:360"),
    Film(clip: "upside-down-320x180-25.mp4", size: [320, 180], aspect: "1/1", picture: "scale=640:360"),
    Film(
      clip: "portrait-anamorphic-320x180-25.mp4", size: [180, 320], aspect: "3/4", picture: "scale=202:480"),
  ]

  @Test("Rotated films are contained, cropped and stretched in their displayed size", arguments: OrientationTests.films)
  func film(film: Film) async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      """
      version = 1
      [[playlist.main.item]]
      uri = "\(try await Media.path(film.clip))"
      fit = "\(film.fit)"

      """, as: "vitrine.toml")
    let picture = directory.path("s.png")
    let run = try await Player.run([
      "run", "--config", file, "--output", "headless", "--no-audio", "--size", "640x480", "--osd", "never", "--for",
      "0.9", "--snapshot", picture, "--at", "0.5",
    ])
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let item = try #require(run.report?.items.first)
    #expect([item.width, item.height] == film.size && item.pixelAspect == film.aspect)
    let shot = try await Pixels(path: picture)
    let wanted = try await expected(film.clip, film.picture, screen: (640, 480))
    let difference = shot.difference(from: wanted)
    // Another frame of the film gives a difference of 4 to 7, measured, by its number and square; a wrong rotation
    // gives 30 or more.
    #expect(difference.mean < 12 && difference.share > 0.5, "\(difference)")
  }

  @Test(
    "A rotated film plays upright from a server, with its header at the start or at the end",
    arguments: ["mirrored-320x180-25.mp4", "portrait-320x180-25.mp4"], [false, true])
  func served(clip: String, isHeaderFirst: Bool) async throws {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", try await Media.path(clip), "-c", "copy"]
        + (isHeaderFirst ? ["-movflags", "+faststart"] : [])
        + [directory.path("film.mp4")])
    #expect(made.status == 0, "\(made.errors)")
    let server = try DripServer(directory.url.path)
    let file = try directory.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"\(server.uri("film.mp4"))\"\n", as: "vitrine.toml")
    let picture = directory.path("s.png")
    let run = try await Player.run([
      "run", "--config", file, "--output", "headless", "--no-audio", "--size", "640x480", "--osd", "never", "--for",
      "1.9", "--snapshot", picture, "--at", "0.5",
    ])
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let isPortrait = clip.hasPrefix("portrait")
    let wanted = try await expected(clip, isPortrait ? "scale=270:480" : "scale=640:360", screen: (640, 480))
    let difference = try await Pixels(path: picture).difference(from: wanted)
    #expect(difference.mean < 12 && difference.share > 0.5, "\(difference)")
    withExtendedLifetime(server) {}
  }

  @Test("A portrait film between two others is upright, and every frame of each is shown")
  func list() async throws {
    let clips = ["upside-down-320x180-25.mp4", "portrait-320x180-25.mp4", "anamorphic-720x576.mp4"]
    var paths: [String] = []
    for clip in clips { paths.append(try await Media.path(clip)) }
    let run = try await Player.run(["play", "--output", "headless", "--no-audio"] + paths)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let items = try #require(run.report?.items)
    #expect(items.map { [$0.width, $0.height] } == [[320, 180], [180, 320], [720, 576]])
    let report = try #require(run.report)
    #expect(report.framesRendered + report.framesDropped == 25 + 25 + 50)
  }
}
