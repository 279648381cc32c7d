internal import CGStreamer
internal import MainLoop
internal import PlaybackCore

/// The sound of a deck on its way to a device: the film's own, or a side sound in its place. Stands between the deck and
/// the output, and leaves to `SoundSwitch` which of the two is heard.
///
/// One lock covers the decision and the block's place in the output, so that no block of the other sound slips in
/// between.
final class SoundLanes: SoundDestination {
  /// Numbers of the headset's lanes begin here: its sound may be the loudspeaker's side sound.
  private static let headsetLanes: SoundSwitch.Lane = 1 << 16

  /// The deck's last seek.
  private struct Aim: Sendable {
    /// The number of the deck's flushes.
    var epoch: UInt32 = 0
    var frames = FrameEpoch.start
    var rate: Double
  }

  /// A fault of a track that was told.
  private enum Flaw: Hashable, Sendable {
    case isShorter(MediaTrack.ID)
    case isBroken(MediaTrack.ID)
  }

  private struct State: Sendable {
    var decision = SoundSwitch()
    var sides: [SoundSwitch.Lane: SideSound] = [:]
    var count: SoundSwitch.Lane = 0
    /// The chosen track.
    var track: MediaTrack.ID?
    var flaws: Set<Flaw> = []
    var place = SideSound.Place()
    var aim: Aim
    var isClosed = false
  }

  private let deck: DeckID
  private let format: DeckFormat
  private let output: any SoundDestination
  /// The files beside the film; one that can't be played is removed there.
  private let sidecars: Sidecars
  private let post: @Sendable (DeckEvent) -> Void
  private let state: Locked<State>
  /// The way to the headset, which has the loudspeaker's sound unless another track is chosen for it.
  private let headset: SoundLanes?

  /// - Parameter headset: nil without one.
  init(
    of recipe: DeckRecipe, format: DeckFormat, into output: any SoundDestination,
    headset: (any SoundDestination)? = nil, sidecars: Sidecars, post: @escaping @Sendable (DeckEvent) -> Void,
    isHeadset: Bool = false
  ) {
    deck = recipe.id
    self.format = format
    self.headset = headset.map {
      SoundLanes(of: recipe, format: format, into: $0, sidecars: sidecars, post: post, isHeadset: true)
    }
    self.output = self.headset.map { SoundTee(output, $0) } ?? output
    self.sidecars = sidecars
    self.post = post
    state = Locked(State(count: isHeadset ? Self.headsetLanes : 0, aim: Aim(rate: recipe.rate)))
  }

  var hasHeadset: Bool { headset != nil }

  // MARK: From the deck

  /// Has the chosen tracks heard where they belong. Runs on the deck's worker.
  ///
  /// - Parameter film: the source of a track that is in the film's own file; nil where it can't be opened twice.
  func choose(_ chosen: ChosenTracks, film: (MediaTrack.ID) -> SideSound.Source?) {
    func source(_ track: MediaTrack) -> SideSound.Source? { track.file.map { .file($0) } ?? film(track.id) }
    // The deck itself switches to a track of the film for the loudspeaker.
    choose(chosen.loudspeaker?.file == nil ? nil : chosen.loudspeaker?.id, from: chosen.loudspeaker.flatMap(source))
    let other = chosen.headset?.id == chosen.loudspeaker?.id ? nil : chosen.headset
    headset?.choose(other?.id, from: other.flatMap(source))
  }

