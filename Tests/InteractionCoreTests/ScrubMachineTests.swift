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

/// A drag on a track that starts at 200 and is 1000 pixels wide; without a size of the glass, with units of 13.3 pixels.
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

  @Test("A local film is held, follows the finger by key frames, and goes to the very frame at the end")
  mutating func local() {
    #expect(send(.dragBegan(drag(.bar, 700))) == [.hold, .seek(to: .seconds(30), chase)])
    #expect(machine.target == .seconds(30))
    #expect(send(.dragMoved(drag(.bar, 800))) == [.seek(to: .seconds(36), chase)])
    #expect(send(.dragMoved(drag(.bar, 800, 100))) == [], "the same place isn't sought twice")
    // What the pipeline tells meanwhile doesn't move the bar.
    #expect(machine.mediaIs(film(position: .seconds(12))) == [] && machine.target == .seconds(36))
    #expect(send(.dragEnded(drag(.bar, 900), .lifted)) == [.seek(to: .seconds(42), .exact), .letGo])
    #expect(machine.target == nil)
  }

  @Test("Policies to be measured beside: a seek for each touch, and one each half second; the end is the same")
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

  @Test("A remote film's bar follows, and one seek comes at the end")
  mutating func remote() {
    let media = film(remote: true)
    #expect(send(.dragBegan(drag(.bar, 700)), media) == [.hold])
    #expect(send(.dragMoved(drag(.bar, 800)), media) == [])
    #expect(machine.target == .seconds(36))
    #expect(send(.dragEnded(drag(.bar, 800), .lifted), media) == [.seek(to: .seconds(36), .exact), .letGo])
  }

  @Test("Where there is nowhere to go a drag says so, once", arguments: 0..<4)
  mutating func refused(why: Int) {
    let media = [film(seekable: false), film(range: nil), film(range: .zero ..< .zero), nil][why]
    #expect(send(.dragBegan(drag(.bar, 700)), media) == [.refuse])
    #expect(machine.target == nil && machine.isRefused)
    #expect(send(.dragMoved(drag(.bar, 800)), media) == [])
    #expect(send(.dragEnded(drag(.bar, 800), .lifted), media) == [])
    #expect(!machine.isRefused)
  }

  @Test("A drag that wasn't meant leads back; one whose device went stays where it got")
  mutating func cancelled() {
    _ = send(.dragBegan(drag(.bar, 700)))
    #expect(send(.dragEnded(drag(.bar, 700), .cancelled)) == [.seek(to: .seconds(10), .exact), .letGo])
    _ = send(.dragBegan(drag(.bar, 700)), film(remote: true))
    #expect(send(.dragEnded(drag(.bar, 700), .cancelled), film(remote: true)) == [.letGo])
    _ = send(.dragBegan(drag(.bar, 700)))
    #expect(send(.dragEnded(drag(.bar, 700), .lost)) == [.seek(to: .seconds(30), .exact), .letGo])
  }

  @Test("The ends of the track are the first frame and the last, also of an item that is a part of its medium")
  mutating func ends() {
    let part = film(position: .seconds(25), range: .seconds(20)..<Duration.seconds(30))
    _ = send(.dragBegan(drag(.bar, 700)), part)
    #expect(machine.target == .seconds(25))
    _ = send(.dragMoved(drag(.bar, 0)), part)
    #expect(machine.target == .seconds(20))
    #expect(send(.dragEnded(drag(.bar, 1279), .lifted), part) == [.seek(to: .milliseconds(29_960), .exact), .letGo])
  }

  @Test("Elsewhere it goes as far as the finger, from where the film is, and slower away from the bar")
  mutating func relative() {
    _ = send(.dragBegan(drag(.horizontal, from: (500, 600), 600, 600)))
    #expect(machine.target == .seconds(16))
    // 67, 133 and 200 pixels up are 5, 10 and 15 units.
    for (up, wanted) in [(60.0, 22_000), (80, 25_000), (140, 26_500), (210, 27_100)] as [(Double, Int)] {
      _ = send(.dragMoved(drag(.horizontal, from: (500, 600), up == 60 ? 700 : 700 + Self.way(up), 600 - up)))
      let target = machine.target ?? .zero
      #expect(abs(target.inMilliseconds - Double(wanted)) < 0.01, "\(up): \(target)")
    }
    // And back at once from the end of the film, however far the finger went past it.
    _ = send(.dragMoved(drag(.horizontal, from: (500, 600), 5000, 600)))
    _ = send(.dragMoved(drag(.horizontal, from: (500, 600), 4900, 600)))
    #expect(machine.target == .milliseconds(53_960))
  }

  /// Each step in `relative` moves on by another 100 pixels.
  private static func way(_ up: Double) -> Double { up == 80 ? 100 : up == 140 ? 200 : 300 }

  @Test("Vertical drags and gestures are nobody's business here")
  mutating func others() {
    #expect(send(.dragBegan(drag(.vertical, 700))) == [])
    #expect(send(.dragMoved(drag(.vertical, 700, 300))) == [])
    #expect(send(.dragEnded(drag(.vertical, 700, 300), .lifted)) == [])
    #expect(send(.recognised(.twoFingerTap)) == [] && machine.target == nil)
  }

  @Test("An item that goes under the finger takes the drag with it")
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

  @Test("Boards that can't go to the very frame show key frames only")
  mutating func keyframes() {
    machine.settings.chaseTolerance = nil
    machine.settings.finalTolerance = .nearestKeyframe
    #expect(send(.dragBegan(drag(.bar, 700))) == [.hold, .seek(to: .seconds(30), .nearestKeyframe)])
    #expect(send(.dragEnded(drag(.bar, 700), .lifted)) == [.seek(to: .seconds(30), .nearestKeyframe), .letGo])
  }

  @Test("Random drags: what is held is let go again, and no seek comes outside of a drag")
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
