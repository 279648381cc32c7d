import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

/// The time from the test's play to the deck's first frame.
private let lead: Duration = .milliseconds(60)

@Suite(
  "The sound output, heard by a PulseAudio server", .serialized,
  .enabled(if: SoundServer.isInstalled, "PulseAudio is not installed (make setup)"))
struct SoundOutputTests {
  /// A server, its recorded sound, and an output in step with it.
  private struct Stage {
    var server: SoundServer
    var recorder: SoundRecorder
    var rig: SoundRig
  }

  private func stage(_ settings: SoundSettings = SoundSettings(), clock: MediaClock = .system) async throws -> Stage {
    let server = try SoundServer()
    try await server.start()
    let recorder = try server.record()
    var settings = settings
    settings.device = .pulse(sink: nil)
    settings.pulseServer = server.address
    let rig = try await SoundRig(sound: settings, clock: clock)
    // The device's clock is known after a second or two.
    try await recorder.has(until: rig.now + SoundPacePolicy().settling)
    return Stage(server: server, recorder: recorder, rig: rig)
  }

  /// The delay of the beep nearest to `due`, of those within half a second.
  private func lag(of recorder: SoundRecorder, at due: Instant) throws -> Duration {
    let lags = recorder.sounds(gap: 4800).map { recorder.instant(ofSample: $0.lowerBound) - due }
    let least = try #require(lags.min { abs($0.inSeconds) < abs($1.inSeconds) }, "nothing was heard")
    try #require(abs(least.inSeconds) < 0.5, "\(lags)")
    return least
  }

  /// Beeps begin at 0.98 s, 1.98 s and 2.98 s of their clip.
  private func beep(_ second: Int) -> Duration { .milliseconds(second * 1000 - 20) }

  @Test("A pause is silent within 100 ms, and playback goes on without a break")
  func pause() async throws {
    let stage = try await stage()
    let deck = try await stage.rig.deck(1, "h264-aac-640x360-30.mp4")
    _ = try await stage.rig.ready()
    let base = stage.rig.now + lead
    deck.play(base: base)
    try await stage.recorder.has(until: base + .milliseconds(1500))
    let pausedAt = stage.rig.now
    deck.pause()
    try await stage.recorder.has(until: pausedAt + .milliseconds(600))
    #expect(stage.recorder.level(pausedAt - .milliseconds(200), pausedAt) > 8000)
    #expect(stage.recorder.level(pausedAt + .milliseconds(100), pausedAt + .milliseconds(600)) < 100)

    let again = stage.rig.now + lead
    deck.play(base: again - (pausedAt - base))
    try await stage.recorder.has(until: again + .milliseconds(1500))
    for step in 2..<28 {
      let begin = again + .milliseconds(step * 50)
      #expect(stage.recorder.level(begin, begin + .milliseconds(50)) > 8000, "\(step * 50) ms after play")
    }
    deck.drop()
    stage.rig.output.close()
  }

  @Test("With another clock sound is heard when it is due, to 40 ms")
  func otherClock() async throws {
    try GStreamerLibrary.start()
    let ahead: Duration = .seconds(3600)
    let stage = try await stage(clock: MediaClock(ahead: ahead))
    let deck = try await stage.rig.deck(1, "beeps-320x240-25.mov")
    _ = try await stage.rig.ready()
    let base = stage.rig.now + lead
    deck.play(base: base + ahead)
    try await stage.recorder.has(until: base + .milliseconds(2500))
    for second in 1...2 {
      let lag = try lag(of: stage.recorder, at: base + beep(second))
      #expect(abs(lag.inSeconds) < 0.04, "\(lag)")
    }
    deck.drop()
    stage.rig.output.close()
  }

