import InteractionCore
import PlaybackCore
import Testing

@Suite("Detours to clips")
struct ClipDetourTests {
  private let ids = PlayQueue((0..<4).map { MediaItem(uri: "file:///\($0)", kind: .file) }).entries.map(\.id)
  private var place: ClipDetour.Place { .init(item: ids[0], position: .seconds(7), isPlaying: true) }

  @Test("A detour returns to the item and position it came from", arguments: [true, false])
  func back(isPlaying: Bool) {
    var detour = ClipDetour()
    var place = place
    place.isPlaying = isPlaying
    #expect(detour.start(ids[1], from: place) == [.holdAtEnd, .select(ids[1]), .play])
    #expect(detour.started(ids[1]) == [])
    #expect(detour.clip == ids[1])
    #expect(detour.ended(ids[0]) == [])
    #expect(
      detour.ended(ids[1]) == [
        .advanceAtEnd, .select(ids[0]), .seek(to: .seconds(7)), isPlaying ? .play : .pause, .remove(ids[1]),
      ])
    #expect(!detour.isAway)
    #expect(detour.ended(ids[1]) == [])
  }

  @Test("A clip begins where it was asked to, and holds its last picture until the release where that was asked")
  func held() {
    var detour = ClipDetour()
    #expect(
      detour.start(ids[1], from: place, at: .seconds(30), isHeld: true)
        == [.holdAtEnd, .select(ids[1]), .seek(to: .seconds(30)), .play])
    #expect(detour.started(ids[1]) == [] && detour.ended(ids[1]) == [] && detour.isHeldAtEnd)
    #expect(detour.release().starts(with: [.advanceAtEnd, .select(ids[0]), .seek(to: .seconds(7))]))
    #expect(!detour.isAway && !detour.isHeld)
  }

  @Test("A second clip replaces the first, and the detour returns to the same place")
  func another() {
    var detour = ClipDetour()
    _ = detour.start(ids[1], from: place)
    let inFirst = ClipDetour.Place(item: ids[1], position: .seconds(1), isPlaying: true)
    #expect(detour.start(ids[2], from: inFirst) == [.holdAtEnd, .select(ids[2]), .play, .remove(ids[1])])
    #expect(detour.ended(ids[2]).contains(.select(ids[0])))
  }

  @Test("A detour ends when another item is chosen by hand")
  func byHand() {
    var detour = ClipDetour()
    #expect(detour.started(ids[3]) == [])
    _ = detour.start(ids[1], from: place)
    #expect(detour.started(ids[3]) == [.advanceAtEnd, .remove(ids[1])])
    #expect(!detour.isAway)
  }

  @Test("A held item keeps its last picture, and the list goes on at the release")
  func hold() {
    var detour = ClipDetour()
    #expect(detour.hold() == [.holdAtEnd] && detour.hold() == [])
    #expect(detour.isHeld)
    #expect(detour.ended(ids[0]) == [] && detour.isHeld)
    #expect(detour.release() == [.advanceAtEnd, .next, .play])
    #expect(!detour.isHeld && detour.release() == [])
  }

  @Test("A hold that is released before the end of the item has no effect")
  func releasedEarly() {
    var detour = ClipDetour()
    _ = detour.hold()
    #expect(detour.release() == [.advanceAtEnd])
    #expect(detour.ended(ids[0]) == [])
    #expect(!detour.isHeld)
  }

  @Test("A held clip keeps its last picture, and the release leads back to the list")
  func heldClip() {
    var detour = ClipDetour()
    _ = detour.start(ids[1], from: place)
    _ = detour.started(ids[1])
    #expect(detour.hold() == [.holdAtEnd])
    #expect(detour.ended(ids[1]) == [] && detour.clip == ids[1])
    let back: [ClipDetour.Action] = [
      .advanceAtEnd, .select(ids[0]), .seek(to: .seconds(7)), .play, .remove(ids[1]),
    ]
    #expect(detour.release() == back)
    #expect(!detour.isAway && !detour.isHeld)
    // Without a hold, the release ends the clip.
    _ = detour.start(ids[1], from: place)
    #expect(detour.release() == back)
  }

  @Test("A clip goes back at its end when its hold was released before")
  func clipReleasedEarly() {
    var detour = ClipDetour()
    _ = detour.start(ids[1], from: place)
    _ = detour.hold()
    #expect(detour.release() == [])
    #expect(detour.ended(ids[1]).contains(.select(ids[0])))
  }

  @Test("An item that fails isn't held, and another item that is chosen ends the hold")
  func holdEnds() {
    var detour = ClipDetour()
    _ = detour.start(ids[1], from: place)
    _ = detour.hold()
    #expect(detour.ended(ids[1], hasFailed: true).contains(.select(ids[0])) && !detour.isHeld)
    _ = detour.hold()
    _ = detour.ended(ids[0])
    #expect(detour.started(ids[0]) == [] && detour.isHeld, "the same item, after a seek")
    #expect(detour.started(ids[2]) == [.advanceAtEnd])
    #expect(!detour.isHeld)
  }

  @Test("An item's own hold isn't the next item's, and a list that is replaced has none")
  func holdOfItem() {
    var detour = ClipDetour()
    _ = detour.hold(ids[0])
    #expect(detour.started(ids[0]) == [] && detour.ended(ids[1]) == [])
    #expect(detour.started(ids[2]) == [.advanceAtEnd] && !detour.isHeld, "passed over by hand")
    _ = detour.hold(ids[2])
    #expect(detour.forgetHold() == [.advanceAtEnd] && detour.forgetHold() == [])
    _ = detour.hold()
    #expect(detour.started(ids[3]) == [] && detour.ended(ids[3]) == [] && detour.isHeldAtEnd, "whichever ends next")
  }
}
