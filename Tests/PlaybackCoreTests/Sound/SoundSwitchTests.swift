import PlaybackCore
import Testing

@Suite("Sound: the film's own, or another file's")
struct SoundSwitchTests {
  private static func at(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

  /// Feeds a block of 20 ms.
  private func block(_ lane: SoundSwitch.Lane, _ from: Int, _ value: inout SoundSwitch) -> [SoundSwitch.Action] {
    value.handle(.block(lane, from: Self.at(from), to: Self.at(from + 20)))
  }

  private func chosen(_ lane: SoundSwitch.Lane = 1) -> SoundSwitch {
    var value = SoundSwitch()
    #expect(value.handle(.chosen(lane)) == [])
    return value
  }

  /// In step from the start on.
  private func inStep() -> SoundSwitch {
    var value = chosen()
    #expect(block(1, 0, &value) == [.pass] && value.phase == .inStep)
    return value
  }

  @Test("Without a side sound the film's own is heard")
  func own() {
    var value = SoundSwitch()
    #expect(block(0, 0, &value) == [.pass] && block(7, 0, &value) == [] && value.handle(.flushed) == [])
    #expect(value.handle(.ended(7)) == [] && value.handle(.failed(7)) == [] && block(0, 20, &value) == [.pass])
  }

  @Test("At the start the film's own sound waits for the chosen one, and isn't heard for a moment")
  func start() {
    var value = chosen()
    for step in 0..<49 { #expect(block(0, step * 20, &value) == []) }
    #expect(block(1, 0, &value) == [.pass] && block(0, 980, &value) == [] && block(1, 20, &value) == [.pass])
  }

  @Test("A sound that keeps the film waiting for a second is late: told once, the film is heard until it catches up")
  func late() {
    var value = chosen()
    for step in 0..<50 { #expect(block(0, step * 20, &value) == []) }
    #expect(block(0, 1000, &value) == [.isLate(1), .pass])
    #expect(block(0, 1020, &value) == [.pass])
    // 40 ms behind what is heard is the most.
    #expect(block(1, 940, &value) == [] && block(1, 980, &value) == [.pass])
    #expect(value.phase == .inStep && block(0, 1040, &value) == [])
    // A file that stops in the middle.
    for step in 0..<47 { #expect(block(0, 1060 + step * 20, &value) == []) }
    #expect(block(0, 2000, &value) == [.pass], "late again, and told already")
  }

  @Test("While the film is heard, another choice is heard from the moment at which it is in step")
  func later() {
    var value = SoundSwitch()
    for step in 0..<100 { #expect(block(0, step * 20, &value) == [.pass]) }
    #expect(value.handle(.chosen(1)) == [] && block(0, 2000, &value) == [.pass])
    #expect(block(1, 1900, &value) == [] && block(0, 2020, &value) == [.pass])
    #expect(block(1, 1960, &value) == [] && block(1, 1980, &value) == [.pass] && block(0, 2040, &value) == [])
    // Back.
    #expect(value.handle(.chosen(nil)) == [.close(1)] && block(0, 2060, &value) == [.pass])
  }

  @Test("From one side sound to the next the former goes on until the next is in step")
  func next() {
    var value = inStep()
    for step in 1..<100 { #expect(block(0, step * 20, &value) == [] && block(1, step * 20, &value) == [.pass]) }
    #expect(value.handle(.chosen(2)) == [] && value.former == 1)
    #expect(block(1, 2000, &value) == [.pass] && block(0, 2000, &value) == [] && block(2, 1900, &value) == [])
    #expect(block(2, 1980, &value) == [.close(1), .pass] && value.former == nil && block(1, 2020, &value) == [])
    // A third choice closes the one in between.
    #expect(value.handle(.chosen(3)) == [] && value.handle(.chosen(4)) == [.close(2), .close(3)])
  }

  @Test("A former one that stops doesn't leave silence")
  func formerStops() {
    var value = inStep()
    _ = value.handle(.chosen(2))
    for step in 1...50 { #expect(block(0, step * 20, &value) == []) }
    #expect(block(0, 1020, &value) == [.close(1), .isLate(2), .pass])
    value = inStep()
    _ = value.handle(.chosen(2))
    #expect(value.handle(.failed(1)) == [.close(1)] && block(0, 20, &value) == [])
  }

  @Test("After a seek the film waits again, and nothing of the former one is left")
  func seek() {
    var value = inStep()
    #expect(value.handle(.flushed) == [] && block(0, 5000, &value) == [] && block(1, 5000, &value) == [.pass])
    _ = value.handle(.chosen(2))
    #expect(value.handle(.flushed) == [.close(1)] && block(0, 0, &value) == [] && block(2, 0, &value) == [.pass])
    // One that was late isn't waited for again.
    value = chosen()
    for step in 0...50 { _ = block(0, step * 20, &value) }
    #expect(value.handle(.flushed) == [] && block(0, 0, &value) == [.pass] && block(1, 0, &value) == [.pass])
  }

  @Test("Behind the end of a shorter one there is silence, until a seek or another choice")
  func ended() {
    var value = inStep()
    #expect(value.handle(.ended(1)) == [] && value.phase == .ended)
    for step in 1..<200 { #expect(block(0, step * 20, &value) == []) }
    #expect(value.handle(.flushed) == [] && block(1, 0, &value) == [.pass])
    _ = value.handle(.ended(1))
    #expect(
      value.handle(.chosen(2)) == [.close(1)] && block(0, 9000, &value) == [] && block(2, 9000, &value) == [.pass])
  }

  @Test("A sound that fails makes way for the film's at once, in each phase")
  func failed() {
    for (index, value) in [chosen(), inStep()].enumerated() {
      var value = value
      #expect(value.handle(.failed(1)) == [.close(1)] && block(0, 20, &value) == [.pass], "\(index)")
      #expect(block(1, 20, &value) == [] && value.side == nil)
    }
    var value = inStep()
    _ = value.handle(.ended(1))
    #expect(value.handle(.failed(1)) == [.close(1)] && block(0, 20, &value) == [.pass])
  }

  /// Every order of nine events of eleven kinds would be too many: chains of choices are what differs.
  @Test("After random events each side sound that was chosen is closed at most once, and never while it is wanted")
  func closedOnce() {
    var seed: UInt64 = 12
    func random(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % count
    }
    for _ in 0..<2000 {
      var value = SoundSwitch()
      var (count, closed, place) = (SoundSwitch.Lane(0), Set<SoundSwitch.Lane>(), 0)
      for _ in 0..<40 {
        let lane = SoundSwitch.Lane(random(Int(count) + 1))
        let actions: [SoundSwitch.Action]
        switch random(7) {
        case 0:
          count += 1
          actions = value.handle(.chosen(count))
        case 1: actions = value.handle(.chosen(nil))
        case 2: actions = value.handle(.flushed)
        case 3: actions = lane == 0 ? [] : value.handle(.ended(lane))
        case 4: actions = lane == 0 ? [] : value.handle(.failed(lane))
        default:
          place += random(500)
          actions = block(lane, place, &value)
          if actions.contains(.pass), lane != 0 { #expect(lane == value.side || lane == value.former) }
        }
        for case .close(let lane) in actions {
          #expect(closed.insert(lane).inserted && lane != value.side && lane != value.former)
        }
      }
      // All but those that it still has.
      let kept = Set([value.side, value.former].compactMap(\.self))
      #expect(closed.union(kept) == Set((0..<count).map { $0 + 1 }))
    }
  }
}

@Suite("Sound: where a deck is")
struct SoundAnchorTests {
  @Test("Positions and running times are on one line, at any speed, and none is before the anchor")
  func line() {
    for rate in [1, 2, 0.5] {
      let anchor = SoundAnchor(position: .seconds(60), running: .seconds(2), rate: rate)
      #expect(anchor.running(at: .seconds(70)) == .seconds(2) + .seconds(10) * (1 / rate))
      #expect(anchor.position(at: anchor.running(at: .seconds(70))) == .seconds(70))
      #expect(anchor.position(at: .zero) == .seconds(60))
    }
  }
}
