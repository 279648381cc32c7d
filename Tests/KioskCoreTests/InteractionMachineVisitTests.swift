import InteractionCore
import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Interaction machine: visits of the attract loop")
struct InteractionMachineVisitTests {
  @Test("A touch that answers whether somebody is still there keeps the visit, and does nothing else")
  func stillThere() {
    var booth = Booth {
      $0.attract = AttractSettings(
        hasInteractiveList: true, idleAfter: .seconds(30), returns: .atOnce, countdown: .seconds(10))
    }
    _ = booth.tap()
    booth.now = booth.now + .seconds(10)
    #expect(booth.renderOverlay().countdown == nil)
    booth.now = booth.now + .seconds(12)
    let card = booth.renderOverlay().countdown
    #expect(card.map { (1...7).contains($0.seconds) } == true, "\(card as Any)")
    #expect(booth.tap().isEmpty)
    #expect(booth.renderOverlay().countdown == nil)
    #expect(booth.tap().commands == [.playPause])
    // A key is never spent.
    booth.now = booth.now + .seconds(24)
    #expect(booth.renderOverlay().countdown != nil)
    #expect(booth.key("KEY_RIGHT").commands == [.skip(by: .seconds(10))])
    #expect(booth.renderOverlay().countdown == nil)
    // Without an answer the loop comes back, and the card goes.
    booth.now = booth.now + .seconds(28)
    #expect(booth.renderOverlay().countdown != nil)
    #expect(booth.wait(.seconds(2)).contains(.returnToLoop))
    #expect(booth.renderOverlay().countdown == nil)
  }

