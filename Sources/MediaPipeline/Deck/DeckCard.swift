internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// The card of a deck without a picture: `appsrc ! videoconvert ! appsink`, beside the deck's own pipeline and in step
/// with it.
///
/// It gives the output one frame when the item begins, and one each time that the card's text changes. The output
/// treats these as the deck's frames, so a card appears wherever a picture does: on planes, in windows, in snapshots,
/// under an overlay that is drawn into the frames. The last picture before it stays until the card is due.
final class DeckCard: Sendable {
  let gate: DeckGate
  private let pipeline: Element
  private let source: Element
  private let size: PixelSize
  private let paint: CardPainter
  private let lead: Duration
  private let shown = Locked(Shown())

  private struct Shown: Sendable {
    var card: NowPlayingCard?
    var cover: CoverPixels?
    /// Frames so far; also the millisecond of the next frame's timestamp, so that no two are equal.
    var count: Int64 = 0
    var first: Duration = .zero
  }

  /// A frame comes within milliseconds; after this limit the item plays without a card.
  private static let prerollLimit: Duration = .seconds(2)

  /// - Throws: 7202 or 7203 where an element is missing.
  init(of deck: DeckID, format: DeckFormat, destination: any SampleDestination, paint: @escaping CardPainter)
    throws(VitrineError)
  {
    gate = DeckGate(deck: deck, clock: format.clock, destination: destination)
    self.paint = paint
    lead = format.longestLead
    // Drawn in the size that the output takes, so that nothing has to be scaled.
    let fit = format.video.shape.size(for: PresentationSize(pixels: format.screen))
    size = fit?.pixels ?? format.screen
    let aspect = fit?.pixelAspect ?? .one
    pipeline = try Element.pipeline(name: "\(deck) card")
    source = try Element.make("appsrc")
    let convert = try Element.make("videoconvert")
    let sink = try DeckPipeline.appsink("card", caps: format.videoCaps, lead: DeckTiming.videoLead, of: format)
    // A changed card is always late, and the converter must not drop it.
    sink.set("qos", false)
    source.set("format", nick: "time")
    source.set("max-bytes", uint64: 0)
    let text =
      "video/x-raw,format=BGRx,width=\(size.width),height=\(size.height),framerate=0/1"
      + ",pixel-aspect-ratio=\(aspect.numerator)/\(aspect.denominator)"
    if let caps = Caps(text) { source.set("caps", caps) }
    pipeline.add(source, convert, sink)
    try source.link(to: convert)
    var last = convert
    let turn = PictureOrientation(rotation: format.video.rotation)
    for stage in turn == .upright ? [] : try VideoStages.elements(for: .turn(turn)) {
      pipeline.add(stage)
      try last.link(to: stage)
      last = stage
    }
    try last.link(to: sink)
    gate.attach(to: sink)
    sink.staticPad("sink")?.answerAllocation()
    pipeline.useClock(format.clock)
  }

  /// Draws the first card and prerolls its pipeline. Blocks.
  ///
  /// - Parameter first: running time at which the item begins.
  /// - Returns: false where that failed, and the item plays without a card.
  func prepare(_ card: NowPlayingCard, _ cover: CoverPixels?, at first: Duration) -> Bool {
    shown.withLock { $0.first = first }
    // Messages of this pipeline are thrown away: a failure shows in the state.
    Bus.receiveMessages(from: pipeline, computes: true) { _ in }
    guard pipeline.setState(GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE, show(card, cover) else { return false }
    let limit = GstClockTime(Self.prerollLimit.wholeNanoseconds)
    return gst_element_get_state(pipeline.pointer, nil, nil, limit) == GST_STATE_CHANGE_SUCCESS
  }

  /// Shows a card where it differs from the one before. Blocks while it is drawn.
  @discardableResult
  func show(_ card: NowPlayingCard, _ cover: CoverPixels?) -> Bool {
    let isNews = shown.withLock { shown in
      defer { (shown.card, shown.cover) = (card, cover) }
      return shown.card != card || shown.cover != cover
    }
    guard isNews, let pixels = paint(card, cover, size), pixels.count == size.width * size.height else { return false }
    let time = shown.withLock { shown in
      defer { shown.count += 1 }
      return shown.first + .milliseconds(shown.count)
    }
    pixels.withUnsafeBytes { bytes in
      guard let memory = bytes.baseAddress else { return }
      vit_push_bytes(source.pointer, memory, gsize(bytes.count), UInt64(max(0, time.wholeNanoseconds)), UInt64.max)
    }
    return true
  }

  // MARK: In step with the deck, on its worker

  func play(base: Instant) {
    pipeline.setBaseTime(base - lead)
    _ = pipeline.setState(GST_STATE_PLAYING)
  }

  func pause() { _ = pipeline.setState(GST_STATE_PAUSED) }

  /// Takes the pipeline down; no other call may follow.
  func stop() {
    Bus.release(pipeline)
    _ = pipeline.setState(GST_STATE_NULL)
  }
}

/// Collects what a deck's card needs, and makes the card once the deck turns out to have no picture. Runs on the deck's
/// worker, except `close`.
final class DeckCards: Sendable {
  private let recipe: DeckRecipe
  private let format: DeckFormat
  private let destination: any SampleDestination
  private let paint: CardPainter
  private let state = Locked(State())

