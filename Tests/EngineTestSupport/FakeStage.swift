package import MediaPipeline
package import PlaybackCore
package import VitrinePlayback

/// Fake outputs and decks for an engine in a test: they record their commands, and answer as the test prescribes. On
/// the loop's thread; no GStreamer is started.
package final class FakeStage {
  /// The behaviour of an item's deck.
  package struct Medium {
    /// The deck's readiness report; nil for a deck that never gets ready.
    package var readiness: DeckReadiness?
    /// The hardware decoder that it begins with, before it is ready.
    package var decoder: String?
    /// Whether its deck doesn't go down when it is dropped.
    package var hangs: Bool

    package init(readiness: DeckReadiness?, decoder: String? = nil, hangs: Bool = false) {
      self.readiness = readiness
      self.decoder = decoder
      self.hangs = hangs
    }

    /// A seekable film of 25 frames a second without sound.
    package static func film(_ duration: Duration = .seconds(10)) -> Medium {
      Medium(readiness: DeckReadiness(duration: duration, frameInterval: .milliseconds(40)))
    }

    /// A medium that never gives a first frame.
    package static let nothing = Medium(readiness: nil)
  }

  /// The behaviour of an output when it is opened.
  package enum Opening {
    case ready
    case failed(VitrineError)
    case hangs
  }

  /// Returns the medium for each deck that is built from now on.
  package var medium: (DeckRecipe) -> Medium = { _ in .film() }
  /// The behaviour of outputs that are made from now on.
  package var opening = Opening.ready
  package var outputHangs = false

  /// All outputs that were made, the newest last.
  package private(set) var outputs: [FakeOutput] = []
  package fileprivate(set) var decks: [FakeDeck] = []
  /// Number of events that decks and outputs have sent, for callers that wait until all were handled.
  package fileprivate(set) var toldCount = 0
  /// Decoders that the engine avoids.
  package fileprivate(set) var avoided: [String] = []

  package init() {}

  /// The output factory for `PlayerEngine.init`.
  package func makeOutput(_ request: OutputRequest, post: @escaping @Sendable (OutputEvent) -> Void) -> any EngineOutput
  {
    let output = FakeOutput(request, stage: self, opening: opening, hangs: outputHangs, post: post)
    outputs.append(output)
    return output
  }

  /// The newest deck of a number; nil without one.
  package func deck(_ id: DeckID) -> FakeDeck? { decks.last { $0.ownRecipe.id == id } }
}

package final class FakeOutput: EngineOutput {
  package enum Command: Hashable {
    case open
    case close(showsLast: Bool)
    case volume(Double)
    case muted(Bool)
    case soundDevice(SoundDevice)
    case overlay(isThere: Bool)
    case repeatFrame
  }

  package let request: OutputRequest
  package private(set) var commands: [Command] = []
  /// The last overlay that it was told to draw.
  package private(set) var overlay: OverlayPixels?
  /// The result of `captureFrame`.
  package var captured = FrameCapture.nothing
  private let opening: FakeStage.Opening
  private let hangs: Bool
  private let post: @Sendable (OutputEvent) -> Void
  private unowned let stage: FakeStage
  private var shown: [DeckID: UInt32] = [:]

  init(
    _ request: OutputRequest, stage: FakeStage, opening: FakeStage.Opening, hangs: Bool,
    post: @escaping @Sendable (OutputEvent) -> Void
  ) {
    self.request = request
    self.stage = stage
    self.opening = opening
    self.hangs = hangs
    self.post = post
  }

  /// Sends an event to the engine.
  package func emit(_ event: OutputEvent) {
    stage.toldCount += 1
    post(event)
  }

  /// Shows the next frame of a deck.
  ///
  /// - Parameter epoch: nil takes that of the deck's newest seek.
  package func show(
    _ deck: FakeDeck, at position: Duration, now: Instant, epoch: FrameEpoch? = nil, stays: Duration? = nil
  ) {
    let id = deck.ownRecipe.id
    let index = shown[id] ?? 0
    shown[id] = index + 1
    var frame = RenderedFrame(
      deck: id, index: index, streamTime: position, epoch: epoch ?? deck.epoch, at: now, wasRendered: true)
    frame.stays = stays
    emit(.frame(frame))
  }

  package func open() {
    commands.append(.open)
    switch opening {
    case .ready: emit(.ready)
    case .failed(let error): emit(.failed(error))
    case .hangs: break
    }
  }

  package func close(showsLast: Bool) {
    commands.append(.close(showsLast: showsLast))
    if !hangs { emit(.closed) }
  }

  package func engineDeck(
    _ recipe: DeckRecipe, cards: CardPainter?, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) -> any EngineDeck {
    let deck = FakeDeck(recipe, stage.medium(recipe), stage: stage, post: post)
    stage.decks.append(deck)
    return deck
  }

  /// Set by the test.
  package var activity = OutputActivity()
  package func setVolume(_ volume: Double, over fade: Duration?) { commands.append(.volume(volume)) }
  package func setMuted(_ isMuted: Bool, over fade: Duration?) { commands.append(.muted(isMuted)) }
  package func useSoundDevice(_ device: SoundDevice) { commands.append(.soundDevice(device)) }

  package func drawOverlay(_ overlay: OverlayPixels?) -> MediaOutput.FrameMark? {
    self.overlay = overlay
    commands.append(.overlay(isThere: overlay != nil))
    guard request.target.drawsOverlay else { return nil }
    return MediaOutput.FrameMark(count: UInt64(shown.values.reduce(0, +)))
  }

  package func repeatFrame(ifStillAt mark: MediaOutput.FrameMark) { commands.append(.repeatFrame) }
  package func captureFrame(_ done: @escaping @Sendable (FrameCapture) -> Void) { done(captured) }
  package func avoidDecoder(_ decoder: String) { stage.avoided.append(decoder) }
}

