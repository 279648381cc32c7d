// Recorded runs of real pipelines, replayed. Tests/Tools/record-bus-trace records them again. After a change of the
// machine's actions, check the difference first, then write the expected actions again from the same facts:
//
//   VITRINE_UPDATE_TRACES=1 swift test --filter BusTraceTests

import Foundation
import KioskTestSupport
import Testing

@testable import PlaybackCore

@Suite("Recorded bus traces")
struct BusTraceTests {
  private static let isUpdating = ProcessInfo.processInfo.environment["VITRINE_UPDATE_TRACES"] != nil

  @Test("Each kind of run has a trace")
  func kinds() {
    #expect(
      Set(BusTrace.names).isSuperset(of: [
        "buffering", "clean-file", "clock-lost", "end-of-queue", "failing-item", "live", "seek-storm",
      ]))
  }

  @Test(
    "A trace replayed into a fresh machine keeps the invariants and gives the same actions", arguments: BusTrace.names)
  func replay(name: String) throws {
    var trace = try BusTrace(named: name)
    try #require(trace.steps.count > 5)
    var world = World(Bench(trace.start.items, loops: trace.start.loops))
    for (index, step) in trace.steps.enumerated() {
      world.expect(step.event)
      let actions = try world.feed(step.event, at: step.at)
      if Self.isUpdating {
        trace.steps[index].actions = actions
      } else {
        try #require(actions == step.actions, "step \(index + 1), \(step.event)")
      }
    }
    if Self.isUpdating { try trace.save(as: name) }
  }

  @Test("A replay with a step left out fails the comparison", arguments: BusTrace.names)
  func sharp(name: String) throws {
    let trace = try BusTrace(named: name)
    let left = try #require(trace.steps.firstIndex { if case .deckReady = $0.event { true } else { false } })
    var machine = PlaybackMachine(queue: trace.start.items, loops: trace.start.loops, seed: 0)
    var isSame = true
    for (index, step) in trace.steps.enumerated() where index != left {
      isSame = isSame && machine.handle(step.event, at: step.at) == step.actions
    }
    #expect(!isSame)
  }

  // MARK: The format

  @Test("Every kind of fact and action reads back as it was written")
  func roundTrip() throws {
    let deck = DeckID(generation: 7)
    let item = ItemID(rawValue: 3)
    let media = MediaItem(
      uri: "file:///m/a%20b.mp4", title: "Ä \"quote\" \\ / \n new line", kind: .file, pictureDuration: .milliseconds(1),
      volume: 0.1, origin: "x", subtitles: ["file:///m/a.srt"])
    let error = VitrineError(2503, subject: "http://h", message: "m", remedy: "r", detail: "d")
    let readiness = DeckReadiness(
      firstRunningTime: .nanoseconds(1), firstPosition: .seconds(3), duration: .nanoseconds(33_333_333), hasVideo: true,
      hasSound: true, isLive: true, isSeekable: false, canPlayReverse: true, frameInterval: .milliseconds(40))
    var queue = PlayQueue([media, media], repeatMode: .all)
    queue.shuffle = 9
    let events: [PlaybackEvent] = [
      .start, .queueReplaced([media]), .queueEdited(queue), .previousRequested, .itemSelected(item), .outputReady,
      .outputLost, .outputChangeWanted(true), .deckReady(deck, readiness), .deckReady(deck, DeckReadiness()),
      .deckFailed(deck, error),
      .streamEnded(deck, .video, at: .seconds(2)), .durationChanged(deck, nil), .durationChanged(deck, .seconds(1)),
      .bufferingChanged(deck, percent: 40), .frameShown(deck, streamTime: .nanoseconds(7)), .deckGone(deck),
      .playRequested, .pauseRequested, .seekRequested(to: .seconds(1), .exact),
      .seekRequested(to: .seconds(1), SeekTolerance(before: nil, after: .milliseconds(10))), .rateRequested(0.3),
      .stepRequested(frames: -1), .endActionChanged(.loopItem), .suppressed(.scrubbing), .unsuppressed(.screenOff),
      .nextRequested, .seekFinished(deck, seek: 4, readiness), .timerFired(.arm(deck)),
      .timerFired(.seekGuard(seek: 5)), .timerFired(.nextRound), .stopRequested,
    ]
    let at = Instant(nanoseconds: 123_456_789_012)
    let actions: [PlaybackAction] = [
      .buildDeck(deck, media, item: item, from: .milliseconds(3), rate: -1), .playDeck(deck, base: at),
      .previewDeck(deck), .pauseDeck(deck),
      .seekDeck(deck, to: .seconds(2), .keyframeBefore, rate: 2, seek: 1, preview: true), .dropDeck(deck),
      .abandonDeck(deck), .startTimer(.preroll(deck), at: at), .cancelTimer(.end(deck)),
      .tell(.itemPreparing(item: item, deck)), .tell(.itemStarted(item: item, deck, at: at, isAutomatic: true)),
      .tell(.itemEnded(item: item, deck)), .tell(.stoppedAtEnd(item: item)), .tell(.itemFailed(item: item, error)),
      .tell(.waitingChanged(nil)), .tell(.waitingChanged(.buffering)),
      .tell(.seekStarted(seek: 1, to: .seconds(1), .keyframe)), .tell(.seekEnded(seek: 1, .superseded)),
      .tell(.roundFailed(retryAt: at)), .tell(.roundFailed(retryAt: nil)), .tell(.queueEnded), .tell(.outputMayChange),
      .tell(.finished),
    ]
    let trace = BusTrace(
      remarks: ["a remark", "# another"], start: BusTrace.Start(items: [media], loops: true),
      steps: events.enumerated().map { index, event in
        BusTrace.Step(at: at + .nanoseconds(Int64(index)), event: event, actions: index == 3 ? actions : [])
      })
    let text = try trace.text()
    #expect(try BusTrace(parsing: text) == trace)
    #expect(try BusTrace(parsing: text).text() == text)
    #expect(text.split(separator: "\n").count == 2 + 1 + events.count + actions.count)
  }

  @Test("A trace without a type's newer values is read with their defaults")
  func older() throws {
    let trace = try BusTrace(
      parsing: """
        start {"items":[{"kind":"file","uri":"file:///media/a.mp4"}],"loops":false}
        12 {"deckReady":{"_0":{"generation":1},"_1":{"firstRunningTime":[0,0],"isLive":true}}}

        """)
    #expect(trace.start.items == [MediaItem(uri: "file:///media/a.mp4", kind: .file)])
    #expect(trace.steps.map(\.event) == [.deckReady(DeckID(generation: 1), DeckReadiness(isLive: true))])
  }

  @Test(
    "A text that isn't a trace is refused with its line",
    arguments: [
      "", "# only a remark\n", "start {}\n", "start {\"items\":[],\"loops\":false}\n12 {\"nothing\":{}}\n",
      "start {\"items\":[],\"loops\":false}\n  {\"dropDeck\":{}}\n",
      "start {\"items\":[],\"loops\":false}\nnonsense\n",
    ])
  func broken(text: String) {
    #expect(throws: BusTrace.SyntaxError.self) { try BusTrace(parsing: text) }
  }
}
