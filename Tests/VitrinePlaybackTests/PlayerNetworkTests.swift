import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Player: items from a server of this machine", .serialized)
struct PlayerNetworkTests {
  @Test("What has been loaded moves by itself while data arrives, also in a pause (S20)")
  func ranges() async throws {
    let clip = try await ServedClip(minute, "rate=270000&burst=400000")
    let player = try makePlayer(clip.item)
    let ready = try await player.ready()
    #expect(ready.sourceKind == .remote)
    // A status is given for each change, and in a pause nothing else changes.
    var ends: [Duration] = []
    while ends.count < 3 {
      let newest = ends.last ?? .zero
      let status = try await player.reaches("more of it loaded") {
        ($0.ranges.loaded.bounds?.upperBound ?? .zero) > newest
      }
      ends.append(status.ranges.loaded.bounds?.upperBound ?? .zero)
      #expect(status.ranges.seekable.ranges == [.zero..<Duration.seconds(60)])
    }
    #expect(ends.allSatisfy { $0 < .seconds(60) })
    await player.stop()
  }

  @Test("A live source is shown as live, plays without waiting for data, and refuses to seek (S12)")
  func live() async throws {
    let clip = try LiveClip()
    let player = try makePlayer(clip.item)
    let events = player.events()
    await player.play()
    let status = try await player.reaches("a frame of it") { $0.isReadyForDisplay }
    #expect(status.sourceKind == .live)
    #expect(status.isLive && !status.canSeek && status.duration == nil && status.progress == nil)
    let playing = try await player.reaches("that it plays") { $0.timeControlStatus == .playing }
    #expect(playing.isLive)
    let outcome = await player.seek(to: .seconds(30))
    guard case .failed(let error) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(error.number == 4103)
    // It plays on as if nothing had been.
    let position = player.status.position
    _ = try await player.reaches("another second of it") { $0.position > position + .seconds(1) }
    await player.stop()
    let told = try await events.all()
    #expect(!told.contains(.waitingChanged(.buffering)))
    #expect(!told.contains(.waitingChanged(.seeking)))
    withExtendedLifetime(clip) {}
  }

  @Test("Subtitles that a remote item names come from its server; one that isn't there does no harm")
  func subtitles() async throws {
    let film = try await FilmWithSubtitles(
      twoSeconds, subtitles: "1\n00:00:00,200 --> 00:00:01,500\nEins\n", as: ".de.srt")
    let (item, server) = try film.served(subtitles: ["gone.de.srt", "film.de.srt"])
    defer { withExtendedLifetime(server) {} }
    let player = try Player(
      configuration: PlayerConfiguration(
        items: [item], output: .memory(size: PixelSize(width: 640, height: 360)), wantsSound: false,
        tracks: TrackPreferences(subtitleLanguages: ["de"], subtitles: .always)))
    let sequence = player.subtitles(buffering: 64)
    await player.play()
    let first = try await inTime("a subtitle") { await sequence.first { !$0.isEmpty } }
    #expect(first?.map(\.text) == ["Eins"])
    await player.stop()
  }
}
