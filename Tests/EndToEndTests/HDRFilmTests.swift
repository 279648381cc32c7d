import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// HDR films on a screen without HDR, compared patch by patch.
@Suite("HDR films", .serialized)
struct HDRFilmTests {
  /// Allowed differences from the tone map, of 255: half of the patches are within `usual`, greys and faces within
  /// `face`, all within `most`. GStreamer's conversion from Y'CbCr to RGB takes up to 3, for SDR too (its white is
  /// 253). The table's nodes add up to 1 for greys and faces, and 35 for the darkest part of the most saturated
  /// colours, where a gamma of 2.4 is steep.
  private static let usual = 4
  private static let face = 6
  private static let most = 40

  private struct Patch {
    var x: Int
    var y: Int
    var signal: RGB
  }

  private struct Media {
    let directory: TemporaryDirectory
    let patches: [Patch]

    init() async throws {
      directory = try TemporaryDirectory()
      let outcome = try await Tool.run(
        Tool.root.appending(path: "Tests/Tools/make-hdr-media").path, [directory.url.path])
      try #require(outcome.status == 0, "\(outcome.errors)")
      let text = try String(contentsOf: URL(filePath: directory.path("patches.txt")), encoding: .utf8)
      patches = text.split(separator: "\n").compactMap { line in
        let fields = line.split(separator: " ").compactMap { Double($0) }
        guard fields.count == 5 else { return nil }
        return Patch(x: Int(fields[0]), y: Int(fields[1]), signal: RGB(fields[2], fields[3], fields[4]))
      }
      try #require(patches.count == 144)
    }
  }

  private func snapshot(_ clip: String, in media: Media, _ options: [String] = []) async throws -> Pixels {
    let picture = media.directory.path("\(UUID().uuidString).png")
    let run = try await Player.run(
      [
        "play", "--output", "headless", "--size", "640x360", "--no-audio", "--osd", "never", "--for", "0.6",
        "--snapshot",
        picture, "--at", "0.3",
      ] + options + [media.directory.path(clip)])
    try #require(run.outcome.status == 0, "\(run.outcome.errors)")
    return try await Pixels(path: picture)
  }

  private func difference(_ pixels: Pixels, _ patch: Patch, _ expected: RGB) -> Int {
    // The mean over a part of the patch, because eight bits are dithered.
    var sums = [0, 0, 0]
    for y in -4..<4 {
      for x in -4..<4 {
        let pixel = pixels[patch.x + x, patch.y + y]
        sums = [sums[0] + pixel.red, sums[1] + pixel.green, sums[2] + pixel.blue]
      }
    }
    let wanted = [expected.red, expected.green, expected.blue]
    return zip(sums, wanted).map { sum, wanted in Int(abs(Double(sum) / 64 - wanted * 255).rounded()) }.max() ?? 255
  }

  @Test("PQ and HLG films have the standards' colours, patch by patch, and differ without the mapping")
  func patches() async throws {
    let media = try await Media()
    for (clip, map) in [
      ("pq.mp4", ToneMap(transfer: .pq, primaries: .bt2020, sourcePeak: 1000)),
      ("pq-4000.mp4", ToneMap(transfer: .pq, primaries: .bt2020, sourcePeak: 4000)),
      ("hlg.mp4", ToneMap(transfer: .hlg, primaries: .bt2020, sourcePeak: 1000)),
    ] {
      let shot = try await snapshot(clip, in: media)
      let all = media.patches.map { difference(shot, $0, map.map($0.signal)) }
      #expect(all.sorted()[all.count / 2] <= Self.usual && all.max() ?? 255 <= Self.most, "\(clip): \(all)")
      // The greys and faces.
      #expect(all[..<32].allSatisfy { $0 <= Self.face }, "\(clip): \(all[..<32])")
    }
    let left = try await snapshot("pq.mp4", in: media, ["--hdr", "off"])
    let map = ToneMap(transfer: .pq, primaries: .bt2020, sourcePeak: 1000)
    let worst = media.patches.map { difference(left, $0, map.map($0.signal)) }.max()
    #expect(worst ?? 0 > 60)
  }

  @Test("An SDR film is the same bit by bit with every setting for HDR")
  func sdr() async throws {
    let media = try await Media()
    let mapped = try await snapshot("sdr.mp4", in: media, ["--hdr", "map"])
    let left = try await snapshot("sdr.mp4", in: media, ["--hdr", "off"])
    #expect(mapped.bytes == left.bytes)
  }

  @Test("A film of twice the screen's size has the same colours")
  func halved() async throws {
    let media = try await Media()
    let picture = media.directory.path("small.png")
    let file = try media.directory.write(
      """
      version = 1
      [[playlist.main.item]]
      uri = "\(media.directory.path("pq.mp4"))"
      fit = "stretch"

      """, as: "vitrine.toml")
    let run = try await Player.run([
      "run", "--config", file, "--output", "headless", "--size", "320x180", "--no-audio", "--osd", "never", "--for",
      "0.6",
      "--snapshot", picture, "--at", "0.3",
    ])
    try #require(run.outcome.status == 0, "\(run.outcome.errors)")
    let shot = try await Pixels(path: picture)
    #expect(shot.width == 320 && shot.height == 180)
    let map = ToneMap(transfer: .pq, primaries: .bt2020, sourcePeak: 1000)
    let all = media.patches.map { patch in
      difference(shot, Patch(x: patch.x / 2, y: patch.y / 2, signal: patch.signal), map.map(patch.signal))
    }
    #expect(all.sorted()[all.count / 2] <= Self.usual && all.max() ?? 255 <= Self.most, "\(all)")
  }
}
