import CGStreamer
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Takes a deck's sound and tells its pitch.
final class Ear: SoundDestination {
  private let state = Locked((crossings: 0, samples: 0, last: Int16(0)))

  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
    guard let buffer = gst_sample_get_buffer(sample) else { return GST_FLOW_OK }
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return GST_FLOW_OK }
    defer { gst_buffer_unmap(buffer, &map) }
    let values = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self)
    state.withLock { state in
      for value in values {
        if state.last < 0, value >= 0 { state.crossings += 1 }
        state.last = value
      }
      state.samples += values.count
    }
    return GST_FLOW_OK
  }

  func begin(_ deck: DeckID, volume: Double) {}
  func run(_ deck: DeckID, base: Instant) {}
  func hold(_ deck: DeckID) {}
  func flush(_ deck: DeckID, epoch: UInt32) {}
  func end(_ deck: DeckID) {}
  func follow(_ deck: DeckID) {}

  /// In hertz, of all that was heard.
  var pitch: Double { state.withLock { Double($0.crossings) * Double(Self.rate) / Double(max(1, $0.samples)) } }
  var seconds: Double { state.withLock { Double($0.samples) / Double(Self.rate) } }

  static let rate = 48_000
  static let caps = "audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate=\(rate)"
}

/// Takes a deck's pictures, and tells of each.
final class Eye: SampleDestination {
  let frames: AsyncStream<Void>
  private let seen: AsyncStream<Void>.Continuation
  private let total = Locked(0)

  init() { (frames, seen) = AsyncStream.makeStream() }

  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
    total.withLock { $0 += 1 }
    seen.yield()
    return GST_FLOW_OK
  }
  var count: Int { total.withLock { $0 } }
}

/// A deck without an output, seen and heard.
struct WitnessedDeck {
  let deck: Deck
  let ear = Ear()
  let eye = Eye()
  private let events: AsyncStream<DeckEvent>

  init(_ item: MediaItem, tracks: TrackPreferences = TrackPreferences()) throws {
    try GStreamerLibrary.start()
    let (events, post) = AsyncStream<DeckEvent>.makeStream()
    self.events = events
    let size = PixelSize(width: 640, height: 360)
    deck = try Deck(
      DeckRecipe(id: DeckID(generation: 1), item: item, from: .zero, pictureDuration: .seconds(1), tracks: tracks),
      format: DeckFormat(
        videoCaps: try #require(Caps("video/x-raw")), video: VideoDemand(shape: .asDecoded), soundCaps: Caps(Ear.caps),
        soundLead: DeckTiming.soundLead, screen: size),
      video: eye, sound: ear
    ) { post.yield($0) }
    deck.prepare()
  }

  /// Waits for the first event that `pick` takes; fails after 20 s.
  func next<T: Sendable>(_ pick: @escaping @Sendable (DeckEvent) -> T?) async throws -> T {
    try await inTime("it") { [events] in
      for await event in events { if let taken = pick(event) { return taken } }
      return nil
    }
  }

  /// Waits for so many frames that weren't waited for before; fails after 20 s.
  func frames(_ count: Int) async throws {
    let frames = eye.frames
    _ = try await inTime("it") {
      var left = count
      for await _ in frames {
        left -= 1
        if left == 0 { return true }
      }
      return nil
    }
  }

  func ready() async throws -> DeckReadiness {
    try await next { if case .ready(let readiness) = $0 { readiness } else { nil } }
  }
}
