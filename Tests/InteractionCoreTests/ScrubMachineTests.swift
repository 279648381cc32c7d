import InteractionCore
import PlaybackCore
import Testing

/// Two ids of a real queue.
private let items = PlayQueue(
  [MediaItem(uri: "file:///a", kind: .file), MediaItem(uri: "file:///b", kind: .file)], repeatMode: .none
).entries.map(\.id)

private func film(
  position: Duration = .seconds(10), range: Range<Duration>? = .zero..<Duration.seconds(60), remote: Bool = false,
  seekable: Bool = true
) -> ScrubMedia {
  ScrubMedia(
    item: items[0], range: range, position: position, frameInterval: .milliseconds(40), isRemote: remote,
    isSeekable: seekable)
}

/// A drag on a track of 1000 pixels from 200 on, on a glass of unknown size, with units of 13.3 pixels.
private func drag(_ kind: Drag.Kind, from start: (Double, Double) = (200, 674), _ x: Double, _ y: Double = 674) -> Drag
{
  Drag(
    kind: kind, start: ScreenPoint(x: start.0, y: start.1), point: ScreenPoint(x: x, y: y),
    scale: TouchScale(screen: PixelSize(width: 1280, height: 720)))
}

private let chase = SeekTolerance(before: .milliseconds(100), after: .milliseconds(100))

@Suite("Scrubbing")
struct ScrubMachineTests {
  var machine = ScrubMachine()
  var targets = Glass.targets
  var now = Instant(nanoseconds: 0)

  mutating func send(_ action: GestureAction, _ media: ScrubMedia? = film()) -> [ScrubAction] {
    machine.handle(action, media: media, targets: targets, at: now)
  }

  @Test("A drag pauses a local film, seeks by key frames, and ends on the exact frame")
  mutating func local() {
    #expect(send(.dragBegan(drag(.bar, 700))) == [.hold, .seek(to: .seconds(30), chase)])
    #expect(machine.target == .seconds(30))
    #expect(send(.dragMoved(drag(.bar, 800))) == [.seek(to: .seconds(36), chase)])
    #expect(send(.dragMoved(drag(.bar, 800, 100))) == [], "the same place isn't sought twice")
    // A position from the pipeline meanwhile doesn't move the bar.
    #expect(machine.mediaIs(film(position: .seconds(12))) == [] && machine.target == .seconds(36))
    #expect(send(.dragEnded(drag(.bar, 900), .lifted)) == [.seek(to: .seconds(42), .exact), .letGo])
    #expect(machine.target == nil)
  }

  @Test("Other policies seek for each touch or each half second, and end on the same frame")
  mutating func pacing() {
    for (pacing, wanted) in [(ScrubPacing.everyTouch, 101), (.halfSecond, 2)] {
      machine.settings.pacing = pacing
      var seeks = 0
      for step in 0...100 {
        now = Instant(nanoseconds: Int64(step) * 8_333_333)
        let place = drag(.bar, 300 + Double(step))
        for case .seek(_, let tolerance) in send(step == 0 ? .dragBegan(place) : .dragMoved(place)) {
          #expect(tolerance == SeekTolerance(before: nil, after: nil))
          seeks += 1
        }
      }
      #expect(seeks == wanted, "\(pacing)")
      #expect(send(.dragEnded(drag(.bar, 700), .lifted)) == [.seek(to: .seconds(30), .exact), .letGo])
    }
  }

  @Test("A remote film's bar follows the drag, with one seek at its end")
  mutating func remote() {
    let media = film(remote: true)
    #expect(send(.dragBegan(drag(.bar, 700)), media) == [.hold])
    #expect(send(.dragMoved(drag(.bar, 800)), media) == [])
    #expect(machine.target == .seconds(36))
    #expect(send(.dragEnded(drag(.bar, 800), .lifted), media) == [.seek(to: .seconds(36), .exact), .letGo])
  }

  @Test("A drag is refused once when there is nothing to seek in", arguments: 0..<4)
  mutating func refused(why: Int) {
    let media = [film(seekable: false), film(range: nil), film(range: .zero ..< .zero), nil][why]
    #expect(send(.dragBegan(drag(.bar, 700)), media) == [.refuse])
    #expect(machine.target == nil && machine.isRefused)
    #expect(send(.dragMoved(drag(.bar, 800)), media) == [])
    #expect(send(.dragEnded(drag(.bar, 800), .lifted), media) == [])
    #expect(!machine.isRefused)
  }

  @Test("A cancelled drag returns to where it began; one whose device went stays where it was")
  mutating func cancelled() {
    _ = send(.dragBegan(drag(.bar, 700)))
    #expect(send(.dragEnded(drag(.bar, 700), .cancelled)) == [.seek(to: .seconds(10), .exact), .letGo])
    _ = send(.dragBegan(drag(.bar, 700)), film(remote: true))
    #expect(send(.dragEnded(drag(.bar, 700), .cancelled), film(remote: true)) == [.letGo])
    _ = send(.dragBegan(drag(.bar, 700)))
    #expect(send(.dragEnded(drag(.bar, 700), .lost)) == [.seek(to: .seconds(30), .exact), .letGo])
  }

