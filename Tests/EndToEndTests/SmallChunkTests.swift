import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// A server that sends in pieces of a few bytes: each is small, and what keeps it must be too.
@Suite("Small chunks", .serialized)
struct SmallChunkTests {
  /// Plays an address; gives the most memory that the program has had, in kB.
  private func memory(_ uri: String) async throws -> Int {
    let script = """
      import resource, subprocess, sys
      status = subprocess.run(sys.argv[1:]).returncode
      print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let outcome = try await Tool.run(
      "python3", ["-c", script, Player.path, "play", "--output", "headless", "--for", "1", uri],
      environment: ["WAYLAND_DISPLAY": "vitrine-test-no-such-socket"])
    let numbers = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 2 && numbers[0] == 0, "\(outcome.output)\(outcome.errors)")
    return numbers[1]
  }

  @Test("A film in chunks of 8 bytes takes no more than half as much memory again as one in large ones")
  func film() async throws {
    let directory = try TemporaryDirectory()
    // One that can be played as it comes: without a length nothing can be looked up at its end.
    let name = "film.ts"
    let made = try await Tool.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", try await Media.path("h264-60s-640x360-30.mp4")]
        + ["-t", "12", "-c", "copy", directory.path(name)])
    try #require(made.status == 0, "\(made.errors)")
    let server = try DripServer(directory.url.path)
    let usual = try await memory(server.uri("~chunk=65536/\(name)"))
    let small = try await memory(server.uri("~chunk=8/\(name)"))
    #expect(small < usual * 3 / 2, "\(small) kB, \(usual) kB with large ones")
  }

  @Test("So do a list of HLS and its parts")
  func list() async throws {
    let server = try await DripServer.ofAdaptiveMedia()
    let usual = try await memory(server.uri("~chunk=65536/hls-fmp4/clip.m3u8"))
    let small = try await memory(server.uri("~chunk=8/hls-fmp4/clip.m3u8"))
    #expect(small < usual * 3 / 2, "\(small) kB, \(usual) kB with large ones")
  }
}
