import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import VitrinePlayback

/// A file that FFmpeg can make but GStreamer can't open.
private struct ForeignFile {
  let directory: TemporaryDirectory
  let name: String

  /// - Parameters:
  ///   - options: FFmpeg's output options. Its inputs are a film of 30 frames a second with numbered frames, and a
  ///     tone.
  init(_ name: String, _ options: [String]) async throws {
    directory = try TemporaryDirectory()
    self.name = name
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    let outcome = try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", film, "-f", "lavfi", "-i", "sine=440:r=48000", "-map_metadata", "-1", "-t", "4",
        "-metadata", "title=A Tone",
      ] + options + [directory.path(name)])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  var item: MediaItem { MediaItem(uri: URL(filePath: directory.path(name)).absoluteString, kind: .file) }

  func cut(to share: Double) throws { try change { $0 = $0.prefix(Int(Double($0.count) * share)) } }

  func change(_ body: (inout Data) throws -> Void) throws {
    let url = URL(filePath: directory.path(name))
    var bytes = try Data(contentsOf: url)
    try body(&bytes)
    try bytes.write(to: url)
  }
}

@Suite(
  "Player: file formats that GStreamer can't open", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "FFmpeg is not installed (make setup)"))
struct LibavFileTests {
  private static let film = ["-map", "0:v", "-map", "1:a", "-vf", "scale=320:180", "-c:v", "utvideo"]

  @Test(
    "Ut Video in AVI has its duration, a seek shows the exact frame, and it plays to its end",
    arguments: ["yuv420p", "yuv422p", "yuv444p", "gbrp", "gbrap"])
  func utVideo(pixels: String) async throws {
    let file = try await ForeignFile("film.avi", Self.film + ["-pix_fmt", pixels, "-c:a", "pcm_s16le"])
    let player = try makePlayer(file.item)
    let ready = try await player.ready()
    #expect(isClose(try #require(ready.duration), .seconds(4), .milliseconds(20)) && ready.canSeek)
    for frame in [100, 0, 31, 75] {
      _ = await player.seek(to: .seconds(1) * frame / 30 + .milliseconds(12))
      let number = frameNumber(await player.captureFrame())
      #expect(number == frame)
    }
    let events = player.events()
    await player.play()
    let end = try await events.until("its end") { event in
      switch event {
      case .itemEnded, .itemFailed: true
      default: false
      }
    }
    #expect(!end.contains { if case .itemFailed = $0 { true } else { false } }, "\(end)")
    await player.stop()
  }

  @Test(
    "Core Audio has its duration and title, and can be sought",
    arguments: [["pcm_s16le"], ["pcm_f32be"], ["pcm_alaw"], ["alac"], ["pcm_s16be", "-ac", "6"]])
  func coreAudio(codec: [String]) async throws {
    let file = try await ForeignFile("song.caf", ["-map", "1:a", "-c:a"] + codec)
    let player = try makePlayer(file.item)
    let ready = try await player.ready()
    #expect(isClose(try #require(ready.duration), .seconds(4), .milliseconds(50)) && ready.canSeek)
    _ = await player.seek(to: .seconds(2))
    await player.play()
    _ = try await player.reaches("what comes after it") { $0.position > .milliseconds(2300) }
    #expect(player.status.metadata.title == "A Tone")
    await player.stop()
  }

  @Test("A decoder that isn't on the list isn't used: such a film plays without its sound")
  func otherDecoders() async throws {
    let file = try await ForeignFile("film.avi", Self.film + ["-pix_fmt", "yuv420p", "-c:a", "wmav2"])
    let player = try makePlayer(file.item)
    _ = try await player.ready()
    #expect(player.status.tracks.allSatisfy { $0.kind != .audio }, "\(player.status.tracks)")
    await player.stop()
  }

  @Test("A file from a server is downloaded whole before it plays", arguments: ["song.caf", "film.avi"])
  func served(name: String) async throws {
    let options =
      name == "song.caf"
      ? ["-map", "1:a", "-c:a", "pcm_s16le"] : Self.film + ["-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"]
    let file = try await ForeignFile(name, options)
    let server = try DripServer(file.directory.url.path)
    let player = try makePlayer(MediaItem(uri: server.uri(name), kind: .progressive))
    let ready = try await player.ready()
    #expect(isClose(try #require(ready.duration), .seconds(4), .milliseconds(50)))
    await player.play()
    _ = try await player.reaches("some of it") { $0.position > .milliseconds(300) }
    await player.stop()
    withExtendedLifetime(server) {}
  }

