public import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("What becomes of seeks")
struct SeekTrackerTests {
  private let error = VitrineError(1, subject: "", message: "", remedy: "")

  @Test("The frame may come before the answer; a frame from before the flush isn't it")
  func frameFirst() {
    var tracker = SeekTracker()
    #expect(tracker.requested(1, to: .seconds(20), .exact, item: 0) == [])
    tracker.started(7, to: .seconds(20), .exact, from: .seconds(5))
    #expect(tracker.shown(.milliseconds(5033)) == [])
    #expect(tracker.shown(.milliseconds(19_990)) == [])
    #expect(
      tracker.ended(7, superseded: false, error: nil, hasVideo: true)
        == [.init(id: 1, target: .seconds(20), mode: .exact, outcome: .finished(shownAt: .milliseconds(19_990)))])
    #expect(tracker.target == nil)
  }

  @Test("The answer may come first: then the frame is awaited, and stale ones are passed over")
  func answerFirst() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .keyframe, item: 0)
    tracker.started(7, to: .seconds(20), .keyframe, from: .seconds(5))
    #expect(tracker.ended(7, superseded: false, error: nil, hasVideo: true) == [])
    #expect(tracker.awaitsFrame && tracker.target == .seconds(20))
    #expect(tracker.shown(.milliseconds(5033)) == [])
    #expect(tracker.shown(.seconds(18)).map(\.outcome) == [.finished(shownAt: .seconds(18))])
  }

  @Test("A short way back, too, a frame from before the flush isn't taken for the seek's", arguments: [500, 1000])
  func shortWay(target: Int) {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .milliseconds(target), .exact, item: 0)
    tracker.started(7, to: .milliseconds(target), .exact, from: .milliseconds(700))
    #expect(tracker.shown(.milliseconds(733)) == [])
    #expect(tracker.ended(7, superseded: false, error: nil, hasVideo: true) == [])
    #expect(tracker.shown(.milliseconds(766)) == [])
    let frame: Duration = .milliseconds(target - 20)
    #expect(tracker.shown(frame).map(\.outcome) == [.finished(shownAt: frame)])
  }

  @Test("Where no frame comes, the seek ends at its target")
  func noFrame() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .exact, item: 0)
    tracker.started(7, to: .seconds(15), .exact, from: .seconds(5))
    _ = tracker.ended(7, superseded: false, error: nil, hasVideo: true)
    #expect(tracker.waitedForFrame().map(\.outcome) == [.finished(shownAt: .seconds(15))])
    #expect(tracker.waitedForFrame() == [])
  }

  @Test("An equal seek shares the one under way; another one takes its place")
  func equal() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .exact, item: 0)
    tracker.started(7, to: .seconds(20), .exact, from: .zero)
    #expect(tracker.requested(2, to: .seconds(30), .exact, item: 0).map(\.outcome) == [.superseded])
    #expect(tracker.requested(3, to: .seconds(20), .exact, item: 0).map(\.id) == [2])
    #expect(tracker.settled(hasPending: false, inFlight: 7, item: 0, error: error) == [])
    _ = tracker.shown(.seconds(20))
    #expect(tracker.ended(7, superseded: false, error: nil, hasVideo: true).map(\.id) == [3])
  }

  @Test("A seek that the machine neither works on nor keeps has failed; of an item that was left it is superseded")
  func dropped() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .exact, item: 0)
    #expect(tracker.settled(hasPending: true, inFlight: nil, item: 0, error: error) == [])
    #expect(tracker.settled(hasPending: false, inFlight: nil, item: 0, error: error).map(\.outcome) == [.failed(error)])
    _ = tracker.requested(2, to: .seconds(20), .exact, item: 0)
    #expect(tracker.settled(hasPending: false, inFlight: nil, item: 1, error: error).map(\.outcome) == [.superseded])
  }

  @Test("When a flush is given up, the newest seek goes with the deck that follows")
  func givenUp() {
    var tracker = SeekTracker()
    _ = tracker.requested(1, to: .seconds(20), .exact, item: 0)
    tracker.started(7, to: .seconds(20), .exact, from: .zero)
    _ = tracker.requested(2, to: .seconds(30), .exact, item: 0)
    #expect(tracker.ended(7, superseded: false, error: nil, hasVideo: true) == [])
    #expect(tracker.settled(hasPending: false, inFlight: nil, item: 0, error: error) == [])
    #expect(tracker.waitedForFrame().map(\.id) == [2])
  }
}

extension ItemID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt64) { self.init(rawValue: value) }
}
