public import InteractionCore
public import PlaybackCore
import Testing

@testable import KioskCore

extension ItemID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt64) { self.init(rawValue: value) }
}

extension InputDeviceID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt32) { self.init(value) }
}

/// A screen with a bar that shows, and time that the test moves on.
private struct Booth {
  var machine: InteractionMachine
  var scene = InteractionMachine.Scene(
    media: ScrubMedia(item: 0, range: .zero..<(.seconds(100)), position: .seconds(10)), isPlaying: true,
    screen: PixelSize(width: 1000, height: 600))
  var now = Instant(nanoseconds: 1_000_000_000_000)
  var overlay = OverlayScene(playback: PlaybackMachine(queue: [], loops: false, seed: 1))

  init(_ change: (inout InteractionSettings) -> Void = { _ in }) {
    var settings = InteractionSettings()
    change(&settings)
    machine = InteractionMachine(
      settings, mode: .always, screen: PixelSize(width: 1000, height: 600), sound: SoundSettings())
    _ = machine.overlay(overlay, at: now)
    let screen = PixelSize(width: 1000, height: 600)
    if let bar = machine.barToMeasure(on: screen) {
      machine.barMeasured(
        bar, on: screen,
        OverlayTargets(
          track: .init(x: 100, y: 560, width: 800, height: 8),
          buttons: [.playPause: .init(x: 20, y: 540, width: 40, height: 40)]))
    }
  }

  mutating func tell(_ event: InteractionMachine.Event) -> [InteractionMachine.Effect] {
    machine.handle(event, in: scene, at: now)
  }

  mutating func hear(_ event: InputEvent) -> [InteractionMachine.Effect] { tell(.heard(event, at: now)) }

  mutating func key(_ name: String) -> [InteractionMachine.Effect] {
    hear(.key(KeyChange(device: 1, key: name, .down))) + hear(.key(KeyChange(device: 1, key: name, .up)))
  }

  mutating func finger(_ kind: FingerChange.Kind) -> [InteractionMachine.Effect] {
    hear(.touch(TouchFrame(device: 1, [FingerChange(finger: 0, kind)])))
  }

  /// A tap beside everything, and the time in which a second one would have come.
  mutating func tap() -> [InteractionMachine.Effect] {
    var effects = finger(.down(ScreenPoint(x: 500, y: 200)))
    now = now + .milliseconds(50)
    effects += finger(.up)
    return effects + wait(.seconds(1))
  }

  mutating func wait(_ time: Duration) -> [InteractionMachine.Effect] {
    now = now + time
    return tell(.timePassed)
  }

  /// What is above the picture now. A moment passes, as quick changes are shown together.
  mutating func look() -> OverlayModel {
    now = now + .seconds(1)
    var scene = overlay
    scene.status = StatusCard(title: "board", health: .healthy, rows: [])
    return machine.overlay(scene, at: now).model
  }
}

extension [InteractionMachine.Effect] {
  fileprivate var commands: [Command] {
    compactMap { if case .perform(let command) = $0 { command } else { nil } }
  }
}

@Suite("Interaction machine: the order in which things count")
struct InteractionMachineTests {
  @Test("Gestures and keys ask for commands: by their binding, once")
  func bindings() {
    var booth = Booth()
    #expect(booth.tap().commands == [.playPause])
    #expect(booth.key("KEY_RIGHT").commands == [.skip(by: .seconds(10))])
    #expect(booth.key("KEY_3").commands == [.select(number: 3)])
    #expect(booth.key("KEY_VOLUMEUP").commands == [.changeVolume(byPercent: 5)])
    #expect(booth.key("KEY_I").commands == [.showStatus(nil)])
    #expect(booth.key("KEY_F13").isEmpty)
  }

  @Test("The configuration's lock: all of it, or the glass alone")
  func configuredLock() {
    var signage = Booth { $0.actions.lock = .all }
    #expect(signage.tap().isEmpty && signage.key("KEY_RIGHT").isEmpty)
    var booth = Booth { $0.actions.lock = .buttonsOnly }
    #expect(booth.tap().isEmpty)
    #expect(booth.key("KEY_RIGHT").commands == [.skip(by: .seconds(10))])
  }

