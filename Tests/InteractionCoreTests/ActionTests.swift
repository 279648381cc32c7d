import InteractionCore
import PlaybackCore
import Testing

@Suite("What gestures and keys do")
struct ActionTests {
  @Test(
    "Actions as they are written",
    arguments: [
      ("play-pause", .playPause), ("play", .play), ("play hall.mp4", .playClip("hall.mp4")),
      ("play  my film.mp4 ", .playClip("my film.mp4")), ("skip +10", .skip(.seconds(10))),
      ("skip -2.5", .skip(.milliseconds(-2500))), ("seek 90", .seek(.seconds(90))), ("volume", .dragVolume),
      ("volume +5", .volume(5)), ("volume -100", .volume(-100)), ("select 12", .select(12)), ("none", .nothing),
      ("status", .statusCard), ("lock", .lock),
    ] as [(String, InputAction)])
  func parse(text: String, action: InputAction) {
    #expect(InputAction.parse(text) == action)
    #expect(InputAction.parse(action.description) == action)
  }

  @Test(
    "What isn't an action",
    arguments: [
      "", " ", "Play", "skip", "skip ten", "seek -1", "seek nan", "seek 1e99", "volume 0", "volume 101", "select 0",
      "select", "next 2", "play ", "fly away",
    ])
  func notAnAction(text: String) { #expect(InputAction.parse(text) == (text == "play " ? .play : nil)) }

  @Test("Every word of the grammar is taken")
  func grammar() {
    let words = InputAction.grammar.split(separator: ", ").map(String.init).filter { !$0.contains(" ") }
    #expect(words.count > 10)
    for word in words { #expect(InputAction.parse(word) != nil, "\(word)") }
  }

  @Test("Each gesture has a name, and does what people expect")
  func gestures() {
    let map = ActionMap()
    let tap = ScreenPoint(x: 0, y: 0)
    let all: [(Gesture, InputAction)] = [
      (.tap(tap), .playPause), (.doubleTap(.left), .skip(.seconds(-10))), (.doubleTap(.right), .skip(.seconds(10))),
      (.longPress(tap), .statusCard), (.swipe(.left, fingers: 1), .next), (.swipe(.right, fingers: 2), .previous),
      (.twoFingerTap, .nothing), (.button(.mute), .mute), (.button(.playPause), .playPause),
    ]
    for (gesture, action) in all { #expect(map.action(for: gesture) == action, "\(gesture)") }
    #expect(map.action(for: .bar) == .scrub && map.action(for: .vertical) == .dragVolume)
    #expect(map.action(forKey: "KEY_PLAYPAUSE") == .playPause && map.action(forKey: "KEY_F7") == .nothing)
  }

  @Test("A tap waits for a second one only where that means something")
  func doubleTaps() {
    var map = ActionMap()
    #expect(map.hasDoubleTap)
    map.gestures[.doubleTapLeft] = .nothing
    map.gestures[.doubleTapRight] = nil
    #expect(!map.hasDoubleTap)
  }
}

@Suite("Lock")
struct InputLockTests {
  @Test("Signage hears nothing, or only buttons")
  func modes() {
    var all = InputLock(mode: .all)
    var buttons = InputLock(mode: .buttonsOnly)
    #expect(!all.hearsTouch)
    let heard = [
      all.admits(.playPause, isKey: true), all.admits(.unlock, isKey: true), buttons.admits(.playPause, isKey: true),
      buttons.admits(.playPause, isKey: false),
    ]
    #expect(heard == [false, false, true, false])
    #expect(!buttons.hearsTouch && InputLock().hearsTouch)
  }

  @Test("A lock that somebody turns on lasts until it is turned off")
  func action() {
    var lock = InputLock()
    let script: [(InputAction, isAdmitted: Bool)] = [
      (.next, true), (.lock, true), (.next, false), (.playPause, false), (.unlock, true), (.next, true), (.lock, true),
      (.next, false), (.lock, true), (.next, true),
    ]
    for (index, step) in script.enumerated() {
      let isAdmitted = lock.admits(step.0, isKey: index % 2 == 0)
      #expect(isAdmitted == step.isAdmitted, "step \(index)")
    }
    #expect(!lock.isLocked)
  }
}

@Suite("Attract loop")
struct AttractMachineTests {
  @Test("Without a list for visitors a touch is just a touch, and the loop goes on by itself")
  func plain() {
    var machine = AttractMachine()
    let touch = machine.touched(at: at(0))
    #expect(touch.actions.isEmpty && !touch.isSpent)
    #expect(machine.deadline == nil)
    #expect(machine.playbackStopped().isEmpty)
  }

  @Test("The first touch starts the visitors' list; later ones are theirs; idle time brings the loop back at once")
  func atOnce() {
    var machine = AttractMachine(
      settings: AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30), returns: .atOnce))
    let first = machine.touched(at: at(0))
    #expect(first.actions == [.startInteractiveList()] && first.isSpent)
    let second = machine.touched(at: at(10_000))
    #expect(second.actions.isEmpty && !second.isSpent)
    #expect(machine.deadline == at(40_000))
    #expect(machine.timePassed(at: at(39_999), isHeld: false, isPlaying: true).isEmpty)
    #expect(machine.itemEnded().isEmpty)
    #expect(machine.timePassed(at: at(40_000), isHeld: false, isPlaying: true) == [.returnToLoop])
    #expect(machine.deadline == nil && machine.state == .attract)
    #expect(machine.touched(at: at(50_000)).actions == [.startInteractiveList()])
  }

  private let listed = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30), returns: .atOnce)

  @Test("A key that names an item starts the list with it; one that names a place is carried out in the list")
  func namesItem() {
    var machine = AttractMachine(settings: listed)
    let second = machine.touched(at: at(0), aim: .item(2))
    #expect(second.actions == [.startInteractiveList(number: 2)] && second.isSpent)
    let third = machine.touched(at: at(1000), aim: .item(3))
    #expect(third.actions.isEmpty && !third.isSpent)
    machine = AttractMachine(settings: listed)
    let place = machine.touched(at: at(0), aim: .list)
    #expect(place.actions == [.startInteractiveList()] && !place.isSpent)
  }

  @Test("A key for the player itself is never spent and leaves the loop; the next touch still brings the list")
  func forPlayer() {
    var machine = AttractMachine(settings: listed)
    let louder = machine.touched(at: at(0), aim: .player)
    #expect(louder.actions.isEmpty && !louder.isSpent && machine.state == .attended(since: at(0)))
    #expect(machine.playbackStopped().isEmpty && machine.itemEnded().isEmpty)
    // Nobody comes: what was changed is as configured again.
    var idle = machine
    #expect(idle.timePassed(at: at(30_000), isHeld: false, isPlaying: true) == [.returnToLoop])
    #expect(idle.state == .attract && idle.deadline == nil)
    let touch = machine.touched(at: at(1000))
    #expect(touch.actions == [.startInteractiveList()] && touch.isSpent)
  }

  @Test("While the clip plays that a key has asked for in the loop, touches are meant for it; left alone it ends")
  func atClip() {
    for returns in AttractSettings.Return.allCases {
      var settings = listed
      settings.returns = returns
      var machine = AttractMachine(settings: settings)
      _ = machine.touched(at: at(0), aim: .player)
      let tap = machine.touched(at: at(1000), isAtClip: true)
      #expect(tap.actions.isEmpty && !tap.isSpent)
      #expect(machine.timePassed(at: at(31_000), isHeld: true, isPlaying: true, isAtClip: true).isEmpty)
      let playing = machine.timePassed(at: at(61_000), isHeld: false, isPlaying: true, isAtClip: true)
      #expect(playing == (returns == .atOnce ? [.endClip, .returnToLoop] : []))
      guard returns == .itemBoundary else { continue }
      // One that somebody has paused and left doesn't end by itself.
      let paused = machine.timePassed(at: at(91_000), isHeld: false, isPlaying: false, isAtClip: true)
      #expect(paused == [.endClip, .returnToLoop])
    }
  }

  @Test("Of all actions those that name nothing may be spent, and no other")
  func aims() {
    let spent: [InputAction] = [.playPause, .play, .pause, .next, .previous, .skip(.seconds(10)), .showControls]
    let named: [InputAction] = [
      .select(2), .seek(.seconds(5)), .playClip("a.mp4"), .volume(5), .mute, .statusCard, .lock, .unlock,
    ]
    for action in spent + named {
      var machine = AttractMachine(settings: listed)
      let (actions, isSpent) = machine.touched(at: at(0), aim: action.aim)
      let isCarriedOut = !isSpent || actions == [.startInteractiveList(number: 2)]
      #expect(isCarriedOut == named.contains(action), "\(action)")
    }
  }

  @Test("At an item boundary the item may end first; a paused one is not waited for, a finger on the glass is")
  func boundary() {
    let settings = AttractSettings(idleAfter: .seconds(30))
    var machine = AttractMachine(settings: settings)
    _ = machine.touched(at: at(0))
    #expect(machine.timePassed(at: at(30_000), isHeld: true, isPlaying: true).isEmpty)
    #expect(machine.deadline == at(60_000))
    #expect(machine.timePassed(at: at(60_000), isHeld: false, isPlaying: true).isEmpty)
    #expect(machine.state == .leaving && machine.deadline == nil)
    #expect(machine.itemEnded() == [.returnToLoop])
    #expect(machine.itemEnded().isEmpty)

    _ = machine.touched(at: at(100_000))
    #expect(machine.timePassed(at: at(130_000), isHeld: false, isPlaying: false) == [.returnToLoop])

    _ = machine.touched(at: at(200_000))
    _ = machine.timePassed(at: at(230_000), isHeld: false, isPlaying: true)
    _ = machine.touched(at: at(231_000))
    #expect(machine.itemEnded().isEmpty)
    #expect(machine.deadline == at(261_000))
  }

  @Test("The end of the visitors' list brings the loop back")
  func end() {
    var machine = AttractMachine(settings: AttractSettings(hasInteractiveList: true))
    #expect(machine.playbackStopped().isEmpty)
    _ = machine.touched(at: at(0))
    #expect(machine.playbackStopped() == [.returnToLoop])
    #expect(machine.playbackStopped().isEmpty)
  }
}
