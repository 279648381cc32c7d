/// The sound of all decks on one line of time: decks put blocks in, the output takes out what is to be heard when.
///
/// Blocks lie in their deck's own time until they are taken out, so holding a deck silences what it has queued, and letting
/// it go on brings it back from the very sample. Nothing is decided here about when a deck plays; that is told.
///
/// A track: waiting -> running (run) <-> held (hold); flush empties it from any of them; gone (end) once it is silent.
public struct SoundTimeline: Sendable {
  private var tracks: [SoundTrack] = []
  /// Overall volume and mute.
  public private(set) var mixer: SoundMixer
  /// What comes before this was given away already.
  private var rendered = Instant(nanoseconds: 0)
  /// How much later all of it is heard.
  public var offset: Duration

  /// What was heard stays for so long: a deck that is held and goes on does so from where it was held, which is a little
  /// before what was already given to the device.
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

  /// A deck will have sound. Once told, it is known until `end`.
  ///
  /// - Parameter volume: a factor for its samples.
  public mutating func begin(_ deck: DeckID, volume: Double) {
    guard index(of: deck) == nil else { return }
    tracks.append(SoundTrack(deck: deck, volume: volume))
    tracks.sort { $0.deck < $1.deck }
  }

  /// A block of sound, in the deck's running time. Blocks of an epoch that was flushed are left out.
  ///
  /// - Parameters:
  ///   - samples: left and right in turn.
  ///   - place: where in its item the first of them is; needed where the deck is followed.
  public mutating func push(
    _ samples: [Int16], at running: Duration, epoch: UInt32, from deck: DeckID, place: SoundPlace? = nil
  ) {
    guard let index = index(of: deck) else { return }
    tracks[index].push(samples, at: running, epoch: epoch, place: place)
  }

  /// From now on `heard` tells of the deck.
  public mutating func follow(_ deck: DeckID) {
    if let index = index(of: deck) { tracks[index].isFollowed = true }
  }

  /// Whether a deck that is followed runs.
  public var needsFollowing: Bool { tracks.contains(where: \.needsFollowing) }

  /// How far the newest deck that is followed was heard by now; nil where none was.
  public func heard(by now: Instant) -> RenderedSound? {
    for track in tracks.reversed() {
      guard var heard = track.heard(by: now - offset) else { continue }
      heard.at = now
      return heard
    }
    return nil
  }

  /// Running time zero of the deck is at `base` from now on.
  public mutating func run(_ deck: DeckID, base: Instant) {
    if let index = index(of: deck) { tracks[index].run(base: base) }
  }

  /// The deck stands still; what it has queued stays.
  public mutating func hold(_ deck: DeckID) {
    if let index = index(of: deck) { tracks[index].hold() }
  }

  /// Everything that the deck has queued is void. What comes with `epoch` counts again.
  public mutating func flush(_ deck: DeckID, epoch: UInt32) {
    if let index = index(of: deck) { tracks[index].flush(epoch: epoch) }
  }

  /// Nothing more comes of the deck; what sounds of it goes out without a click.
  public mutating func end(_ deck: DeckID) {
    if let index = index(of: deck) { tracks[index].end() }
  }

  private func index(of deck: DeckID) -> Int? { tracks.firstIndex { $0.deck == deck } }

  /// Frames that wait, in all decks.
  public var queuedFrames: Int { tracks.reduce(0) { $0 + $1.queuedFrames } }

  // MARK: The output

  /// What is to be heard from `start` on. Asked for one stretch after the other; one that is left out stays unheard.
  ///
  /// The newest deck whose time has come is the one that is heard. The tail of the one before fades away under it.
  public mutating func render(from start: Instant, frames count: Int) -> [Int16] {
    var mix = [Float](repeating: 0, count: count * SoundFormat.channels)
    var isAnything = false
    // How many frames of this stretch the older decks have to themselves.
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

  /// For times without a device: what is due by now counts as heard, and what nobody will ask for any more goes.
  public mutating func pass(until now: Instant) {
    tracks.removeAll { $0.hasEnded }
    for index in tracks.indices {
      tracks[index].pass(until: now - offset)
      tracks[index].forget(before: now - offset - Self.history)
    }
  }

  /// With the overall volume, which is worked out each millisecond and runs straight in between.
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
