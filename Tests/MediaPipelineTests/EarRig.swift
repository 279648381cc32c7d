import CGStreamer
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// A receiver of a deck's sound that plays nothing, so that there is nothing to steer.
protocol SoundWitness: SoundDestination {}

extension SoundWitness {
  func begin(_ deck: DeckID, volume: Double) {}
  func run(_ deck: DeckID, base: Instant) {}
  func hold(_ deck: DeckID) {}
  func flush(_ deck: DeckID, epoch: UInt32) {}
  func end(_ deck: DeckID) {}
  func follow(_ deck: DeckID) {}

  /// The samples of a block; empty where it can't be read.
  static func samples(of sample: OpaquePointer) -> [Int16] {
    var map = GstMapInfo()
    guard let buffer = gst_sample_get_buffer(sample), gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return [] }
    defer { gst_buffer_unmap(buffer, &map) }
    return Array(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self))
  }
}

/// Takes a deck's sound and measures its pitch.
final class Ear: SoundWitness {
  /// The sound from one flush to the next.
  struct Passage: Sendable {
    /// The stamp of its first sample.
    var stamp: SampleStamp
    var crossings = 0
    var samples = 0

    /// In hertz.
    var pitch: Double { Double(crossings) * Double(Ear.rate) / Double(max(1, samples)) }
    var seconds: Double { Double(samples) / Double(Ear.rate) }
  }

  private let state = Locked((passages: [Passage](), last: Int16(0)))
  /// For each block the passage that it belongs to, up to that block.
  let blocks: AsyncStream<Passage>
  private let heard: AsyncStream<Passage>.Continuation

  init() { (blocks, heard) = AsyncStream.makeStream() }

  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
    let values = Self.samples(of: sample)
    let passage = state.withLock { state in
      var passage = state.passages.popLast() ?? Passage(stamp: stamp)
      if passage.stamp.epoch != stamp.epoch {
        state.passages.append(passage)
        passage = Passage(stamp: stamp)
      }
      for value in values {
        if state.last < 0, value >= 0 { passage.crossings += 1 }
        state.last = value
      }
      passage.samples += values.count
      state.passages.append(passage)
      return passage
    }
    heard.yield(passage)
    return GST_FLOW_OK
  }

  private var all: [Passage] { state.withLock { $0.passages } }
  /// In hertz, of all the sound so far.
  var pitch: Double { Double(all.map(\.crossings).reduce(0, +)) / max(seconds, 1 / Double(Self.rate)) }
  var seconds: Double { all.map(\.seconds).reduce(0, +) }

  static let rate = 48_000
  static let caps = "audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate=\(rate)"
}

/// Takes a deck's pictures, and counts them.
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

/// A deck without an output; its pictures and sound go to the test.
struct WitnessedDeck {
  let deck: Deck
  let ear = Ear()
  let eye = Eye()
  private let events: AsyncStream<DeckEvent>

  /// - Parameter observe: called with the pipeline before it runs.
  init(
    _ item: MediaItem, tracks: TrackPreferences = TrackPreferences(), observe: (Element) throws -> Void = { _ in }
  ) throws {
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
    try observe(deck.parts.pipeline)
    deck.prepare()
  }

  /// Waits for the first event for which `pick` returns a value; fails after `patience`.
  func next<T: Sendable>(_ pick: @escaping @Sendable (DeckEvent) -> T?) async throws -> T {
    try await inTime("it") { [events] in
      for await event in events { if let taken = pick(event) { return taken } }
      return nil
    }
  }

  /// Waits for this many further frames; fails after `patience`.
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

  /// Waits until this much sound has come since the last flush; fails after `patience`.
  ///
  /// - Parameter passage: a passage from before that flush.
  func heard(_ seconds: Double, after passage: Ear.Passage? = nil) async throws -> Ear.Passage {
    try await first(of: ear.blocks) {
      if let passage, $0.stamp.epoch == passage.stamp.epoch { nil } else { $0.seconds >= seconds ? $0 : nil }
    }
  }

  func ready() async throws -> DeckReadiness {
    try await next { if case .ready(let readiness) = $0 { readiness } else { nil } }
  }
}