  /// Whether the file plays to its end.
  private func plays(_ file: ForeignFile) async throws -> Bool {
    let player = try makePlayer(file.item)
    let events = player.events()
    await player.play()
    let end = try await events.until("an end") { event in
      switch event {
      case .itemEnded, .itemFailed: true
      default: false
      }
    }
    await player.stop()
    return !end.contains { if case .itemFailed = $0 { true } else { false } }
  }

  @Test("An AVI with a second codec beside Ut Video isn't opened: FFmpeg has a hundred decoders")
  func otherCodec() async throws {
    let two = ["-map", "0:v", "-map", "0:v", "-vf", "scale=320:180", "-t", "0.4"]
    let ours = try await ForeignFile("film.avi", two + ["-c:v", "utvideo", "-pix_fmt", "yuv420p"])
    #expect(try await plays(ours))
    let other = try await ForeignFile(
      "film.avi", two + ["-c:v:0", "utvideo", "-c:v:1", "mpeg4", "-pix_fmt", "yuv420p"])
    #expect(try await !plays(other))
  }

  @Test("The signature of Ut Video inside another chunk doesn't make an AVI count as Ut Video")
  func decoy() async throws {
    let file = try await ForeignFile(
      "film.avi", ["-map", "0:v", "-vf", "scale=320:180", "-t", "0.4", "-c:v", "mpeg4", "-pix_fmt", "yuv420p"])
    let decoy =
      Data("strh".utf8) + Data([4, 0, 0, 0]) + Data("vidsstrf".utf8) + Data([40, 0, 0, 0])
      + Data(repeating: 0, count: 16) + Data("ULY0".utf8) + Data(repeating: 0, count: 20)
    try file.change { bytes in
      func longer(_ place: Int) {
        let size = bytes[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) } + UInt32(decoy.count)
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
      }
      // The sizes of RIFF, the list of headers and its first header grow; the decoy is inserted at that header's end.
      #expect(bytes[24..<28] == Data("avih".utf8))
      for place in [4, 16, 28] { longer(place) }
      bytes.insert(contentsOf: decoy, at: 32 + 56)
    }
    #expect(try await plays(file))
  }

  @Test("A film with more pixels than any screen is refused before memory is allocated")
  func hugeFilm() async throws {
    let file = try await ForeignFile("film.avi", Self.film + ["-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"])
    try file.change { bytes in
      let format = try #require(bytes.range(of: Data("strf".utf8)))
      // The film's width.
      bytes.replaceSubrange((format.upperBound + 8)..<(format.upperBound + 12), with: [0x01, 0x20, 0, 0])
    }
    #expect(try await !plays(file))
  }

  @Test("A Core Audio file that claims more packets than a day has isn't opened")
  func hugeTable() async throws {
    // For packets of one length the table isn't read: its number of packets alone determines the size of FFmpeg's list.
    for (packets, isPlayed) in [(10_000, true), (5_000_000, false)] {
      let file = try await ForeignFile("song.caf", ["-map", "1:a", "-t", "1", "-c:a", "pcm_s16le"])
      try file.change { bytes in
        let number = (0..<8).map { UInt8(truncatingIfNeeded: packets >> (56 - 8 * $0)) }
        let table = Data("pakt".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 24] + number) + Data(repeating: 0, count: 16)
        // After the file's signature and the description of its sound.
        #expect(bytes[8..<12] == Data("desc".utf8))
        bytes.insert(contentsOf: table, at: 8 + 12 + 32)
      }
      #expect(try await plays(file) == isPlayed)
    }
  }

  @Test(
    "A truncated file plays as far as it goes, or fails", arguments: ["song.caf", "film.avi"],
    [0.001, 0.02, 0.5, 0.9])
  func cut(name: String, share: Double) async throws {
    let options =
      name == "song.caf"
      ? ["-map", "1:a", "-c:a", "alac"] : Self.film + ["-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"]
    let file = try await ForeignFile(name, options)
    try file.cut(to: share)
    let player = try makePlayer(file.item)
    let events = player.events()
    await player.play()
    _ = try await events.until("an end") { event in
      switch event {
      case .itemEnded, .itemFailed: true
      default: false
      }
    }
    await player.stop()
  }
}