  @Test("A lock that somebody turns on holds everything but its key, and is told")
  func lock() {
    var booth = Booth { $0.actions.keys["KEY_L"] = .lock }
    #expect(booth.key("KEY_L").commands.isEmpty && booth.machine.isLocked)
    #expect(booth.look().message == "Locked")
    #expect(booth.key("KEY_RIGHT").commands.isEmpty && booth.tap().commands.isEmpty)
    #expect(booth.key("KEY_L").commands.isEmpty && !booth.machine.isLocked)
    #expect(booth.look().message == "Unlocked")
    #expect(booth.key("KEY_RIGHT").commands.count == 1)
  }

  @Test("A drag that is under way when somebody locks ends, and leads nowhere")
  func lockedWhileDragged() {
    var booth = Booth { $0.actions.keys["KEY_L"] = .lock }
    #expect(booth.finger(.down(ScreenPoint(x: 200, y: 562))).contains(.hold))
    _ = booth.key("KEY_L")
    let effects = booth.finger(.moved(ScreenPoint(x: 800, y: 562))) + booth.finger(.up)
    #expect(effects.contains(.letGo))
    #expect(effects.contains(.scrub(to: .seconds(10), ScrubSettings().finalTolerance)))
    #expect(booth.machine.scrubTarget == nil)
  }

