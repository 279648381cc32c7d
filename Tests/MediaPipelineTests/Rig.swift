import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import ScreenModel
import Testing

@testable import MediaPipeline

/// An output into memory with decks in front of it, and all their events in one stream.
final class Rig: Sendable {
  enum Event: Sendable {
    case output(OutputEvent)
    case deck(DeckID, DeckEvent)
  }

  let output: MediaOutput
  private let events: AsyncStream<Event>
  private let post: AsyncStream<Event>.Continuation

  init(size: PixelSize = PixelSize(width: 640, height: 360), clock: MediaClock = .system) async throws {
    try GStreamerLibrary.start()
    let (events, post) = AsyncStream<Event>.makeStream()
    self.events = events
    self.post = post
    output = MediaOutput(
      target: .memory(size: size), sound: SoundSettings(isEnabled: false), clock: clock
    ) {
      post.yield(.output($0))
    }
    output.open()
    _ = try await next { if case .output(.ready) = $0 { true } else { nil } }
  }

  func deck(
    _ generation: UInt32, _ clip: String, kind: MediaKind = .file, from: Duration = .zero,
    tracks: TrackPreferences = TrackPreferences(subtitles: .off), decoders: DecoderPolicy = DecoderPolicy(),
    prepares: Bool = true
  ) async throws -> Deck {
    try deck(
      generation, MediaItem(uri: URL(filePath: try await Media.path(clip)).absoluteString, kind: kind), from: from,
      tracks: tracks, decoders: decoders, prepares: prepares)
  }

  func deck(
    _ generation: UInt32, _ item: MediaItem, from: Duration = .zero,
    tracks: TrackPreferences = TrackPreferences(subtitles: .off), decoders: DecoderPolicy = DecoderPolicy(),
    servers: ServerSetup = ServerSetup(), prepares: Bool = true
  ) throws -> Deck {
    let id = DeckID(generation: generation)
    let deck = try output.makeDeck(
      DeckRecipe(
        id: id, item: item, from: from, pictureDuration: .milliseconds(500), tracks: tracks, decoders: decoders,
        servers: servers)
    ) { [post] in post.yield(.deck(id, $0)) }
    if prepares { deck.prepare() }
    return deck
  }

  /// Waits for the first event for which `pick` returns a value; fails after `patience`.
  func next<T: Sendable>(_ pick: @escaping @Sendable (Event) -> T?) async throws -> T {
    try await first(of: events, pick)
  }

  func ready() async throws -> DeckReadiness {
    try await next { if case .deck(_, .ready(let readiness)) = $0 { readiness } else { nil } }
  }

  func frame(of generation: UInt32) async throws -> RenderedFrame {
    try await next {
      if case .output(.frame(let frame)) = $0, frame.deck.generation == generation { frame } else { nil }
    }
  }

  /// The indexes of the frames that were reported and not read from the stream yet.
  func framesSoFar(of generation: UInt32) async throws -> [UInt32] {
    let mark = DeckID(generation: .max)
    post.yield(.deck(mark, .gone))
    let found = Locked<[UInt32]>([])
    try await next { event in
      if case .output(.frame(let frame)) = event, frame.deck.generation == generation {
        found.withLock { $0.append(frame.index) }
      }
      if case .deck(mark, .gone) = event { return () } else { return nil }
    }
    return found.withLock { $0 }
  }

  var now: Instant { Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) }
}
