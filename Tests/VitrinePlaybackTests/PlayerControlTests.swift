import KioskTestSupport
import MediaPipeline
import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Player, real files: rate, steps, tolerances, end actions, tracks", .serialized)
struct PlayerControlTests {
  @Test("Media time follows rates from 0.5 to 4, and a rate of zero is a pause (S18)", arguments: [0.5, 2.0, 4.0])
  func rate(rate: Double) async throws {
    let player = try makePlayer(try await clip(minute))
    #expect(await player.setRate(rate))
    _ = try await player.reaches("progress") { $0.position > .seconds(1) && $0.rate == rate }
    // Over half a second and more of real time, as one ratio; a busy machine may be late in some of the tries.
    var ratios: [Double] = []
    while ratios.count < 8, !ratios.contains(where: { $0 > rate * 0.7 && $0 < rate * 1.3 }) {
      let (start, from) = (ContinuousClock.now, player.status.position)
      let status = try await player.reaches("more") { $0.position > from + .milliseconds(600) * rate }
      ratios.append((status.position - from) / (ContinuousClock.now - start))
    }
    #expect(ratios.contains { $0 > rate * 0.7 && $0 < rate * 1.3 }, "\(ratios)")
    await player.setRate(0)
    #expect(player.status.timeControlStatus == .paused && player.status.rate == rate)
    await player.play()
    _ = try await player.reaches("playing") { $0.timeControlStatus == .playing }
    await player.stop()
  }

  @Test("An item that can play backwards says so, goes back to its start and stays there (S18)")
  func reverse() async throws {
    let player = try makePlayer(try await clip(minute))
    let events = player.events()
    let ready = try await player.ready()
    #expect(ready.canPlayReverse && ready.canPlaySlowReverse && ready.canPlayFastReverse)
    _ = await player.seek(to: .milliseconds(1500))
    #expect(await player.setRate(-1))
    _ = try await events.until("the seek") { if case .seekEnded = $0 { true } else { false } }
    _ = try await player.reaches("the way back") { $0.position < .milliseconds(900) && $0.position > .zero }
    _ = try await player.reaches("the start") { $0.isAtEnd }
    #expect(player.status.timeControlStatus == .paused && player.status.position == .zero)
    await player.stop()
  }

  @Test("A picture can't be played backwards or at other rates, and says so (S18)")
  func cannotReverse() async throws {
    let player = try makePlayer(try await clip("picture-640x480.jpg", kind: .picture))
    let ready = try await player.ready()
    #expect(!ready.canPlayReverse && !ready.canPlaySlowReverse && !ready.canPlayFastReverse)
    #expect(!ready.canPlayAtOtherRates && !ready.canStep)
    #expect(await player.setRate(-1) == false)
    #expect(player.status.rate == 1)
    await player.stop()
  }

  @Test("Steps forward and back during a pause show the adjacent frames")
  func steps() async throws {
    let player = try makePlayer(try await clip(minute))
    _ = try await player.ready()
    _ = await player.seek(to: .seconds(5))
    #expect(try await player.frameNumber() == 150)
    for (frames, expected) in [(1, 151), (1, 152), (-3, 149), (-1, 148)] {
      let outcome = await player.step(by: frames)
      #expect(outcome?.isFinished(near: .seconds(1) / 30 * expected) == true, "\(frames): \(outcome as Any)")
      #expect(try await player.frameNumber() == expected)
    }
    await player.play()
    _ = try await player.reaches("playing") { $0.timeControlStatus == .playing }
    #expect(await player.step(by: 1) == nil, "not while it plays")
    await player.stop()
  }

  @Test("A seek with tolerances shows a key frame if one is near enough, else the exact frame (S19)")
  func tolerance() async throws {
    let player = try makePlayer(try await clip(minute))
    _ = try await player.ready()
    // Key frames are a second apart.
    let near = SeekTolerance(before: .milliseconds(300), after: .zero)
    #expect(await player.seek(to: .milliseconds(10_200), tolerance: near).isFinished(near: .seconds(10)))
    #expect(await player.seek(to: .milliseconds(10_700), tolerance: near).isFinished(near: .milliseconds(10_700)))
    #expect(player.status.position == .milliseconds(10_700))
    // The demultiplexer decides what is nearest: that of MP4 takes the key frame before.
    #expect(await player.seek(to: .milliseconds(20_900), tolerance: .nearestKeyframe).isFinished(near: .seconds(20)))
    let after = SeekTolerance(before: .zero, after: nil)
    #expect(await player.seek(to: .milliseconds(30_100), tolerance: after).isFinished(near: .seconds(31)))
    await player.stop()
  }

  @Test("At the end of an item: pause keeps it, loop plays it again, stop ends the queue, advance goes on (S14)")
  func endActions() async throws {
    let (first, second) = (try await clip(twoSeconds), try await clip(minute))
    for action in [EndAction.pause, .loopItem, .stop, .advance] {
      let player = try makePlayer(first, second)
      let events = player.events()
      await player.setEndAction(action)
      _ = await player.seek(to: .milliseconds(1600))
      await player.play()
      _ = try await events.until(.itemStarted(entry(0)))
      switch action {
      case .pause:
        _ = try await player.reaches("the end") { $0.isAtEnd }
        #expect(player.status.itemIndex == 0 && player.status.position == .seconds(2))
        #expect(player.status.timeControlStatus == .paused)
      case .loopItem:
        let told = try await events.until(.itemStarted(entry(0)))
        #expect(told.contains(.itemEnded(entry(0), .playedOut)))
      case .stop:
        let told = try await events.until(.endOfQueue)
        #expect(told.contains(.itemEnded(entry(0), .playedOut)) && !told.contains(.itemStarted(entry(1))))
      case .advance: _ = try await events.until(.itemStarted(entry(1)))
      }
      await player.stop()
    }
  }

