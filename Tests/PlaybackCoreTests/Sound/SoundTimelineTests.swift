import PlaybackCore
import Testing

private let start = Instant(nanoseconds: 5_000_000_000)
private func tone(_ milliseconds: Int, _ level: Int16 = 1000) -> [Int16] {
  [Int16](repeating: level, count: milliseconds * 48 * 2)
}

extension SoundTimeline {
  /// The left channel of the sound heard, one value a millisecond.
  fileprivate mutating func renderLeft(from begin: Instant = start, _ milliseconds: Int) -> [Int16] {
    var heard: [Int16] = []
    for step in 0..<(milliseconds / 10) {
      let samples = render(from: begin + .milliseconds(step * 10), frames: 480)
      heard += stride(from: 0, to: 960, by: 96).map { samples[$0] }
    }
    return heard
  }

  /// Adds a deck that runs from `base`, with one block.
  fileprivate mutating func add(
    _ generation: UInt32, _ samples: [Int16], at running: Duration = .zero, base: Instant? = start, volume: Double = 1
  ) {
    begin(DeckID(generation: generation), volume: volume)
    push(samples, at: running, epoch: 0, from: DeckID(generation: generation))
    if let base { run(DeckID(generation: generation), base: base) }
  }
}

@Suite("Sound: the timeline")
struct SoundTimelineTests {
  @Test(
    "Frames and durations convert exactly, at any uptime", arguments: [0, 1, 479, 48_000, 48_000 * 86_400 * 3650])
  func frames(count: Int) {
    #expect(SoundFormat.frames(in: SoundFormat.duration(ofFrames: count)) == count)
    #expect(SoundFormat.frames(in: .zero - SoundFormat.duration(ofFrames: count)) == -count)
  }

  @Test("A deck's sound is heard sample by sample as recorded, from its first one")
  func exact() {
    var timeline = SoundTimeline()
    let wave = (0..<960).flatMap { [Int16($0), Int16(-$0)] }
    timeline.add(1, wave)
    let heard =
      timeline.render(from: start, frames: 480) + timeline.render(from: start + .milliseconds(10), frames: 480)
    #expect(heard == wave)
  }

