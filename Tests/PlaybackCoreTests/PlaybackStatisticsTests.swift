import Testing

@testable import PlaybackCore

@Suite("Playback ledger")
struct PlaybackStatisticsTests {
  private var ledger = PlaybackStatistics(
    processStart: Instant(nanoseconds: 0),
    queue: PlayQueue([
      MediaItem(uri: "file:///a.mp4", kind: .file), MediaItem(uri: "file:///b.png", kind: .picture),
      MediaItem(uri: "file:///c.mp4", kind: .file),
    ]))

  private static func at(_ milliseconds: Int) -> Instant { Instant(nanoseconds: Int64(milliseconds) * 1_000_000) }

  /// Records frames of a deck at 25 a second, the first one at `start`.
  private mutating func play(
    _ id: UInt32, item: ItemID, frames: Range<UInt32>, from start: Int, interval: Int = 40, isAutomatic: Bool = true,
    dropping: Set<UInt32> = []
  ) {
    if frames.lowerBound == 0 {
      ledger.itemStarted(item, deck: deck(id), isAutomatic: isAutomatic)
      ledger.frameInterval(.milliseconds(interval), deck: deck(id), item: item)
    }
    for (step, index) in frames.enumerated() {
      ledger.record(
        RenderedFrame(
          deck: deck(id), index: index, streamTime: .milliseconds(40 * Int(index)), at: Self.at(start + 40 * step),
          wasRendered: !dropping.contains(index)))
    }
  }

  private func report(at milliseconds: Int) -> PlaybackReport {
    ledger.report(version: "t", output: .headless, screen: "s", exitCode: 0, at: Self.at(milliseconds))
  }

  @Test("The first frame's time counts from the start of the process")
  mutating func firstFrame() {
    #expect(report(at: 10).firstFrameMilliseconds == nil)
    play(1, item: 0, frames: 0..<3, from: 150)
    #expect(report(at: 300).firstFrameMilliseconds == 150)
    #expect(report(at: 300).framesRendered == 3)
  }

  @Test(
    "An empty buffer within an item is a rebuffer; buffering at its start, after a seek or at its end isn't"
  )
  mutating func rebuffers() {
    func counted() -> Int { ledger.counters[.rebuffers] }
    // The first item starts.
    ledger.waiting(.buffering)
    ledger.waiting(nil)
    play(1, item: 0, frames: 0..<3, from: 100)
    #expect(counted() == 0)
    ledger.waiting(.buffering)
    ledger.waiting(.buffering)
    #expect(counted() == 1)
    ledger.waiting(nil)
    ledger.waiting(.seeking)
    ledger.waiting(.buffering)
    ledger.waiting(nil)
    #expect(counted() == 1)
    ledger.waiting(.buffering)
    #expect(counted() == 2 && report(at: 300).counters[.rebuffers] == 2)
    // The next item is waited for.
    ledger.waiting(nil)
    ledger.videoEnded(deck: deck(1), frames: 3, lastFrameDuration: .milliseconds(40))
    ledger.waiting(.buffering)
    #expect(counted() == 2)
  }

  /// Plays a song of 2 s behind a card, heard from `start` on and reported each tenth of a second.
  private mutating func playSong(_ id: UInt32, item: ItemID, from start: Int, tenths: ClosedRange<Int> = 0...19) {
    if tenths.lowerBound == 0 {
      ledger.isSoundOnly(deck(id), item: item)
      ledger.itemStarted(item, deck: deck(id), isAutomatic: true)
      ledger.record(
        RenderedFrame(deck: deck(id), index: 0, streamTime: .zero, at: Self.at(start), wasRendered: true))
    }
    for tenth in tenths {
      let time = Duration.milliseconds(tenth * 100)
      ledger.record(
        RenderedSound(deck: deck(id), running: time, streamTime: time, at: Self.at(start + tenth * 100)))
    }
  }

  @Test("A song has played for as long as it was heard, and the seams beside it have no gap")
  mutating func soundOnly() {
    play(1, item: 0, frames: 0..<25, from: 100)
    playSong(2, item: 1, from: 1100)
    ledger.soundEnded(deck: deck(2), at: .seconds(2))
    play(3, item: 2, frames: 0..<25, from: 3100)
    let report = report(at: 4100)
    let played = report.items.map(\.playedSeconds)
    #expect(zip(played, [1, 2, 1]).allSatisfy { abs($0 - $1) < 1e-9 }, "\(played)")
    #expect(report.gapsMilliseconds == [0, 0] && report.stallsTotal == 0 && report.framesDropped == 0)
    #expect(report.gapSummary.longerThanFrame == 0)
  }