  @Test("A visitor's captions and language hold over items, are told on the screen, and end with the visit")
  func captions() throws {
    var booth = Booth {
      $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30), returns: .atOnce)
    }
    _ = booth.tap()
    #expect(booth.feed(.commanded(.captions(.toggle))) == [.setTracks(TrackWish())], "an item without captions")
    #expect(booth.renderOverlay().message == VisitorText(.noCaptions))
    booth.scene.tracks = [
      MediaTrack(id: "audio-0", kind: .audio, language: "en", isEnabled: true),
      MediaTrack(id: "text-0", kind: .text, language: "deu"),
    ]
    var wish = TrackWish()
    wish.captions = .on(LanguageTag("de"))
    #expect(booth.feed(.commanded(.captions(.next))) == [.setTracks(wish)])
    #expect(booth.renderOverlay().message == VisitorText(.captionsOn, ["track": .name("Deutsch")]))
    booth.scene.tracks[1].isEnabled = true
    // The bar's button, while the bar shows it.
    booth.overlay.buttons = [.captions, .language]
    booth.overlay.tracks = booth.scene.tracks
    wish.captions = .off
    #expect(booth.feed(.commanded(.captions(.toggle))) == [.setTracks(wish)])
    #expect(booth.renderOverlay().message == VisitorText(.captionsOff))
    #expect(booth.feed(.commanded(.language(.next))).count == 1)
    #expect(booth.renderOverlay().message == VisitorText(.noLanguage))
    #expect(booth.wait(.seconds(31)) == [.setTracks(TrackWish()), .returnToLoop])
    _ = booth.tap()
    #expect(booth.wait(.seconds(31)) == [.returnToLoop], "nothing was chosen in this visit")
  }

  @Test("A visitor's audio description is told on the screen, has its button, and ends with the visit")
  func description() {
    var booth = Booth {
      $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30), returns: .atOnce)
    }
    _ = booth.tap()
    #expect(booth.feed(.commanded(.description(nil))) == [.setTracks(TrackWish())], "an item without one")
    #expect(booth.renderOverlay().message == VisitorText(.noDescription))
    booth.scene.tracks = [
      MediaTrack(id: "audio-0", kind: .audio, language: "en", isEnabled: true),
      MediaTrack(id: "audio-1", kind: .audio, language: "en", isDescription: true),
    ]
    var wish = TrackWish()
    wish.hearsDescription = true
    #expect(booth.feed(.commanded(.description(nil))) == [.setTracks(wish)])
    #expect(booth.renderOverlay().message == VisitorText(.descriptionOn, ["track": .name("English")]))
    booth.scene.tracks[0].isEnabled = false
    booth.scene.tracks[1].isEnabled = true
    #expect(booth.feed(.commanded(.description(nil))) == [.setTracks(TrackWish())])
    #expect(booth.renderOverlay().message == VisitorText(.descriptionOff))
    #expect(booth.feed(.commanded(.description(true))) == [.setTracks(wish)])
    #expect(booth.wait(.seconds(31)) == [.setTracks(TrackWish()), .returnToLoop])
  }

  @Test("A hold keeps the last picture until a touch or a release, and ends with the visit")
  func hold() {
    func visited() -> Booth {
      var booth = Booth { $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30)) }
      _ = booth.tap()
      return booth
    }
    let goesOn = [ClipDetour.Action.advanceAtEnd, .next, .play].map { InteractionMachine.Action.followDetour($0) }
    var booth = visited()
    #expect(booth.feed(.commanded(.hold)) == [.followDetour(.holdAtEnd)])
    #expect(booth.feed(.playbackSettled([.stoppedAtEnd(item: 0)])) == [])
    #expect(booth.feed(.commanded(.release)) == goesOn)
    #expect(booth.feed(.itemStarted(1, atEnd: .hold)) == [.followDetour(.holdAtEnd)])
    #expect(booth.tap().commands == [.playPause], "it plays yet")
    #expect(booth.feed(.playbackSettled([.stoppedAtEnd(item: 1)])) == [])
    let tap = booth.tap()
    #expect(tap.commands.isEmpty && tap.filter { if case .followDetour = $0 { true } else { false } } == goesOn)
    // The visitor goes while it plays, or while it is held.
    var left = visited()
    _ = left.feed(.itemStarted(1, atEnd: .hold))
    #expect(left.wait(.seconds(31)) == [])
    #expect(left.feed(.playbackSettled([.stoppedAtEnd(item: 1)])) == [.followDetour(.advanceAtEnd), .returnToLoop])
    var held = visited()
    _ = held.feed(.itemStarted(1, atEnd: .hold))
    _ = held.feed(.playbackSettled([.stoppedAtEnd(item: 1)]))
    held.scene.isPlaying = false
    #expect(held.wait(.seconds(31)) == [.followDetour(.advanceAtEnd), .returnToLoop])
  }

  @Test("An item can be the last one of a visit: the loop follows it at once, and nothing else")
  func lastItem() {
    func booth(visitedBefore: Bool = true, _ idleAfter: Duration = .seconds(30)) -> Booth {
      var booth = Booth { $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: idleAfter) }
      if visitedBefore { _ = booth.tap() }
      return booth
    }
    let returns: [InteractionMachine.Action] = [.followDetour(.advanceAtEnd), .returnToLoop]
    var visit = booth()
    #expect(visit.feed(.itemStarted(1, atEnd: .attract)) == [.followDetour(.holdAtEnd)])
    #expect(visit.tap().commands == [.playPause], "it plays as any other")
    #expect(visit.feed(.playbackSettled([.stoppedAtEnd(item: 1)])) == returns)
    #expect(visit.feed(.playbackSettled([.stoppedAtEnd(item: 1)])) == [], "once")
    // The visitor is gone already.
    var left = booth()
    _ = left.feed(.itemStarted(1, atEnd: .attract))
    _ = left.wait(.seconds(31))
    #expect(left.feed(.playbackSettled([.stoppedAtEnd(item: 1)])) == returns)
    // The visitor chose another item before its end.
    var other = booth()
    _ = other.feed(.itemStarted(1, atEnd: .attract))
    #expect(
      other.feed(.playbackSettled([.itemStarted(item: 2, DeckID(generation: 2), at: other.now, isAutomatic: false)]))
        == [.followDetour(.advanceAtEnd)])
    #expect(other.feed(.playbackSettled([.itemEnded(item: 2, DeckID(generation: 2))])) == [])
    // A hold that somebody asked for comes first, before the item and during it.
    var before = booth()
    _ = before.feed(.commanded(.hold))
    #expect(before.feed(.itemStarted(1, atEnd: .attract)) == [])
    #expect(before.feed(.playbackSettled([.stoppedAtEnd(item: 1)])) == [])
    // The loop and a clip go on as ever, and so does a list without a loop.
    var loop = booth(visitedBefore: false)
    #expect(loop.feed(.itemStarted(1, atEnd: .attract)) == [])
    var clip = booth()
    _ = clip.feed(.clipInserted(9, from: ClipDetour.Place(item: 0, position: .zero, isPlaying: true)))
    #expect(clip.feed(.itemStarted(9, atEnd: .attract)) == [])
    var plain = Booth()
    _ = plain.tap()
    #expect(plain.feed(.itemStarted(1, atEnd: .attract)) == [])
  }

  @Test("The first touch only starts the visitors' list; a while without touches brings back the loop")
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
    #expect(booth.feed(.queueEnded) == [.returnToLoop])
    #expect(booth.feed(.queueEnded).isEmpty)
  }

  @Test("In the loop, a key with an aim acts at its first press; any other key only starts the list")
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
      // The loop goes on, and a touch still starts the list.
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

  @Test("A key's clip in the loop takes the touches; without touches the loop goes on at its place")
  func clipInLoop() {
    var booth = Booth {
      $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30), returns: .atOnce)
      $0.actions.keys["KEY_F1"] = .command(.playClip("welcome.mp4"))
    }
    let place = ClipDetour.Place(item: 3, position: .seconds(7), isPlaying: true)
    #expect(booth.key("KEY_F1").commands == [.playClip("welcome.mp4")])
    _ = booth.feed(.clipInserted(9, from: place))
    #expect(booth.tap().commands == [.playPause])
    let rest = booth.wait(.seconds(31))
    #expect(rest.contains(.followDetour(.select(3))) && rest.last == .returnToLoop)
    #expect(booth.machine.clip == nil)
    // At the clip's end the loop goes on, and the next touch starts the list.
    _ = booth.key("KEY_F1")
    _ = booth.feed(.clipInserted(10, from: place))
    _ = booth.feed(.playbackSettled([.stoppedAtEnd(item: 10)]))
    #expect(booth.tap() == [.startVisitorsList()])
  }

  @Test("With that setting, the loop comes back when the item has ended")
  func itemBoundary() {
    var booth = Booth { $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(30)) }
    _ = booth.tap()
    #expect(booth.wait(.seconds(31)).isEmpty)
    let ended = PlaybackNotice.itemEnded(item: 0, DeckID(generation: 1))
    #expect(booth.feed(.playbackSettled([ended])) == [.returnToLoop])
  }
}
