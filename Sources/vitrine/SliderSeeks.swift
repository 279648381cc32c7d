import KioskRuntime
import InteractionCore
import MainLoop
import MediaPipeline
import PlaybackCore
import VitrinePlayback

/// Imitates players that seek in the handler of their slider, to compare them with this one: the loop stands still
/// until the flush is done. It sits between the engine and the usual output; neither the engine nor the machine knows
/// of it. decision 0040.
struct SliderSeeks {
  /// Whether a seek waits for the answer to the previous one. Otherwise each seek discards the frame that the last one
  /// was about to show.
  private let waitsForAnswer: Bool

  /// Nil for the player's own pacing.
  init?(_ pacing: ScrubPacing) {
    guard pacing != .newestWins else { return nil }
    waitsForAnswer = pacing == .halfSecond
  }

  func makeOutput(_ request: OutputRequest, post: @escaping @Sendable (OutputEvent) -> Void) -> any EngineOutput {
    SliderOutput(MediaOutput.make(request, post: post), waitsForAnswer: waitsForAnswer)
  }
}

/// An output whose decks seek in that way.
private final class SliderOutput: EngineOutput {
  private let output: any EngineOutput
  private let waitsForAnswer: Bool

  init(_ output: any EngineOutput, waitsForAnswer: Bool) {
    self.output = output
    self.waitsForAnswer = waitsForAnswer
  }

  func engineDeck(
    _ recipe: DeckRecipe, cards: CardPainter?, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) -> any EngineDeck {
    guard !waitsForAnswer else {
      return SliderDeck(try output.engineDeck(recipe, cards: cards, post: post), answer: nil)
    }
    let known = Locked(DeckReadiness())
    let deck = try output.engineDeck(recipe, cards: cards) { event in
      switch event {
      case .ready(let readiness): known.withLock { $0 = readiness }
      // The seek was answered before, when it was submitted.
      case .seekFinished: return
      default: break
      }
      post(event)
    }
    return SliderDeck(deck) { number, target in
      var readiness = known.withLock { $0 }
      (readiness.firstPosition, readiness.firstRunningTime) = (target, .zero)
      post(.seekFinished(seek: number, readiness))
    }
  }

  func open() { output.open() }
  func close(showsLast: Bool) { output.close(showsLast: showsLast) }
  var activity: OutputActivity { output.activity }
  func setVolume(_ volume: Double, over fade: Duration?) { output.setVolume(volume, over: fade) }
  func setMuted(_ isMuted: Bool, over fade: Duration?) { output.setMuted(isMuted, over: fade) }
  func useSoundDevice(_ device: SoundDevice) { output.useSoundDevice(device) }
  func drawOverlay(_ overlay: OverlayPixels?) -> MediaOutput.FrameMark? { output.drawOverlay(overlay) }
  func repeatFrame(ifStillAt mark: MediaOutput.FrameMark) { output.repeatFrame(ifStillAt: mark) }
  func captureFrame(_ done: @escaping @Sendable (FrameCapture) -> Void) { output.captureFrame(done) }
  func avoidDecoder(_ decoder: String) { output.avoidDecoder(decoder) }
}

private final class SliderDeck: EngineDeck {
  private let deck: any EngineDeck
  /// Reports that a seek is done, before its frame is there.
  private let answer: ((UInt32, Duration) -> Void)?

  init(_ deck: any EngineDeck, answer: ((UInt32, Duration) -> Void)?) {
    self.deck = deck
    self.answer = answer
  }

  func seek(to position: Duration, _ mode: SeekMode, rate: Double, seek number: UInt32, preview: Bool) {
    (deck as? Deck)?.seekHere(to: position, mode, rate: rate, seek: number, preview: preview)
    answer?(number, position)
  }

  var ownRecipe: DeckRecipe { deck.ownRecipe }
  func prepare() { deck.prepare() }
  func play(base: Instant, showsFirst: Bool) { deck.play(base: base, showsFirst: showsFirst) }
  func preview() { deck.preview() }
  func pause() { deck.pause() }
  func retime(_ rate: Double) { deck.retime(rate) }
  func setTrack(_ id: String, isEnabled: Bool) { deck.setTrack(id, isEnabled: isEnabled) }
  func setTracks(_ preferences: TrackPreferences) { deck.setTracks(preferences) }
  func refreshRanges() { deck.refreshRanges() }
  func drop() { deck.drop() }
}
