import InteractionCore
import PlaybackCore
import Testing

@Suite("Actions of gestures and keys")
struct ActionTests {
  @Test(
    "Each binding parses from its text",
    arguments: [
      ("play-pause", .command(.playPause)), ("play", .command(.play)),
      ("play hall.mp4", .command(.playClip("hall.mp4"))),
      ("play  my film.mp4 ", .command(.playClip("my film.mp4"))),
      ("play --loop.mp4", .command(.playClip("--loop.mp4"))),
      ("skip +10", .command(.skip(by: .seconds(10)))), ("skip 10", .command(.skip(by: .seconds(10)))),
      ("skip -2.5", .command(.skip(by: .milliseconds(-2500)))), ("seek 90", .command(.seek(to: .seconds(90)))),
      ("seek 1:30", .command(.seek(to: .seconds(90)))), ("seek -10", .command(.skip(by: .seconds(-10)))),
      ("seek 5 --keyframe", .command(.seek(to: .seconds(5), .nearestKeyframe))),
      ("volume", .dragVolume), ("volume +5", .command(.changeVolume(byPercent: 5))),
      ("volume -100", .command(.changeVolume(byPercent: -100))), ("volume 40", .command(.setVolume(percent: 40))),
      ("mute", .command(.toggleMute)), ("mute on", .command(.setMuted(true))),
      ("select 12", .command(.select(number: 12))),
      ("none", .nothing), ("status", .command(.showStatus(nil))), ("osd status", .command(.showStatus(true))),
      ("osd nothing", .command(.hideOverlay)), ("lock", .lock), ("screen off", .command(.switchScreen(isOn: false))),
      ("reload", .command(.reload)), ("retry", .command(.retry(nil))), ("retry a b.mp4", .command(.retry("a b.mp4"))),
      ("message Back at two", .command(.showMessage("Back at two", for: Verb.messageStay))), ("quit", .command(.quit)),
    ] as [(String, Binding)])
  func parse(text: String, binding: Binding) {
    #expect(Binding(text) == binding)
    #expect(Binding(binding.description) == binding)
  }

