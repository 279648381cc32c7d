import Foundation
import KioskTestSupport
import Testing
// No other import of the project: VitrinePlayback alone must be enough.
import VitrinePlayback

@Suite("Player: items made by programs, and their entries in events", .serialized)
struct PlayerItemTests {
  private func makePlayer(_ items: [MediaItem]) throws -> VitrinePlayback.Player {
    try VitrinePlayback.Player(
      configuration: PlayerConfiguration(
        items: items, output: .memory(size: PixelSize(width: 320, height: 180)), wantsSound: false))
  }

  @Test("A plain path plays in every form; a missing file fails with 7101")
  func paths() async throws {
    let folder = try TemporaryDirectory()
    let film = folder.path("ein Film #1 50%.mp4")
    let picture = folder.path("film.mp4")  // it is a JPEG
    let path = try await Media.path("h264-640x360-30-2s.mp4")
    try FileManager.default.createSymbolicLink(atPath: film, withDestinationPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: picture, withDestinationPath: try await Media.path("picture-640x480.jpg"))
    #expect(MediaItem(path: picture).kind == .picture)
    #expect(MediaItem(url: URL(filePath: picture)).kind == .picture)
    for item in [MediaItem(path: film), MediaItem(url: URL(filePath: film)), MediaItem(uri: film, kind: .file)] {
      let player = try makePlayer([item])
      let events = player.events()
      await player.play()
      let told = try await events.until("a start") { if case .itemStarted = $0 { true } else { false } }
      #expect(told.contains { if case .itemStarted = $0 { true } else { false } }, "\(item.uri): \(told)")
      await player.stop()
    }
    let player = try makePlayer([MediaItem(path: "no/such/film.mp4")])
    let events = player.events()
    await player.play()
    let told = try await events.until("a failure") { if case .itemFailed = $0 { true } else { false } }
    guard case .itemFailed(_, let error) = told.last else {
      Issue.record("\(told)")
      return
    }
    #expect(error.number == 7101 && "\(error.line)".contains("no/such/film.mp4"), "\(error.line)")
    await player.stop()
  }

  @Test("An address tells the kind of medium")
  func kinds() throws {
    func kind(_ text: String) throws -> MediaKind { MediaItem(url: try #require(URL(string: text))).kind }
    #expect(try kind("https://example.org/film.mp4") == .progressive)
    #expect(try kind("https://example.org/a/stream") == .progressive)
    #expect(try kind("https://example.org/Live.M3U8?token=1") == .adaptive)
    #expect(try kind("http://example.org/clip.mpd") == .adaptive)
    #expect(try kind("rtsp://camera.local/1") == .rtsp)
    #expect(try kind("udp://239.0.0.1:5000") == .udp)
  }

  @Test("Each end has its reason: skipped, removed, played out; entries keep their identity through edits")
  func ends() async throws {
    let minute = MediaItem(path: try await Media.path("h264-60s-640x360-30.mp4"))
    let short = MediaItem(path: try await Media.path("h264-640x360-30-2s.mp4"))
    let player = try makePlayer([minute, minute, short])
    let entries = await player.queue.entries.map(\.id)
    let events = player.events()
    await player.play()
    _ = try await events.until(.itemStarted(entries[0]))
    #expect(player.status.itemID == entries[0])
    await player.next()
    let skipped = try await events.until(.itemStarted(entries[1]))
    #expect(skipped.contains(.itemEnded(entries[0], .skipped)))
    await player.remove(entries[1])
    let removed = try await events.until(.itemStarted(entries[2]))
    #expect(removed.contains(.itemEnded(entries[1], .removed)))
    #expect(player.status.itemID == entries[2] && player.status.itemIndex == 1)
    let over = try await events.until(.endOfQueue)
    #expect(over.contains(.itemEnded(entries[2], .playedOut)))
    await player.removeAll()
    #expect(player.status.itemID == nil)
    await player.stop()
  }

  @Test(
    "Pictures of endless duration and deadlines that never come play like others",
    arguments: [Duration.seconds(10_000_000_000), .seconds(Int64.max)])
  func outside(time: Duration) async throws {
    var policy = PlaybackPolicy()
    (policy.localPrerollDeadline, policy.pictureDuration, policy.seekGuard) = (time, time, time)
    var film = MediaItem(path: try await Media.path("h264-640x360-30-2s.mp4"))
    film.end = time
    var stays = MediaItem(path: try await Media.path("picture-640x480.jpg"))
    stays.pictureDuration = time
    let player = try VitrinePlayback.Player(
      configuration: PlayerConfiguration(
        items: [MediaItem(path: stays.origin), film, stays], output: .memory(size: PixelSize(width: 320, height: 180)),
        wantsSound: false, policy: policy))
    let entries = await player.queue.entries.map(\.id)
    let events = player.events()
    let times = player.periodicTimes(every: time)
    _ = player.boundaryTimes([time, .seconds(-5), .seconds(1)])
    await player.play()
    for (index, entry) in entries.enumerated() {
      _ = try await events.until(.itemStarted(entry))
      // A film can be sought there; a picture can't.
      _ = await player.seek(to: index == 1 ? .seconds(1) : time)
      await player.next()
    }
    _ = try await events.until(.endOfQueue)
    await player.stop()
    withExtendedLifetime(times) {}
  }
}