  @Test("Sound that is due within a block begins there")
  func dueLater() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(20), base: start + .milliseconds(4))
    let heard = timeline.renderLeft(30)
    #expect(heard.map { $0 != 0 } == (0..<30).map { (4..<24).contains($0) })
  }

  @Test("A held deck is silent within 15 ms, without a jump, and continues from where it was held")
  func hold() {
    var timeline = SoundTimeline()
    let ramp = (0..<9600).flatMap { [Int16($0), Int16($0)] }
    timeline.add(1, ramp)
    _ = timeline.renderLeft(100)
    timeline.hold(DeckID(generation: 1))
    let out = timeline.renderLeft(from: start + .milliseconds(100), 30)
    #expect(out[0] > 4700 && out[15...].allSatisfy { $0 == 0 })
    #expect(zip(out, out.dropFirst()).allSatisfy { $0 - $1 < 400 })
    // Held at 60 ms of its time, 40 ms before the sound that the device has already.
    let again = start + .seconds(7)
    timeline.run(DeckID(generation: 1), base: again - .milliseconds(60))
    let heard = timeline.renderLeft(from: again, 60)
    #expect(heard[0] < 400)
    let wanted = (20..<60).map { (place: Int) -> Int16 in Int16((60 + place) * 48) }
    #expect(Array(heard[20...]) == wanted)
  }

  @Test("Flushed sound is never heard, and late sound from before the flush isn't either")
  func flush() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(200))
    _ = timeline.renderLeft(50)
    timeline.hold(DeckID(generation: 1))
    timeline.flush(DeckID(generation: 1), epoch: 1)
    timeline.push(tone(200), at: .milliseconds(200), epoch: 0, from: DeckID(generation: 1))
    timeline.run(DeckID(generation: 1), base: start)
    #expect(timeline.renderLeft(from: start + .milliseconds(50), 300).allSatisfy { $0 == 0 })
    timeline.push(tone(200, 500), at: .zero, epoch: 1, from: DeckID(generation: 1))
    timeline.run(DeckID(generation: 1), base: start + .seconds(1))
    let heard = timeline.renderLeft(from: start + .seconds(1), 50)
    #expect(heard[0] < 50 && heard[15...].allSatisfy { $0 == 500 }, "in the middle of something: over a ramp")
  }

  @Test("At a seam each item has its own volume from the first sample, and the other's tail fades under it")
  func seam() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(121))  // an AAC tail of 21 ms
    timeline.add(2, tone(100), base: start + .milliseconds(100), volume: 0.25)
    let heard = timeline.renderLeft(200)
    #expect(heard[..<100].allSatisfy { $0 == 1000 })
    #expect(heard[100] > 1200 && heard[100] <= 1250)
    #expect(zip(heard[100...], heard[101...]).allSatisfy { $0 >= $1 })
    #expect(heard[116...].allSatisfy { $0 == 250 })
  }

  @Test("Another lane's first block replaces what is queued from there on, to the sample, without a jump")
  func lanes() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(200))
    // 7.5 ms off the grid of blocks: within the same lane it would be taken for a rounded time.
    let place: Duration = .microseconds(92_500)
    timeline.push(tone(100, 500), at: place, epoch: 0, from: DeckID(generation: 1), lane: 3)
    let whole = timeline.render(from: start, frames: 9600)
    let left = stride(from: 0, to: whole.count, by: 2).map { whole[$0] }
    #expect(left[..<3720].allSatisfy { $0 == 1000 } && left[5160..<9240].allSatisfy { $0 == 500 })
    #expect(left[4439] < 10 && left[4440] == 0 && left[9240...].allSatisfy { $0 == 0 })
    #expect(zip(left[..<9240], left[1..<9240]).allSatisfy { abs($0 - $1) < 5 })
  }

  @Test("The first block of all is heard as recorded, whatever its lane, and a flush doesn't change the lane")
  func firstLane() {
    var timeline = SoundTimeline()
    timeline.begin(DeckID(generation: 1), volume: 1)
    timeline.push(tone(20), at: .zero, epoch: 0, from: DeckID(generation: 1), lane: 2)
    timeline.push(tone(20), at: .milliseconds(21), epoch: 0, from: DeckID(generation: 1), lane: 2)
    timeline.run(DeckID(generation: 1), base: start)
    #expect(timeline.renderLeft(50).map { $0 == 1000 } == (0..<50).map { $0 < 40 })
  }

  @Test("Without a tail two items have no gap and no overlap")
  func cleanSeam() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(100))
    timeline.add(2, tone(100, -700), base: start + .milliseconds(100))
    let wanted = (0..<200).map { (place: Int) -> Int16 in place < 100 ? 1000 : -700 }
    #expect(timeline.renderLeft(200) == wanted)
  }

  @Test("No sample is lost where blocks and the deck's own time are half a frame apart")
  func halfAFrame() {
    // A frame is 20833 1/3 ns.
    for shift in 10_410...10_424 {
      var timeline = SoundTimeline()
      let wave = (0..<4800).flatMap { [Int16($0), Int16($0)] }
      timeline.add(1, wave, base: start + .milliseconds(5) + .nanoseconds(shift))
      var heard: [Int16] = []
      // Blocks of odd lengths, as from a device with a clock of its own.
      var frames = 0
      for count in [480, 481, 479, 480, 481, 480, 481, 479, 480] {
        heard += timeline.render(from: start + SoundFormat.duration(ofFrames: frames), frames: count)
        frames += count
      }
      let left = stride(from: 2 * 245, to: heard.count, by: 2).map { heard[$0] }
      #expect(zip(left, left.dropFirst()).allSatisfy { $1 - $0 == 1 }, "\(shift) ns")
    }
  }

  @Test("The overall volume applies to all sound, smoothly")
  func overall() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(200))
    timeline.setVolume(0.5, at: start + .milliseconds(50))
    let heard = timeline.renderLeft(200)
    #expect(heard[..<50].allSatisfy { $0 == 1000 })
    #expect(heard[65...].allSatisfy { $0 == 125 })
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 200 })
  }

  @Test("A volume change begins after the sound that was handed out, so that it can't jump")
  func volumeLate() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(200))
    let before = timeline.renderLeft(100)
    timeline.setMuted(true, at: start + .milliseconds(60))
    let heard = before[99...] + timeline.renderLeft(from: start + .milliseconds(100), 50)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 200 })
    #expect(heard.last == 0 && timeline.mixer.isMuted)
  }

  @Test("The offset moves all sound, in either direction", arguments: [-20, 0, 20])
  func offset(milliseconds: Int) {
    var timeline = SoundTimeline(offset: .milliseconds(milliseconds))
    timeline.add(1, tone(10), base: start + .milliseconds(50))
    #expect(timeline.renderLeft(100).firstIndex(of: 1000) == 50 + milliseconds)
  }

  @Test("Blocks with rounded timestamps follow each other without a gap; a real gap stays")
  func rounding() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(20))
    timeline.push(tone(20), at: .microseconds(20_700), epoch: 0, from: DeckID(generation: 1))
    timeline.push(tone(20), at: .microseconds(39_400), epoch: 0, from: DeckID(generation: 1))
    timeline.push(tone(20), at: .milliseconds(140), epoch: 0, from: DeckID(generation: 1))
    let heard = timeline.renderLeft(160)
    #expect(heard[..<60].allSatisfy { $0 == 1000 })
    #expect(heard[60..<140].allSatisfy { $0 == 0 })
    #expect(heard[140] < 100 && heard[155] == 1000)
  }

  @Test("A dropped deck fades out and is forgotten")
  func end() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(200))
    _ = timeline.renderLeft(50)
    timeline.end(DeckID(generation: 1))
    let heard = timeline.renderLeft(from: start + .milliseconds(50), 50)
    #expect(heard[0] > 900 && heard[15...].allSatisfy { $0 == 0 })
    #expect(timeline.queuedFrames == 0)
  }

  @Test("Loud items at a seam don't overflow")
  func clipping() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(200, 30_000))
    timeline.add(2, tone(100, 30_000), base: start + .milliseconds(100))
    #expect(timeline.renderLeft(200).allSatisfy { $0 > 0 })
  }

  @Test("Without a device no sound piles up")
  func noDevice() {
    var timeline = SoundTimeline()
    timeline.begin(DeckID(generation: 1), volume: 1)
    timeline.run(DeckID(generation: 1), base: start)
    for step in 0..<1000 {
      timeline.push(tone(20), at: .milliseconds(step * 20), epoch: 0, from: DeckID(generation: 1))
      timeline.pass(until: start + .milliseconds(step * 20 - 100))
      #expect(timeline.queuedFrames <= 48 * 1000)
    }
    timeline.end(DeckID(generation: 1))
    timeline.pass(until: start)
    #expect(timeline.queuedFrames == 0)
  }

  @Test("Sound-only playback reports what was heard, with a device or without, and no further than its sound")
  func followed() {
    let id = DeckID(generation: 1)
    for hasDevice in [true, false] {
      var timeline = SoundTimeline()
      timeline.begin(id, volume: 0)
      #expect(!timeline.needsFollowing)
      timeline.follow(id)
      for step in 0..<10 {
        timeline.push(
          tone(20), at: .milliseconds(step * 20), epoch: 0, from: id,
          place: SoundPlace(streamTime: .seconds(30) + .milliseconds(step * 40), speed: 2, epoch: FrameEpoch(seek: 7)))
      }
      #expect(timeline.heard(by: start) == nil, "it doesn't run")
      timeline.run(id, base: start)
      #expect(timeline.needsFollowing)
      func heard(_ milliseconds: Int) -> RenderedSound? {
        let now = start + .milliseconds(milliseconds)
        if hasDevice { _ = timeline.renderLeft(200) } else { timeline.pass(until: now) }
        return timeline.heard(by: now)
      }
      #expect(heard(-10) == nil)
      let early = RenderedSound(
        deck: id, running: .milliseconds(50), streamTime: .milliseconds(30_100), epoch: FrameEpoch(seek: 7),
        at: start + .milliseconds(50))
      #expect(heard(50) == early)
      #expect(heard(1000)?.running == .milliseconds(200) && heard(1000)?.streamTime == .milliseconds(30_400))
      timeline.flush(id, epoch: 1)
      #expect(timeline.heard(by: start + .seconds(1)) == nil)
    }
  }

  @Test("A device that comes in the middle of an item begins with a ramp at what is due")
  func deviceComesLater() {
    var timeline = SoundTimeline()
    timeline.add(1, tone(300))
    let heard = timeline.renderLeft(from: start + .milliseconds(100), 50)
    #expect(heard[0] < 100 && heard[15...].allSatisfy { $0 == 1000 })
  }
}