  @Test(
    "A text that isn't a binding is refused",
    arguments: [
      "", " ", "Play", "skip", "skip ten", "seek nan", "seek 1e99", "seek 1:60", "seek 1 2", "seek -5 --keyframe",
      "seek --keyframe", "seek --fast 5", "volume 0x", "volume +0", "volume 101", "select 0", "select", "select +2",
      "next 2",
      "mute maybe", "screen", "osd", "osd all", "message", "fly away",
    ])
  func notABinding(text: String) { #expect(Binding(text) == nil) }

  @Test("The grammar lists every verb, and every plain word of it parses")
  func grammar() {
    let words = Binding.grammar.split(separator: ", ").map(String.init).filter { !$0.contains(" ") }
    #expect(words.count > 10)
    for word in words { #expect(Binding(word) != nil, "\(word)") }
    for verb in Verb.allCases { #expect(Binding.grammar.contains(verb.usage), "\(verb)") }
  }

  @Test("A command line's words become the arguments of the socket's verb", arguments: Verb.allCases)
  func words(verb: Verb) throws {
    let samples: [Verb: [[String]]] = [
      .seek: [
        ["1:30"], ["+10"], ["-10"], ["\u{2212}10"], ["90", "--keyframe"], ["--keyframe=on", "90"], ["--", "-10"],
      ],
      .select: [["2"]], .clip: [["hall"], ["hall", "--item", "2"]], .volume: [["40"], ["-5"]], .mute: [[], ["off"]],
      .retry: [[], ["file:///a b"]],
      .osd: [["controls"], ["toggle-status"]], .screen: [["on"]],
      .alert: [["Leave by stair B", "--until", "20m"], ["--until=15:30", "--test", "Leave", "--id", "fire"]],
      .alertEnd: [[], ["fire"]],
      .message: [["Back at two", "--for", "600"], [""], ["--", "--for"]],
    ]
    for words in samples[verb] ?? [[]] {
      let arguments = try verb.arguments(words)
      #expect(throws: Never.self, "\(words)") { try verb.command(arguments) }
      #expect(arguments.members.count >= (verb.parameters.contains(where: \.isRequired) ? 1 : 0))
    }
    #expect(throws: CommandMisuse.self) { try verb.arguments(["a", "b", "c"]) }
    #expect(throws: CommandMisuse.self) { try verb.arguments(["--no-such"]) }
    #expect(throws: CommandMisuse.self) { try Verb.clip.arguments(["../hall.mp4"]) }
  }

  @Test("Each gesture has a name and the expected default")
  func gestures() {
    let map = ActionMap()
    let tap = ScreenPoint(x: 0, y: 0)
    let all: [(Gesture, Binding)] = [
      (.tap(tap), .command(.playPause)), (.doubleTap(.left), .command(.skip(by: .seconds(-10)))),
      (.doubleTap(.right), .command(.skip(by: .seconds(10)))), (.longPress(tap), .command(.showStatus(nil))),
      (.swipe(.left, fingers: 1), .command(.next)), (.swipe(.right, fingers: 2), .command(.previous)),
      (.twoFingerTap, .nothing), (.button(.mute), .command(.toggleMute)),
      (.button(.playPause), .command(.playPause)),
    ]
    for (gesture, action) in all { #expect(map.action(for: gesture) == action, "\(gesture)") }
    #expect(map.action(for: .bar) == .scrub && map.action(for: .vertical) == .dragVolume)
    #expect(map.action(forKey: "KEY_PLAYPAUSE") == .command(.playPause) && map.action(forKey: "KEY_F7") == .nothing)
  }

  @Test("A tap waits for a second one only where a double tap has a meaning")
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
  @Test("With signage's settings the lock lets no input through, or only buttons")
  func modes() {
    var all = InputLock(mode: .all)
    var buttons = InputLock(mode: .buttonsOnly)
    #expect(!all.hearsTouch)
    let heard = [
      all.admits(.command(.playPause), isKey: true), all.admits(.unlock, isKey: true),
      buttons.admits(.command(.playPause), isKey: true),
      buttons.admits(.command(.playPause), isKey: false),
    ]
    #expect(heard == [false, false, true, false])
    #expect(!buttons.hearsTouch && InputLock().hearsTouch)
  }

  @Test("A lock that was turned on lasts until it is turned off")
  func action() {
    var lock = InputLock()
    let next = Binding.command(.next)
    let script: [(Binding, isAdmitted: Bool)] = [
      (next, true), (.lock, true), (next, false), (.command(.playPause), false), (.unlock, true), (next, true),
      (.lock, true), (next, false), (.lock, true), (next, true),
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
  @Test("Without a visitors' list a touch only counts as one, and the loop goes on")
  func plain() {
    var machine = AttractMachine()
    let touch = machine.touched(at: at(0))
    #expect(touch.actions.isEmpty && !touch.isSpent)
    #expect(machine.deadline == nil)
    #expect(machine.playbackStopped().isEmpty)
  }

  @Test("The first touch starts the visitors' list, later ones are for it, and idle time returns to the loop")
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

  private func countdown(
    _ machine: AttractMachine, _ milliseconds: Int64, isHeld: Bool = false, isPlaying: Bool = false,
    itemEndsIn: Duration? = nil
  ) -> VisitCountdown? {
    machine.countdown(at: at(milliseconds), isHeld: isHeld, isPlaying: isPlaying, itemEndsIn: itemEndsIn)
  }

  @Test("A visit's end is announced where it changes something: at once, or at the end of the film")
  func announced() {
    var settings = listed
    settings.countdown = .seconds(10)
    var machine = AttractMachine(settings: settings)
    #expect(countdown(machine, 0) == nil)
    _ = machine.touched(at: at(0))
    let announced = VisitCountdown(begins: at(20_000), ends: at(30_000), isDuringFilm: true)
    #expect(countdown(machine, 0, isPlaying: true) == announced)
    #expect(countdown(machine, 25_000, isHeld: true) == nil)
    _ = machine.touched(at: at(25_000))
    #expect(countdown(machine, 25_000)?.begins == at(45_000), "a touch keeps the visit")
    // No card from the first moment on.
    machine.settings.idleAfter = .seconds(5)
    #expect(countdown(machine, 25_000)?.begins == at(27_500))
    machine.settings.countdown = .zero
    #expect(countdown(machine, 29_000) == nil)

    settings.returns = .itemBoundary
    machine = AttractMachine(settings: settings)
    _ = machine.touched(at: at(0))
    #expect(countdown(machine, 25_000, isPlaying: true, itemEndsIn: .seconds(100)) == nil, "the film plays to its end")
    #expect(countdown(machine, 25_000)?.isDuringFilm == false, "a paused film doesn't")
    _ = machine.timePassed(at: at(30_000), isHeld: false, isPlaying: true)
    #expect(
      countdown(machine, 30_000, isPlaying: true, itemEndsIn: .seconds(95))
        == VisitCountdown(begins: at(115_000), ends: at(125_000), isDuringFilm: true))
    #expect(countdown(machine, 30_000, isPlaying: true) == nil, "a live picture has no end")

    // Without a list of the visitors' own, only a paused film changes.
    settings.hasInteractiveList = false
    machine = AttractMachine(settings: settings)
    _ = machine.touched(at: at(0))
    #expect(countdown(machine, 25_000, isPlaying: true) == nil && countdown(machine, 25_000) != nil)
  }

  @Test("The card counts whole seconds, and changes with them")
  func card() {
    let countdown = VisitCountdown(begins: at(20_000), ends: at(30_000), isDuringFilm: false)
    #expect(CountdownCard(countdown, at: at(19_999)) == nil)
    #expect(CountdownCard.nextChange(of: countdown, at: at(0)) == at(20_000))
    for (time, seconds, next) in [
      (20_000, 10, 21_000), (20_999, 10, 21_000), (21_000, 9, 22_000), (29_500, 1, 30_000),
    ] as [(Int64, Int, Int64)] {
      let card = CountdownCard(countdown, at: at(time))
      #expect(card?.seconds == seconds && card?.share == Double(seconds) / 10, "\(time)")
      #expect(CountdownCard.nextChange(of: countdown, at: at(time)) == at(next), "\(time)")
    }
    #expect(CountdownCard(countdown, at: at(40_000))?.seconds == 0)
    #expect(CountdownCard.nextChange(of: countdown, at: at(30_000)) == nil)
  }

  @Test("A key for an item starts the visitors' list with it; one for a position is carried out in that list")
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
    // With no further touch, a changed volume goes back to the configured one.
    var idle = machine
    #expect(idle.timePassed(at: at(30_000), isHeld: false, isPlaying: true) == [.returnToLoop])
    #expect(idle.state == .attract && idle.deadline == nil)
    let touch = machine.touched(at: at(1000))
    #expect(touch.actions == [.startInteractiveList()] && touch.isSpent)
  }

  @Test("While a clip from a key plays in the loop, touches are for the clip; without touches it ends")
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
      // A paused clip that was left doesn't end by itself.
      let paused = machine.timePassed(at: at(91_000), isHeld: false, isPlaying: false, isAtClip: true)
      #expect(paused == [.endClip, .returnToLoop])
    }
  }

  @Test("The touch that starts the interactive list uses up bindings without a target, and no others")
  func aims() {
    let commands: [Command] = [.playPause, .play, .pause, .next, .previous, .skip(by: .seconds(10)), .showControls]
    let spent = commands.map { Binding.command($0) }
    let others: [Command] = [
      .select(number: 2), .seek(to: .seconds(5)), .playClip("a.mp4"), .changeVolume(byPercent: 5), .toggleMute,
      .showStatus(nil), .reload,
    ]
    let named = others.map { Binding.command($0) } + [.lock, .unlock]
    for action in spent + named {
      var machine = AttractMachine(settings: listed)
      let (actions, isSpent) = machine.touched(at: at(0), aim: action.aim)
      let isCarriedOut = !isSpent || actions == [.startInteractiveList(number: 2)]
      #expect(isCarriedOut == named.contains(action), "\(action)")
    }
  }

  @Test("Return at an item boundary lets a playing item end first, and waits for a finger but not for a paused item")
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
