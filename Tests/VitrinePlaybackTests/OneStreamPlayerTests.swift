import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Player, real files: a decoder that takes one stream (0056)")
struct OneStreamPlayerTests {
  @Test("Films, a picture and a broken file follow each other, each film opened when the one before is gone")
  func list() async throws {
    let film = try await clip(twoSeconds)
    let other = try await clip("vp8-vorbis-320x240-25.webm")
    let broken = try await clip("text.mp4")
    var picture = try await clip("picture-640x480.jpg")
    (picture.kind, picture.pictureDuration) = (.picture, .milliseconds(500))
    var configuration = PlayerConfiguration(
      items: [film, other, broken, picture, film],
      output: .memory(size: PixelSize(width: 640, height: 360)), wantsSound: false)
    configuration.policy.decodesOneStream = true
    let player = try Player(configuration: configuration)
    let events = player.events()
    await player.play()
    _ = try await events.until(.endOfQueue)
    let report = try #require(await player.report())
    #expect(report.items.map(\.status) == ["played", "played", "failed", "played", "played"])
    // In real time, on a machine that may be busy: each item was shown. SeamBoardTests counts frames.
    #expect(report.framesRendered > 75 + 60 + 1)
    // Three seams between the four items that play: each counts.
    #expect(report.transitionsTotal == 3)
    await player.stop()
  }
}