  @Test("After a seek the position follows frames played backwards, and neither stands nor jumps (S18)")
  func backwardsFromSeek() async throws {
    for rate in [-1, -0.5] {
      let player = try makePlayer(try await clip(minute))
      _ = try await player.ready()
      _ = await player.seek(to: .milliseconds(12_340))
      await player.play()
      _ = try await player.reaches("more") { $0.position > .milliseconds(12_600) }
      let times = player.periodicTimes(every: .milliseconds(20), buffering: 1000)
      #expect(await player.setRate(rate))
      _ = try await player.reaches("less") { $0.position < .milliseconds(11_500) }
      await player.stop()
      let told = try await times.all()
      // Times reported within the half second before the target: 24 in an undisturbed run, none if the position stood
      // still.
      let before = told.filter { $0 < .milliseconds(12_300) && $0 > .milliseconds(11_850) }
      #expect(before.count > 5, "\(rate): \(told)")
    }
  }

  @Test("Scrubbing holds playback, shows the sought frames, and playback goes on afterwards (S9, S10)")
  func scrubbing() async throws {
    let player = try makePlayer(try await clip(minute))
    await player.play()
    _ = try await player.reaches("progress") { $0.position > .milliseconds(200) }
    await player.setScrubbing(true)
    #expect(player.status.timeControlStatus == .waiting(.scrubbing))
    let outcome = await player.seek(to: .seconds(20), tolerance: .nearestKeyframe)
    #expect(outcome.isFinished(near: .seconds(20)))
    #expect(player.status.timeControlStatus == .waiting(.scrubbing) && isClose(player.status.position, .seconds(20)))
    await player.setScrubbing(false)
    _ = try await player.reaches("progress") { $0.position > .milliseconds(20_300) }
    await player.stop()
  }

  @Test("Two players of one file choose tracks by their own preferences and switches (S20, S21)")
  func tracks() async throws {
    let item = try await clip("tracks-320x240-25.mkv")
    let a = try makePlayer(item, tracks: TrackPreferences(audioLanguages: ["de"], subtitles: .off))
    let b = try makePlayer(item, tracks: TrackPreferences(audioLanguages: ["en"], subtitles: .always))
    @Sendable func sounds(_ status: PlayerStatus) -> [String?] {
      status.tracks.filter { $0.kind == .audio && $0.isEnabled }.map { $0.language.map { String($0.prefix(2)) } }
    }
    await a.play()
    await b.play()
    let german = try await a.reaches("tracks") { !$0.tracks.isEmpty }
    let english = try await b.reaches("tracks") { !$0.tracks.isEmpty }
    #expect(sounds(german) == ["de"] && sounds(english) == ["en"])
    #expect(german.tracks.filter { $0.kind == .audio }.count == 2)
    #expect(!german.tracks.contains { $0.kind == .text && $0.isEnabled })
    #expect(english.tracks.contains { $0.kind == .text && $0.isEnabled })
    let other = try #require(german.tracks.first { $0.kind == .audio && !$0.isEnabled })
    await a.setTrack(other.id, isEnabled: true)
    _ = try await a.reaches("the other sound") { sounds($0) == ["en"] }
    #expect(sounds(b.status) == ["en"], "the other player isn't touched")
    let video = try #require(german.tracks.first { $0.kind == .video })
    await a.setTrack(video.id, isEnabled: false)
    _ = try await a.reaches("no picture") { !$0.tracks.contains { $0.kind == .video && $0.isEnabled } }
    await a.stop()
    await b.stop()
  }
}

@Suite("Player, real files: parts of media", .serialized)
struct PlayerTrimTests {
  @Test("An item's start and end are exact to the frame, progress counts within them, and the next item follows")
  func trimmed() async throws {
    var first = try await clip(minute)
    (first.start, first.end) = (.seconds(10), .milliseconds(10_500))
    var second = try await clip(minute)
    (second.start, second.end) = (.milliseconds(30_250), .milliseconds(31_250))
    let player = try makePlayer(first, second)
    let events = player.events()
    _ = try await player.ready()
    _ = try await player.reaches("the first frame") { $0.isReadyForDisplay }
    #expect(try await player.frameNumber() == 300)
    #expect(player.status.playedRange == .seconds(10)..<(.milliseconds(10_500)))
    #expect(player.status.timeText == "00:00:00 / 00:00:00" && player.status.progress == 0)
    await player.play()
    _ = try await events.until(.itemStarted(entry(1)))
    _ = try await events.until(.endOfQueue)
    #expect(try await player.frameNumber() == 937, "the frame from 31.233 s on")
    #expect(player.status.progress == 1 && player.status.timeText == "00:00:01 / 00:00:01")
    let report = try #require(await player.report())
    // 300 to 314, then 907 (from 30.233 s, cut) to 937.
    #expect(report.framesRendered + report.framesDropped == 15 + 31)
    #expect(report.transitionsTotal == 1)
    await player.stop()
  }
}

extension VitrinePlayback.Player {
  /// The number that is drawn into the shown frame.
  fileprivate func frameNumber() async throws -> Int? {
    let frame = try #require(await captureFrame())
    let size = frame.size.pixels
    return Pixels(width: size.width, height: size.height, xrgb: frame.pixels).frameNumber(x: 0, y: 0, width: size.width)
  }
}
