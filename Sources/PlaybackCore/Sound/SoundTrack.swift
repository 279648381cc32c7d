/// The sound of one deck: its blocks in the deck's own time, and its fade. See `SoundTimeline`.
struct SoundTrack: Sendable {
  let deck: DeckID
  /// Factor for the deck's samples.
  private let gain: Float
  private var blocks: [Block] = []
  private var epoch: UInt32 = 0
  /// The lane of the newest block.
  private var lane: UInt32 = 0
  private var phase = Phase.waiting
  /// The fade's progress, 0...1.
  private var envelope: Float = 0
  /// Whether nothing of the deck was heard yet: its first sample begins as recorded, without a ramp.
  private var isFresh = true
  /// End of the last rendered stretch that had samples, in frames of the deck's time.
  private var reached: Int?
  /// Whether reports on how far it was heard are wanted.
  var isFollowed = false

  /// waiting -> running <-> held; ended from any of them. A held or ended track sounds until it is faded out, with its
  /// last base.
  private enum Phase: Hashable, Sendable {
    case waiting
    case running(base: Instant)
    case held(base: Instant)
    case ended(base: Instant?)
  }

  private struct Block: Sendable {
    /// In frames of the deck's running time.
    var start: Int
    var samples: [Int16]
    var place: SoundPlace?
    var end: Int { start + samples.count / SoundFormat.channels }

    /// - Parameter factor: for the progress of the fade, 0..<1.
    mutating func fade(from: Int, to: Int, _ factor: (Float) -> Float) {
      for frame in from..<to {
        let factor = factor(Float(frame - from) / Float(to - from))
        for place in (frame * SoundFormat.channels)..<((frame + 1) * SoundFormat.channels) {
          samples[place] = Int16((Float(samples[place]) * factor).rounded())
        }
      }
    }
  }

  /// Length of a fade: as `SoundMixer.shortestRamp`.
  private static let rampFrames = SoundFormat.frames(in: SoundMixer.shortestRamp)
  /// A block whose timestamp is off by less than this follows the one before without a gap: timestamps are rounded (to
  /// a millisecond in Matroska), and a gap of one sample is a click. GStreamer's own sinks have the same threshold.
  private static let alignment = SoundFormat.frames(in: .milliseconds(40))
  /// Sound that a deck keeps while the output doesn't render it: more than the largest offset and the largest lead
  /// together.
  private static let capacity = SoundFormat.frames(in: .seconds(5))

  init(deck: DeckID, volume: Double) {
    self.deck = deck
    gain = Float(volume)
  }

  var queuedFrames: Int { blocks.reduce(0) { $0 + $1.samples.count / SoundFormat.channels } }
  /// Whether there may be a new report on how far it was heard.
  var needsFollowing: Bool { isFollowed && isRunning }
  var hasEnded: Bool { if case .ended = phase { true } else { false } }
  /// Whether the track has ended and is silent by now.
  var isOver: Bool { hasEnded && (envelope == 0 || base == nil) }

  private var base: Instant? {
    switch phase {
    case .waiting: nil
    case .running(let base), .held(let base): base
    case .ended(let base): base
    }
  }

  private var isRunning: Bool { if case .running = phase { true } else { false } }

  mutating func push(_ samples: [Int16], at running: Duration, epoch: UInt32, place: SoundPlace?, lane: UInt32) {
    guard epoch == self.epoch, !hasEnded, !samples.isEmpty else { return }
    var block = Block(start: SoundFormat.frames(in: running), samples: samples, place: place)
    if lane != self.lane {
      self.lane = lane
      splice(&block)
    } else if let last = blocks.last?.end, abs(block.start - last) < Self.alignment {
      block.start = last
    }
    blocks.append(block)
    let start = block.start
    while let first = blocks.first, blocks.count > 1, start - first.end > Self.capacity { blocks.removeFirst() }
  }

  /// Cuts off what is queued from the start of another lane's first block on: what was there fades out before it, and
  /// the block fades in.
  private mutating func splice(_ block: inout Block) {
    while let last = blocks.last, last.start >= block.start { blocks.removeLast() }
    guard let last = blocks.indices.last, blocks[last].end >= block.start else { return }
    let kept = block.start - blocks[last].start
    blocks[last].samples.removeLast(blocks[last].samples.count - kept * SoundFormat.channels)
    blocks[last].fade(from: max(0, kept - Self.rampFrames), to: kept) { 1 - $0 }
    let length = block.end - block.start
    block.fade(from: 0, to: min(length, Self.rampFrames)) { $0 }
  }

