internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// The card of a deck that has nothing to see: `appsrc ! videoconvert ! appsink`, beside the deck's own pipeline and in step
/// with it.
///
/// It gives the output one frame when the item begins, and another when the card says something new. To the output these are
/// frames of the deck, so that a card appears wherever a picture does: on planes and in windows, in snapshots, under an
/// overlay that is drawn into the frames; and the last picture before it stays until it is due.
final class DeckCard: Sendable {
  let gate: DeckGate
  private let pipeline: Element
  private let source: Element
  private let size: PixelSize
  private let paint: CardPainter
  private let lead: Duration
  private let shown = Locked(Shown())

  private struct Shown: Sendable {
    var card: SoundCard?
    var cover: CoverPixels?
    /// Frames so far; each has a time of its own.
    var count: Int64 = 0
    var first: Duration = .zero
  }

  /// A frame comes within milliseconds; one that doesn't come is done without.
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
    // It is late by nature when it says something new.
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

  /// Draws the first card and takes it to where it can be shown. Blocks.
  ///
  /// - Parameter first: running time at which the item begins.
  /// - Returns: false where that didn't work, and the item has to do without.
  func prepare(_ card: SoundCard, _ cover: CoverPixels?, at first: Duration) -> Bool {
    shown.withLock { $0.first = first }
    // What it has to say is of no use to anybody.
    Bus.receiveMessages(from: pipeline, computes: true) { _ in }
    guard pipeline.setState(GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE, show(card, cover) else { return false }
    let limit = GstClockTime(Self.prerollLimit.wholeNanoseconds)
    return gst_element_get_state(pipeline.pointer, nil, nil, limit) == GST_STATE_CHANGE_SUCCESS
  }

  /// Shows another card, where it says something else than the one before. Blocks while it is drawn.
  @discardableResult
  func show(_ card: SoundCard, _ cover: CoverPixels?) -> Bool {
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

  /// Nothing may come after this.
  func stop() {
    Bus.release(pipeline)
    _ = pipeline.setState(GST_STATE_NULL)
  }
}

/// What a deck knows of its card before it needs one, and the card when it does. On the deck's worker, but for `close`.
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
    /// Of the cover that is there now.
    var pixels: CoverPixels?
    var isStation = false
    var card: DeckCard?
    /// Where the deck plays, while it does.
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

  /// The deck has nothing else to show.
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
    // What is live plays already.
    if let base { play(base: base) }
  }

  func takeMetadata(_ metadata: MediaMetadata) {
    state.withLock { $0.metadata = metadata }
    refresh()
  }

  /// A picture of the item has come. The first one stays, unless another is said to be the front cover.
  func takeCover(_ cover: [UInt8], isFront: Bool) {
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

  /// Nothing more passes. Any thread.
  func close() {
    let card = state.withLock { state in
      state.isClosed = true
      return state.card
    }
    card?.gate.setMode(.closed)
  }

  func stop() { card?.stop() }

  private var content: (SoundCard, CoverPixels?) {
    state.withLock { state in
      (SoundCard(recipe.item, state.metadata, isStation: state.isStation), state.pixels)
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