  @Test("After a pause sound is in step, to 40 ms")
  func inStepAfterPause() async throws {
    let stage = try await stage()
    let deck = try await stage.rig.deck(1, "beeps-320x240-25.mov")
    _ = try await stage.rig.ready()
    let base = stage.rig.now + lead
    deck.play(base: base)
    try await stage.recorder.has(until: base + .milliseconds(1400))
    let pausedAt = stage.rig.now
    deck.pause()
    try await stage.recorder.has(until: pausedAt + .milliseconds(700))
    let again = stage.rig.now + lead
    deck.play(base: again - (pausedAt - base))
    let moved = base + (again - pausedAt)
    try await stage.recorder.has(until: moved + .milliseconds(3400))
    let before = try lag(of: stage.recorder, at: base + beep(1))
    let after = try [2, 3].map { try lag(of: stage.recorder, at: moved + beep($0)) }
    #expect(abs(before.inMilliseconds) < 40, "\(before)")
    for lag in after { #expect(abs((lag - before).inMilliseconds) < 40, "\(lag), before \(before)") }
    deck.drop()
    stage.rig.output.close()
  }

  @Test("A seek leaves no sound of the old place, and the new one is in step")
  func seek() async throws {
    let stage = try await stage()
    let deck = try await stage.rig.deck(1, "beeps-320x240-25.mov")
    _ = try await stage.rig.ready()
    let base = stage.rig.now + lead
    deck.play(base: base)
    // Just before a beep that is queued completely.
    try await stage.recorder.has(until: base + .milliseconds(1860))
    deck.pause()
    let soughtAt = stage.rig.now
    deck.seek(to: .milliseconds(2500), .exact, rate: 1, seek: 1, preview: true)
    let readiness = try await stage.rig.next {
      if case .deck(_, .seekFinished(seek: 1, let readiness)) = $0 { readiness } else { nil }
    }
    let again = stage.rig.now + lead
    deck.play(base: again - readiness.firstRunningTime)
    let origin = again - readiness.firstPosition
    try await stage.recorder.has(until: origin + .milliseconds(3400))
    let heard = stage.recorder.sounds(gap: 4800).map { stage.recorder.instant(ofSample: $0.lowerBound) }
    // The beep 0.98 s before the seek, 2.98 s after it, and one at the clip's end; not the one at 1.98 s.
    let between = heard.filter { $0 > soughtAt + .milliseconds(100) && $0 < origin + beep(3) - .milliseconds(50) }
    #expect(between.isEmpty, "\(between.map { ($0 - soughtAt).inMilliseconds }) ms after the seek")
    let lag = try lag(of: stage.recorder, at: origin + beep(3))
    #expect(abs(lag.inMilliseconds) < 40, "\(lag)")
    deck.drop()
    stage.rig.output.close()
  }

  @Test("Reverse playback is mute, and forward playback sounds again")
  func reverse() async throws {
    let stage = try await stage()
    let deck = try await stage.rig.deck(1, "h264-aac-640x360-30.mp4")
    _ = try await stage.rig.ready()
    for (number, rate) in [(UInt32(1), -1.0), (2, 1)] {
      deck.pause()
      deck.seek(to: .seconds(2), .exact, rate: rate, seek: number, preview: true)
      let readiness = try await stage.rig.next {
        if case .deck(_, .seekFinished(seek: number, let readiness)) = $0 { readiness } else { nil }
      }
      let base = stage.rig.now + lead
      deck.play(base: base - readiness.firstRunningTime)
      try await stage.recorder.has(until: base + .milliseconds(700))
      let level = stage.recorder.level(base + .milliseconds(150), base + .milliseconds(700))
      #expect(rate < 0 ? level < 100 : level > 8000, "\(level) at rate \(rate)")
    }
    deck.drop()
    stage.rig.output.close()
  }

  @Test("Each item has its own volume from the seam on")
  func itemVolume() async throws {
    let stage = try await stage()
    let first = try await stage.rig.deck(1, "h264-aac-640x360-30.mp4", from: .seconds(3))
    let one = try await stage.rig.ready()
    let second = try await stage.rig.deck(2, "vp8-vorbis-320x240-25.webm", volume: 0.25)
    let two = try await stage.rig.ready()
    let base = stage.rig.now + lead
    first.play(base: base - one.firstRunningTime)
    let seam = base + .milliseconds(1000)
    second.play(base: seam - two.firstRunningTime)
    try await stage.recorder.has(until: seam + .milliseconds(500))
    let recorder = stage.recorder
    let loud = recorder.level(seam - .milliseconds(400), seam - .milliseconds(40))
    let quiet = recorder.level(seam + .milliseconds(60), seam + .milliseconds(400))
    #expect(abs(Double(quiet) / Double(loud) - 0.25) < 0.02, "\(loud), then \(quiet)")
    // No silence around the seam: a period of the tone is 2.3 ms.
    for step in -10..<10 {
      let begin = seam + .milliseconds(step * 5)
      #expect(recorder.level(begin, begin + .milliseconds(5)) > 500, "\(step * 5) ms")
    }
    for deck in [first, second] { deck.drop() }
    stage.rig.output.close()
  }

  @Test("Overall volume, mute and fades are heard without a click")
  func volume() async throws {
    let stage = try await stage()
    let recorder = stage.recorder
    let deck = try await stage.rig.deck(1, "h264-aac-640x360-30.mp4")
    _ = try await stage.rig.ready()
    let base = stage.rig.now + lead
    deck.play(base: base)
    func level(_ begin: Int, _ end: Int) -> Double {
      Double(recorder.level(base + .milliseconds(begin), base + .milliseconds(end)))
    }
    try await recorder.has(until: base + .milliseconds(500))
    let volumeAt = Int((stage.rig.now - base).inMilliseconds)
    stage.rig.output.setVolume(0.5)
    try await recorder.has(until: base + .milliseconds(volumeAt + 500))
    let muteAt = Int((stage.rig.now - base).inMilliseconds)
    stage.rig.output.setMuted(true)
    try await recorder.has(until: base + .milliseconds(muteAt + 500))
    let fadeAt = Int((stage.rig.now - base).inMilliseconds)
    stage.rig.output.setVolume(1)
    stage.rig.output.setMuted(false, over: .milliseconds(800))
    try await recorder.has(until: base + .milliseconds(fadeAt + 1100))

    let full = level(200, volumeAt)
    #expect(full > 8000)
    #expect(abs(level(volumeAt + 100, muteAt) / full - 0.125) < 0.01)
    #expect(level(muteAt + 100, fadeAt) == 0)
    let rise = (0..<10).map { level(fadeAt + 40 + $0 * 80, fadeAt + 120 + $0 * 80) }
    #expect(zip(rise, rise.dropFirst()).allSatisfy { $0 <= $1 }, "\(rise)")
    #expect(rise[4] < full * 0.5 && level(fadeAt + 900, fadeAt + 1050) > full * 0.95, "\(rise)")
    // A full-scale sine of 440 Hz changes by at most 5.8 % from sample to sample. Checked only around the changes,
    // because a busy machine may interrupt the sound elsewhere.
    for changedAt in [volumeAt, muteAt, fadeAt] {
      let begin = recorder.sample(at: base + .milliseconds(changedAt))
      let tone = recorder.samples[begin..<(begin + 4800)]
      let jump = zip(tone, tone.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(Double(jump) < full * 0.08, "a jump of \(jump), full height \(full)")
    }
    deck.drop()
    stage.rig.output.close()
  }

  /// The delay of the beep of second 1 after its picture, and after its due time.
  private func offset(_ offset: Duration) async throws -> (picture: Duration, due: Duration) {
    let stage = try await stage(SoundSettings(offset: offset))
    let deck = try await stage.rig.deck(1, "beeps-320x240-25.mov")
    _ = try await stage.rig.ready()
    let base = stage.rig.now + lead
    deck.play(base: base)
    let frame = try await stage.rig.next {
      if case .output(.frame(let frame)) = $0, frame.streamTime >= .milliseconds(960) { frame } else { nil }
    }
    try await stage.recorder.has(until: base + beep(1) + offset + .milliseconds(300))
    let lag = try lag(of: stage.recorder, at: base + beep(1) + offset) + offset
    let shown = frame.at - (base + frame.streamTime)
    deck.drop()
    stage.rig.output.close()
    return (lag - shown, lag)
  }

  @Test("Picture and sound come out together, and the offset moves sound by its value")
  func avOffset() async throws {
    let none = try await offset(.zero)
    #expect(abs(none.picture.inMilliseconds) < 40, "\(none.picture) without an offset")
    for milliseconds in [200, -200] {
      let moved = try await offset(.milliseconds(milliseconds))
      let by = (moved.picture - none.picture).inMilliseconds
      #expect(abs(by - Double(milliseconds)) < 40, "by \(by) ms instead of \(milliseconds)")
    }
  }

  /// All frames that the output has shown of deck 1.
  private func frames(_ rig: SoundRig) async throws -> [RenderedFrame] {
    var frames: [RenderedFrame] = []
    repeat { frames.append(try await rig.frame(of: 1)) } while frames.last?.index != 99
    return frames
  }

  /// Expects all 25 frames a second of the beeps' picture, none late by a frame.
  private func expectUndisturbed(_ frames: [RenderedFrame], since base: Instant) {
    #expect(frames.map(\.index) == (0..<100).map { UInt32($0) })
    #expect(frames.allSatisfy { $0.wasRendered })
    let late = frames.map { ($0.at - base - $0.streamTime).inMilliseconds }.max() ?? 0
    #expect(late < 40, "at worst \(late) ms late")
  }

  @Test("A server's death doesn't stop the picture, and sound comes back with the server")
  func serverComesBack() async throws {
    let stage = try await stage()
    let deck = try await stage.rig.deck(1, "beeps-320x240-25.mov")
    _ = try await stage.rig.ready()
    let base = stage.rig.now + lead
    deck.play(base: base)
    let server = stage.server
    let later = Task {
      try await stage.recorder.has(until: base + .milliseconds(600))
      server.die()
      try await server.start()
      return try server.record()
    }
    let frames = try await frames(stage.rig)
    expectUndisturbed(frames, since: base)
    let recorder = try await later.value
    // The sound was back for the last beep, in step.
    try await recorder.has(until: base + .milliseconds(3600))
    let lag = try lag(of: recorder, at: base + beep(3))
    #expect(abs(lag.inMilliseconds) < 100, "\(lag)")
    deck.drop()
    stage.rig.output.close()
  }

  private func problem(of rig: SoundRig) async throws -> VitrineError {
    guard case .off(let error) = try await rig.nextSound() else { throw Unexpected() }
    return error
  }
  private struct Unexpected: Error {}

  @Test("A missing device is reported once, and sound comes when it is there")
  func serverComesLater() async throws {
    let server = try SoundServer()
    let rig = try await SoundRig(sound: SoundSettings(device: .pulse(sink: "kitchen"), pulseServer: server.address))
    let error = try await problem(of: rig)
    #expect(error.number == 5302 && error.subject == "pulse:kitchen", "\(error)")
    let deck = try await rig.deck(1, "beeps-320x240-25.mov")
    _ = try await rig.ready()
    let base = rig.now + lead
    deck.play(base: base)
    try await server.start()
    let recorder = try server.record("kitchen")
    let frames = try await frames(rig)
    expectUndisturbed(frames, since: base)
    #expect(try await rig.nextSound() == .on(device: "pulse:kitchen"))
    try await recorder.has(until: base + .milliseconds(3400))
    #expect(recorder.sounds(gap: 4800).count >= 1)
    deck.drop()
    rig.output.close()
  }

  @Test("A sink that the server doesn't have has its own error")
  func noSuchSink() async throws {
    let server = try SoundServer()
    try await server.start()
    let rig = try await SoundRig(sound: SoundSettings(device: .pulse(sink: "cellar"), pulseServer: server.address))
    let error = try await problem(of: rig)
    #expect(error.number == 5302 && error.subject == "pulse:cellar", "\(error)")
    rig.output.close()
  }
}
