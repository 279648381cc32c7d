package import MediaPipeline
package import PlaybackCore

// The objects that an engine acts on, as protocols. In a player they are `MediaOutput` and `Deck`; the engine's tests
// have others, without GStreamer and with a simulated time: decision 0122.

/// The output of an engine: it outlives decks, and their frames end in it. It answers by events.
///
/// Called on the loop; each command returns at once.
package protocol EngineOutput: AnyObject {
  /// Answered by `ready` or `failed`.
  func open()
  /// Answered by `closed`, unless a sink hangs.
  func close(showsLast: Bool)
  /// Builds a deck, which is idle until its `prepare`. Call it once the output is ready.
  func engineDeck(
    _ recipe: DeckRecipe, cards: CardPainter?, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) -> any EngineDeck
  /// The state of the frames that have come; answered at once.
  var activity: OutputActivity { get }
  func setVolume(_ volume: Double, over fade: Duration?)
  func setMuted(_ isMuted: Bool, over fade: Duration?)
  func useSoundDevice(_ device: SoundDevice)
  /// - Returns: the mark for `repeatFrame`, or nil when there is nothing to be repeated.
  func drawOverlay(_ overlay: OverlayPixels?) -> MediaOutput.FrameMark?
  func repeatFrame(ifStillAt mark: MediaOutput.FrameMark)
  /// `done` is called on any thread.
  func captureFrame(_ done: @escaping @Sendable (FrameCapture) -> Void)
  /// Keeps all engines of the process from using this decoder again: the fault is the machine's.
  func avoidDecoder(_ decoder: String)
}

/// The pipeline of one item to the output. Called on the loop; each command returns at once.
package protocol EngineDeck: AnyObject {
  /// The recipe that the deck was built from, for building it again.
  var ownRecipe: DeckRecipe { get }
  /// Answered by `ready` or `failed`.
  func prepare()
  /// Plays with running time zero at `base`.
  /// - Parameter showsFirst: whether the screen is still empty.
  func play(base: Instant, showsFirst: Bool)
  func preview()
  func pause()
  /// Answered by `seekFinished`.
  func seek(to position: Duration, _ mode: SeekMode, rate: Double, seek number: UInt32, preview: Bool)
  /// Answered by `rateChanged`, unless a seek or the end comes first.
  func retime(_ rate: Double)
  /// Answered by `tracks` where that changes anything.
  func setTrack(_ id: String, isEnabled: Bool)
  /// Chooses the tracks by these preferences from now on. The deck posts `tracks` when that changes one.
  func setTracks(_ preferences: TrackPreferences)
  /// Answered by `ranges` where they have changed.
  func refreshRanges()
  /// Answered by `gone`, unless it hangs.
  func drop()
}

/// The settings that an output is built from.
package struct OutputRequest {
  /// The screen; it must outlive the output.
  package var target: VideoTarget
  package var sound: SoundSettings
  package var hdr: HDRChoice
  /// The clock of the output's pipelines and of its decks.
  package var clock: MediaClock
  /// Called on a streaming thread before the first frame whose colours differ from the last one's.
  package var prepareColour: (@Sendable (VideoColour) -> Void)?
}

/// Makes an output that calls the second argument with its events, on any thread.
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
