import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// A real player shows pictures that keep their decoder busy for ever. It plays on, and reports the pictures it leaves
/// out.
@Suite("Pictures that take for ever, in a player", .serialized)
struct HardPicturesTests {
  /// The errors of a picture that is left out: too large, damaged, too slow, or its decoder ended. 4101 (nothing came)
  /// is for a machine so busy that the deck's time ends before the decoder's.
  private static let numbers: Set = [3101, 3103, 3104, 3105, 4101]

  /// Plays these pictures with a film before and after them.
  private func play(_ names: [String], limit: Double) async throws -> (report: PlaybackReport, log: String) {
    let directory = try TemporaryDirectory()
    let film = try await Media.path("h264-640x360-30-2s.mp4")
    var paths = [film]
    for name in names { paths.append(try await HardPictures.path(name)) }
    let items = (paths + [film]).map { "[[playlist.main.item]]\nuri = \"\($0)\"\n" }.joined()
    try RunningPlayer.write(
      "version = 1\n[playback]\nloop = false\npicture_duration = 0.2\n" + items, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(in: directory)
    let run = try await player.end(within: limit)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    return (try #require(run.report), run.outcome.errors)
  }

  private func expectGoesOn(_ names: [String], limit: Double) async throws -> PlaybackReport {
    let (report, log) = try await play(names, limit: limit)
    let pictures = report.items.dropFirst().dropLast()
    #expect(pictures.count == names.count)
    for (item, name) in zip(pictures, names) {
      #expect(item.status == "played" || !item.errors.isEmpty, "\(name) is left out without a word")
      #expect(Set(item.errors.map(\.number)).isSubset(of: Self.numbers), "\(name): \(item.errors)")
    }
    #expect(report.items.first?.status == "played" && report.items.last?.status == "played", "\(log)")
    #expect(!log.contains("another process takes over") && !log.contains("rebooted"), "\(log)")
    return report
  }

  @Test("Films around endless pictures play, and each picture is reported")
  func few() async throws {
    let report = try await expectGoesOn(["uses.svg", "turbulence.svg", "scans.jpg", "wide.png"], limit: 120)
    #expect(report.items[1].status == "failed" && report.items[2].status == "failed")
    #expect(report.items[4].errors.map(\.number) == [3101])
  }

  @Test("A playlist of all of them plays to its end", .long)
  func all() async throws { _ = try await expectGoesOn(try await HardPictures.names(), limit: 600) }

  @Test(
    "All of them on a stick leave its films playing, and nothing is restarted",
    .long)
  func stick() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.url.appending(path: "stick/vitrine")
    for name in ["sticks", "stick/vitrine"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: name), withIntermediateDirectories: true)
    }
    let film = try await Media.path("h264-640x360-30-2s.mp4")
    // The player opens a stick's first twenty files before it plays, and refuses the stick if one of them is broken.
    for name in (0...20).map({ "\($0).mp4" }) + ["zz.mp4"] {
      try FileManager.default.copyItem(at: URL(filePath: film), to: folder.appending(path: name))
    }
    for name in try await HardPictures.names() {
      try FileManager.default.copyItem(
        at: URL(filePath: try await HardPictures.path(name)), to: folder.appending(path: name))
    }
    try RunningPlayer.write(
      """
      version = 1
      playback.picture_duration = 0.2
      [usb]
      mode = "play"
      folder = "\(directory.path("sticks"))"
      [[playlist.main.item]]
      uri = "\(film)"

      """, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["--confirm-after", "1", "-v"], in: directory)
    try await player.state { $0.state == "confirmed" }
    try FileManager.default.moveItem(atPath: directory.path("stick"), toPath: directory.path("sticks/sda1"))
    // Waits for one round and the start of the next.
    try await player.logged(within: 600) { log in
      log.components(separatedBy: "zz.mp4").count > 1 && log.components(separatedBy: "/0.mp4").count > 2
    }
    let run = try await player.stop()
    #expect(run.outcome.status == 0 && !run.outcome.errors.contains("another process"), "\(run.outcome.errors)")
  }

  @Test("A song with an endless picture as its cover plays for its length, with a card without a cover")
  func cover() async throws {
    let songs = try await Songs()
    let picture = [UInt8](try Data(contentsOf: URL(filePath: try await HardPictures.path("scans.jpg"))))
    let song = [UInt8](try Data(contentsOf: URL(filePath: try await songs.make("a.mp3"))))
    // An ID3v2.3 tag with one frame: the front cover.
    func size(_ count: Int, bits: Int) -> [UInt8] {
      (0..<4).map { UInt8(count >> ((3 - $0) * bits) & (1 << bits - 1)) }
    }
    let frame = Array("\0image/jpeg\0\u{3}\0".utf8) + picture
    let tag = Array("APIC".utf8) + size(frame.count, bits: 8) + [0, 0] + frame
    let path = songs.directory.path("hard.mp3")
    try Data(Array("ID3\u{3}\0\0".utf8) + size(tag.count, bits: 7) + tag + song).write(to: URL(filePath: path))
    let run = try await Player.run(["play", path, "--output", "headless", "--no-audio"])
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let item = try #require(run.report?.items.first)
    #expect(item.status == "played" && run.report?.framesRendered ?? 0 > 0, "\(item)")
  }

  @Test("The player starts without an endless splash picture, and reports it")
  func splash() async throws {
    let directory = try TemporaryDirectory()
    let film = try await Media.path("h264-640x360-30-2s.mp4")
    let text = "version = 1\n[playback]\nloop = false\n[[playlist.main.item]]\nuri = \"\(film)\"\n[display]\nsplash = "
    for (name, isShown) in [("wide.png", false), ("uses.svg", false), ("texts.png", nil)] as [(String, Bool?)] {
      try RunningPlayer.write(
        text + "\"\(try await HardPictures.path(name))\"\n", as: "vitrine.toml", in: directory)
      let run = try await RunningPlayer(in: directory).end()
      #expect(run.outcome.status == 0 && run.report?.items.first?.status == "played", "\(run.outcome.errors)")
      if isShown == false { #expect(run.report?.errors.map(\.number) == [5009], "\(name): \(run.outcome.errors)") }
    }
  }

  @Test(
    "A picture behind a song's tag isn't decoded by a pipeline",
    arguments: ["uses.svg", "scans.jpg", "full.png", "many.webp"])
  func pictureInSong(name: String) async throws {
    let directory = try TemporaryDirectory()
    let picture = try Data(contentsOf: URL(filePath: try await HardPictures.path(name)))
    let path = directory.path("song.mp3")
    try (Data("ID3\u{3}\0\0\0\0\0\u{A}".utf8) + Data(count: 10) + picture).write(to: URL(filePath: path))
    let film = try await Media.path("h264-640x360-30-2s.mp4")
    let run = try await Player.run(["play", path, film, "--output", "headless", "--no-audio"])
    #expect(run.outcome.status == 0 && run.report?.decksAbandoned == 0, "\(run.outcome.errors)")
    #expect(run.report?.items.map(\.status) == ["failed", "played"], "\(run.outcome.errors)")
    #expect(run.report?.items.first?.errors.map(\.number) == [4001], "\(run.outcome.errors)")
  }
}