  @Test("Missing sound is a stall, and the last item counts up to its end and no further")
  mutating func soundStalls() {
    playSong(1, item: 0, from: 100, tenths: 0...9)
    ledger.waiting(.buffering)
    playSong(1, item: 0, from: 1100, tenths: 10...19)
    let stalled = report(at: 3050)
    #expect(stalled.stalls.map(\.reason) == ["buffering"] && abs(stalled.stalls[0].seconds - 1) < 0.001)
    #expect(abs(stalled.items[0].playedSeconds - 1.9) < 0.001, "nothing says that there is more")
    ledger.soundEnded(deck: deck(1), at: .seconds(2))
    #expect(abs(report(at: 9000).items[0].playedSeconds - 2) < 0.001)
  }

  @Test("A seek in a song ends when its sound is heard, whatever its card does")
  mutating func soundSeek() {
    playSong(1, item: 0, from: 100, tenths: 0...9)
    ledger.seekStarted(SeekFlight(1, in: deck(1)), to: .seconds(30), .exact, at: Self.at(1000))
    ledger.record(RenderedFrame(deck: deck(1), index: 1, streamTime: .zero, at: Self.at(1010), wasRendered: true))
    ledger.seekEnded(1, .reached)
    ledger.record(
      RenderedSound(
        deck: deck(1), running: .zero, streamTime: .seconds(30), epoch: FrameEpoch(seek: 1), at: Self.at(1080)))
    let seeks = report(at: 1100).seeks
    #expect(seeks.map(\.shownSeconds) == [30] && seeks.map(\.latencyMilliseconds) == [80])
  }

  @Test("A frame that the sink drops and one that never arrives both count as dropped; played time is stream time")
  mutating func drops() {
    play(1, item: 0, frames: 0..<5, from: 100, dropping: [2])
    play(1, item: 0, frames: 7..<10, from: 380)
    let report = report(at: 500)
    #expect(report.framesRendered == 7 && report.items[0].framesRendered == 7)
    #expect(report.framesDropped == 3)
    #expect(abs(report.items[0].playedSeconds - 0.4) < 0.001)
  }

  @Test("The gap is the signed time beyond the last frame's own, for automatic transitions only")
  mutating func gaps() {
    play(1, item: 0, frames: 0..<10, from: 100)  // the last one at 460, due to end at 500
    ledger.videoEnded(deck: deck(1), frames: 10, lastFrameDuration: .milliseconds(40))
    ledger.itemEnded(0)
    play(2, item: 1, frames: 0..<1, from: 507, interval: 500)
    ledger.videoEnded(deck: deck(2), frames: 1, lastFrameDuration: .milliseconds(500))
    play(3, item: 2, frames: 0..<1, from: 1005)
    play(4, item: 0, frames: 0..<1, from: 1100, isAutomatic: false)
    let report = report(at: 1200)
    #expect(report.gapsMilliseconds.map { Int($0.rounded()) } == [7, -2])
    #expect(report.transitionsTotal == 2)
    #expect(report.transitions.first?.fromKind == "file" && report.transitions.first?.toKind == "picture")
    #expect(report.transitions.map { Int(($0.atSeconds * 1000).rounded()) } == [507, 1005])
    #expect(report.stalls.isEmpty)
  }

  @Test("The summary of gaps has median, 99th percentile, longest, and the number longer than a frame")
  mutating func gapSummary() {
    #expect(report(at: 10).gapSummary == PlaybackReport.GapSummary())
    var start = 100
    for id in UInt32(1)...200 {
      play(id, item: id % 2 == 0 ? 0 : 2, frames: 0..<2, from: start)
      ledger.videoEnded(deck: deck(id), frames: id == 150 ? 3 : 2, lastFrameDuration: .milliseconds(40))
      // Frames at 0 and 40 ms, over at 80 ms; every hundredth seam is a frame and a half late.
      start += id % 100 == 0 ? 140 : id % 2 == 0 ? 82 : 81
    }
    let report = report(at: start)
    #expect(report.transitionsTotal == 199)
    #expect(report.gapSummary.longerThanFrame == 1)
    #expect(report.gapSummary.medianMilliseconds.map { Int($0.rounded()) } == 1)
    #expect(report.gapSummary.percentile99Milliseconds.map { Int($0.rounded()) } == 2)
    #expect(report.gapSummary.longestMilliseconds.map { Int($0.rounded()) } == 60)
    #expect(report.transitions.map(\.framesDropped).filter { $0 != 0 } == [1])
    #expect(report.transitions[149].framesDropped == 1)
  }