package final class FakeDeck: EngineDeck {
  package enum Command: Hashable {
    case prepare
    case play(base: Instant)
    case preview
    case pause
    case seek(to: Duration, SeekMode, rate: Double, number: UInt32)
    case retime(Double)
    case track(String, isEnabled: Bool)
    case tracks(TrackPreferences)
    case drop
  }

  package let ownRecipe: DeckRecipe
  package private(set) var commands: [Command] = []
  /// The medium that its answers describe from now on.
  package var medium: FakeStage.Medium
  /// Whether seeks are answered automatically.
  package var answersSeeks = true
  /// Epoch of its frames from now on.
  package private(set) var epoch = FrameEpoch.start
  private unowned let stage: FakeStage
  private let post: @Sendable (DeckEvent) -> Void

  init(
    _ recipe: DeckRecipe, _ medium: FakeStage.Medium, stage: FakeStage, post: @escaping @Sendable (DeckEvent) -> Void
  ) {
    ownRecipe = recipe
    self.medium = medium
    self.stage = stage
    self.post = post
  }

  package var wasDropped: Bool { commands.last == .drop }

  /// Sends an event to the engine.
  package func emit(_ event: DeckEvent) {
    stage.toldCount += 1
    post(event)
  }

  /// Brings a hanging deck down after all.
  package func comeDown() { emit(.gone) }

  /// The readiness report at a position; nil for a deck that never gets ready.
  package func readiness(at position: Duration) -> DeckReadiness? {
    guard var readiness = medium.readiness else { return nil }
    readiness.firstPosition = position
    return readiness
  }

  package func prepare() {
    commands.append(.prepare)
    if let decoder = medium.decoder { emit(.decoding(decoder)) }
    if let readiness = readiness(at: ownRecipe.from) { emit(.ready(readiness)) }
  }

  package func seek(to position: Duration, _ mode: SeekMode, rate: Double, seek number: UInt32, preview: Bool) {
    commands.append(.seek(to: position, mode, rate: rate, number: number))
    epoch = FrameEpoch(seek: number)
    guard answersSeeks, let readiness = readiness(at: position) else { return }
    emit(.seekFinished(seek: number, readiness))
  }

  package func drop() {
    commands.append(.drop)
    if !medium.hangs { emit(.gone) }
  }

  package func play(base: Instant, showsFirst: Bool) { commands.append(.play(base: base)) }
  package func preview() { commands.append(.preview) }
  package func pause() { commands.append(.pause) }
  package func retime(_ rate: Double) { commands.append(.retime(rate)) }
  package func setTracks(_ preferences: TrackPreferences) { commands.append(.tracks(preferences)) }
  package func setTrack(_ id: String, isEnabled: Bool) { commands.append(.track(id, isEnabled: isEnabled)) }
  package func refreshRanges() {}
}