  private struct State: Sendable {
    var metadata = MediaMetadata()
    var cover: [UInt8] = []
    var hasFrontCover = false
    /// The decoded `cover`.
    var pixels: CoverPixels?
    var isStation = false
    var card: DeckCard?
    /// The instant of running time zero while the deck plays; nil while it is held.
    var base: Instant?
    var isClosed = false
  }

  init(of recipe: DeckRecipe, format: DeckFormat, destination: any SampleDestination, paint: @escaping CardPainter) {
    self.recipe = recipe
    self.format = format
    self.destination = destination
    self.paint = paint
  }

  private var card: DeckCard? { state.withLock { $0.card } }
  var isShown: Bool { card != nil }

  /// Makes the card: the deck has turned out to have no picture.
  func begin(_ metadata: MediaMetadata, isStation: Bool, at first: Duration) {
    guard state.withLock({ $0.card == nil && !$0.isClosed }) else { return }
    state.withLock { state in
      state.metadata = metadata
      state.isStation = isStation
    }
    decodeCover()
    let (words, cover) = content
    guard let card = try? DeckCard(of: recipe.id, format: format, destination: destination, paint: paint) else {
      return
    }
    guard card.prepare(words, cover, at: first) else { return card.stop() }
    let base = state.withLock { state in
      state.card = card
      return state.base
    }
    // A live deck plays already.
    if let base { play(base: base) }
  }

  func updateMetadata(_ metadata: MediaMetadata) {
    state.withLock { $0.metadata = metadata }
    refresh()
  }

  /// Keeps an embedded picture as the cover. The first one stays, unless a later one is marked as the front cover.
  func updateCover(_ cover: [UInt8], isFront: Bool) {
    let isWanted = state.withLock { state in
      guard state.cover.isEmpty || (isFront && !state.hasFrontCover) else { return false }
      state.cover = cover
      state.hasFrontCover = isFront
      return true
    }
    guard isWanted, isShown else { return }
    decodeCover()
    refresh()
  }

  func play(base: Instant) {
    state.withLock { $0.base = base }
    card?.gate.setMode(.open(base: base))
    card?.play(base: base)
  }

  func pause() {
    state.withLock { $0.base = nil }
    card?.pause()
  }

  func preview() { card?.gate.preview() }

  /// Closes the gate: no further frame passes. Any thread.
  func close() {
    let card = state.withLock { state in
      state.isClosed = true
      return state.card
    }
    card?.gate.setMode(.closed)
  }

  func stop() { card?.stop() }

  private var content: (NowPlayingCard, CoverPixels?) {
    state.withLock { state in
      (NowPlayingCard(recipe.item, state.metadata, isStation: state.isStation), state.pixels)
    }
  }

  private func refresh() {
    guard let card else { return }
    let (words, cover) = content
    card.show(words, cover)
  }

  private func decodeCover() {
    let file = state.withLock { $0.cover }
    guard !file.isEmpty else { return }
    let pixels = CoverDecoder.decode(file, for: format.screen)
    state.withLock { $0.pixels = pixels }
  }
}
