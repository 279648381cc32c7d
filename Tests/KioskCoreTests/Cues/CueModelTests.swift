import PlaybackCore
import Testing

@testable import KioskCore

/// Random programs against a model that is too slow for a player: it looks at each cue for itself.
@Suite("Cues: against a model")
struct CueModelTests {
  /// The model: for each cue whether it is still ahead.
  private struct Model {
    var times: [Duration]
    var isAhead: [Bool]

    init(_ times: [Duration]) {
      self.times = times
      isAhead = times.map { _ in true }
    }

    /// Playing on: what is ahead and reached is sent.
    mutating func play(to at: Duration) -> Set<Int> {
      var sent: Set<Int> = []
      for index in times.indices where isAhead[index] && times[index] <= at {
        isAhead[index] = false
        sent.insert(index)
      }
      return sent
    }

    mutating func land(at: Duration, isRunning: Bool) -> Set<Int> {
      for index in times.indices { isAhead[index] = times[index] >= at }
      return isRunning ? play(to: at) : []
    }

    mutating func goBack(to at: Duration) { for index in times.indices { isAhead[index] = times[index] >= at } }
  }

  /// One item that plays, and the player's part of it.
  private struct Show {
    var random: SplitMix64
    var machine = CueMachine()
    var model: Model
    let frames: Int
    let interval: Duration
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var deck = DeckID(generation: 1)
    var epoch = FrameEpoch.start
    var frame = 0
    var isForward = true
    var isRunning = true
    private(set) var sent = 0
    private(set) var faults: [String] = []

    init(seed: UInt64, cues count: Int) {
      var random = SplitMix64(state: seed)
      let frames = Int.random(in: 20...400, using: &random)
      let rates: [Int64] = [16_683_333, 20_000_000, 33_366_667, 40_000_000, 41_708_333]
      let interval = Duration.nanoseconds(rates[Int.random(in: 0..<rates.count, using: &random)])
      // Some at a frame's very time, some between two.
      var times: [Duration] = []
      for _ in 0..<count {
        let exact = interval * Int.random(in: 0..<frames, using: &random)
        let behind = Bool.random(using: &random) ? 0 : Int64.random(in: 1..<16_000_000, using: &random)
        times.append(exact + .nanoseconds(behind))
      }
      (self.random, self.frames, self.interval) = (random, frames, interval)
      model = Model(times)
      let cues = times.map { time in
        var cue = Cue()
        (cue.moment, cue.at) = (.time, time)
        return cue
      }
      _ = machine.handle(.configured(cues, lists: [:]), at: now)
      begin()
    }

    private var at: Duration { interval * frame }

    private mutating func feed(_ event: CueMachine.Event, expecting wanted: Set<Int> = []) {
      // No cue is held back: that has its own test.
      now = now + .seconds(1)
      var all: [Duration] = []
      for case .send(let cue) in machine.handle(event, at: now) { all.append(cue.at ?? .zero) }
      let expected = wanted.map { model.times[$0] }.sorted()
      sent += all.count
      if all != expected { faults.append("frame \(frame): \(all) in place of \(expected)") }
    }

    private mutating func show(_ wanted: Set<Int>, epoch old: FrameEpoch? = nil) {
      feed(
        .shown(.init(deck, item: ItemID(rawValue: 1), epoch: old ?? epoch, at: at, isRunning: isRunning)),
        expecting: wanted)
    }

    private mutating func begin() {
      (frame, isForward, isRunning) = (0, true, true)
      model.isAhead = model.times.map { _ in true }
      feed(.started(.init(ItemID(rawValue: 1), MediaItem(uri: "file:///a", kind: .file), deck: deck)))
      show(model.play(to: at))
    }

    private mutating func loop() {
      feed(.ended(ItemID(rawValue: 1), deck))
      deck = deck.next
      epoch = .start
      begin()
    }

    private mutating func seek(to target: Int, isForward: Bool) {
      let old = epoch
      epoch = FrameEpoch(rawValue: epoch.rawValue &+ 1)
      let goesOn = target == frame
      // Inside of the frame: the exact time of one is where it is only if that is wanted.
      let place = interval * target + (goesOn ? .zero : .nanoseconds(1))
      feed(.sought(epoch, to: place, isForward: isForward))
      // A frame that was on its way.
      if self.isForward, isRunning, frame + 1 < frames, Int.random(in: 0..<4, using: &random) == 0, !goesOn {
        frame += 1
        show(model.play(to: at), epoch: old)
      }
      frame = target
      self.isForward = isForward
      if goesOn, isForward {
        show(isRunning ? model.play(to: at) : [])
      } else if isForward {
        show(model.land(at: at, isRunning: isRunning))
      } else {
        model.goBack(to: at)
        show([])
      }
    }

    mutating func step() {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: seek(to: Int.random(in: 0..<frames, using: &random), isForward: isForward)
      // A little back or ahead.
      case 1: seek(to: min(frames - 1, max(0, frame + Int.random(in: -6...6, using: &random))), isForward: isForward)
      case 2:
        isRunning.toggle()
        if isForward { show(isRunning ? model.play(to: at) : []) }
      // Another rate, backwards, forwards.
      case 3: seek(to: frame, isForward: Int.random(in: 0..<3, using: &random) > 0)
      case 4:
        // Its source breaks off: it goes on in another deck, a little before.
        guard isForward else { break }
        deck = deck.next
        epoch = .start
        let place = frame
        frame = max(0, frame - Int.random(in: 0...3, using: &random))
        show(isRunning ? model.play(to: at) : [])
        frame = place
        show(isRunning ? model.play(to: at) : [])
      default:
        guard isRunning else { break }
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          // Frames that are dropped, or left out at a higher rate.
          let isDropped = Int.random(in: 0..<5, using: &random) == 0
          let step = isDropped ? Int.random(in: 2...10, using: &random) : 1
          let next = isForward ? frame + step : frame - step
          if next >= frames { return loop() }
          guard next >= 0 else { return }
          frame = next
          if isForward {
            show(model.play(to: at))
          } else {
            model.goBack(to: at)
            show([])
          }
        }
      }
    }
  }

  @Test("10,000 cues over random loops, seeks, pauses, breaks, rates and dropped frames: each at its frame, once")
  func random() {
    var sent = 0
    for seed in 1...200 {
      var show = Show(seed: UInt64(seed), cues: 50)
      for _ in 0..<200 where show.faults.isEmpty { show.step() }
      #expect(show.faults == [], "seed \(seed)")
      sent += show.sent
    }
    #expect(sent > 10_000, "\(sent)")
  }
}