  @Test("The first touch brings the visitors' list and nothing else; nobody for a while brings back the loop")
  func visitors() {
    var booth = Booth {
      $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30), returns: .atOnce)
    }
    #expect(booth.tap() == [.startVisitorsList()])
    #expect(booth.machine.returnsToLoopAtEnd)
    #expect(booth.tap().commands == [.playPause])
    #expect(booth.wait(.seconds(31)) == [.returnToLoop])
    #expect(!booth.machine.returnsToLoopAtEnd)
    #expect(booth.key("KEY_RIGHT") == [.startVisitorsList()])
    #expect(booth.tell(.queueEnded) == [.returnToLoop])
    #expect(booth.tell(.queueEnded).isEmpty)
  }

  @Test("A key that names something does it at the first press in the loop; what names nothing only brings the list")
  func namingKeys() {
    func booth() -> Booth {
      Booth {
        $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30), returns: .atOnce)
        $0.actions.keys["KEY_F1"] = .command(.playClip("welcome.mp4"))
        $0.actions.keys["KEY_F10"] = .lock
      }
    }
    var first = booth()
    #expect(first.key("KEY_2") == [.startVisitorsList(number: 2)])
    #expect(first.key("KEY_3") == [.perform(.select(number: 3))])
    first = booth()
    #expect(first.key("KEY_HOME") == [.startVisitorsList(), .perform(.seek(to: .zero))])
    for (key, command) in [
      ("KEY_F1", Command.playClip("welcome.mp4")), ("KEY_VOLUMEUP", .changeVolume(byPercent: 5)),
      ("KEY_MUTE", .toggleMute), ("KEY_I", .showStatus(nil)),
    ] {
      first = booth()
      #expect(first.key(key) == [.perform(command)])
      // The loop goes on, and a touch still brings the list.
      #expect(first.tap() == [.startVisitorsList()])
    }
    first = booth()
    #expect(first.key("KEY_F10").isEmpty && first.machine.isLocked)
    let tap = first.tap()
    #expect(tap.commands.isEmpty && !tap.contains(.startVisitorsList()))
    for key in ["KEY_SPACE", "KEY_PAUSE", "KEY_RIGHT", "KEY_NEXT", "KEY_PREVIOUS"] {
      first = booth()
      #expect(first.key(key) == [.startVisitorsList()])
    }
  }

  @Test("A clip that a key asks for in the loop: touches are the clip's, and rest leads back to the loop where it was")
  func clipInLoop() {
    var booth = Booth {
      $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30), returns: .atOnce)
      $0.actions.keys["KEY_F1"] = .command(.playClip("welcome.mp4"))
    }
    let place = ClipDetour.Place(item: 3, position: .seconds(7), isPlaying: true)
    #expect(booth.key("KEY_F1").commands == [.playClip("welcome.mp4")])
    _ = booth.tell(.clipInserted(9, from: place))
    #expect(booth.tap().commands == [.playPause])
    let rest = booth.wait(.seconds(31))
    #expect(rest.contains(.followDetour(.select(3))) && rest.last == .returnToLoop)
    #expect(booth.machine.clip == nil)
    // At its end by itself the loop goes on, and the next touch brings the list.
    _ = booth.key("KEY_F1")
    _ = booth.tell(.clipInserted(10, from: place))
    _ = booth.tell(.playbackSettled([.stoppedAtEnd(item: 10)]))
    #expect(booth.tap() == [.startVisitorsList()])
  }

  @Test("The loop comes back when the item has ended, where that is wanted")
  func itemBoundary() {
    var booth = Booth { $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30)) }
    _ = booth.tap()
    #expect(booth.wait(.seconds(31)).isEmpty)
    let ended = PlaybackNotice.itemEnded(item: 0, DeckID(generation: 1))
    #expect(booth.tell(.playbackSettled([ended])) == [.returnToLoop])
  }

  @Test("The status card shows until it is touched or its time is over; the touch does nothing else")
  func statusCard() {
    var booth = Booth()
    #expect(booth.tell(.commanded(.showStatus(nil))) == [.statusCardOpened])
    #expect(booth.look().status != nil)
    #expect(booth.tap().commands.isEmpty)
    #expect(booth.look().status == nil)
    _ = booth.tell(.commanded(.showStatus(true)))
    _ = booth.wait(InteractionMachine.statusStay - .seconds(1))
    #expect(booth.look().status != nil)
    _ = booth.wait(.seconds(1))
    #expect(booth.look().status == nil)
    _ = booth.tell(.commanded(.showStatus(true)))
    _ = booth.tell(.commanded(.showStatus(nil)))
    #expect(booth.look().status == nil)
  }

  @Test("A drag holds, seeks when the bar is drawn, and lets go with the end at once")
  func drag() {
    var booth = Booth()
    #expect(booth.finger(.down(ScreenPoint(x: 200, y: 562))).contains(.hold))
    #expect(!booth.finger(.moved(ScreenPoint(x: 500, y: 562))).contains { if case .scrub = $0 { true } else { false } })
    #expect(!booth.finger(.moved(ScreenPoint(x: 600, y: 562))).contains { if case .scrub = $0 { true } else { false } })
    #expect(booth.machine.scrubTarget == .milliseconds(62_500))
    let rest = booth.machine.endBatch()
    guard case .scrub(let target, _) = rest.scrub else {
      Issue.record("nothing is left to be sought")
      return
    }
    #expect(target == .milliseconds(62_500) && booth.machine.endBatch() == InteractionMachine.Rest())
    _ = booth.finger(.moved(ScreenPoint(x: 700, y: 562)))
    let ends = booth.finger(.up)
    #expect(ends.last == .letGo)
    #expect(ends.dropLast().last == .scrub(to: .seconds(75), ScrubSettings().finalTolerance))
    #expect(booth.machine.endBatch().scrub == nil)
  }

  @Test("Where seeks don't wait for the bar, they come at once")
  func seeksAtOnce() {
    var booth = Booth()
    booth.machine.drawsBeforeSeeking = false
    _ = booth.finger(.down(ScreenPoint(x: 200, y: 562)))
    let effects = booth.finger(.moved(ScreenPoint(x: 500, y: 562)))
    #expect(effects.contains { if case .scrub(.milliseconds(50_000), _) = $0 { true } else { false } })
    #expect(booth.machine.endBatch().scrub == nil)
  }

  @Test("Another item under the finger: playback is let go, and the finger moves nothing any more")
  func itemGone() {
    var booth = Booth()
    _ = booth.finger(.down(ScreenPoint(x: 200, y: 562)))
    booth.scene.media?.item = 7
    #expect(booth.tell(.playbackSettled([])) == [.letGo])
    #expect(booth.finger(.moved(ScreenPoint(x: 500, y: 562))).isEmpty && booth.machine.endBatch().scrub == nil)
  }

  @Test(
    "A list that ends under a finger that drags: playback is let go, though the next touch only brings the list anew")
  func listEndsUnderDrag() {
    var booth = Booth { $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30)) }
    _ = booth.tap()
    #expect(booth.finger(.down(ScreenPoint(x: 200, y: 562))).contains(.hold))
    _ = booth.tell(.queueEnded)
    let effects = booth.finger(.up)
    #expect(effects.contains(.letGo) && effects.contains(.startVisitorsList()))
    #expect(booth.machine.scrubTarget == nil)
  }

  @Test("What can't be moved says so")
  func refused() {
    var booth = Booth()
    booth.scene.media?.isSeekable = false
    #expect(
      booth.finger(.down(ScreenPoint(x: 200, y: 562))).allSatisfy { if case .tellGesture = $0 { true } else { false } })
    #expect(booth.look().message == "This can't be moved")
    _ = booth.wait(InteractionMachine.messageStay)
    #expect(booth.look().message == nil)
  }

  @Test("A clip in between leads back to where the visitor was, at its end or when somebody goes on")
  func clip() {
    var booth = Booth()
    let place = ClipDetour.Place(item: 3, position: .seconds(7), isPlaying: true)
    #expect(
      booth.tell(.clipInserted(9, from: place)) == [
        .followDetour(.holdAtEnd), .followDetour(.select(9)), .followDetour(.play),
      ])
    #expect(booth.machine.clip == 9)
    let back = booth.tell(.playbackSettled([.stoppedAtEnd(item: 9)]))
    #expect(back.contains(.followDetour(.select(3))) && back.contains(.followDetour(.seek(to: .seconds(7)))))
    #expect(booth.machine.clip == nil)
    _ = booth.tell(.clipInserted(9, from: place))
    let left = PlaybackNotice.itemStarted(item: 4, DeckID(generation: 5), at: booth.now, isAutomatic: false)
    #expect(booth.tell(.playbackSettled([left])) == [.followDetour(.advanceAtEnd), .followDetour(.remove(9))])
  }

  @Test("Volume: changed, told, shown; refused where there is no sound; as configured again for the next visitor")
  func volume() {
    var booth = Booth()
    #expect(booth.tell(.commanded(.changeVolume(byPercent: -30))) == [.setSound(volume: 0.7, isMuted: false)])
    #expect(booth.look().message == "Volume 70 %")
    #expect(booth.tell(.commanded(.toggleMute)) == [.setSound(volume: 0.7, isMuted: true)])
    #expect(booth.tell(.soundReplaced(SoundSettings())) == [.setSound(volume: 1, isMuted: false)])
    booth.scene.isSoundEnabled = false
    #expect(booth.tell(.commanded(.toggleMute)).isEmpty)
    _ = booth.tell(.refused(.toggleMute, .noSound))
    #expect(booth.look().message == "There is no sound")
  }

  @Test("The arrow shows where the mouse is, once for each batch, and goes when it stands still")
  func pointer() {
    var booth = Booth()
    _ = booth.hear(.pointerMoved(ScreenPoint(x: 1, y: 1), by: 1))
    _ = booth.hear(.pointerMoved(ScreenPoint(x: 2, y: 2), by: 1))
    #expect(booth.machine.endBatch().pointer == ScreenPoint(x: 2, y: 2))
    #expect(booth.wait(.seconds(2)).isEmpty)
    _ = booth.hear(.pointerMoved(ScreenPoint(x: 3, y: 3), by: 1))
    #expect(booth.wait(.seconds(2)).isEmpty)
    #expect(booth.wait(.seconds(1)) == [.hidePointer])
  }

  @Test("Other settings let go of what fingers were about to do")
  func otherSettings() {
    var booth = Booth()
    _ = booth.finger(.down(ScreenPoint(x: 200, y: 562)))
    var settings = booth.machine.settings
    settings.actions.lock = .all
    let effects = booth.tell(.settingsReplaced(settings))
    #expect(effects.last == .letGo || effects.contains(.letGo))
    #expect(booth.tap().isEmpty)
  }

  @Test("A screen that goes lets go of the drag on it")
  func screenGone() {
    var booth = Booth()
    _ = booth.finger(.down(ScreenPoint(x: 200, y: 562)))
    #expect(booth.tell(.inputLetGo).contains(.letGo))
  }
}

