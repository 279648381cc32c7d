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

/// A screen with a visible bar, and a time that the test moves.
struct Booth {
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

  mutating func feed(_ event: InteractionMachine.Event) -> [InteractionMachine.Action] {
    machine.handle(event, in: scene, at: now)
  }

  mutating func receive(_ event: InputEvent) -> [InteractionMachine.Action] { feed(.heard(event, at: now)) }

  mutating func key(_ name: String) -> [InteractionMachine.Action] {
    receive(.key(KeyChange(device: 1, key: name, .down))) + receive(.key(KeyChange(device: 1, key: name, .up)))
  }

  mutating func finger(_ kind: FingerChange.Kind) -> [InteractionMachine.Action] {
    receive(.touch(TouchFrame(device: 1, [FingerChange(finger: 0, kind)])))
  }

  /// A tap outside of all targets, and the time in which a second one could come.
  mutating func tap() -> [InteractionMachine.Action] {
    var actions = finger(.down(ScreenPoint(x: 500, y: 200)))
    now = now + .milliseconds(50)
    actions += finger(.up)
    return actions + wait(.seconds(1))
  }

  mutating func wait(_ time: Duration) -> [InteractionMachine.Action] {
    now = now + time
    return feed(.timePassed)
  }

  /// The overlay now. A moment passes, because quick changes are shown together.
  mutating func renderOverlay() -> OverlayModel {
    now = now + .seconds(1)
    var scene = overlay
    scene.status = StatusCard(title: "board", health: .healthy, rows: [])
    return machine.overlay(scene, at: now).model
  }
}

extension [InteractionMachine.Action] {
  var commands: [Command] {
    compactMap { if case .perform(let command) = $0 { command } else { nil } }
  }
}

@Suite("Interaction machine: the order of its rules")
struct InteractionMachineTests {
  @Test("A gesture or key gives the command that it is bound to, once")
  func bindings() {
    var booth = Booth()
    #expect(booth.tap().commands == [.playPause])
    #expect(booth.key("KEY_RIGHT").commands == [.skip(by: .seconds(10))])
    #expect(booth.key("KEY_3").commands == [.select(number: 3)])
    #expect(booth.key("KEY_VOLUMEUP").commands == [.changeVolume(byPercent: 5)])
    #expect(booth.key("KEY_I").commands == [.showStatus(nil)])
    #expect(booth.key("KEY_F13").isEmpty)
  }