  @Test("The ends of the track are the first and the last frame, also for a part of a medium")
  mutating func ends() {
    let part = film(position: .seconds(25), range: .seconds(20)..<Duration.seconds(30))
    _ = send(.dragBegan(drag(.bar, 700)), part)
    #expect(machine.target == .seconds(25))
    _ = send(.dragMoved(drag(.bar, 0)), part)
    #expect(machine.target == .seconds(20))
    #expect(send(.dragEnded(drag(.bar, 1279), .lifted), part) == [.seek(to: .milliseconds(29_960), .exact), .letGo])
  }

  @Test("A drag elsewhere moves from the film's position as far as the finger, and slower away from the bar")
  mutating func relative() {
    _ = send(.dragBegan(drag(.horizontal, from: (500, 600), 600, 600)))
    #expect(machine.target == .seconds(16))
    // 67, 133 and 200 pixels up are 5, 10 and 15 units.
    for (up, wanted) in [(60.0, 22_000), (80, 25_000), (140, 26_500), (210, 27_100)] as [(Double, Int)] {
      _ = send(.dragMoved(drag(.horizontal, from: (500, 600), up == 60 ? 700 : 700 + Self.way(up), 600 - up)))
      let target = machine.target ?? .zero
      #expect(abs(target.inMilliseconds - Double(wanted)) < 0.01, "\(up): \(target)")
    }
    // The target leaves the film's end at once, however far the finger went past it.
    _ = send(.dragMoved(drag(.horizontal, from: (500, 600), 5000, 600)))
    _ = send(.dragMoved(drag(.horizontal, from: (500, 600), 4900, 600)))
    #expect(machine.target == .milliseconds(53_960))
  }

  /// Each step in `relative` moves on by another 100 pixels.
  private static func way(_ up: Double) -> Double { up == 80 ? 100 : up == 140 ? 200 : 300 }

  @Test("Scrubbing ignores vertical drags and other gestures")
  mutating func others() {
    #expect(send(.dragBegan(drag(.vertical, 700))) == [])
    #expect(send(.dragMoved(drag(.vertical, 700, 300))) == [])
    #expect(send(.dragEnded(drag(.vertical, 700, 300), .lifted)) == [])
    #expect(send(.recognised(.twoFingerTap)) == [] && machine.target == nil)
  }

  @Test("A drag ends when its item does")
  mutating func itemGoes() {
    _ = send(.dragBegan(drag(.bar, 700)))
    var other = film()
    other.item = items[1]
    #expect(machine.mediaIs(other) == [.letGo])
    #expect(machine.target == nil)
    #expect(send(.dragMoved(drag(.bar, 800)), other) == [])
    #expect(send(.dragEnded(drag(.bar, 800), .lifted), other) == [])
    #expect(send(.dragBegan(drag(.bar, 700)), other) == [.hold, .seek(to: .seconds(30), chase)])
  }

  @Test("Boards without exact seeks show key frames only")
  mutating func keyframes() {
    machine.settings.chaseTolerance = nil
    machine.settings.finalTolerance = .nearestKeyframe
    #expect(send(.dragBegan(drag(.bar, 700))) == [.hold, .seek(to: .seconds(30), .nearestKeyframe)])
    #expect(send(.dragEnded(drag(.bar, 700), .lifted)) == [.seek(to: .seconds(30), .nearestKeyframe), .letGo])
  }

  @Test("Random drags resume all that they paused, and no seek comes outside of a drag")
  mutating func fuzz() {
    var random = SplitMix64(state: 7)
    var isHeld = false
    var wrong = 0
    for _ in 0..<100_000 {
      var media: ScrubMedia? = film(
        position: .milliseconds(Int64(random.next(90_000)) - 10_000), remote: random.next(2) == 0,
        seekable: random.next(10) > 0)
      if random.next(50) == 0 { media = nil } else if random.next(50) == 0 { media?.item = items[1] }
      let drag = drag(
        [.bar, .horizontal, .vertical][random.next(3)], from: (random.place(1280), random.place(720)),
        random.place(1280), random.place(720))
      targets.track = random.next(20) == 0 ? nil : Glass.targets.track
      let actions =
        switch random.next(6) {
        case 0: send(.dragBegan(drag), media)
        case 1..<4: send(.dragMoved(drag), media)
        case 4: send(.dragEnded(drag, [.lifted, .lost, .cancelled][random.next(3)]), media)
        default: machine.mediaIs(media)
        }
      for action in actions {
        switch action {
        case .hold:
          wrong += isHeld ? 1 : 0
          isHeld = true
        case .letGo:
          wrong += isHeld ? 0 : 1
          isHeld = false
        case .seek(let target, _): wrong += isHeld && target >= .zero && target <= .seconds(60) ? 0 : 1
        case .refuse: wrong += isHeld ? 1 : 0
        }
      }
      wrong += (machine.target != nil) == isHeld ? 0 : 1
    }
    #expect(wrong == 0)
  }
}
