import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// A server that sends pieces of a few bytes: each must take little memory.
@Suite("Small chunks", .serialized)
struct SmallChunkTests {
  /// Plays an address; gives the program's peak memory in kB.
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

  @Test("A film in chunks of 8 bytes takes at most half as much memory again as one in large ones")
  func film() async throws {
    let directory = try TemporaryDirectory()
    // A film that plays as it arrives: without a length its end can't be read first.
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

  @Test("HLS lists and their parts take no more")
  func list() async throws {
    let server = try await DripServer.ofAdaptiveMedia()
    let usual = try await memory(server.uri("~chunk=65536/hls-fmp4/clip.m3u8"))
    let small = try await memory(server.uri("~chunk=8/hls-fmp4/clip.m3u8"))
    #expect(small < usual * 3 / 2, "\(small) kB, \(usual) kB with large ones")
  }

  /// Makes a file of the other kinds that a server sends, of about a megabyte.
  private func make(_ name: String, in directory: TemporaryDirectory) async throws {
    let entries = (0..<20_000).map { "picture.png?\($0)" }
    switch name {
    case "list.m3u": _ = try directory.write("#EXTM3U\n" + entries.joined(separator: "\n") + "\n", as: name)
    case "list.xspf":
      let tracks = entries.map { "<track><location>\($0)</location></track>" }.joined(separator: "\n")
      let list = "<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList>\(tracks)</trackList></playlist>"
      _ = try directory.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(list)", as: name)
    default: break
    }
    // Noise doesn't compress.
    let noise = ["-f", "lavfi", "-i", "nullsrc=s=720x720,geq=random(1)*255:128:128", "-frames:v", "1"]
    let picture = try await Tool.run("ffmpeg", ["-nostdin", "-v", "error"] + noise + [directory.path("picture.png")])
    try #require(picture.status == 0, "\(picture.errors)")
    guard name == "song.mp3" else { return }
    let song = try await Tool.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=440:d=5", "-i", directory.path("picture.png")]
        + ["-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic", directory.path(name)])
    try #require(song.status == 0, "\(song.errors)")
  }

  @Test("Playlists, pictures and covers take no more", arguments: ["list.m3u", "list.xspf", "picture.png", "song.mp3"])
  func other(name: String) async throws {
    let directory = try TemporaryDirectory()
    try await make(name, in: directory)
    let server = try DripServer(directory.url.path)
    let usual = try await memory(server.uri("~chunk=65536/\(name)"))
    let small = try await memory(server.uri("~chunk=8/\(name)"))
    #expect(small < usual * 3 / 2, "\(small) kB, \(usual) kB with large ones")
  }
}
