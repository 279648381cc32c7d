import Testing

@testable import PlaybackCore

/// The progress that is owed in each state, by the state's name.
@Suite("Owed progress: the frame or sound that must come next")
struct OwedProgressTests {
  private let film = DeckReadiness(duration: .seconds(60), frameInterval: .milliseconds(40))
  private let start = Instant(nanoseconds: 0)

  private func file(_ count: Int = 2) -> [MediaItem] {
    (0..<count).map { MediaItem(uri: "file:///clip\($0).mp4", kind: .file) }
  }

  private func playing(_ readiness: DeckReadiness, _ items: [MediaItem]) -> Bench {
    var bench = Bench(items)
    bench.feed(.outputReady)
    bench.feed(.start)
    bench.feed(.deckReady(deck(1), readiness))
    return bench
  }

  @Test("A film owes its first frame from its base on, and the next when the last has stayed for its duration")
  func film_() {
    var bench = playing(film, file())
    guard case .frame(let first, false) = bench.machine.owedProgress(stays: nil, at: bench.now) else {
      Issue.record("\(bench.machine.owedProgress(stays: nil, at: bench.now))")
      return
    }
    #expect(first - start <= .milliseconds(100))
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(100))
    let shown = bench.now
    #expect(
      bench.machine.owedProgress(stays: .seconds(40), at: bench.now)
        == .frame(from: shown + .seconds(40), isRemote: false))
    // A frame without a duration of its own.
    #expect(bench.machine.owedProgress(stays: nil, at: bench.now) == .later)
    // The end is known while frames are on their way to the screen; then the last one is up.
    bench.feed(.streamEnded(deck(1), .video, at: .seconds(60)))
    let due = shown + .milliseconds(40)
    #expect(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) == .frame(from: due, isRemote: false))
    bench.feed(.frameShown(deck(1), streamTime: .milliseconds(59_960)), after: .seconds(50))
    #expect(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) == .later)
  }

  @Test("A film of variable rate owes nothing until the frame at hand is due")
  func waits() {
    var bench = playing(film, file())
    guard case .frame(let first, _) = bench.machine.owedProgress(stays: nil, at: bench.now) else { return }
    bench.feed(.frameShown(deck(1), streamTime: .seconds(2)), after: .seconds(2))
    bench.feed(.gapAhead(deck(1), until: .seconds(13)))
    // The decoder gives the frame the usual duration.
    let owed = bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now)
    #expect(owed == .frame(from: first + .seconds(13), isRemote: false), "\(owed)")
    bench.feed(.frameShown(deck(1), streamTime: .seconds(13)), after: .seconds(11))
    let due = bench.now + .milliseconds(40)
    #expect(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) == .frame(from: due, isRemote: false))
  }

  @Test("A slide is on time until its duration has passed, or the next slide at hand is due")
  func slide() {
    var bench = playing(DeckReadiness(duration: .seconds(60), frameInterval: .seconds(15)), file())
    #expect(!bench.machine.isPictureOnTime(stays: nil, at: bench.now))
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(100))
    #expect(bench.machine.isPictureOnTime(stays: .seconds(15), at: bench.now + .seconds(14)))
    #expect(!bench.machine.isPictureOnTime(stays: .seconds(15), at: bench.now + .seconds(16)))
    #expect(!bench.machine.isPictureOnTime(stays: .milliseconds(40), at: bench.now + .seconds(1)))
    #expect(!bench.machine.isPictureOnTime(stays: nil, at: bench.now + .seconds(1)))
    bench.feed(.gapAhead(deck(1), until: .seconds(30)))
    for stays in [nil, Duration.milliseconds(40)] {
      #expect(bench.machine.isPictureOnTime(stays: stays, at: bench.now + .seconds(20)))
      #expect(!bench.machine.isPictureOnTime(stays: stays, at: bench.now + .seconds(31)))
    }
    bench.feed(.pauseRequested)
    #expect(!bench.machine.isPictureOnTime(stays: nil, at: bench.now + .seconds(1)))
  }

  @Test("A slide's position follows the clock until its end, and doesn't wait for the next slide")
  func slidePlace() {
    var bench = playing(DeckReadiness(duration: .seconds(60), frameInterval: .seconds(15)), file())
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(20))
    func place(after time: Duration) -> Double? {
      bench.machine.presentation(at: bench.now + time).current?.position.inSeconds
    }
    #expect(place(after: .seconds(9)).map { abs($0 - 9) < 0.1 } == true)
    #expect(place(after: .seconds(40)).map { abs($0 - 15) < 0.1 } == true, "what is late isn't played")
    bench.feed(.gapAhead(deck(1), until: .seconds(45)))
    #expect(place(after: .seconds(40)).map { abs($0 - 40) < 0.1 } == true)
    // A film's position comes from its frames.
    bench = playing(film, file())
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(20))
    #expect(place(after: .seconds(9)) == 0)
  }

  @Test("A film whose sound begins before its picture owes no frame before the picture's time, and isn't stuck")
  func soundFirst() {
    var bench = playing(film, file())
    bench.feed(.gapAhead(deck(1), until: .seconds(12)))
    guard case .frame(let due, _) = bench.machine.owedProgress(stays: nil, at: bench.now) else {
      Issue.record("\(bench.machine.owedProgress(stays: nil, at: bench.now))")
      return
    }
    #expect(due - bench.now >= .seconds(11))
  }

  @Test("A timestamp far beyond the end, or in an endless stream, doesn't excuse a standstill")
  func jumps() {
    var bench = playing(film, file())
    bench.feed(.frameShown(deck(1), streamTime: .seconds(2)), after: .seconds(2))
    bench.feed(.gapAhead(deck(1), until: .seconds(95_443)))
    var due = bench.now + .milliseconds(40)
    #expect(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) == .frame(from: due, isRemote: false))

    let item = MediaItem(uri: "http://server/live.webm", kind: .progressive)
    bench = playing(DeckReadiness(duration: nil, frameInterval: .milliseconds(40)), [item])
    bench.feed(.frameShown(deck(1), streamTime: .seconds(2)), after: .seconds(2))
    bench.feed(.gapAhead(deck(1), until: .seconds(3600)))
    due = bench.now + .milliseconds(40)
    #expect(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) == .frame(from: due, isRemote: true))
  }

  @Test("After the picture's end no frame is owed, though the last frames were too late to be shown")
  func soundIsLonger() {
    var bench = playing(film, file())
    bench.feed(.frameShown(deck(1), streamTime: .seconds(59)), after: .seconds(59))
    bench.feed(.streamEnded(deck(1), .video, at: .seconds(60)))
    guard case .frame = bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) else {
      Issue.record("frames are on their way")
      return
    }
    #expect(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now + .seconds(2)) == .later)
  }

  @Test("At a quarter of the speed a frame stays for four times as long")
  func slow() {
    var bench = playing(film, file())
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(100))
    bench.feed(.rateChanged(deck(1), 0.25, at: .seconds(1), position: .seconds(1)))
    guard case .frame(let due, _) = bench.machine.owedProgress(stays: .seconds(1), at: bench.now) else {
      Issue.record("\(bench.machine.owedProgress(stays: .seconds(1), at: bench.now))")
      return
    }
    let expected: Duration = bench.machine.current?.rate == 0.25 ? .seconds(4) : .seconds(1)
    #expect(due == bench.now + expected)
  }

  @Test("A pause, a drag and a screen that is off owe nothing; a seek and a start must end soon")
  func held() {
    var bench = Bench(file())
    #expect(bench.machine.owedProgress(stays: nil, at: bench.now) == .nothing)
    bench.feed(.start)
    #expect(bench.machine.owedProgress(stays: nil, at: bench.now) == .output)
    bench.feed(.outputReady)
    #expect(bench.machine.owedProgress(stays: nil, at: bench.now) == .soon)
    bench.feed(.deckReady(deck(1), film))
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(100))
    for (event, undo) in [
      (PlaybackEvent.pauseRequested, PlaybackEvent.playRequested), (.suppressed(.scrubbing), .unsuppressed(.scrubbing)),
      (.suppressed(.screenOff), .unsuppressed(.screenOff)),
    ] {
      bench.feed(event)
      #expect(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) == .nothing, "\(event)")
      bench.feed(undo)
    }
    bench.feed(.seekRequested(to: .seconds(30), .exact))
    #expect(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) == .soon)
  }

  @Test("A picture owes one frame, and a song owes none")
  func others() {
    let picture = MediaItem(uri: "file:///poster.png", kind: .picture)
    var bench = playing(DeckReadiness(duration: .seconds(3600)), [picture])
    guard case .frame = bench.machine.owedProgress(stays: nil, at: bench.now) else {
      Issue.record("\(bench.machine.owedProgress(stays: nil, at: bench.now))")
      return
    }
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(100))
    #expect(bench.machine.owedProgress(stays: .seconds(1), at: bench.now) == .nothing)

    bench = playing(DeckReadiness(duration: .seconds(60), hasVideo: false, hasSound: true), file())
    #expect(bench.machine.owedProgress(stays: nil, at: bench.now) == .nothing)
  }

  @Test("Without an item, or with none that plays, the card is owed")
  func cards() {
    var bench = Bench([])
    bench.feed(.outputReady)
    bench.feed(.start)
    #expect(bench.machine.owedProgress(stays: nil, at: bench.now) == .nothing)

    bench = Bench(file(1), loops: true)
    bench.feed(.outputReady)
    bench.feed(.start)
    bench.feed(.deckFailed(deck(1), VitrineError(3001, subject: "s", message: "m", remedy: "r")))
    #expect(bench.machine.owedProgress(stays: nil, at: bench.now) == .nothing)
  }

  @Test("An item whose network broke off owes no frame yet")
  func network() {
    var bench = playing(film, [MediaItem(uri: "http://server/film.mp4", kind: .progressive)])
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(100))
    guard case .frame(_, true) = bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) else {
      Issue.record("\(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now))")
      return
    }
    bench.feed(.bufferingChanged(deck(1), percent: 0))
    bench.feed(.deckFailed(deck(1), VitrineError(2001, subject: "s", message: "m", remedy: "r")), after: .seconds(1))
    bench.feed(.timerFired(.starved(deck(1))), after: .seconds(20))
    #expect(
      [.later, .soon].contains(bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now)), "\(bench.machine)")
  }

  @Test("An item at its end owes nothing")
  func end() {
    var bench = playing(film, file(1))
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(100))
    bench.feed(.streamEnded(deck(1), .video, at: .seconds(1)))
    bench.feed(.timerFired(.end(deck(1))), after: .seconds(1))
    #expect(bench.machine.isAtEnd && bench.machine.owedProgress(stays: .milliseconds(40), at: bench.now) == .nothing)
  }
}
