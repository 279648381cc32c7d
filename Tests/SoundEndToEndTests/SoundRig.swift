import Foundation
import KioskTestSupport
import PlaybackCore
import ScreenModel
import Testing

@testable import MediaPipeline

/// An output into memory, with decks in front of it, and the events of all of them in one stream.
final class SoundRig: Sendable {
  enum Event: Sendable {
    case output(OutputEvent)
    case deck(DeckID, DeckEvent)
  }

  let output: MediaOutput
  private let events: AsyncStream<Event>
  private let post: AsyncStream<Event>.Continuation
  /// The states of the output's sound, from the very start.
  private let sounds: AsyncStream<SoundState>

  init(sound: SoundSettings, clock: MediaClock = .system) async throws {
    try GStreamerLibrary.start()
    let (events, post) = AsyncStream<Event>.makeStream()
    let (sounds, postSound) = AsyncStream<SoundState>.makeStream()
    self.events = events
    self.post = post
    self.sounds = sounds
    output = MediaOutput(target: .memory(size: PixelSize(width: 640, height: 360)), sound: sound, clock: clock) {
      if case .sound(let state) = $0 { postSound.yield(state) } else { post.yield(.output($0)) }
    }
    output.open()
    _ = try await next { if case .output(.ready) = $0 { true } else { nil } }
  }

  func deck(
    _ generation: UInt32, _ clip: String, kind: MediaKind = .file, from: Duration = .zero,
    volume: Double? = nil, tracks: TrackPreferences = TrackPreferences(subtitles: .off)
  ) async throws -> Deck {
    let item = MediaItem(uri: URL(filePath: try await Media.path(clip)).absoluteString, kind: kind, volume: volume)
    return try deck(generation, item, from: from, tracks: tracks)
  }

  /// - Parameter loudspeaker: what is heard without a visitor's choice, for a rig with a headset.
  func deck(
    _ generation: UInt32, _ item: MediaItem, from: Duration = .zero, tracks: TrackPreferences,
    loudspeaker: TrackPreferences? = nil
  ) throws -> Deck {
    let id = DeckID(generation: generation)
    var recipe = DeckRecipe(id: id, item: item, from: from, pictureDuration: .milliseconds(500), tracks: tracks)
    recipe.configuredTracks = loudspeaker
    let deck = try output.makeDeck(recipe) { [post] in post.yield(.deck(id, $0)) }
    deck.prepare()
    return deck
  }

  /// Waits for the first event that `pick` accepts; fails after 20 s.
  func next<T: Sendable>(_ pick: @escaping @Sendable (Event) -> T?) async throws -> T {
    try await first(of: events, pick)
  }

  /// Waits for the next state of the output's sound.
  func nextSound() async throws -> SoundState { try await first(of: sounds) { $0 } }

  func ready() async throws -> DeckReadiness {
    try await next { if case .deck(_, .ready(let readiness)) = $0 { readiness } else { nil } }
  }

  func frame(of generation: UInt32) async throws -> RenderedFrame {
    try await next {
      if case .output(.frame(let frame)) = $0, frame.deck.generation == generation { frame } else { nil }
    }
  }

  var now: Instant { Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) }
}
