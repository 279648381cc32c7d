/// Joins the sound of all decks on one time axis: decks push blocks, and the output renders the stretch that is to be
/// heard.
///
/// Blocks keep their deck's own time until they are rendered, so holding a deck silences its queued sound, and when it
/// runs again the sound goes on with the exact sample. When a deck plays isn't decided here: the caller says so.
///
/// A track: waiting -> running (run) <-> held (hold); flush empties it in any state; removed after `end`, once it is
/// silent.
public struct SoundTimeline: Sendable {
  private var tracks: [SoundTrack] = []
  /// Overall volume and mute.
  public private(set) var mixer: SoundMixer
  /// The end of the rendered time: earlier sound can't change any more.
  private var rendered = Instant(nanoseconds: 0)
  /// Delay of all sound.
  public var offset: Duration

  /// Time for which heard sound is kept: a deck that was held goes on from where it was held, which is a little before
  /// the sound that was already given to the device.
  static let history: Duration = .milliseconds(500)

  public init(mixer: SoundMixer = SoundMixer(), offset: Duration = .zero) {
    self.mixer = mixer
    self.offset = offset
  }

  // MARK: Volume

  /// As `SoundMixer.setVolume`; takes effect with the first sample that isn't given away yet.
  public mutating func setVolume(_ volume: Double, over fade: Duration = .zero, at now: Instant) {
    mixer.setVolume(volume, over: fade, at: max(now, rendered))
  }

  /// As `SoundMixer.setMuted`; takes effect with the first sample that isn't given away yet.
  public mutating func setMuted(_ isMuted: Bool, over fade: Duration = .zero, at now: Instant) {
    mixer.setMuted(isMuted, over: fade, at: max(now, rendered))
  }

  // MARK: Decks

  /// Adds a deck that will have sound. It is known until `end`.
  ///
  /// - Parameter volume: factor for the deck's samples.
  public mutating func begin(_ deck: DeckID, volume: Double) {
    guard index(of: deck) == nil else { return }
    tracks.append(SoundTrack(deck: deck, volume: volume))
    tracks.sort { $0.deck < $1.deck }
  }

  /// Adds a block of sound at a running time of its deck. Blocks of a flushed epoch are ignored.
  ///
  /// - Parameters:
  ///   - samples: interleaved, left first.
  ///   - place: place of the first sample in the item; needed where the deck is followed.
  ///   - lane: the source of the deck's sound. The first block of another one replaces what is queued from its start on.
  public mutating func push(
    _ samples: [Int16], at running: Duration, epoch: UInt32, from deck: DeckID, place: SoundPlace? = nil,
    lane: UInt32 = 0
  ) {
    guard let index = index(of: deck) else { return }
    tracks[index].push(samples, at: running, epoch: epoch, place: place, lane: lane)
  }

  /// Makes `heard` report on the deck from now on.
  public mutating func follow(_ deck: DeckID) {
    if let index = index(of: deck) { tracks[index].isFollowed = true }
  }

  /// Whether a followed deck is running.
  public var needsFollowing: Bool { tracks.contains(where: \.needsFollowing) }

  /// How far the newest followed deck was heard by now; nil without one.
  public func heard(by now: Instant) -> RenderedSound? {
    for track in tracks.reversed() {
      guard var heard = track.heard(by: now - offset) else { continue }
      heard.at = now
      return heard
    }
    return nil
  }

  /// Runs the deck, with running time zero at `base`.
  public mutating func run(_ deck: DeckID, base: Instant) {
    if let index = index(of: deck) { tracks[index].run(base: base) }
  }

  /// Holds the deck; its queued sound stays.
  public mutating func hold(_ deck: DeckID) {
    if let index = index(of: deck) { tracks[index].hold() }
  }

  /// Discards the deck's queued sound. Only blocks with `epoch` count from now on.
  public mutating func flush(_ deck: DeckID, epoch: UInt32) {
    if let index = index(of: deck) { tracks[index].flush(epoch: epoch) }
  }

  /// Ends the deck's sound; what still sounds is faded out without a click.
  public mutating func end(_ deck: DeckID) {
    if let index = index(of: deck) { tracks[index].end() }
  }

  private func index(of deck: DeckID) -> Int? { tracks.firstIndex { $0.deck == deck } }

  /// Frames queued in all decks.
  public var queuedFrames: Int { tracks.reduce(0) { $0 + $1.queuedFrames } }

  // MARK: The output

  /// Renders the sound from `start` on. Called for one stretch after the other; the sound of a skipped stretch is lost.
  ///
  /// Of the decks whose time has come the newest is heard. The tail of the one before is faded out under it.
  public mutating func render(from start: Instant, frames count: Int) -> [Int16] {
    var mix = [Float](repeating: 0, count: count * SoundFormat.channels)
    var isAnything = false
    // Frames at the start of this stretch that only older decks fill.
    var share = count
    for index in tracks.indices.reversed() {
      let range = tracks[index].render(into: &mix, from: start - offset, share: share)
      if range.isHeard { isAnything = true }
      share = min(share, range.begin)
    }
    tracks.removeAll(where: \.isOver)
    rendered = start + SoundFormat.duration(ofFrames: count)
    for index in tracks.indices { tracks[index].forget(before: start - offset - Self.history) }
    guard isAnything else { return [Int16](repeating: 0, count: mix.count) }
    return scaled(mix, from: start, frames: count)
  }

  /// Advances without a device: sound that is due by now counts as heard, and sound that can't be asked for again is
  /// dropped.
  public mutating func pass(until now: Instant) {
    tracks.removeAll { $0.hasEnded }
    for index in tracks.indices {
      tracks[index].pass(until: now - offset)
      tracks[index].forget(before: now - offset - Self.history)
    }
  }

  /// Applies the overall volume, which is computed each millisecond and interpolated between.
  private func scaled(_ mix: [Float], from start: Instant, frames count: Int) -> [Int16] {
    let step = SoundFormat.framesPerSecond / 1000
    var out = [Int16](repeating: 0, count: mix.count)
    var amplitude = Float(mixer.amplitude(at: start))
    for begin in stride(from: 0, to: count, by: step) {
      let end = min(count, begin + step)
      let next = Float(mixer.amplitude(at: start + SoundFormat.duration(ofFrames: end)))
      let slope = (next - amplitude) / Float(end - begin)
      for frame in begin..<end {
        let factor = amplitude + slope * Float(frame - begin)
        for place in (frame * SoundFormat.channels)..<((frame + 1) * SoundFormat.channels) {
          let value = (mix[place] * factor).rounded()
          out[place] = Int16(min(Float(Int16.max), max(Float(Int16.min), value)))
        }
      }
      amplitude = next
    }
    return out
  }
}