  @Test("A button on a GPIO line gives its commands under the rules of keys")
  func line() {
    func booth(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Booth {
      Booth {
        $0.actions.lines["gpio A"] = LineBindings(
          press: .command(.next), release: .command(.play), longPress: .command(.pause), longAfter: .seconds(2))
        change(&$0)
      }
    }
    func press(_ booth: inout Booth) -> [Command] {
      let down = booth.receive(.key(KeyChange(device: 1, key: "gpio A", .down)))
      return (down + booth.receive(.key(KeyChange(device: 1, key: "gpio A", .up)))).commands
    }
    var plain = booth()
    #expect(press(&plain) == [.next, .play])
    _ = plain.receive(.key(KeyChange(device: 1, key: "gpio A", .down)))
    #expect(plain.machine.deadline == plain.now + .seconds(2))
    #expect(plain.wait(.seconds(2)).commands == [.pause])
    #expect(plain.receive(.deviceRemoved(1)).commands == [.play])
    var buttonsOnly = booth { $0.actions.lock = .buttonsOnly }
    #expect(press(&buttonsOnly) == [.next, .play])
    var locked = booth { $0.actions.lock = .all }
    #expect(press(&locked) == [])
    var loop = booth { $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30)) }
    _ = loop.receive(.key(KeyChange(device: 1, key: "gpio A", .down)))
    let actions = loop.receive(.key(KeyChange(device: 1, key: "gpio A", .up)))
    #expect(actions.first == .startVisitorsList() && actions.commands == [.play])
  }

  @Test("The configuration's lock blocks all input, or touches alone")
  func configuredLock() {
    var signage = Booth { $0.actions.lock = .all }
    #expect(signage.tap().isEmpty && signage.key("KEY_RIGHT").isEmpty)
    var booth = Booth { $0.actions.lock = .buttonsOnly }
    #expect(booth.tap().isEmpty)
    #expect(booth.key("KEY_RIGHT").commands == [.skip(by: .seconds(10))])
  }

  @Test("A lock turned on by a key blocks everything but that key, and shows a message")
  func lock() {
    var booth = Booth { $0.actions.keys["KEY_L"] = .lock }
    #expect(booth.key("KEY_L").commands.isEmpty && booth.machine.isLocked)
    #expect(booth.renderOverlay().message == VisitorText(.locked))
    #expect(booth.key("KEY_RIGHT").commands.isEmpty && booth.tap().commands.isEmpty)
    #expect(booth.key("KEY_L").commands.isEmpty && !booth.machine.isLocked)
    #expect(booth.renderOverlay().message == VisitorText(.unlocked))
    #expect(booth.key("KEY_RIGHT").commands.count == 1)
  }

  @Test("A lock ends a drag that is under way, without a seek")
  func lockedWhileDragged() {
    var booth = Booth { $0.actions.keys["KEY_L"] = .lock }
    #expect(booth.finger(.down(ScreenPoint(x: 200, y: 562))).contains(.hold))
    _ = booth.key("KEY_L")
    let actions = booth.finger(.moved(ScreenPoint(x: 800, y: 562))) + booth.finger(.up)
    #expect(actions.contains(.letGo))
    #expect(actions.contains(.scrub(to: .seconds(10), ScrubSettings().finalTolerance)))
    #expect(booth.machine.scrubTarget == nil)
  }

  @Test("The status card shows until it is touched or its time is over; the touch does nothing else")
  func statusCard() {
    var booth = Booth()
    #expect(booth.feed(.commanded(.showStatus(nil))) == [.statusCardOpened])
    #expect(booth.renderOverlay().status != nil)
    #expect(booth.tap().commands.isEmpty)
    #expect(booth.renderOverlay().status == nil)
    _ = booth.feed(.commanded(.showStatus(true)))
    _ = booth.wait(InteractionMachine.statusStay - .seconds(1))
    #expect(booth.renderOverlay().status != nil)
    _ = booth.wait(.seconds(1))
    #expect(booth.renderOverlay().status == nil)
    _ = booth.feed(.commanded(.showStatus(true)))
    _ = booth.feed(.commanded(.showStatus(nil)))
    #expect(booth.renderOverlay().status == nil)
  }

  @Test("A drag holds playback, seeks after the bar is drawn, and releases playback at its end at once")
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

  @Test("With `drawsBeforeSeeking` off, seeks come at once")
  func seeksAtOnce() {
    var booth = Booth()
    booth.machine.drawsBeforeSeeking = false
    _ = booth.finger(.down(ScreenPoint(x: 200, y: 562)))
    let actions = booth.finger(.moved(ScreenPoint(x: 500, y: 562)))
    #expect(actions.contains { if case .scrub(.milliseconds(50_000), _) = $0 { true } else { false } })
    #expect(booth.machine.endBatch().scrub == nil)
  }

  @Test("If the item changes during a drag, playback is released, and the finger seeks no more")
  func itemGone() {
    var booth = Booth()
    _ = booth.finger(.down(ScreenPoint(x: 200, y: 562)))
    booth.scene.media?.item = 7
    #expect(booth.feed(.playbackSettled([])) == [.letGo])
    #expect(booth.finger(.moved(ScreenPoint(x: 500, y: 562))).isEmpty && booth.machine.endBatch().scrub == nil)
  }

  @Test(
    "If the list ends during a drag, playback is released, though the next touch only starts the list again")
  func listEndsUnderDrag() {
    var booth = Booth { $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30)) }
    _ = booth.tap()
    #expect(booth.finger(.down(ScreenPoint(x: 200, y: 562))).contains(.hold))
    _ = booth.feed(.queueEnded)
    let actions = booth.finger(.up)
    #expect(actions.contains(.letGo) && actions.contains(.startVisitorsList()))
    #expect(booth.machine.scrubTarget == nil)
  }

  @Test("A drag on an item that can't be sought shows a message")
  func refused() {
    var booth = Booth()
    booth.scene.media?.isSeekable = false
    #expect(
      booth.finger(.down(ScreenPoint(x: 200, y: 562))).allSatisfy { if case .tellGesture = $0 { true } else { false } })
    #expect(booth.renderOverlay().message == VisitorText(.cannotMove))
    _ = booth.wait(PassingParts.messageStay)
    #expect(booth.renderOverlay().message == nil)
  }

  @Test("After an inserted clip, at its end or on command, the visitor's item goes on at its place")
  func clip() {
    var booth = Booth()
    let place = ClipDetour.Place(item: 3, position: .seconds(7), isPlaying: true)
    #expect(
      booth.feed(.clipInserted(9, from: place)) == [
        .followDetour(.holdAtEnd), .followDetour(.select(9)), .followDetour(.play),
      ])
    #expect(booth.machine.clip == 9)
    let back = booth.feed(.playbackSettled([.stoppedAtEnd(item: 9)]))
    #expect(back.contains(.followDetour(.select(3))) && back.contains(.followDetour(.seek(to: .seconds(7)))))
    #expect(booth.machine.clip == nil)
    _ = booth.feed(.clipInserted(9, from: place))
    let left = PlaybackNotice.itemStarted(item: 4, DeckID(generation: 5), at: booth.now, isAutomatic: false)
    #expect(booth.feed(.playbackSettled([left])) == [.followDetour(.advanceAtEnd), .followDetour(.remove(9))])
  }

  @Test("A volume command sets and shows the volume, is refused without sound, and is reset for the next visitor")
  func volume() {
    var booth = Booth()
    #expect(booth.feed(.commanded(.changeVolume(byPercent: -30))) == [.setSound(volume: 0.7, isMuted: false)])
    #expect(booth.renderOverlay().message == VisitorText(.volume, ["percent": .number(70)]))
    #expect(booth.feed(.commanded(.toggleMute)) == [.setSound(volume: 0.7, isMuted: true)])
    #expect(booth.feed(.soundReplaced(SoundSettings())) == [.setSound(volume: 1, isMuted: false)])
    booth.scene.isSoundEnabled = false
    #expect(booth.feed(.commanded(.toggleMute)).isEmpty)
    _ = booth.feed(.refused(.toggleMute, .noSound))
    #expect(booth.renderOverlay().message == VisitorText(.noSound))
  }

  @Test("The pointer follows the mouse, once for each batch, and goes when the mouse stands still")
  func pointer() {
    var booth = Booth()
    _ = booth.receive(.pointerMoved(ScreenPoint(x: 1, y: 1), by: 1))
    _ = booth.receive(.pointerMoved(ScreenPoint(x: 2, y: 2), by: 1))
    #expect(booth.machine.endBatch().pointer == ScreenPoint(x: 2, y: 2))
    #expect(booth.wait(.seconds(2)).isEmpty)
    _ = booth.receive(.pointerMoved(ScreenPoint(x: 3, y: 3), by: 1))
    #expect(booth.wait(.seconds(2)).isEmpty)
    #expect(booth.wait(.seconds(1)) == [.hidePointer])
  }

  @Test("New settings cancel gestures that have begun")
  func otherSettings() {
    var booth = Booth()
    _ = booth.finger(.down(ScreenPoint(x: 200, y: 562)))
    var settings = booth.machine.settings
    settings.actions.lock = .all
    let actions = booth.feed(.settingsReplaced(settings))
    #expect(actions.last == .letGo || actions.contains(.letGo))
    #expect(booth.tap().isEmpty)
  }

  @Test("A lost screen ends the drag on it")
  func screenGone() {
    var booth = Booth()
    _ = booth.finger(.down(ScreenPoint(x: 200, y: 562)))
    #expect(booth.feed(.inputLetGo).contains(.letGo))
  }
}

