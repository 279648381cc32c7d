import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Films of long frames, of a single frame, or of a moment's length.
@Suite("Films of few pictures", .serialized)
struct FewPicturesTests {
  /// Makes a film by ffmpeg in a new folder.
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
    "A film of few frames confirms a configuration: slides, a single frame, a tenth of a second",
    arguments: ["r=1/5 -frames:v 4", "r=25 -frames:v 1", "r=30 -frames:v 3"])
  func trial(options: String) async throws {
    let (folder, path) = try await film(options)
    try RunningPlayer.write("version = 1\n[[playlist.main.item]]\nuri = \"\(path)\"\n", as: "vitrine.toml", in: folder)
    let player = try RunningPlayer(["--confirm-after", "4"], in: folder)
    try await player.state { $0.state == "confirmed" }
    let report = try #require(try await player.stop().report)
    #expect(report.stallsTotal == 0 || options == "r=30 -frames:v 3", "\(report.stalls)")
    #expect(report.framesDropped == 0 && report.items[0].errorsTotal == 0)
  }

  private struct Printed: Decodable {
    struct Item: Decodable {
      var item: String
      var seconds: Double
      var failures: Int
    }
    var items: [Item]
  }

  @Test("The report and proof of play give a film of few frames its full time, and no stall")
  func played() async throws {
    // The last film stands still from 1 s to 4 s, although each of its frames claims 40 ms.
    let films = [
      ("r=1/5 -frames:v 2", 10), ("r=25 -frames:v 1", 0.04), ("r=1/3 -frames:v 1", 3), ("r=30 -frames:v 3", 0.1),
      ("r=25 -t 5 -vf \"select='lt(t,1)+gte(t,4)'\" -fps_mode vfr", 5),
    ]
    var made: [(folder: TemporaryDirectory, path: String)] = []
    for (options, _) in films { made.append(try await film(options)) }
    // An item after them, so that each comes to its end.
    let paths = made.map(\.path) + [try await Media.path("picture-640x480.jpg")]
    let items = paths.map { "[[playlist.main.item]]\nuri = \"\($0)\"\n" }.joined()
    let folder = try TemporaryDirectory()
    try RunningPlayer.write(
      "version = 1\n[telemetry]\nplay_log = true\n\(items)duration = 600\n", as: "vitrine.toml", in: folder)
    let player = try RunningPlayer(["-v"], in: folder)
    try await player.logged { $0.contains("vitrine: item 6: ") }
    let report = try #require(try await player.stop().report)
    let outcome = try await Tool.run(
      Player.path, ["log", "--folder", folder.path("state/plays"), "--json"], environment: ["TZ": "UTC"])
    let proof = try JSONDecoder().decode(Printed.self, from: Data(outcome.output.utf8)).items
    for (film, (options, seconds)) in zip(made, films) {
      // On a busy machine late frames may cost up to 0.3 s.
      let told = try #require(report.items.first { $0.uri.hasSuffix(film.path) }, "\(options)").playedSeconds
      #expect(abs(told - seconds) < 0.3, "\(options): \(told)")
      let proven = try #require(proof.first { $0.item.hasSuffix(film.path) }, "\(options)")
      #expect(abs(proven.seconds - seconds) < 0.3 && proven.failures == 0, "\(options): \(proven.seconds)")
    }
    // After a tenth of a second the next item may not be ready.
    #expect(!report.stalls.contains { $0.reason == "late" }, "\(report.stalls)")
  }
}
