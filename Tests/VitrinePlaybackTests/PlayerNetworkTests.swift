import CGStreamer
import CGStreamerShims
import CElements
import PlaybackCore
import Testing

@testable import MediaPipeline
@testable import VitrinePlayback

@Suite("Player: items from a server of this machine", .serialized)
struct PlayerNetworkTests {
  @Test("The loaded range grows while data arrive, during a pause too (S20)")
  func ranges() async throws {
    let clip = try await ServedClip(minute, "rate=270000&burst=400000")
    let player = try makePlayer(clip.item)
    let ready = try await player.ready()
    #expect(ready.sourceKind == .remote)
    // A status is sent for each change, and during a pause only the range changes.
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
    "A change of rate keeps the loaded data: no seek, no waiting, and the loaded range doesn't shrink (S18)",
    arguments: [true, false])
  func speed(isAdaptive: Bool) async throws {
    // A link with little more bandwidth than the film: data thrown away by a flush wouldn't be back in time.
    let clip = try await ServedClip(minute, "rate=270000&burst=600000")
    let streams = try await AdaptiveClips()
    let player = try makePlayer(isAdaptive ? streams.item("hls-fmp4/clip.m3u8") : clip.item)
    await player.play()
    _ = try await player.reaches("some of it") { $0.position > .seconds(1) }
    let statuses = player.statuses(buffering: 10_000)
    let events = player.events()
    #expect(await player.setRate(2))
    // Frames on their way at the change still come at the old rate: the measurement begins a second later.
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
    // A seek afterwards leads to its frame, at the rate that is set.
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

  @Test("An item whose source breaks off for good ends with its error, and the next one follows")
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
    // The last reference to the clip stops its server.
    clip = nil
    let told = try await events.until(.itemStarted(entry(1)))
    let failure = told.compactMap { if case .itemFailed(entry(0), let error) = $0 { error } else { nil } }.first
    let error = try #require(failure)
    #expect(told.contains(.itemEnded(entry(0), .failed(error))), "\(told)")
    #expect(await player.itemStatus(of: entry(0)) == .failed(error))
    await player.stop()
  }

  @Test("An item with a buffer of one second loads only a few seconds ahead, and plays")
  func seconds() async throws {
    let clip = try await ServedClip(minute)
    var item = clip.item
    item.network = NetworkOverrides(buffer: .seconds(1))
    let (short, usual) = (try makePlayer(item), try makePlayer(clip.item))
    func ahead(_ player: Player) async throws -> Duration {
      await player.play()
      // Data that were loaded before the length was known are used up first.
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
    "An item with sound only changes its rate too, and its end doesn't count as a break",
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

  @Test("A network item doesn't play backwards, and says so (S18)")
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

  @Test("Each player has its own server time-outs: another player doesn't change them")
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
    // Playback goes on undisturbed.
    let position = player.status.position
    _ = try await player.reaches("another second of it") { $0.position > position + .seconds(1) }
    await player.stop()
    let told = try await events.all()
    #expect(!told.contains(.waitingChanged(.buffering)))
    #expect(!told.contains(.waitingChanged(.seeking)))
    withExtendedLifetime(clip) {}
  }

  @Test("Subtitles that a remote item names come from its server; a missing file does no harm")
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
  /// Seconds without a byte after which the source of the item shown gives its connection up.
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
