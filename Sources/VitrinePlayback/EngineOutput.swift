package import MediaPipeline
package import PlaybackCore

// What an engine acts on, as far as it knows it. In a player these are `MediaOutput` and `Deck`; its tests have others, without
// GStreamer and with a time of their own: docs/decisions/0122-engines-apart.md.

/// The persistent end of everything: what decks are made for, and what frames come out of. It answers by events.
///
/// Called on the loop; each command returns at once.
package protocol EngineOutput: AnyObject {
  /// Answered by `ready` or `failed`.
  func open()
  /// Answered by `closed`, unless a sink hangs.
  func close(showsLast: Bool)
  /// Builds a deck, which does nothing before its `prepare`. Once the output is ready.
  func engineDeck(
    _ recipe: DeckRecipe, cards: CardPainter?, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) -> any EngineDeck
  /// What has become of the frames that came; answered at once.
  var activity: OutputActivity { get }
  func setVolume(_ volume: Double, over fade: Duration?)
  func setMuted(_ isMuted: Bool, over fade: Duration?)
  func useSoundDevice(_ device: SoundDevice)
  /// - Returns: the mark for `repeatFrame`, or nil when there is nothing to be repeated.
  func drawOverlay(_ overlay: OverlayPixels?) -> MediaOutput.FrameMark?
  func repeatFrame(ifStillAt mark: MediaOutput.FrameMark)
  /// `done` is called on any thread.
  func captureFrame(_ done: @escaping @Sendable (FrameCapture) -> Void)
  /// From now on no deck is made with this decoder, of any engine of the process: it is the machine that has it.
  func avoidDecoder(_ decoder: String)
}

/// One item's way to the output. Called on the loop; each command returns at once.
package protocol EngineDeck: AnyObject {
  /// What it was built of, to be built once more.
  var ownRecipe: DeckRecipe { get }
  /// Answered by `ready` or `failed`.
  func prepare()
  /// Plays so that running time zero is at `base`.
  /// - Parameter showsFirst: nothing is on the screen yet.
  func play(base: Instant, showsFirst: Bool)
  func preview()
  func pause()
  /// Answered by `seekFinished`.
  func seek(to position: Duration, _ mode: SeekMode, rate: Double, seek number: UInt32, preview: Bool)
  /// Answered by `rateChanged`, unless a seek or the end comes first.
  func retime(_ rate: Double)
  /// Answered by `tracks` where that changes anything.
  func setTrack(_ id: String, isEnabled: Bool)
  /// Answered by `ranges` where they have changed.
  func refreshRanges()
  /// Answered by `gone`, unless it hangs.
  func drop()
}

/// What an output is made of.
package struct OutputRequest {
  /// It must outlive the output.
  package var target: VideoTarget
  package var sound: SoundSettings
  package var hdr: HDRChoice
  /// What its pipelines run on, and those of its decks.
  package var clock: MediaClock
  /// Called on a streaming thread before the first frame of other colours.
  package var prepareColour: (@Sendable (VideoColour) -> Void)?
}

/// Makes an output that tells what happens to the second argument, from any thread.
package typealias OutputFactory = (OutputRequest, @escaping @Sendable (OutputEvent) -> Void) -> any EngineOutput

extension MediaOutput: EngineOutput {
  /// The outputs of players.
  package static func make(_ request: OutputRequest, post: @escaping @Sendable (OutputEvent) -> Void)
    -> any EngineOutput
  {
    MediaOutput(
      target: request.target, sound: request.sound, hdr: request.hdr, clock: request.clock,
      prepareColour: request.prepareColour, post: post)
  }

  package func engineDeck(
    _ recipe: DeckRecipe, cards: CardPainter?, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) -> any EngineDeck {
    try makeDeck(recipe, cards: cards, post: post)
  }

  package func avoidDecoder(_ decoder: String) { GStreamerLibrary.avoid(decoders: [decoder]) }
}

extension Deck: EngineDeck {}