  mutating func run(base: Instant) {
    guard !hasEnded else { return }
    // A fade out belonged to another time.
    if self.base != base { envelope = 0 }
    phase = .running(base: base)
  }

  mutating func hold() {
    if case .running(let base) = phase { phase = .held(base: base) }
  }

  mutating func flush(epoch: UInt32) {
    self.epoch = epoch
    blocks = []
    envelope = 0
    isFresh = false
    reached = nil
  }

  mutating func end() {
    phase = .ended(base: base)
    if isFresh { envelope = 0 }
  }

  mutating func forget(before instant: Instant) {
    guard isRunning, let base else { return }
    let limit = SoundFormat.frames(in: instant - base)
    // The last block tells how far the deck was heard.
    while let first = blocks.first, first.end <= limit, !isFollowed || blocks.count > 1 { blocks.removeFirst() }
  }

  /// Advances the track without rendering it, where there is no device.
  mutating func pass(until instant: Instant) {
    guard isRunning, let base else { return }
    let limit = SoundFormat.frames(in: instant - base)
    guard let last = blocks.last(where: { $0.start < limit }) else { return }
    reached = max(reached ?? .min, min(limit, last.end))
  }

  /// How far the deck was heard by then; nil where nothing was heard, and for a deck that isn't followed or doesn't
  /// run.
  func heard(by instant: Instant) -> RenderedSound? {
    guard needsFollowing, let base, let reached else { return nil }
    let frame = min(reached, SoundFormat.frames(in: instant - base))
    guard let block = blocks.last(where: { $0.start <= frame }), let place = block.place else { return nil }
    let inside = SoundFormat.duration(ofFrames: min(frame, block.end) - block.start)
    return RenderedSound(
      deck: deck, running: SoundFormat.duration(ofFrames: frame), streamTime: place.streamTime + inside * place.speed,
      epoch: place.epoch, at: instant)
  }

  /// Adds the deck's sound to the mix.
  ///
  /// - Parameter share: number of frames at the start that the deck has to itself; from there on a newer one is heard,
  ///   and this one fades.
  /// - Returns: the frame from which on this deck is the one that is heard, or more than there are; and whether any of
  ///   it was heard.
  mutating func render(into mix: inout [Float], from start: Instant, share: Int) -> (begin: Int, isHeard: Bool) {
    let count = mix.count / SoundFormat.channels
    guard let base, let first = blocks.first else {
      envelope = 0
      return (.max, false)
    }
    var origin = SoundFormat.frames(in: start - base)
    // Where base and stretches are half a frame apart, rounding goes now up and now down: a frame would be skipped.
    if let reached, abs(origin - reached) == 1 { origin = reached }
    let begin = isRunning ? max(0, first.start - origin) : .max
    var isHeard = false
    var place = 0
    for block in blocks where block.end > origin && block.start < origin + count {
      let from = max(place, block.start - origin)
      let to = min(count, block.end - origin)
      guard from < to else { continue }
      if origin + from != reached {
        // Sound begins after silence: the deck's first sample as recorded, later ones with a ramp.
        envelope = isFresh && isRunning && origin + from == first.start ? 1 : 0
      }
      reached = origin + to
      if envelope > 0 || (isRunning && share > from) { isHeard = true }
      add(block, frames: from..<to, shift: origin - block.start, share: share, to: &mix)
      place = to
    }
    if place < count { envelope = 0 }
    return (begin, isHeard)
  }

  private mutating func add(_ block: Block, frames: Range<Int>, shift: Int, share: Int, to mix: inout [Float]) {
    let slope = 1 / Float(Self.rampFrames)
    for frame in frames {
      let target: Float = isRunning && frame < share ? 1 : 0
      if envelope != target { envelope = envelope < target ? min(1, envelope + slope) : max(0, envelope - slope) }
      if envelope == 0 { continue }
      isFresh = false
      let factor = envelope * gain
      let source = (frame + shift) * SoundFormat.channels
      let place = frame * SoundFormat.channels
      for channel in 0..<SoundFormat.channels {
        mix[place + channel] += Float(block.samples[source + channel]) * factor
      }
    }
  }
}
