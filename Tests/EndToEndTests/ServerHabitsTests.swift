import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Lists with gaps, and servers that do allowed things that are seldom seen.
@Suite("Habits of servers", .serialized)
struct ServerHabitsTests {
  /// A folder with a film of 12 s, in parts of 2 s and in one piece.
  private func made() async throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let command = """
      cd "$0" && ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=320x180:r=25:d=12 -f lavfi -i sine=d=12 -c:v libx264 -g 50 \
      -preset ultrafast -pix_fmt yuv420p -c:a aac -f hls -hls_time 2 -hls_list_size 0 -hls_playlist_type vod \
      -hls_segment_filename s%d.ts av.m3u8 && ffmpeg -nostdin -v error -i av.m3u8 -t 3 -c copy -movflags +faststart film.mp4 \
      && ffmpeg -nostdin -v error -i av.m3u8 -vn -c copy -f hls -hls_time 2 -hls_list_size 0 -hls_playlist_type vod \
      -hls_segment_filename a%d.ts a.m3u8 && ffmpeg -nostdin -v error -i film.mp4 -frames:v 1 picture.jpg
      """
    let outcome = try await Tool.run("sh", ["-c", command, folder.url.path], limit: 120)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return folder
  }

  private func change(_ folder: TemporaryDirectory, _ name: String, _ change: (String) -> String) throws {
    let text = try String(contentsOfFile: folder.path("av.m3u8"), encoding: .utf8)
    _ = try folder.write(change(text), as: name)
  }

  private func play(_ uri: String, seconds: Int? = nil) async throws -> Player.Run {
    try await Player.run(
      ["play", "--output", "headless", "--no-audio", "--osd", "never"] + (seconds.map { ["--for", "\($0)"] } ?? []) + [
        uri
      ],
      limit: 90)
  }

  @Test(
    "A missing part is left out: the film keeps its length, and doesn't stand still for seconds",
    arguments: [[1], [3], [5], [0], [2, 3]])
  func hole(parts: [Int]) async throws {
    let folder = try await made()
    try change(folder, "hole.m3u8") { text in
      parts.reduce(text) { $0.replacing("s\($1).ts", with: "gone\($1).ts") }
    }
    let server = try ToolServer("picky-server", [folder.url.path])
    let run = try await play(server.uri("hole.m3u8"))
    let report = try #require(run.report)
    #expect(run.outcome.status == 0 && report.items[0].errorsTotal == 0, "\(report.items[0].errors)")
    #expect(report.items[0].framesRendered >= (6 - parts.count) * 50 - 5)
    #expect(report.stalls.allSatisfy { $0.seconds < 5 }, "\(report.stalls)")
    #expect(run.outcome.errors.contains("a part is left out"))
  }

  @Test("The player doesn't ask for a part that the list marks as a gap")
  func gap() async throws {
    let folder = try await made()
    try change(folder, "gap.m3u8") { $0.replacing("s3.ts", with: "#EXT-X-GAP\ns3.ts") }
    let log = folder.path("log")
    let server = try ToolServer("picky-server", ["--log", log, folder.url.path])
    let report = try #require(try await play(server.uri("gap.m3u8")).report)
    #expect(report.items[0].framesRendered >= 245 && report.stallsTotal == 0)
    let asked = try String(contentsOfFile: log, encoding: .utf8)
    #expect(asked.contains("/s4.ts") && !asked.contains("/s3.ts"))
  }

  @Test("A list without a part that can be had fails with the server's answer", arguments: ["gone", "forbidden"])
  func nothing(why: String) async throws {
    let folder = try await made()
    if why == "gone" { try change(folder, "av.m3u8") { $0.replacing("s", with: "x") } }
    let server = try ToolServer(
      "picky-server", ["--forbid", ".ts", folder.url.path].dropFirst(why == "gone" ? 2 : 0) + [])
    let report = try #require(try await play(server.uri("av.m3u8")).report)
    #expect(report.items[0].errors.map(\.number) == [why == "gone" ? 2404 : 2403], "\(report.items[0].errors)")
  }

  @Test("A variant with pictures plays, whatever order the list has; one whose own list is gone is replaced")
  func variants() async throws {
    let folder = try await made()
    let film = "#EXT-X-STREAM-INF:BANDWIDTH=1500000,CODECS=\"avc1.42c01e,mp4a.40.2\",RESOLUTION=320x180\n"
    _ = try folder.write(
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.2\"\na.m3u8\n\(film)av.m3u8\n", as: "sound.m3u8")
    _ = try folder.write("#EXTM3U\n\(film)gone/av.m3u8\n\(film)av.m3u8\n", as: "gone.m3u8")
    let server = try ToolServer("picky-server", [folder.url.path])
    for name in ["sound.m3u8", "gone.m3u8"] {
      let report = try #require(try await play(server.uri(name), seconds: 4).report)
      #expect(
        report.items[0].width == 320 && report.items[0].framesRendered >= 75, "\(name): \(report.items[0].errors)")
    }
  }

  @Test("Cookies from a list or a redirect go with the requests after it", arguments: ["av.m3u8", "film.mp4"])
  func cookies(name: String) async throws {
    let folder = try await made()
    let server = try ToolServer("picky-server", ["--cookie", folder.url.path])
    let report = try #require(try await play(server.uri(name), seconds: 2).report)
    #expect(report.items[0].framesRendered >= 40, "\(report.items[0].errors)")
  }

  @Test("Cookies aren't sent to another server")
  func ownCookies() async throws {
    let folder = try await made()
    let other = try ToolServer("picky-server", ["--cookie", folder.url.path])
    let server = try ToolServer("picky-server", ["--cookie", folder.url.path])
    try change(folder, "other.m3u8") {
      $0.replacing("s2.ts", with: other.uri("s2.ts")).replacing("s0.ts", with: other.uri("s0.ts"))
    }
    let report = try #require(try await play(server.uri("other.m3u8")).report)
    #expect(report.items[0].errors.map(\.number) == [2403])
  }

  @Test(
    "A compressed answer, or one typed as a web page, plays by its bytes",
    arguments: [["--gzip"], ["--type", "text/html"]])
  func dressed(options: [String]) async throws {
    let folder = try await made()
    let server = try ToolServer("picky-server", options + [folder.url.path])
    for name in ["av.m3u8", "film.mp4", "picture.jpg"] {
      let report = try #require(try await play(server.uri(name), seconds: 2).report)
      #expect(report.items[0].framesRendered >= (name == "picture.jpg" ? 1 : 40), "\(name): \(report.items[0].errors)")
    }
    _ = try folder.write("<html><body>no film</body></html>", as: "page.mp4")
    let report = try #require(try await play(server.uri("page.mp4"), seconds: 2).report)
    #expect(report.items[0].framesRendered == 0 && !report.items[0].errors.isEmpty)
  }
}
