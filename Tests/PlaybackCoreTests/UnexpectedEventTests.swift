import Testing

@testable import PlaybackCore

@Suite("Playback machine: impossible events")
struct UnexpectedEventTests {
  private let readiness = DeckReadiness(duration: .seconds(4))

  /// The unexpected facts that the machine reports after an event.
  private func faults(_ bench: inout Bench, _ event: PlaybackEvent) -> [UnexpectedFact] {
    bench.feed(event)
    return bench.notices.compactMap { notice in
      if case .unexpected(let fact, _) = notice { return fact }
      return nil
    }
  }

  /// The first item plays and the second is being prepared.
  private func playing() -> Bench {
    var bench = Bench(files(3), loops: true)
    _ = bench.begin()
    return bench
  }

  @Test("Each impossible event is reported, and changes nothing")
  func kinds() {
    let cases: [(PlaybackEvent, UnexpectedFact)] = [
      (.start, .startedTwice), (.outputReady, .outputTwice),
      (.deckReady(deck(9), readiness), .unknownDeck), (.deckFailed(deck(9), error), .unknownDeck),
      (.deckReady(deck(1), readiness), .readyTwice), (.deckGone(deck(1)), .goneInUse), (.deckGone(deck(2)), .goneInUse),
      (.frameShown(deck(2), streamTime: .zero), .shownInWaiting),
      (.soundHeard(deck(2), running: .zero, streamTime: .zero), .shownInWaiting),
      (.fileChecked(deck(1), sha256: nil), .strayChecksum),
      (.seekFinished(deck(1), seek: 1, readiness), .straySeek),
    ]
    for (event, fact) in cases {
      var bench = playing()
      let before = (bench.machine.current, bench.machine.next, bench.machine.queue)
      #expect(faults(&bench, event) == [fact], "\(event)")
      #expect(before == (bench.machine.current, bench.machine.next, bench.machine.queue), "\(event)")
    }
    #expect(Set(cases.map(\.1)) == Set(UnexpectedFact.allCases))
  }

  private var error: VitrineError { VitrineError(4001, subject: "s", message: "m", remedy: "r") }

  @Test("Late events of decks that were given up, replaced or left aren't faults")
  func late() {
    var bench = playing()
    // The second deck hangs and is replaced by the third; the first one hangs in a seek and is replaced by the fourth.
    bench.feed(.timerFired(.preroll(deck(2))), after: .seconds(4))
    bench.feed(.seekRequested(to: .seconds(1), .exact))
    bench.feed(.timerFired(.seekGuard(seek: 1)), after: .seconds(2))
    #expect(bench.machine.current?.id == deck(4) && bench.machine.next?.id == deck(3))
    for id in [deck(1), deck(2)] {
      for event in [
        PlaybackEvent.deckReady(id, readiness), .deckFailed(id, error), .frameShown(id, streamTime: .zero),
        .soundHeard(id, running: .zero, streamTime: .zero), .seekFinished(id, seek: 1, readiness),
        .streamEnded(id, .video, at: .seconds(4)), .bufferingChanged(id, percent: 3), .fileChecked(id, sha256: nil),
        .rateChanged(id, 2, at: .zero, position: .zero), .timerFired(.preroll(id)), .timerFired(.end(id)),
        .deckGone(id),
      ] { #expect(faults(&bench, event) == [], "\(event)") }
    }
    // A deck that was left for the next item.
    bench.feed(.deckReady(deck(4), readiness))
    bench.feed(.nextRequested)
    #expect(faults(&bench, .frameShown(deck(4), streamTime: .zero)) == [])
    #expect(faults(&bench, .stopRequested) == [] && faults(&bench, .deckReady(deck(9), readiness)) == [])
  }

  @Test("The report counts all of them, and the log has one line a minute for each kind with its count")
  func limit() {
    var ledger = PlaybackStatistics(processStart: Instant(nanoseconds: 0), queue: PlayQueue(files(1)))
    var lines = LineLimit<UnexpectedFact>()
    var written: [Int] = []
    for second in 0..<150 {
      let now = Instant(nanoseconds: Int64(second) * 1_000_000_000)
      ledger.count(.unexpectedEvents)
      if let heldBack = lines.admitLine(.readyTwice, at: now) { written.append(heldBack) }
    }
    #expect(written == [0, 59, 59])
    #expect(lines.admitLine(.goneInUse, at: Instant(nanoseconds: 150_000_000_000)) == 0)
    let report = ledger.report(version: "t", output: nil, screen: nil, exitCode: 0, at: Instant(nanoseconds: 0))
    #expect(report.unexpectedEvents == 150)
    let line = PlaybackErrors.unexpected(.readyTwice, deck(3), heldBack: 59).line
    #expect(line.contains("deck 3") && line.contains("59") && line.contains("7306"))
  }
}
