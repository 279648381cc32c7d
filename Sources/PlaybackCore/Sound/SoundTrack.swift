/// The sound of one deck: its blocks in the deck's own time, and how far it is faded in. See `SoundTimeline`.
struct SoundTrack: Sendable {
  let deck: DeckID
  /// A factor for its samples.
  private let gain: Float
  private var blocks: [Block] = []
  private var epoch: UInt32 = 0
  private var phase = Phase.waiting
  /// 0...1: faded in by so much.
  private var envelope: Float = 0
  /// Nothing of it was heard yet: its first sample begins as recorded, without a ramp.
  private var isFresh = true
  /// Where in the deck's time the last stretch that had samples ended.
  private var reached: Int?
  /// Whether it is to be told how far it was heard.
  var isFollowed = false

  /// waiting -> running <-> held; ended from any of them. Held and ended still sound until they are faded out, by the base
  /// that they had.
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
  }

  /// How long fading in and out takes: as `SoundMixer.shortestRamp`.
  private static let rampFrames = SoundFormat.frames(in: SoundMixer.shortestRamp)
  /// A block whose stamp is off by less follows the one before without a gap: stamps are rounded (to a millisecond in
  /// Matroska), and a gap of one sample is a click. GStreamer's own sinks have the same threshold.
  private static let alignment = SoundFormat.frames(in: .milliseconds(40))
  /// A deck whose blocks nobody takes keeps so much: more than the largest offset and the largest lead together.
  private static let capacity = SoundFormat.frames(in: .seconds(5))

  init(deck: DeckID, volume: Double) {
    self.deck = deck
    gain = Float(volume)
  }

  var queuedFrames: Int { blocks.reduce(0) { $0 + $1.samples.count / SoundFormat.channels } }
  /// Whether there may be something new to tell of it.
  var needsFollowing: Bool { isFollowed && isRunning }
  var hasEnded: Bool { if case .ended = phase { true } else { false } }
  /// Ended, and silent by now.
  var isOver: Bool { hasEnded && (envelope == 0 || base == nil) }

  private var base: Instant? {
    switch phase {
    case .waiting: nil
    case .running(let base), .held(let base): base
    case .ended(let base): base
    }
  }

  private var isRunning: Bool { if case .running = phase { true } else { false } }

  mutating func push(_ samples: [Int16], at running: Duration, epoch: UInt32, place: SoundPlace?) {
    guard epoch == self.epoch, !hasEnded, !samples.isEmpty else { return }
    var start = SoundFormat.frames(in: running)
    if let last = blocks.last?.end, abs(start - last) < Self.alignment { start = last }
    blocks.append(Block(start: start, samples: samples, place: place))
    while let first = blocks.first, blocks.count > 1, start - first.end > Self.capacity { blocks.removeFirst() }
  }

  mutating func run(base: Instant) {
    guard !hasEnded else { return }
    // What was fading out was somewhere else in time.
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
    // The last one says how far it was heard.
    while let first = blocks.first, first.end <= limit, !isFollowed || blocks.count > 1 { blocks.removeFirst() }
  }

  /// Nobody hears it, but its time goes by.
  mutating func pass(until instant: Instant) {
    guard isRunning, let base else { return }
    let limit = SoundFormat.frames(in: instant - base)
    guard let last = blocks.last(where: { $0.start < limit }) else { return }
    reached = max(reached ?? .min, min(limit, last.end))
  }

  /// How far it was heard by then; nil where nothing was, and for what isn't followed or doesn't run.
  func heard(by instant: Instant) -> RenderedSound? {
    guard needsFollowing, let base, let reached else { return nil }
    let frame = min(reached, SoundFormat.frames(in: instant - base))
    guard let block = blocks.last(where: { $0.start <= frame }), let place = block.place else { return nil }
    let inside = SoundFormat.duration(ofFrames: min(frame, block.end) - block.start)
    return RenderedSound(
      deck: deck, running: SoundFormat.duration(ofFrames: frame), streamTime: place.streamTime + inside * place.speed,
      epoch: place.epoch, at: instant)
  }

  /// Adds what is heard of it.
  ///
  /// - Parameter share: the deck has the first so many frames to itself; from there on a newer one is heard, and it fades.
  /// - Returns: the frame from which on this deck is the one that is heard, or more than there are; and whether any of it
  ///   was.
  mutating func render(into mix: inout [Float], from start: Instant, share: Int) -> (begin: Int, isHeard: Bool) {
    let count = mix.count / SoundFormat.channels
    guard let base, let first = blocks.first else {
      envelope = 0
      return (.max, false)
    }
    var origin = SoundFormat.frames(in: start - base)
    // Where base and stretches lie half a frame apart, rounding goes now up and now down: a frame would be left out.
    if let reached, abs(origin - reached) == 1 { origin = reached }
    let begin = isRunning ? max(0, first.start - origin) : .max
    var isHeard = false
    var place = 0
    for block in blocks where block.end > origin && block.start < origin + count {
      let from = max(place, block.start - origin)
      let to = min(count, block.end - origin)
      guard from < to else { continue }
      if origin + from != reached {
        // Sound sets in after silence: with the first sample of the deck as recorded, elsewhere over a ramp.
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
