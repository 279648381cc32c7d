internal import CGStreamer
internal import MainLoop
internal import PlaybackCore

/// The sound of a deck on its way to a device: the film's own, or a side sound in its place. Stands between the deck and
/// the output, and leaves to `SoundSwitch` which of the two is heard.
///
/// One lock covers the decision and the block's place in the output, so that no block of the other sound slips in
/// between.
final class SoundLanes: SoundDestination {
  private struct State: Sendable {
    var decision = SoundSwitch()
    var sides: [SoundSwitch.Lane: SideSound] = [:]
    var count: SoundSwitch.Lane = 0
    /// The chosen track.
    var track: MediaTrack.ID?
    /// Side sounds that were told to be shorter than the film.
    var areShorter: Set<String> = []
    var flight: SideSound.Flight?
    var epoch: UInt32 = 0
    var frames = FrameEpoch.start
    var rate = 1.0
    var base: Instant?
    var heldAt: Duration?
    var isClosed = false
  }

  private let deck: DeckID
  private let format: DeckFormat
  private let output: any SoundDestination
  /// Where the tracks come from; one that can't be played is removed there.
  private let sidecars: Sidecars
  private let post: @Sendable (DeckEvent) -> Void
  private let state: Locked<State>

  init(
    of recipe: DeckRecipe, format: DeckFormat, into output: any SoundDestination, sidecars: Sidecars,
    post: @escaping @Sendable (DeckEvent) -> Void
  ) {
    deck = recipe.id
    self.format = format
    self.output = output
    self.sidecars = sidecars
    self.post = post
    state = Locked(State(rate: recipe.rate))
  }

  // MARK: From the deck

  /// Wants this track to be heard in place of the film's own sound; nil wants the film's own. Runs on the deck's worker.
  func choose(_ track: MediaTrack?) {
    let actions: [SoundSwitch.Action] = state.withLock { state in
      guard track?.id != state.track, !state.isClosed else { return [] }
      state.track = track?.id
      guard let uri = track?.file else { return state.decision.handle(.chosen(nil)) }
      state.count += 1
      let lane = state.count
      do throws(VitrineError) {
        let side = try SideSound(uri, lane: lane, deck: deck, format: format) { [weak self] in
          self?.push($0, $1, from: lane, until: $2)
        } tell: { [weak self] in
          self?.hear($0, of: lane)
        }
        state.sides[lane] = side
        if let flight = state.flight, flight.anchor.rate > 0 {
          side.place(flight)
          if let base = state.base { side.run(base: base) } else { side.hold(at: state.heldAt) }
        }
        return state.decision.handle(.chosen(lane))
      } catch {
        post(.warning(error))
        return state.decision.handle(.chosen(nil))
      }
    }
    carryOut(actions)
  }

  /// The deck is about to seek. Follows `flush`.
  func aim(rate: Double, _ frames: FrameEpoch) { state.withLock { ($0.rate, $0.frames) = (rate, frames) } }

  /// The deck's first samples since its start or its seek are there.
  ///
  /// - Parameters:
  ///   - streams: the deck's streams.
  ///   - start: converts their times into the item's time.
  func place(after streams: [DeckGate.Facts], _ start: MediaStart, of item: MediaItem, in pipeline: Element) {
    guard let facts = streams.first(where: { $0.first != nil && $0.firstPosition != nil }),
      let running = facts.first, let position = facts.firstPosition
    else { return }
    let end = [item.end, pipeline.queryDuration().map(start.length)].compactMap(\.self).min()
    let (sides, flight): ([SideSound], SideSound.Flight?) = state.withLock { state in
      let flight = SideSound.Flight(
        anchor: SoundAnchor(position: start.inItem(position), running: running, rate: state.rate, end: end),
        epoch: state.epoch, frames: state.frames)
      guard !state.isClosed, flight != state.flight else { return ([], nil) }
      (state.flight, state.base, state.heldAt) = (flight, nil, nil)
      // Decoders deliver sound that goes backwards in blocks that each run forwards.
      return state.rate > 0 ? (Array(state.sides.values), flight) : ([], nil)
    }
    if let flight { for side in sides { side.place(flight) } }
  }

  func begin(_ deck: DeckID, volume: Double) { output.begin(deck, volume: volume) }

