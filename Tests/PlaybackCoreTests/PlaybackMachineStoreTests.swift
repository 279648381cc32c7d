import PlaybackCore
import Testing

@Suite("Playing from copies")
struct PlaybackMachineStoreTests {
  private let remote = ["a", "b"].map {
    MediaItem(uri: "http://host/\($0).mp4", kind: .progressive, subtitles: ["http://host/\($0).vtt"])
  }

  /// The media of the decks that `actions` build.
  private func built(_ actions: [PlaybackAction]) -> [MediaItem] {
    actions.compactMap { if case .buildDeck(_, let media, _, _, _) = $0 { media } else { nil } }
  }

  private let copies = ["http://host/a.mp4": "file:///store/1.mp4", "http://host/a.vtt": "file:///store/2.vtt"]
    .mapValues { MediaCopy(uri: $0) }

  @Test("An item plays from its copy, with its subtitles, and from the network without one")
  func copy() {
    var machine = PlaybackMachine(queue: remote, loops: true, seed: 0)
    let now = Instant(nanoseconds: 0)
    _ = machine.handle(.copiesChanged(copies), at: now)
    _ = machine.handle(.start, at: now)
    let items = built(machine.handle(.outputReady, at: now))
    #expect(items.map(\.uri) == ["file:///store/1.mp4"])
    #expect(items.map(\.kind) == [.file] && items.map(\.subtitles) == [["file:///store/2.vtt"]])
    #expect(machine.queue.entries.map(\.item) == remote, "the list stays as it was written")
  }

  @Test("A playing item goes on when its copy comes; its next turn is played from the copy")
  func boundary() throws {
    var machine = PlaybackMachine(queue: [remote[0]], loops: true, seed: 0)
    let now = Instant(nanoseconds: 0)
    _ = machine.handle(.start, at: now)
    #expect(built(machine.handle(.outputReady, at: now)).map(\.uri) == ["http://host/a.mp4"])
    #expect(built(machine.handle(.copiesChanged(copies), at: now)).isEmpty)
    let deck = try #require(machine.current?.id)
    _ = machine.handle(.deckReady(deck, DeckReadiness(duration: .seconds(5))), at: now)
    var later: [MediaItem] = []
    for frame in 0..<60 {
      later += built(
        machine.handle(.frameShown(deck, streamTime: .milliseconds(33 * frame)), at: now + .milliseconds(33 * frame)))
    }
    #expect(later.map(\.uri) == ["file:///store/1.mp4"])
  }
}
