public import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("The outcome of seeks")
struct SeekTrackerTests {
  private let error = VitrineError(1, subject: "", message: "", remedy: "")

  /// A frame of the seeking deck, or of another one.
  private func frame(_ time: Duration, epoch: UInt8, deck: UInt32 = 1) -> RenderedFrame {
    RenderedFrame(
      deck: DeckID(generation: deck), index: 0, streamTime: time, epoch: FrameEpoch(rawValue: epoch),
      at: Instant(nanoseconds: 0), wasRendered: true)
  }

  private let deck = DeckID(generation: 1)

  @Test("A seek ends with its own frame, even if that comes before the answer; earlier frames don't count")
  func frameFirst() {
    var tracker = SeekTracker()
    #expect(tracker.requested(1, to: .seconds(20), .exact, item: 0) == [])
    tracker.started(SeekFlight(7, in: deck), to: .seconds(20))
    #expect(tracker.shown(frame(.milliseconds(5033), epoch: 6)) == [])
    #expect(tracker.shown(frame(.milliseconds(19_990), epoch: 7)) == [])
    #expect(
      tracker.ended(7, .reached, error: nil, hasVideo: true)
        == [
          .init(id: 1, target: .seconds(20), outcome: .finished(shownAt: .milliseconds(19_990)), item: 0)
        ])
    #expect(tracker.target == nil)
  }

  @Test("If the answer comes first, the seek waits for its frame and ignores stale ones")
  func answerFirst() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .nearestKeyframe, item: 0)
    tracker.started(SeekFlight(7, in: deck), to: .seconds(20))
    #expect(tracker.ended(7, .reached, error: nil, hasVideo: true) == [])
    #expect(tracker.awaitsFrame && tracker.target == .seconds(20))
    #expect(tracker.shown(frame(.milliseconds(5033), epoch: 6)) == [])
    #expect(tracker.shown(frame(.seconds(18), epoch: 7)).map(\.outcome) == [.finished(shownAt: .seconds(18))])
  }

  @Test("In a short seek back, too, a frame from before the flush isn't taken for the seek's", arguments: [500, 1000])
  func shortWay(target: Int) {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .milliseconds(target), .exact, item: 0)
    tracker.started(SeekFlight(7, in: deck), to: .milliseconds(target))
    #expect(tracker.shown(frame(.milliseconds(733), epoch: 0)) == [])
    #expect(tracker.ended(7, .reached, error: nil, hasVideo: true) == [])
    #expect(tracker.shown(frame(.milliseconds(766), epoch: 0)) == [])
    let time: Duration = .milliseconds(target - 20)
    #expect(tracker.shown(frame(time, epoch: 7)).map(\.outcome) == [.finished(shownAt: time)])
  }

  @Test("A seek without a frame ends at its target")
  func noFrame() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .exact, item: 0)
    tracker.started(SeekFlight(7, in: deck), to: .seconds(15))
    _ = tracker.ended(7, .reached, error: nil, hasVideo: true)
    #expect(tracker.waitedForFrame().map(\.outcome) == [.finished(shownAt: .seconds(15))])
    #expect(tracker.waitedForFrame() == [])
  }

  @Test("An equal seek shares the one in flight; another one supersedes it")
  func equal() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .exact, item: 0)
    tracker.started(SeekFlight(7, in: deck), to: .seconds(20))
    #expect(tracker.requested(2, to: .seconds(30), .exact, item: 0).map(\.outcome) == [.superseded])
    #expect(tracker.requested(3, to: .seconds(20), .exact, item: 0).map(\.id) == [2])
    #expect(tracker.settled(hasPending: false, inFlight: 7, item: 0, error: error) == [])
    _ = tracker.shown(frame(.seconds(20), epoch: 7))
    #expect(tracker.ended(7, .reached, error: nil, hasVideo: true).map(\.id) == [3])
  }

  @Test("A seek that the machine has dropped fails; if its item was left, it is superseded")
  func dropped() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .exact, item: 0)
    #expect(tracker.settled(hasPending: true, inFlight: nil, item: 0, error: error) == [])
    #expect(tracker.settled(hasPending: false, inFlight: nil, item: 0, error: error).map(\.outcome) == [.failed(error)])
    _ = tracker.requested(2, to: .seconds(20), .exact, item: 0)
    #expect(tracker.settled(hasPending: false, inFlight: nil, item: 1, error: error).map(\.outcome) == [.superseded])
  }

  @Test("A pending seek that is given up is superseded: it doesn't end with the frame of the one in flight")
  func givenUpWaiting() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .exact, item: 0)
    tracker.started(SeekFlight(7, in: deck), to: .seconds(20))
    _ = tracker.requested(2, to: .seconds(30), .exact, item: 0)
    #expect(tracker.dropped().map(\.id) == [2])
    #expect(tracker.settled(hasPending: false, inFlight: 7, item: 0, error: error) == [])
    #expect(tracker.shown(frame(.seconds(20), epoch: 7)) == [])
    #expect(tracker.ended(7, .reached, error: nil, hasVideo: true) == [])
  }

  @Test("When a flush is given up, the newest seek ends with the replacing deck's frame")
  func givenUp() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .exact, item: 0)
    tracker.started(SeekFlight(7, in: deck), to: .seconds(20))
    _ = tracker.requested(2, to: .seconds(30), .exact, item: 0)
    #expect(tracker.ended(7, .reached, error: nil, hasVideo: true) == [])
    #expect(tracker.settled(hasPending: false, inFlight: nil, item: 0, error: error) == [])
    // The deck that takes over begins at the target; its frames come from no seek.
    #expect(tracker.shown(frame(.milliseconds(30_001), epoch: 0, deck: 2)).map(\.id) == [2])
    #expect(tracker.waitedForFrame() == [])
  }

  @Test("A key frame that is too far off doesn't end its seek")
  func refined() {
    var tracker = SeekTracker()
    let tolerance = SeekTolerance(before: .milliseconds(100), after: .milliseconds(100))
    _ = tracker.requested(1, to: .seconds(20), tolerance, item: 0)
    tracker.started(SeekFlight(7, in: deck), to: .seconds(20))
    #expect(tracker.shown(frame(.seconds(18), epoch: 7)) == [])
    #expect(tracker.ended(7, .refined, error: nil, hasVideo: true) == [])
    tracker.started(SeekFlight(8, in: deck), to: .seconds(20))
    #expect(tracker.ended(8, .reached, error: nil, hasVideo: true) == [])
    #expect(tracker.shown(frame(.seconds(18), epoch: 7)) == [])
    #expect(
      tracker.shown(frame(.milliseconds(19_967), epoch: 8))
        == [
          .init(id: 1, target: .seconds(20), outcome: .finished(shownAt: .milliseconds(19_967)), item: 0)
        ])
  }
}

extension ItemID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt64) { self.init(rawValue: value) }
}
