import InteractionCore
import PlaybackCore
import Testing

@Suite("Clips in between")
struct ClipDetourTests {
  private let ids = PlayQueue((0..<4).map { MediaItem(uri: "file:///\($0)", kind: .file) }).entries.map(\.id)
  private var place: ClipDetour.Place { .init(item: ids[0], position: .seconds(7), isPlaying: true) }

  @Test("There and back to where it was", arguments: [true, false])
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

  @Test("A second clip takes the place of the first, and the way back is the same")
  func another() {
    var detour = ClipDetour()
    _ = detour.start(ids[1], from: place)
    let inFirst = ClipDetour.Place(item: ids[1], position: .seconds(1), isPlaying: true)
    #expect(detour.start(ids[2], from: inFirst) == [.holdAtEnd, .select(ids[2]), .play, .remove(ids[1])])
    #expect(detour.ended(ids[2]).contains(.select(ids[0])))
  }

  @Test("Who goes on by hand doesn't come back")
  func byHand() {
    var detour = ClipDetour()
    #expect(detour.started(ids[3]) == [])
    _ = detour.start(ids[1], from: place)
    #expect(detour.started(ids[3]) == [.advanceAtEnd, .remove(ids[1])])
    #expect(!detour.isAway)
  }
}
