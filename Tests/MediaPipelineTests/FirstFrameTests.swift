import CGStreamer
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("The first frame of a run")
struct FirstFrameTests {
  /// Records the stamps of the samples that come.
  private final class Notebook: SampleDestination {
    private let post: AsyncStream<SampleStamp>.Continuation
    let stamps: AsyncStream<SampleStamp>
    init() { (stamps, post) = AsyncStream<SampleStamp>.makeStream() }
    func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
      post.yield(stamp)
      return GST_FLOW_OK
    }
  }

  /// - Parameter ear: takes the sound; nil where no sound is wanted.
  private static func deck(_ clip: String, to notebook: Notebook, _ ear: Ear? = nil) async throws
    -> (Deck, AsyncStream<DeckEvent>)
  {
    try GStreamerLibrary.start()
    let format = DeckFormat(
      videoCaps: try #require(Caps("video/x-raw(ANY)")), video: VideoDemand(shape: .asDecoded),
      soundCaps: ear == nil ? nil : Caps("audio/x-raw,format=S16LE,rate=48000,channels=1"),
      soundLead: .zero, screen: PixelSize(width: 640, height: 360))
    let (events, post) = AsyncStream<DeckEvent>.makeStream()
    let item = MediaItem(uri: URL(filePath: try await Media.path(clip)).absoluteString, kind: .file)
    let deck = try Deck(
      DeckRecipe(
        id: DeckID(generation: 1), item: item, from: .zero, pictureDuration: .seconds(1),
        tracks: TrackPreferences(subtitles: .off)), format: format, video: notebook, sound: ear
    ) { post.yield($0) }
    deck.prepare()
    return (deck, events)
  }

  @Test("On an empty screen the first frame comes at once, and the second when it is due", arguments: [false, true])
  func atOnce(soundIsWanted: Bool) async throws {
    let notebook = Notebook()
    let (deck, events) = try await Self.deck("h264-640x360-30-2s.mp4", to: notebook, soundIsWanted ? Ear() : nil)
    defer { deck.drop() }
    _ = try await first(of: events) { if case .ready = $0 { true } else { nil } }
    let base = Instant.monotonicNow + .seconds(1)
    deck.play(base: base, showsFirst: true)
    var stamps = notebook.stamps.makeAsyncIterator()
    let (before, after) = (await stamps.next(), await stamps.next())
    let (one, two) = (try #require(before), try #require(after))
    #expect(one.tag.index == 0 && one.due < base)
    #expect(two.tag.index == 1 && two.due == base + two.running && two.tag.streamTime > one.tag.streamTime)
  }

  @Test("On a screen that shows something the first frame comes when it is due")
  func whenDue() async throws {
    let notebook = Notebook()
    let (deck, events) = try await Self.deck("h264-640x360-30-2s.mp4", to: notebook)
    defer { deck.drop() }
    _ = try await first(of: events) { if case .ready = $0 { true } else { nil } }
    let base = Instant.monotonicNow + .milliseconds(100)
    deck.play(base: base, showsFirst: false)
    var stamps = notebook.stamps.makeAsyncIterator()
    let next = await stamps.next()
    let one = try #require(next)
    #expect(one.tag.index == 0 && one.due == base + one.running)
  }

  /// Sinks that a playbin would choose from, with their ranks. Factories live as long as the registry.
  private static func sinks() -> [(factory: OpaquePointer, rank: guint)] {
    let names: [String] = ["autovideosink", "autoaudiosink", "waylandsink", "alsasink", "pulsesink"]
    return names.compactMap { name in
      gst_element_factory_find(name).map { ($0, gst_plugin_feature_get_rank($0)) }
    }
  }

  @Test("In a program with the player's own pipelines only, playbin compares no decoders with sinks, and decks play")
  func sinksAreLeftOut() async throws {
    try GStreamerLibrary.start()
    // Another test may have started a player in this process already.
    let before = Self.sinks()
    try #require(!before.isEmpty)
    for (factory, _) in before { gst_plugin_feature_set_rank(factory, GST_RANK_PRIMARY.rawValue) }
    defer { for (factory, rank) in before { gst_plugin_feature_set_rank(factory, rank) } }
    GStreamerLibrary.leaveOutSinks()
    #expect(Self.sinks().allSatisfy { $0.rank == GST_RANK_NONE.rawValue })
    let notebook = Notebook()
    let (deck, events) = try await Self.deck("h264-aac-640x360-30.mp4", to: notebook, Ear())
    defer { deck.drop() }
    let readiness = try await first(of: events) { if case .ready(let readiness) = $0 { readiness } else { nil } }
    #expect(readiness.hasVideo && readiness.hasSound)
  }
}
