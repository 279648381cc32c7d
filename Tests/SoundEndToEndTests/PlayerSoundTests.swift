import Foundation
import KioskTestSupport
import MediaPipeline
import PlaybackCore
import Testing

import VitrinePlayback

@Suite(
  "Player, heard by a PulseAudio server", .serialized,
  .enabled(if: SoundServer.isInstalled, "PulseAudio is not installed (make setup)"))
struct PlayerSoundTests {
  private func makePlayer(_ server: SoundServer, loops: Bool = true) async throws -> VitrinePlayback.Player {
    let path = try await Media.path("h264-aac-640x360-30.mp4")
    let item = MediaItem(uri: URL(filePath: path).absoluteString, kind: .file)
    return try VitrinePlayback.Player(
      configuration: PlayerConfiguration(
        items: [item], loops: loops, output: .memory(size: PixelSize(width: 640, height: 360)),
        sound: SoundSettings(device: .pulse(sink: nil), pulseServer: server.address)))
  }

  private var now: Instant { .monotonicNow }

  @Test("The first item's sound is heard from its beginning")
  func beginning() async throws {
    let server = try SoundServer()
    try await server.start()
    let recorder = try server.record()
    let player = try await makePlayer(server, loops: false)
    await player.prepare()
    // The device is open and its clock is known when the clip begins.
    try await recorder.has(until: now + .seconds(4))
    await player.play()
    try await recorder.has(until: now + .milliseconds(5500))
    // From the first sample to the last: a busy machine may interrupt the sound.
    let tone = try #require(recorder.sounds(gap: 48_000).max { $0.count < $1.count })
    // The clip's sound lasts 4 s; in its first 15 ms, a soft start, some samples are below the threshold.
    #expect((191_800...193_500).contains(tone.count), "\(Double(tone.count) / 48) ms")
    await player.stop()
  }

  @Test("A stream's sound changes its speed without a gap, and ends earlier")
  func speedOfStream() async throws {
    let server = try SoundServer()
    try await server.start()
    let recorder = try server.record()
    let served = try await DripServer.ofMedia()
    let item = MediaItem(uri: served.uri("h264-aac-640x360-30.mp4", "rate=200000&burst=150000"), kind: .progressive)
    let player = try VitrinePlayback.Player(
      configuration: PlayerConfiguration(
        items: [item], output: .memory(size: PixelSize(width: 640, height: 360)),
        sound: SoundSettings(device: .pulse(sink: nil), pulseServer: server.address)))
    let events = player.events()
    await player.prepare()
    try await recorder.has(until: now + .seconds(2))
    await player.play()
    for await event in events { if case .itemStarted = event { break } }
    try await recorder.has(until: now + .seconds(1))
    #expect(await player.setRate(2))
    for await event in events where event == .endOfQueue { break }
    try await recorder.has(until: now + .milliseconds(500))
    // 4 s of sound, a little more than one of them at normal speed.
    let tone = try #require(recorder.sounds(gap: 2400).max { $0.count < $1.count })
    #expect((110_000...150_000).contains(tone.count), "\(Double(tone.count) / 48) ms")
    await player.stop()
  }

  @Test("Pause and seek silence queued sound, and sound comes back after each")
  func pauseAndSeek() async throws {
    let server = try SoundServer()
    try await server.start()
    let recorder = try server.record()
    let player = try await makePlayer(server)
    await player.prepare()
    await player.play()
    try await recorder.has(until: now + .milliseconds(2000))
    #expect(recorder.level(now - .milliseconds(300), now) > 8000, "playing")
    for turn in 1...3 {
      let pausedAt = now
      await player.pause()
      try await recorder.has(until: pausedAt + .milliseconds(400))
      #expect(recorder.level(pausedAt + .milliseconds(120), pausedAt + .milliseconds(400)) < 100, "paused, \(turn)")
      let outcome = await player.seek(to: .milliseconds(turn * 300))
      #expect({ if case .finished = outcome { true } else { false } }(), "\(outcome)")
      let soughtAt = now
      try await recorder.has(until: soughtAt + .milliseconds(300))
      #expect(recorder.level(soughtAt, soughtAt + .milliseconds(300)) < 100, "sought while paused, \(turn)")
      let playedAt = now
      await player.play()
      try await recorder.has(until: playedAt + .milliseconds(800))
      #expect(recorder.level(playedAt + .milliseconds(300), playedAt + .milliseconds(800)) > 8000, "on again, \(turn)")
    }
    await player.stop()
  }

  @Test("The player's volume and mute are heard")
  func volume() async throws {
    let server = try SoundServer()
    try await server.start()
    let recorder = try server.record()
    let player = try await makePlayer(server)
    #expect(await player.volume == 1)
    await player.setVolume(0.5)
    await player.play()
    try await recorder.has(until: now + .milliseconds(2500))
    let half = recorder.level(now - .milliseconds(500), now)
    await player.setVolume(1)
    try await recorder.has(until: now + .milliseconds(600))
    let full = recorder.level(now - .milliseconds(300), now)
    let share = Double(half) / Double(full)
    #expect(abs(share - 0.125) < 0.01, "\(half) of \(full)")
    await player.setMuted(true)
    #expect(await player.isMuted)
    try await recorder.has(until: now + .milliseconds(600))
    #expect(recorder.level(now - .milliseconds(300), now) == 0)
    await player.stop()
  }

  @Test("A player survives its sound server's death, and sound and an event come when the server is back")
  func serverComesBack() async throws {
    let server = try SoundServer()
    try await server.start()
    let player = try await makePlayer(server)
    let events = player.events()
    await player.prepare()
    await player.play()
    let recorder = try server.record()
    try await recorder.has(until: now + .milliseconds(1000))
    server.die()
    var failure: VitrineError?
    for await event in events {
      guard case .failed(let error) = event else { continue }
      failure = error
      break
    }
    #expect(failure?.number == 5301, "\(String(describing: failure))")
    try await server.start()
    let again = try server.record()
    try await again.has(until: now + .milliseconds(3000))
    #expect(again.sounds(gap: 4800).map(\.count).max() ?? 0 > 48_000, "a second of sound since the server is back")
    let report = try #require(await player.report())
    #expect(report.stalls.isEmpty, "\(report.stalls)")
    #expect(report.framesDropped < 6, "\(report.framesDropped) of \(report.framesRendered)")
    await player.stop()
  }
}