  @Test("Frames at an item's end that the next item overtook count as dropped")
  mutating func lostTail() {
    play(1, item: 0, frames: 0..<8, from: 100)
    ledger.videoEnded(deck: deck(1), frames: 10, lastFrameDuration: .milliseconds(40))
    play(2, item: 2, frames: 0..<1, from: 500)
    #expect(report(at: 600).framesDropped == 2)
  }

  @Test("At the end of playback the last frame may still arrive; one that never does counts as dropped")
  mutating func lastFrame() {
    play(1, item: 0, frames: 0..<9, from: 100)
    ledger.videoEnded(deck: deck(1), frames: 10, lastFrameDuration: .milliseconds(40))
    #expect(report(at: 500).framesDropped == 0, "nothing has ended")
    ledger.ended(at: Self.at(500))
    #expect(report(at: 500).framesDropped == 1)
    play(1, item: 0, frames: 9..<10, from: 502)
    #expect(report(at: 510).framesDropped == 0)
  }

  @Test("A frame that arrives after a pause began makes no frame due")
  mutating func pausedWithFramesOnTheirWay() {
    play(1, item: 0, frames: 0..<5, from: 100)
    ledger.held(true, at: Self.at(270))
    play(1, item: 0, frames: 5..<7, from: 300)
    ledger.held(false, at: Self.at(4990))
    play(1, item: 0, frames: 7..<9, from: 5000)
    #expect(report(at: 5100).stallsTotal == 0)
    // A frame that is late from then on is a stall.
    play(1, item: 0, frames: 9..<10, from: 6000)
    #expect(report(at: 6000).stallsTotal == 1)
    // A frame already late when the pause begins is a stall up to then.
    ledger.held(true, at: Self.at(6500))
    ledger.held(true, at: Self.at(7000))
    #expect(report(at: 7000).stalls.map { Int(($0.seconds * 1000).rounded()) } == [920, 460])
  }

  @Test("A frame more than 250 ms late counts as a stall with its reason; a pause or a long picture doesn't")
  mutating func stalls() {
    play(1, item: 0, frames: 0..<1, from: 100)
    play(1, item: 0, frames: 1..<2, from: 380)  // due at 140, 240 late: no stall
    #expect(report(at: 400).stalls.isEmpty)
    ledger.waiting(.buffering)
    play(1, item: 0, frames: 2..<3, from: 1420)  // due at 420, a second late
    ledger.held(true, at: Self.at(1440))
    ledger.held(false, at: Self.at(8990))
    play(1, item: 0, frames: 3..<4, from: 9000)
    let stalls = report(at: 9000).stalls
    #expect(stalls.count == 1)
    #expect(stalls.first?.reason == "buffering")
    #expect(stalls.first.map { Int(($0.seconds * 1000).rounded()) } == 1000)
    #expect(stalls.first.map { Int(($0.atSeconds * 1000).rounded()) } == 420)

    ledger.itemStarted(1, deck: deck(2), isAutomatic: true)
    ledger.frameInterval(.seconds(10), deck: deck(2), item: 1)
    ledger.record(RenderedFrame(deck: deck(2), index: 0, streamTime: .zero, at: Self.at(9040), wasRendered: true))
    play(3, item: 2, frames: 0..<1, from: 19_040)
    #expect(report(at: 19_050).stallsTotal == 1)
  }

  /// Records a frame of the first item's deck with its stream time.
  private mutating func show(_ index: UInt32, at seconds: Double, stays: Duration? = nil) {
    ledger.record(
      RenderedFrame(
        deck: deck(1), index: index, streamTime: .seconds(seconds), at: Self.at(100 + Int(seconds * 1000)),
        wasRendered: true, stays: stays))
  }

