import CGStreamer
import CGStreamerShims
import CHTTPSource
import PlaybackCore
import Testing

@testable import MediaPipeline
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

  @Test(
    "Another speed takes what has been loaded: nothing is sought, nothing waits, and what is loaded doesn't shrink (S18)",
    arguments: [true, false])
  func speed(isAdaptive: Bool) async throws {
    // A link that gives little more than the film has: what a flush threw away wouldn't be back in time.
    let clip = try await ServedClip(minute, "rate=270000&burst=600000")
    let streams = try await AdaptiveClips()
    let player = try makePlayer(isAdaptive ? streams.item("hls-fmp4/clip.m3u8") : clip.item)
    await player.play()
    _ = try await player.reaches("some of it") { $0.position > .seconds(1) }
    let statuses = player.statuses(buffering: 10_000)
    let events = player.events()
    #expect(await player.setRate(2))
    // What was on its way at the moment of the change still comes at the speed before: from a second later on it is measured.
    func speed(for media: Duration) async throws -> Double {
      let change = player.status.position
      _ = try await player.reaches("what was on its way") { $0.position > change + .seconds(1) }
      let (from, began) = (player.status.position, ContinuousClock.now)
      _ = try await player.reaches("more of it") { $0.position > from + media }
      return (player.status.position - from) / (ContinuousClock.now - began)
    }
    let fast = try await speed(for: .milliseconds(1500))
    #expect(await player.setRate(0.5))
    let slow = try await speed(for: .milliseconds(500))
    #expect(fast > 1.4 && slow < 0.9, "\(fast) times, \(slow) times")
    // A seek afterwards leads to its frame, at the speed that is set.
    #expect(await player.setRate(1))
    let report = try #require(await player.report())
    #expect(report.seeks.isEmpty, "\(report.seeks)")
    let seek = await player.seek(to: .milliseconds(9500))
    #expect(seek.isFinished(near: .milliseconds(9500)), "\(seek)")
    await player.pause()
    let shown = frameNumber(await player.captureFrame())
    #expect(try #require(shown) >= 285)
    await player.stop()
    let told = try await events.all().prefix {
      if case .seekEnded = $0 { false } else { $0 != .waitingChanged(.seeking) }
    }
    #expect(!told.contains { if case .waitingChanged(.some) = $0 { true } else { false } }, "\(told)")
    let ends = try await statuses.all().prefix { $0.position < .milliseconds(9500) }.compactMap {
      $0.ranges.loaded.bounds?.upperBound
    }
    #expect(zip(ends, ends.dropFirst()).allSatisfy { $0 <= $1 }, "\(ends)")
  }

  @Test("An item whose source breaks off for good ends with the error that it failed with, and the next one follows")
  func brokenOff() async throws {
    var clip: ServedClip? = try await ServedClip(minute, "rate=270000&burst=600000")
    let item = try #require(clip?.item)
    var policy = PlaybackPolicy()
    (policy.source.patience, policy.source.timeout, policy.reconnect.budget) = (.seconds(1), .seconds(1), .seconds(1))
    let player = try Player(
      configuration: PlayerConfiguration(
        items: [item, try await VitrinePlaybackTests.clip(twoSeconds)],
        output: .memory(size: PixelSize(width: 320, height: 180)), wantsSound: false, policy: policy))
    let events = player.events()
    await player.play()
    _ = try await events.until(.itemStarted(entry(0)))
    // With the last of it the server goes.
    clip = nil
    let told = try await events.until(.itemStarted(entry(1)))
    let failure = told.compactMap { if case .itemFailed(entry(0), let error) = $0 { error } else { nil } }.first
    let error = try #require(failure)
    #expect(told.contains(.itemEnded(entry(0), .failed(error))), "\(told)")
    #expect(await player.itemStatus(of: entry(0)) == .failed(error))
    await player.stop()
  }

  @Test("Whoever asks for a second of buffer has no more than a few loaded ahead, and it plays")
  func seconds() async throws {
    let clip = try await ServedClip(minute)
    var item = clip.item
    item.network = NetworkOverrides(buffer: .seconds(1))
    let (short, usual) = (try makePlayer(item), try makePlayer(clip.item))
    func ahead(_ player: Player) async throws -> Duration {
      await player.play()
      // What was loaded before its length was known is used up first.
      _ = try await player.reaches("some of it") { $0.position > .seconds(15) && $0.ranges.loaded.bounds != nil }
      await player.pause()
      try await Task.sleep(for: .milliseconds(600))  // the ranges are looked at twice a second
      return (player.status.ranges.loaded.bounds?.upperBound ?? .zero) - player.status.position
    }
    let (few, many) = (try await ahead(short), try await ahead(usual))
    #expect(few < .seconds(6) && few * 2 < many, "\(few), \(many)")
    await short.stop()
    await usual.stop()
  }

  @Test(
    "Sound alone takes another speed too, and its end is its end and not a break",
    .enabled(if: ServedTone.canBeMade, "FFmpeg is not installed (make setup)"))
  func speedOfSound() async throws {
    let clip = try await ServedTone()
    let player = try makePlayer(clip.item)
    let events = player.events()
    let ready = try await player.ready()
    #expect(try #require(ready.duration) > .seconds(7))
    await player.play()
    _ = try await player.reaches("some of it") { $0.position > .milliseconds(200) }
    #expect(await player.setRate(2))
    let told = try await events.until(.endOfQueue)
    #expect(told.contains(.itemEnded(entry(0), .playedOut)), "\(told)")
    #expect(!told.contains(.waitingChanged(.reconnecting)) && !told.contains(.waitingChanged(.seeking)), "\(told)")
    await player.stop()
  }

  @Test("What comes over a network doesn't play backwards, and says so (S18)")
  func backwards() async throws {
    let clip = try await ServedClip(minute)
    let player = try makePlayer(clip.item)
    let ready = try await player.ready()
    #expect(!ready.canPlayReverse && !ready.canPlaySlowReverse && ready.canPlayAtOtherRates)
    _ = await player.seek(to: .seconds(10))
    #expect(await player.setRate(-1) == false)
    #expect(player.status.rate == 1 && player.status.timeControlStatus == .paused)
    await player.stop()
  }

  @Test("Each player has a patience of its own with servers: another player doesn't change it")
  func patience() async throws {
    let clip = try await ServedClip(minute)
    func player(_ timeout: Duration) throws -> Player {
      var policy = PlaybackPolicy()
      policy.source.timeout = timeout
      return try Player(
        configuration: PlayerConfiguration(
          items: [clip.item], output: .memory(size: PixelSize(width: 64, height: 36)), wantsSound: false,
          policy: policy))
    }
    let (eager, calm) = (try player(.seconds(2)), try player(.seconds(600)))
    for player in [eager, calm] { _ = try await player.ready() }
    #expect(await eager.sourceTimeout == 2)
    #expect(await calm.sourceTimeout == 600)
    await eager.stop()
    await calm.stop()
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

extension Player {
  /// After how many seconds without a byte the source of the item shown gives its connection up.
  fileprivate var sourceTimeout: UInt32? {
    guard let id = engine?.machine.current?.id, let deck = engine?.deck(id),
      let source = vit_get_element(deck.parts.pipeline.pointer, "source")
    else { return nil }
    defer { gst_object_unref(source) }
    guard let context = gst_element_get_context(source, VIT_SERVERS_CONTEXT) else { return nil }
    defer { vit_context_unref(context) }
    guard let servers = vit_servers_of_context(context) else { return nil }
    defer { vit_servers_unref(servers) }
    return vit_servers_policy(servers).timeout
  }
}