@Suite("Interaction machine: every order of events")
struct InteractionMachineOrderTests {
  /// An event of each kind that a board meets, with both variants where that matters.
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
      { _ = $0.receive(.deviceRemoved(1)) }, { _ = $0.receive(.pointerMoved(ScreenPoint(x: 5, y: 5), by: 1)) },
      { _ = $0.key("KEY_L") }, { _ = $0.key("KEY_RIGHT") }, { _ = $0.key("KEY_2") }, { _ = $0.key("KEY_MUTE") },
      { _ = $0.feed(.inputLetGo) },
      { _ = $0.wait(.milliseconds(700)) }, { _ = $0.wait(.seconds(40)) },
      { _ = $0.feed(.settingsReplaced(settings[0])) }, { _ = $0.feed(.settingsReplaced(settings[1])) },
      { _ = $0.feed(.settingsReplaced(InteractionSettings())) }, { _ = $0.feed(.commanded(.showStatus(nil))) },
      { _ = $0.feed(.commanded(.toggleMute)) }, { _ = $0.feed(.clipInserted(9, from: place)) },
      { _ = $0.feed(.playbackSettled([.stoppedAtEnd(item: 9)])) },
      { booth in
        let before = booth.scene.media?.item
        booth.scene.media?.item = before == 0 ? 1 : 0
        _ = booth.feed(.playbackSettled([.itemEnded(item: 0, DeckID(generation: 1))]))
      },
      { booth in
        let isEmpty = booth.scene.media == nil
        booth.scene.media =
          isEmpty ? ScrubMedia(item: 0, range: .zero..<(.seconds(100)), position: .seconds(10)) : nil
        _ = booth.feed(.playbackSettled([]))
      },
      { _ = $0.feed(.queueEnded) }, { _ = $0.machine.endBatch() }, { _ = $0.renderOverlay() },
    ]
  }

  /// The state of a shell that carries out all actions.
  private struct Shadow {
    var isHeld = false

    mutating func apply(_ actions: [InteractionMachine.Action]) -> Bool {
      for action in actions {
        switch action {
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

  @Test("All triples of events keep the invariants")
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

  @Test("A hundred thousand random events keep the invariants, and playback is held exactly while a finger drags")
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

  @Test("Hold and release alternate, whatever events come between")
  func turns() {
    var generator = SplitMix64(state: 20)
    var booth = Booth { $0.actions.keys["KEY_L"] = .lock }
    var shadow = Shadow()
    var held = 0
    let points = [(300.0, 562.0), (700.0, 562.0), (400.0, 200.0), (40.0, 560.0)].map { ScreenPoint(x: $0, y: $1) }
    for _ in 0..<100_000 {
      let point = points[Int.random(in: 0..<points.count, using: &generator)]
      let actions: [InteractionMachine.Action] =
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1: booth.finger(.down(point))
        case 2, 3: booth.finger(.moved(point))
        case 4: booth.finger(.up)
        case 5: booth.key("KEY_L")
        case 6: booth.feed(.inputLetGo)
        case 7: booth.feed(.settingsReplaced(booth.machine.settings))
        default: booth.wait(.milliseconds(200))
        }
      let comesInTurns = shadow.apply(actions)
      #expect(comesInTurns)
      #expect(shadow.isHeld == (booth.machine.scrubTarget != nil))
      if shadow.isHeld { held += 1 }
    }
    #expect(held > 1000)
  }
}
