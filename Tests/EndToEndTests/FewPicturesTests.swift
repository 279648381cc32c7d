import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Films that show a picture for long, or one only, or that are over in a moment.
@Suite("Films of few pictures", .serialized)
struct FewPicturesTests {
  /// A film by ffmpeg, in a folder of its own.
  private func film(_ options: String) async throws -> (folder: TemporaryDirectory, path: String) {
    let folder = try TemporaryDirectory()
    let path = folder.path("film.mp4")
    let command =
      "ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=320x180:\(options) -c:v libx264 -preset ultrafast "
      + "-pix_fmt yuv420p \"$0\""
    let outcome = try await Tool.run("sh", ["-c", command, path], limit: 60)
    guard outcome.status == 0 else { throw VitrineError(1, subject: "ffmpeg", message: outcome.errors, remedy: "") }
    return (folder, path)
  }

  @Test(
    "A configuration with one is confirmed by good frames like any other: slides, a single picture, a tenth of a second",
    arguments: ["r=1/5 -frames:v 4", "r=25 -frames:v 1", "r=30 -frames:v 3"])
  func trial(options: String) async throws {
    let (folder, path) = try await film(options)
    try RunningPlayer.write("version = 1\n[[playlist.main.item]]\nuri = \"\(path)\"\n", as: "vitrine.toml", in: folder)
    let player = try RunningPlayer(["--confirm-after", "4"], in: folder)
    try await player.state(within: 30) { $0.state == "confirmed" }
    let report = try #require(try await player.stop().report)
    #expect(report.stallsTotal == 0 || options == "r=30 -frames:v 3", "\(report.stalls)")
    #expect(report.framesDropped == 0 && report.items[0].errorsTotal == 0)
  }
}
