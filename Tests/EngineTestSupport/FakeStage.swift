package import MediaPipeline
package import PlaybackCore
package import VitrinePlayback

/// What an engine plays on in a test: outputs and decks that write down what they are told, and answer as the test has it. On
/// the loop's thread; nothing of GStreamer is started.
package final class FakeStage {
  /// What becomes of an item.
  package struct Medium {
    /// What its deck tells when it is ready; nil for one that never is.
    package var readiness: DeckReadiness?
    /// The decoder in hardware that it begins with, before it is ready.
    package var decoder: String?
    /// Whether its deck doesn't go down when it is dropped.
    package var hangs: Bool

    package init(readiness: DeckReadiness?, decoder: String? = nil, hangs: Bool = false) {
      self.readiness = readiness
      self.decoder = decoder
      self.hangs = hangs
    }

    /// A film of 25 frames a second without sound, which can be sought.
    package static func film(_ duration: Duration = .seconds(10)) -> Medium {
      Medium(readiness: DeckReadiness(duration: duration, frameInterval: .milliseconds(40)))
    }

    /// What never comes to its first frame.
    package static let nothing = Medium(readiness: nil)
  }

  /// What an output does when it is opened.
  package enum Opening {
    case ready
    case failed(VitrineError)
    case hangs
  }

  /// What decks that are built from now on play.
  package var medium: (DeckRecipe) -> Medium = { _ in .film() }
  /// What outputs that are made from now on do.
  package var opening = Opening.ready
  package var outputHangs = false

  /// All that were made, the newest last.
  package private(set) var outputs: [FakeOutput] = []
  package fileprivate(set) var decks: [FakeDeck] = []
  /// What decks and outputs have told so far, for who waits until all of it was heard.
  package fileprivate(set) var toldCount = 0
  /// Decoders that are no longer to be used.
  package fileprivate(set) var avoided: [String] = []

  package init() {}

  /// For `PlayerEngine.init`.
  package func makeOutput(_ request: OutputRequest, post: @escaping @Sendable (OutputEvent) -> Void) -> any EngineOutput
  {
    let output = FakeOutput(request, stage: self, opening: opening, hangs: outputHangs, post: post)
    outputs.append(output)
    return output
  }

  /// The newest of a name; nil where there never was one.
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
  /// What it was told to draw last.
  package private(set) var overlay: OverlayPixels?
  /// What `captureFrame` gives.
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

  /// Has it tell something.
  package func tell(_ event: OutputEvent) {
    stage.toldCount += 1
    post(event)
  }

  /// Has it show the next frame of a deck.
  ///
  /// - Parameter epoch: nil is that of the newest seek that the deck was given.
  package func show(
    _ deck: FakeDeck, at position: Duration, now: Instant, epoch: FrameEpoch? = nil, stays: Duration? = nil
  ) {
    let id = deck.ownRecipe.id
    let index = shown[id] ?? 0
    shown[id] = index + 1
    var frame = RenderedFrame(
      deck: id, index: index, streamTime: position, epoch: epoch ?? deck.epoch, at: now, wasRendered: true)
    frame.stays = stays
    tell(.frame(frame))
  }

  package func open() {
    commands.append(.open)
    switch opening {
    case .ready: tell(.ready)
    case .failed(let error): tell(.failed(error))
    case .hangs: break
    }
  }

  package func close(showsLast: Bool) {
    commands.append(.close(showsLast: showsLast))
    if !hangs { tell(.closed) }
  }

  package func engineDeck(
    _ recipe: DeckRecipe, cards: CardPainter?, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) -> any EngineDeck {
    let deck = FakeDeck(recipe, stage.medium(recipe), stage: stage, post: post)
    stage.decks.append(deck)
    return deck
  }

  /// As the test has it.
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
    case drop
  }

  package let ownRecipe: DeckRecipe
  package private(set) var commands: [Command] = []
  /// What it answers from now on.
  package var medium: FakeStage.Medium
  /// Whether a seek comes to its end by itself.
  package var answersSeeks = true
  /// Of the frames that it would give now.
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

  /// Has it tell something.
  package func tell(_ event: DeckEvent) {
    stage.toldCount += 1
    post(event)
  }

  /// Has a deck that hung come down after all.
  package func comeDown() { tell(.gone) }

  /// Ready at a position, as far as it ever is.
  package func readiness(at position: Duration) -> DeckReadiness? {
    guard var readiness = medium.readiness else { return nil }
    readiness.firstPosition = position
    return readiness
  }

  package func prepare() {
    commands.append(.prepare)
    if let decoder = medium.decoder { tell(.decoding(decoder)) }
    if let readiness = readiness(at: ownRecipe.from) { tell(.ready(readiness)) }
  }

  package func seek(to position: Duration, _ mode: SeekMode, rate: Double, seek number: UInt32, preview: Bool) {
    commands.append(.seek(to: position, mode, rate: rate, number: number))
    epoch = FrameEpoch(seek: number)
    guard answersSeeks, let readiness = readiness(at: position) else { return }
    tell(.seekFinished(seek: number, readiness))
  }

  package func drop() {
    commands.append(.drop)
    if !medium.hangs { tell(.gone) }
  }

  package func play(base: Instant, showsFirst: Bool) { commands.append(.play(base: base)) }
  package func preview() { commands.append(.preview) }
  package func pause() { commands.append(.pause) }
  package func retime(_ rate: Double) { commands.append(.retime(rate)) }
  package func setTrack(_ id: String, isEnabled: Bool) { commands.append(.track(id, isEnabled: isEnabled)) }
  package func refreshRanges() {}
}