  func run(_ deck: DeckID, base: Instant) {
    output.run(deck, base: base)
    let sides = state.withLock { state in
      (state.base, state.heldAt) = (base, nil)
      return state.sides.values.map(\.self)
    }
    for side in sides { side.run(base: base) }
  }

  func hold(_ deck: DeckID) {
    output.hold(deck)
    let now = format.clock.now
    let (sides, heldAt) = state.withLock { state in
      if let base = state.base { state.heldAt = now - base }
      state.base = nil
      return (state.sides.values.map(\.self), state.heldAt)
    }
    for side in sides { side.hold(at: heldAt) }
  }

  func flush(_ deck: DeckID, epoch: UInt32) {
    let (sides, actions) = state.withLock { state in
      output.flush(deck, epoch: epoch)
      (state.epoch, state.flight, state.base, state.heldAt) = (epoch, nil, nil, nil)
      return (state.sides.values.map(\.self), state.decision.handle(.flushed))
    }
    for side in sides { side.void() }
    carryOut(actions)
  }

  func end(_ deck: DeckID) {
    output.end(deck)
    let sides = state.withLock { state in
      defer { state.sides = [:] }
      state.isClosed = true
      return state.sides.values.map(\.self)
    }
    for side in sides { side.close() }
  }

  func follow(_ deck: DeckID) { output.follow(deck) }

  // MARK: Streaming threads

  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
    let end = stamp.running + SampleTimes.duration(of: sample)
    let (flow, actions) = state.withLock { state in
      let actions = state.decision.handle(.block(0, from: stamp.running, to: end))
      return (actions.contains(.pass) ? output.push(sample, stamp) : GST_FLOW_OK, actions)
    }
    carryOut(actions)
    return flow
  }

  private func push(_ sample: OpaquePointer, _ stamp: SampleStamp, from lane: SoundSwitch.Lane, until end: Duration) {
    let actions: [SoundSwitch.Action] = state.withLock { state in
      guard stamp.epoch == state.epoch, state.sides[lane] != nil else { return [] }
      let actions = state.decision.handle(.block(lane, from: stamp.running, to: end))
      if actions.contains(.pass) { _ = output.push(sample, stamp) }
      return actions
    }
    carryOut(actions)
  }

  private func hear(_ news: SideSound.News, of lane: SoundSwitch.Lane) {
    switch news {
    case .ended(let reached): ended(lane, at: reached)
    case .failed(let fault): failed(lane, fault)
    }
  }

  /// A sound that ends less than this before the film isn't told: encoders pad the last block, and nobody misses it.
  private static let tolerance: Duration = .seconds(1)

  private func ended(_ lane: SoundSwitch.Lane, at reached: Duration?) {
    let (actions, shorter): ([SoundSwitch.Action], VitrineError?) = state.withLock { state in
      guard let uri = state.sides[lane]?.uri else { return ([], nil) }
      let missing = reached.flatMap { reached in state.flight?.anchor.end.map { $0 - reached } } ?? .zero
      let isNews = missing > Self.tolerance && state.areShorter.insert(uri).inserted
      return (state.decision.handle(.ended(lane)), isNews ? SideSoundErrors.shorter(uri, by: missing) : nil)
    }
    if let shorter { post(.warning(shorter)) }
    carryOut(actions)
  }

  private func failed(_ lane: SoundSwitch.Lane, _ fault: MediaFault) {
    let (actions, failed): ([SoundSwitch.Action], (uri: String, isChosen: Bool)?) = state.withLock { state in
      guard let uri = state.sides[lane]?.uri else { return ([], nil) }
      let isChosen = state.decision.side == lane
      if isChosen { state.track = nil }
      return (state.decision.handle(.failed(lane)), (uri, isChosen))
    }
    carryOut(actions)
    guard let failed else { return }
    let reason = MediaErrors.classify(fault, uri: failed.uri, isRemote: false)
    post(.warning(SideSoundErrors.broken(failed.uri, reason: reason)))
    sidecars.drop(failed.uri)
  }

  private func carryOut(_ actions: [SoundSwitch.Action]) {
    for action in actions {
      switch action {
      case .pass: break
      case .close(let lane): state.withLock { $0.sides.removeValue(forKey: lane) }?.close()
      case .isLate(let lane):
        if let uri = state.withLock({ $0.sides[lane]?.uri }) { post(.warning(SideSoundErrors.late(uri))) }
      }
    }
  }
}
