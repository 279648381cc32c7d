import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// Another process opens the media: `vitrine probe-part`, which was built with this test.
@Suite("Probes in a process of their own", .serialized)
struct MediaProberTests {
  private func item(_ path: String) -> MediaItem { MediaItem(uri: path, kind: .file) }

  private func error(of item: MediaItem, by prober: MediaProber) -> VitrineError? {
    do throws(VitrineError) {
      _ = try prober.open(item, limit: .seconds(5))
      return nil
    } catch {
      return error
    }
  }

  @Test("A single process answers for good and bad items in turn, with the results that this one would give")
  func answers() async throws {
    let prober = MediaProber(program: Player.path)
    let facts = try prober.open(item(try await Media.path("h264-aac-640x360-30.mp4")))
    #expect(facts.streams.map(\.kind).contains(.video) && facts.streams.contains { $0.kind == .audio })
    #expect(facts.streams.first { $0.kind == .video }?.size == PixelSize(width: 640, height: 360))
    #expect(error(of: item(try await Media.path("text.mp4")), by: prober)?.number == 3001)
    #expect(error(of: item("/nowhere/at/all.mp4"), by: prober)?.number == 7101)
    let picture = try prober.open(MediaItem(uri: try await Media.path("picture-640x480.jpg"), kind: .picture))
    #expect(picture.streams.first?.kind == .picture)
    prober.rest()
    #expect(try prober.open(item(try await Media.path("h264-640x360-30-2s.mp4"))).duration != nil)
  }

  @Test("A film that was cut before its index is damaged in each process, and nothing waits for more of it")
  func cut() async throws {
    let directory = try TemporaryDirectory()
    let whole = directory.path("whole.mp4")
    // Without faststart the index is the last part of the file.
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    let copied = try await Tool.run("ffmpeg", ["-v", "error", "-i", clip, "-c", "copy", whole])
    try #require(copied.status == 0, "\(copied.errors)")
    let cut = URL(filePath: directory.path("cut.mp4"))
    try Data(contentsOf: URL(filePath: whole)).prefix(1000).write(to: cut)
    // On a busy machine, the error came in four of ten new processes before decodebin had connected the demultiplexer,
    // and was lost.
    let found = await withTaskGroup(of: [Int?].self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<8).map { _ in error(of: item(cut.absoluteString), by: MediaProber(program: Player.path))?.number }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(found.count == 64 && found.allSatisfy { $0 == 3002 }, "\(found)")
  }

  @Test("A program that doesn't answer or doesn't exist is the player's error, not the item's")
  func noProgram() {
    #expect(error(of: item("/x.mp4"), by: MediaProber(program: "/nowhere/vitrine"))?.number == 7514)
    #expect(error(of: item("/x.mp4"), by: MediaProber(program: "/bin/echo"))?.number == 7514)
    #expect(error(of: item("/x.mp4"), by: MediaProber(program: "/bin/true"))?.number == 7514)
  }

  /// A program that answers a number of requests, and then ends in a given way, for each of its lives.
  private func program(_ lives: String, in directory: TemporaryDirectory) throws -> MediaProber {
    let answer = String(
      decoding: try JSONEncoder().encode(
        ProbeAnswer(error: VitrineError(3001, subject: "x", message: "no medium", remedy: ""))), as: UTF8.self)
    let path = try directory.write(
      """
      #!/bin/bash
      life=$(cat '\(directory.path("lives"))' 2> /dev/null || echo 0); echo $((life + 1)) > '\(directory.path("lives"))'
      lives=(\(lives))
      IFS=, read -r answers end <<< "${lives[$life]}"
      for ((answered = 0; answered < answers; answered++)); do read -r line || exit 0; printf '%s\n' '\(answer)'; done
      read -r line || exit 0
      eval "$end"
      """, as: "probe")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return MediaProber(program: path)
  }

  @Test("If earlier items have used up the limits, the item that meets the end is asked again in a fresh process")
  func usedUp() throws {
    for end in ["exit\\ 101", "exit\\ 102", "kill\\ -XCPU\\ \\$\\$", "kill\\ -KILL\\ \\$\\$", "kill\\ -SEGV\\ \\$\\$"] {
      let directory = try TemporaryDirectory()
      let prober = try program("1,\(end) 9,true", in: directory)
      #expect(error(of: item("/a.mp4"), by: prober)?.number == 3001)
      #expect(error(of: item("/b.mp4"), by: prober)?.number == 3001, "\(end)")
      #expect(try String(contentsOfFile: directory.path("lives"), encoding: .utf8) == "2\n")
    }
  }

  @Test("A fresh process that ends at the prober's limits tells nothing of the item; one that crashes does")
  func ownLimits() throws {
    for (end, number) in [
      ("exit\\ 101", 7516), ("exit\\ 102", 7516), ("kill\\ -XCPU\\ \\$\\$", 7516), ("kill\\ -KILL\\ \\$\\$", 7516),
      ("kill\\ -SEGV\\ \\$\\$", 3041), ("exit\\ 1", 7514),
    ] {
      let directory = try TemporaryDirectory()
      let prober = try program("0,\(end) 9,true", in: directory)
      let found = error(of: item("/a.mp4"), by: prober)
      #expect(found?.number == number, "\(end): \(String(describing: found))")
      #expect(try String(contentsOfFile: directory.path("lives"), encoding: .utf8) == "1\n")
    }
  }

  @Test("A local file gets no network: its connections are refused before a packet is sent")
  func noNetwork() async throws {
    let directory = try TemporaryDirectory()
    // A list with a film's name that names a server.
    let path = try directory.write("#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n", as: "film.mp4")
    let prober = MediaProber(program: Player.path)
    #expect(error(of: item(path), by: prober) != nil)
    #expect(try prober.open(item(try await Media.path("h264-640x360-30-2s.mp4"))).streams.isEmpty == false)
  }
}
