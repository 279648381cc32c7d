import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// Media are looked into by another process: `vitrine probe-part`, which was built beside this test.
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

  @Test("One process answers for one item after the other, good and bad, as this one would")
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

  @Test("What isn't a program that answers, and one that isn't there, are errors of ours and not of the item")
  func noProgram() {
    #expect(error(of: item("/x.mp4"), by: MediaProber(program: "/nowhere/vitrine"))?.number == 7514)
    #expect(error(of: item("/x.mp4"), by: MediaProber(program: "/bin/echo"))?.number == 7514)
    #expect(error(of: item("/x.mp4"), by: MediaProber(program: "/bin/true"))?.number == 7514)
  }

  @Test("A local file gets no network: what it would open there is refused before a packet")
  func noNetwork() async throws {
    let directory = try TemporaryDirectory()
    // A list that looks like a film by its name, and names a server.
    let path = try directory.write("#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n", as: "film.mp4")
    let prober = MediaProber(program: Player.path)
    #expect(error(of: item(path), by: prober) != nil)
    #expect(try prober.open(item(try await Media.path("h264-640x360-30-2s.mp4"))).streams.isEmpty == false)
  }
}