  /// Wants this track to be heard in place of what comes from before; nil wants that.
  private func choose(_ track: MediaTrack.ID?, from source: SideSound.Source?) {
    let actions: [SoundSwitch.Action] = state.withLock { state in
      guard track != state.track, !state.isClosed else { return [] }
      state.track = track
      guard let track, let source, !state.flaws.contains(.isBroken(track)) else {
        return state.decision.handle(.chosen(nil))
      }
      state.count += 1
      let lane = state.count
      do throws(VitrineError) {
        let side = try SideSound(track, from: source, lane: lane, deck: deck, format: format) { [weak self] in
          self?.push($0, $1, from: lane, until: $2)
        } tell: { [weak self] in
          self?.sideTold($0, of: lane)
        }
        state.sides[lane] = side
        if let flight = state.place.flight, flight.anchor.rate > 0 {
          side.place(flight)
          if let base = state.place.base { side.run(base: base) } else { side.hold(at: state.place.heldAt) }
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
  func aim(rate: Double, _ frames: FrameEpoch) {
    state.withLock { ($0.aim.rate, $0.aim.frames) = (rate, frames) }
    headset?.aim(rate: rate, frames)
  }

  /// The deck's first samples since its start or its seek are there.
  ///
  /// - Parameters:
  ///   - streams: the deck's streams.
  ///   - start: converts their times into the item's time.
  ///   - duration: the length of the file, as its container says.
  func place(after streams: [DeckGate?], _ start: MediaStart, of item: MediaItem, lasting duration: Duration?) {
    let all = streams.compactMap { $0?.facts }
    guard let facts = all.first(where: { $0.first != nil && $0.firstPosition != nil }),
      let running = facts.first, let position = facts.firstPosition
    else { return }
    let end = [item.end, duration.map(start.length)].compactMap(\.self).min()
    headset?.place(running, start.inItem(position), end)
    place(running, start.inItem(position), end)
  }

  private func place(_ running: Duration, _ position: Duration, _ end: Duration?) {
    let (sides, flight): ([SideSound], SideSound.Flight?) = state.withLock { state in
      let flight = SideSound.Flight(
        anchor: SoundAnchor(position: position, running: running, rate: state.aim.rate, end: end),
        epoch: state.aim.epoch, frames: state.aim.frames)
      guard !state.isClosed, flight != state.place.flight else { return ([], nil) }
      state.place = SideSound.Place(flight: flight)
      // Decoders deliver sound that goes backwards in blocks that each run forwards.
      return state.aim.rate > 0 ? (Array(state.sides.values), flight) : ([], nil)
    }
    if let flight { for side in sides { side.place(flight) } }
  }

  func begin(_ deck: DeckID, volume: Double) { output.begin(deck, volume: volume) }

  func run(_ deck: DeckID, base: Instant) {
    output.run(deck, base: base)
    let sides = state.withLock { state in
      (state.place.base, state.place.heldAt) = (base, nil)
      return state.sides.values.map(\.self)
    }
    for side in sides { side.run(base: base) }
  }

  func hold(_ deck: DeckID) {
    output.hold(deck)
    let now = format.clock.now
    let (sides, heldAt) = state.withLock { state in
      if let base = state.place.base { state.place.heldAt = now - base }
      state.place.base = nil
      return (state.sides.values.map(\.self), state.place.heldAt)
    }
    for side in sides { side.hold(at: heldAt) }
  }

  func flush(_ deck: DeckID, epoch: UInt32) {
    let (sides, actions) = state.withLock { state in
      output.flush(deck, epoch: epoch)
      (state.aim.epoch, state.place) = (epoch, SideSound.Place())
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
      guard stamp.epoch == state.aim.epoch, state.sides[lane] != nil else { return [] }
      let actions = state.decision.handle(.block(lane, from: stamp.running, to: end))
      if actions.contains(.pass) { _ = output.push(sample, stamp) }
      return actions
    }
    carryOut(actions)
  }

  private func sideTold(_ news: SideSound.News, of lane: SoundSwitch.Lane) {
    switch news {
    case .ended(let reached): ended(lane, at: reached)
    case .failed(let fault): failed(lane, fault)
    }
  }

  /// A sound that ends less than this before the film isn't told: encoders pad the last block.
  private static let tolerance: Duration = .seconds(1)

  private func ended(_ lane: SoundSwitch.Lane, at reached: Duration?) {
    let (actions, shorter): ([SoundSwitch.Action], VitrineError?) = state.withLock { state in
      guard let track = state.sides[lane]?.track else { return ([], nil) }
      let missing = reached.flatMap { reached in state.place.flight?.anchor.end.map { $0 - reached } } ?? .zero
      let isNews = missing > Self.tolerance && state.flaws.insert(.isShorter(track)).inserted
      return (state.decision.handle(.ended(lane)), isNews ? SideSoundErrors.shorter(track, by: missing) : nil)
    }
    if let shorter { post(.warning(shorter)) }
    carryOut(actions)
  }

  private func failed(_ lane: SoundSwitch.Lane, _ fault: MediaFault) {
    let (actions, failed): ([SoundSwitch.Action], MediaTrack.ID?) = state.withLock { state in
      guard let track = state.sides[lane]?.track, state.flaws.insert(.isBroken(track)).inserted else {
        return ([], nil)
      }
      if state.decision.side == lane { state.track = nil }
      return (state.decision.handle(.failed(lane)), track)
    }
    carryOut(actions)
    guard let failed else { return }
    let reason = MediaErrors.classify(fault, uri: failed, isRemote: false)
    post(.warning(SideSoundErrors.broken(failed, reason: reason)))
    sidecars.drop(failed)
  }

  private func carryOut(_ actions: [SoundSwitch.Action]) {
    for action in actions {
      switch action {
      case .pass: break
      case .close(let lane): state.withLock { $0.sides.removeValue(forKey: lane) }?.close()
      case .isLate(let lane):
        if let track = state.withLock({ $0.sides[lane]?.track }) { post(.warning(SideSoundErrors.late(track))) }
      }
    }
  }
}

/// Gives a deck's sound to two receivers.
private struct SoundTee: SoundDestination {
  let one, other: any SoundDestination

  init(_ one: any SoundDestination, _ other: any SoundDestination) { (self.one, self.other) = (one, other) }

  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
    _ = other.push(sample, stamp)
    return one.push(sample, stamp)
  }
  private func both(_ tell: (any SoundDestination) -> Void) { for receiver in [one, other] { tell(receiver) } }
  func begin(_ deck: DeckID, volume: Double) { both { $0.begin(deck, volume: volume) } }
  func run(_ deck: DeckID, base: Instant) { both { $0.run(deck, base: base) } }
  func hold(_ deck: DeckID) { both { $0.hold(deck) } }
  func flush(_ deck: DeckID, epoch: UInt32) { both { $0.flush(deck, epoch: epoch) } }
  func end(_ deck: DeckID) { both { $0.end(deck) } }
  func follow(_ deck: DeckID) { both { $0.follow(deck) } }
}