  @Test("A film of slides has no stall and plays for its full time at any rate that it claims")
  mutating func slides() {
    ledger.itemStarted(0, deck: deck(1), isAutomatic: true)
    ledger.frameInterval(.milliseconds(40), deck: deck(1), item: 0)
    // A slide with its own duration, one without, and one that is up at the end.
    show(0, at: 0, stays: .seconds(5))
    show(1, at: 5, stays: .milliseconds(40))
    show(2, at: 20, stays: .seconds(5))
    #expect(report(at: 22_100).stallsTotal == 0)
    #expect(abs(report(at: 22_100).items[0].playedSeconds - 22) < 0.001)
    ledger.ended(at: Self.at(24_000))
    #expect(report(at: 24_000).stallsTotal == 0)
  }

  @Test("A slide whose successor has arrived gives no stall when a pause begins")
  mutating func slideWaits() {
    ledger.itemStarted(0, deck: deck(1), isAutomatic: true)
    show(0, at: 0)
    ledger.follows(deck(1), rate: 1, waitsUntil: Self.at(15_100))
    ledger.held(true, at: Self.at(9000))
    #expect(report(at: 9000).stallsTotal == 0)
  }

  @Test("At half speed a slide stays for twice as long")
  mutating func slowSlides() {
    ledger.itemStarted(0, deck: deck(1), isAutomatic: true)
    ledger.follows(deck(1), rate: 0.5, waitsUntil: nil)
    show(0, at: 0)
    ledger.record(
      RenderedFrame(deck: deck(1), index: 1, streamTime: .seconds(5), at: Self.at(10_100), wasRendered: true))
    #expect(report(at: 10_200).stallsTotal == 0 && report(at: 10_100).items[0].playedSeconds == 5)
  }

  @Test(
    "Frames that the sink or a decoder dropped before a late one leave it a stall",
    arguments: [true, false])
  mutating func lateBehindDropped(bySink: Bool) {
    ledger.itemStarted(0, deck: deck(1), isAutomatic: true)
    show(0, at: 0)
    if !bySink { ledger.framesSkippedByDecoder(50) }
    show(bySink ? 51 : 1, at: 2)
    #expect(report(at: 3000).stalls.map { Int(($0.seconds * 1000).rounded()) } == [1960])
  }

  @Test("After a film of one frame a late item is a gap, not a stall")
  mutating func oneFrame() {
    play(1, item: 0, frames: 0..<1, from: 100)
    ledger.videoEnded(deck: deck(1), frames: 1, lastFrameDuration: .milliseconds(40))
    play(2, item: 0, frames: 0..<1, from: 700)
    #expect(report(at: 700).stallsTotal == 0)
    #expect(report(at: 700).gapsMilliseconds.map { Int($0.rounded()) } == [560])
    #expect(abs(report(at: 700).items[0].playedSeconds - 0.04) < 0.001)
  }

  @Test("An item that is passed over has played for as long as it was seen")
  mutating func passedOver() {
    ledger.itemStarted(1, deck: deck(1), isAutomatic: true)
    ledger.frameInterval(.seconds(10), deck: deck(1), item: 1)
    ledger.record(RenderedFrame(deck: deck(1), index: 0, streamTime: .zero, at: Self.at(100), wasRendered: true))
    play(2, item: 2, frames: 0..<1, from: 2100, isAutomatic: false)
    #expect(abs(report(at: 2100).items[1].playedSeconds - 2) < 0.001)
  }

  @Test("A frame that was due and hadn't arrived at the end is a stall")
  mutating func openStall() {
    play(1, item: 0, frames: 0..<1, from: 100)
    #expect(report(at: 5000).stalls.isEmpty)
    ledger.ended(at: Self.at(5000))
    #expect(report(at: 5900).stalls.map { Int(($0.seconds * 1000).rounded()) } == [4860])
  }

