import Foundation
import KioskTestSupport
import MainLoop
import MediaPipeline
import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite(
  "Player: items without a picture", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "FFmpeg is not installed (make setup)"))
struct PlayerSoundOnlyTests {
  private let directory = try? TemporaryDirectory()

  /// Makes a song of that length; its folder is removed with the test.
  private func song(_ name: String, seconds: Int) async throws -> String {
    let directory = try #require(directory)
    let outcome = try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "sine=440:d=\(seconds)", "-metadata", "title=A Tone",
        directory.path(name),
      ])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return directory.path(name)
  }

  private func player(_ items: MediaItem..., cards: CardPainter? = nil) throws -> VitrinePlayback.Player {
    try VitrinePlayback.Player(
      configuration: PlayerConfiguration(
        items: items, output: .memory(size: PixelSize(width: 320, height: 180)), wantsSound: false), cards: cards)
  }

  @Test("The position of a song moves, can be sought and stands in a pause; stepping and reverse are impossible")
  func position() async throws {
    let path = try await song("song.ogg", seconds: 60)
    let player = try player(MediaItem(uri: "file://\(path)", kind: .file))
    await player.play()
    let status = try await player.reaches("a second of it") { $0.position > .seconds(1) }
    #expect(status.canSeek && !status.canStep && !status.canPlayReverse && !status.isReadyForDisplay)
    #expect(status.metadata.title == "A Tone" && status.presentationSize == nil)
    #expect(await player.seek(to: .seconds(30)) == .finished(shownAt: .seconds(30)))
    let after = try await player.reaches("half a second more") { $0.position > .milliseconds(30_500) }
    #expect(after.position < .seconds(40), "it counts on from there")
    await player.pause()
    let paused = try await player.reaches("the pause") { $0.timeControlStatus == .paused }
    await player.play()
    let again = try await player.reaches("more") { $0.position > paused.position + .milliseconds(200) }
    #expect(again.position < paused.position + .seconds(5))
    await player.stop()
  }

  @Test("A song over a network changes its rate, plays to its end once, and the next item follows (S18)")
  func speedOfStream() async throws {
    _ = try await song("song.mp3", seconds: 10)
    _ = try await song("next.mp3", seconds: 10)
    let directory = try #require(directory)
    let server = try DripServer(directory.url.path)
    let player = try player(
      MediaItem(uri: server.uri("song.mp3"), kind: .progressive),
      MediaItem(uri: server.uri("next.mp3"), kind: .progressive))
    let events = player.events()
    await player.play()
    _ = try await player.reaches("a second of it") { $0.position > .seconds(1) }
    #expect(await player.setRate(2))
    // A song that was taken for broken off would begin again at its position.
    let ids = await player.queue.entries.map(\.id)
    let told = try await events.until("the next song") { $0 == .itemStarted(ids[1]) }
    #expect(told.filter { $0 == .itemEnded(ids[0], .playedOut) }.count == 1, "\(told)")
    #expect(told.filter { $0 == .itemStarted(ids[0]) }.count == 1, "\(told)")
    let waits = told.drop { $0 != .itemStarted(ids[0]) }.filter {
      if case .waitingChanged(.some) = $0 { true } else { false }
    }
    #expect(waits == [])
    let report = try #require(await player.report())
    #expect(report.seeks.isEmpty, "\(report.seeks)")
    await player.stop()
    withExtendedLifetime(server) {}
  }

  @Test("A song's card has the screen's size, is its first frame, and is redrawn when its text changes")
  func cards() async throws {
    _ = try await song("radio.mp3", seconds: 20)
    let directory = try #require(directory)
    let server = try DripServer(directory.url.path)
    let drawn = Locked<[NowPlayingCard]>([])
    let player = try player(
      MediaItem(uri: server.uri("radio.mp3", "icy=One,Two&rate=8000&burst=20000"), kind: .progressive),
      cards: { card, _, size in
        drawn.withLock { $0.append(card) }
        return [UInt32](repeating: card.title == "Two" ? 0xFF00_FF00 : 0xFFFF_0000, count: size.width * size.height)
      })
    await player.play()
    let status = try await player.reaches("its card") { $0.isReadyForDisplay }
    #expect(status.metadata.station == "Drip FM" && !status.isLive && status.duration == nil && !status.canSeek)
    _ = try await player.reaches("the second title") { $0.metadata.title == "Two" }
    _ = try await player.reaches("that it sounds") { $0.position > .milliseconds(300) }
    let frame = try await inTime("the second card") {
      while true {
        if let frame = await player.captureFrame(), (frame.pixels.first ?? 0) & 0xFF_0000 == 0 { return frame }
      }
    }
    #expect(frame.size.pixels == PixelSize(width: 320, height: 180))
    let cards = drawn.withLock { $0 }
    #expect(cards.last == NowPlayingCard(title: "Two", lines: ["Drip FM"], isStation: true), "\(cards)")
    #expect(cards.count <= 4, "one for each change of its text: \(cards)")
    await player.stop()
    withExtendedLifetime(server) {}
  }
}