@Suite("Interaction machine: every order of events")
struct InteractionMachineOrderTests {
  /// One of each kind that a board meets, with both of what it may say where that matters.
  private static var events: [(inout Booth) -> Void] {
    let place = ClipDetour.Place(item: 3, position: .seconds(7), isPlaying: true)
    var busy = InteractionSettings()
    busy.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(1), returns: .itemBoundary)
    busy.actions.keys["KEY_L"] = .lock
    var locked = busy
    locked.actions.lock = .buttonsOnly
    let settings = [busy, locked]
    return [
      { _ = $0.finger(.down(ScreenPoint(x: 300, y: 562))) }, { _ = $0.finger(.down(ScreenPoint(x: 40, y: 560))) },
      { _ = $0.finger(.down(ScreenPoint(x: 400, y: 200))) }, { _ = $0.finger(.moved(ScreenPoint(x: 700, y: 300))) },
      { _ = $0.finger(.moved(ScreenPoint(x: 410, y: 20))) }, { _ = $0.finger(.up) }, { _ = $0.finger(.cancelled) },
      { _ = $0.hear(.deviceRemoved(1)) }, { _ = $0.hear(.pointerMoved(ScreenPoint(x: 5, y: 5), by: 1)) },
      { _ = $0.key("KEY_L") }, { _ = $0.key("KEY_RIGHT") }, { _ = $0.key("KEY_2") }, { _ = $0.key("KEY_MUTE") },
      { _ = $0.tell(.inputLetGo) },
      { _ = $0.wait(.milliseconds(700)) }, { _ = $0.wait(.seconds(40)) },
      { _ = $0.tell(.settingsReplaced(settings[0])) }, { _ = $0.tell(.settingsReplaced(settings[1])) },
      { _ = $0.tell(.settingsReplaced(InteractionSettings())) }, { _ = $0.tell(.commanded(.showStatus(nil))) },
      { _ = $0.tell(.commanded(.toggleMute)) }, { _ = $0.tell(.clipInserted(9, from: place)) },
      { _ = $0.tell(.playbackSettled([.stoppedAtEnd(item: 9)])) },
      { booth in
        let before = booth.scene.media?.item
        booth.scene.media?.item = before == 0 ? 1 : 0
        _ = booth.tell(.playbackSettled([.itemEnded(item: 0, DeckID(generation: 1))]))
      },
      { booth in
        let isEmpty = booth.scene.media == nil
        booth.scene.media =
          isEmpty ? ScrubMedia(item: 0, range: .zero..<(.seconds(100)), position: .seconds(10)) : nil
        _ = booth.tell(.playbackSettled([]))
      },
      { _ = $0.tell(.queueEnded) }, { _ = $0.machine.endBatch() }, { _ = $0.look() },
    ]
  }

  /// What the shell would have done of it all.
  private struct Shadow {
    var isHeld = false

    mutating func take(_ effects: [InteractionMachine.Effect]) -> Bool {
      for effect in effects {
        switch effect {
        case .hold:
          if isHeld { return false }
          isHeld = true
        case .letGo:
          if !isHeld { return false }
          isHeld = false
        default: break
        }
      }
      return true
    }
  }

  @Test("All triples keep what always holds")
  func triples() {
    for first in Self.events {
      for second in Self.events {
        for third in Self.events {
          var booth = Booth { $0.actions.keys["KEY_L"] = .lock }
          first(&booth)
          second(&booth)
          third(&booth)
          #expect(booth.machine.invariants.violations.isEmpty)
        }
      }
    }
  }

  @Test("A hundred thousand at random keep it too, and playback is held exactly while a finger drags")
  func random() {
    var generator = SplitMix64(state: 19)
    var booth = Booth { $0.actions.keys["KEY_L"] = .lock }
    var drags = 0
    for _ in 0..<100_000 {
      Self.events[Int.random(in: 0..<Self.events.count, using: &generator)](&booth)
      #expect(booth.machine.invariants.violations.isEmpty)
      if booth.machine.scrubTarget != nil { drags += 1 }
    }
    #expect(drags > 1000)
  }

  @Test("Holding and letting go come in turns, whatever comes between")
  func turns() {
    var generator = SplitMix64(state: 20)
    var booth = Booth { $0.actions.keys["KEY_L"] = .lock }
    var shadow = Shadow()
    var held = 0
    let points = [(300.0, 562.0), (700.0, 562.0), (400.0, 200.0), (40.0, 560.0)].map { ScreenPoint(x: $0, y: $1) }
    for _ in 0..<100_000 {
      let point = points[Int.random(in: 0..<points.count, using: &generator)]
      let effects: [InteractionMachine.Effect] =
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1: booth.finger(.down(point))
        case 2, 3: booth.finger(.moved(point))
        case 4: booth.finger(.up)
        case 5: booth.key("KEY_L")
        case 6: booth.tell(.inputLetGo)
        case 7: booth.tell(.settingsReplaced(booth.machine.settings))
        default: booth.wait(.milliseconds(200))
        }
      let comesInTurns = shadow.take(effects)
      #expect(comesInTurns)
      #expect(shadow.isHeld == (booth.machine.scrubTarget != nil))
      if shadow.isHeld { held += 1 }
    }
    #expect(held > 1000)
  }
}