  @Test("A seek is reported with the frame that it showed, and a superseded one without")
  mutating func seeks() {
    play(1, item: 0, frames: 0..<2, from: 100)
    ledger.seekStarted(SeekFlight(1, in: deck(1)), to: .seconds(4), .keyframe, at: Self.at(200))
    ledger.seekEnded(1, .superseded)
    ledger.seekStarted(SeekFlight(2, in: deck(1)), to: .seconds(5), .exact, at: Self.at(210))
    ledger.seekEnded(2, .reached)
    // A frame from before the flush may still be shown.
    ledger.record(
      RenderedFrame(deck: deck(1), index: 2, streamTime: .milliseconds(80), at: Self.at(230), wasRendered: true))
    ledger.record(
      RenderedFrame(
        deck: deck(1), index: 3, streamTime: .milliseconds(5000), epoch: FrameEpoch(seek: 2), at: Self.at(290),
        wasRendered: true))
    let seeks = report(at: 300).seeks
    #expect(seeks.map(\.requestedSeconds) == [4, 5])
    #expect(seeks.map(\.shownSeconds) == [nil, 5])
    #expect(seeks.map { $0.latencyMilliseconds.map { Int($0.rounded()) } } == [nil, 80])
    #expect(seeks.map(\.kind) == ["keyframe", "exact"])
    #expect(report(at: 300).items[0].playedSeconds < 0.2)
  }

  /// Records a frame that a seek has led to.
  private mutating func show(_ number: UInt32, index: UInt32, milliseconds: Int64, at time: Int) {
    ledger.record(
      RenderedFrame(
        deck: deck(1), index: index, streamTime: .milliseconds(milliseconds), epoch: FrameEpoch(seek: number),
        at: Self.at(time), wasRendered: true))
  }

  @Test("During a drag each seek is reported with its own frame, though newer seeks were requested by then")
  mutating func draggedSeeks() {
    play(1, item: 0, frames: 0..<2, from: 100)
    for number in 1...4 as ClosedRange<UInt32> {
      ledger.seekStarted(
        SeekFlight(number, in: deck(1)), to: .seconds(Int64(number)), .keyframe, at: Self.at(200 + 10 * Int(number)))
      ledger.seekEnded(number, .superseded)
    }
    // The second seek shows no frame, because the sink takes the newest.
    show(1, index: 2, milliseconds: 1000, at: 225)
    show(3, index: 3, milliseconds: 3000, at: 245)
    #expect(report(at: 250).seeks.map(\.shownSeconds) == [1, nil, 3])
    // The last seek is refined: its key frame is shown, and then another item is selected.
    ledger.seekStarted(SeekFlight(5, in: deck(1)), to: .seconds(9), .keyframe, at: Self.at(260))
    ledger.seekEnded(5, .refined)
    ledger.seekStarted(SeekFlight(6, in: deck(1)), to: .seconds(9), .exact, at: Self.at(270))
    show(5, index: 4, milliseconds: 8000, at: 275)
    ledger.seekEnded(6, .superseded)
    ledger.ended(at: Self.at(300))
    let seeks = report(at: 300).seeks
    #expect(seeks.map(\.requestedSeconds) == [1, 2, 3, 4, 9])
    #expect(seeks.map(\.shownSeconds) == [1, nil, 3, nil, 8])
    #expect(seeks.last?.latencyMilliseconds.map { Int($0.rounded()) } == 15)
  }

  @Test("Lists are bounded, totals are not")
  mutating func bounded() {
    for id in 1...UInt32(PlaybackStatistics.listLimit + 10) {
      ledger.itemStarted(0, deck: deck(id), isAutomatic: true)
      ledger.record(
        RenderedFrame(deck: deck(id), index: 0, streamTime: .zero, at: Self.at(Int(id) * 40), wasRendered: true))
    }
    let report = report(at: 1)
    #expect(report.gapsMilliseconds.count == PlaybackStatistics.listLimit)
    #expect(report.transitionsTotal == PlaybackStatistics.listLimit + 9)
  }

  @Test("Errors of an item are bounded: the newest are kept, and the total counts all")
  mutating func boundedErrors() {
    for number in 1...10_000 {
      ledger.itemFailed(0, VitrineError(number, subject: "s", message: "m", remedy: "r"))
    }
    let report = report(at: 1)
    #expect(report.items[0].errors.map(\.number) == Array(9985...10_000) && report.items[0].errorsTotal == 10_000)
  }

  @Test("A replaced queue keeps the counts of items that stay")
  mutating func replaced() {
    play(1, item: 0, frames: 0..<3, from: 100)
    var queue = PlayQueue([MediaItem(uri: "file:///a.mp4", kind: .file)])
    queue.insert(MediaItem(uri: "file:///n.mp4", kind: .file), at: 0)
    ledger.queueChanged(queue)
    let items = report(at: 200).items
    #expect(items.map(\.plays) == [0, 1])
    #expect(items[1].playedSeconds > 0.07)
  }
}
