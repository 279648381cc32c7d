import CGStreamer
import CGStreamerShims
import Dispatch
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Loaded and seekable ranges, real files and a real server", .serialized)
struct RangesTests {
  private static let told: @Sendable (Rig.Event) -> MediaRanges? = {
    if case .deck(_, .ranges(let ranges)) = $0 { ranges } else { nil }
  }

  /// Refreshes a deck's ranges at the interval of the engine's timer, as long as the task lives.
  private func watch(_ deck: Deck) -> Task<Void, any Error> {
    Task {
      while true {
        deck.refreshRanges()
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  @Test("A local item is loaded and seekable as a whole as soon as it is ready (S20)")
  func local() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4")
    let ranges = try await rig.next(Self.told)
    let whole = TimeRanges([.zero..<Duration.seconds(2)])
    #expect(ranges == MediaRanges(loaded: whole, seekable: whole))
    #expect(ranges.reachEnd(of: .seconds(2)))
    deck.drop()
  }

  @Test("From a server, the loaded range grows as data arrives, and all of the item is seekable (S20)")
  func growing() async throws {
    let rig = try await Rig()
    let server = try await DripServer.ofMedia()
    // A third faster than the clip needs.
    let item = MediaItem(uri: server.uri("h264-60s-640x360-30.mp4", "rate=270000&burst=400000"), kind: .progressive)
    let deck = try rig.deck(1, item)
    _ = try await rig.ready()
    let watching = watch(deck)
    defer { watching.cancel() }
    var ends: [Duration] = []
    while ends.count < 5 {
      let ranges = try await rig.next(Self.told)
      #expect(ranges.seekable.ranges == [.zero..<Duration.seconds(60)])
      #expect(!ranges.reachEnd(of: .seconds(60)))
      if let end = ranges.loaded.bounds?.upperBound, end > ends.last ?? .zero { ends.append(end) }
    }
    #expect(ends.allSatisfy { $0 > .zero && $0 < .seconds(30) }, "\(ends)")
    deck.drop()
  }

  @Test("From a server without range requests an item can't be sought, and plays")
  func noRanges() async throws {
    let rig = try await Rig()
    let server = try await DripServer.ofMedia()
    let deck = try rig.deck(
      1, MediaItem(uri: server.uri("vp8-vorbis-320x240-25.webm", "ranges=no"), kind: .progressive))
    let readiness = try await rig.ready()
    #expect(!readiness.isSeekable && !readiness.canPlayReverse)
    let watching = watch(deck)
    defer { watching.cancel() }
    let ranges = try await rig.next(Self.told)
    #expect(!ranges.loaded.isEmpty && ranges.seekable.isEmpty)
    deck.play(base: rig.now)
    #expect(try await rig.frame(of: 1).wasRendered)
    deck.drop()
  }

  @Test("A short item is loaded to its end")
  func complete() async throws {
    let rig = try await Rig()
    let server = try await DripServer.ofMedia()
    let deck = try rig.deck(
      1, MediaItem(uri: server.uri("vp8-vorbis-320x240-25.webm", "rate=200000"), kind: .progressive))
    let duration = try #require(try await rig.ready().duration)
    let watching = watch(deck)
    defer { watching.cancel() }
    while !(try await rig.next(Self.told).reachEnd(of: duration)) {}
    deck.drop()
  }

  @Test("A deck pauses although its source doesn't answer, as one that updates a live playlist in vain")
  func unanswered() async throws {
    let rig = try await Rig()
    let server = try await DripServer.ofMedia()
    let deck = try rig.deck(1, MediaItem(uri: server.uri("h264-60s-640x360-30.mp4"), kind: .progressive))
    _ = try await rig.ready()
    deck.play(base: rig.now + .milliseconds(20))
    _ = try await rig.frame(of: 1)
    let answer = DispatchSemaphore(value: 0)
    defer { answer.signal() }
    let (asked, continuation) = AsyncStream<Void>.makeStream()
    let isFirst = Locked(true)
    deck.parts.videoSink.staticPad("sink")?.probe(GST_PAD_PROBE_TYPE_QUERY_UPSTREAM) { _, info in
      guard let query = gst_pad_probe_info_get_query(info), vit_query_type(query) == GST_QUERY_SEEKING,
        isFirst.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        })
      else { return }
      continuation.yield()
      answer.wait()
    }
    deck.refreshRanges()
    try await first(of: asked) { $0 }
    // Neither tracks that are told of nor a pause wait for the answer.
    deck.setTracks(TrackPreferences())
    deck.pause()
    try await eventually("the pipeline is paused") { deck.state.withLock { $0.current } == GST_STATE_PAUSED }
    deck.drop()
  }
}
