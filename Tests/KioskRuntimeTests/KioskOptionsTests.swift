import InteractionCore
import PlaylistConfig
import Testing

@testable import KioskRuntime
@testable import PlaybackCore

@Suite("Options of a run")
struct KioskOptionsTests {
  @Test("Each run has its own random delays: boards that lost a network together don't reconnect at once")
  func seeds() {
    let starts = (0..<10).map { _ in
      KioskOptions(queue: [], processStart: Instant(nanoseconds: 0)).makeMachine().recovery.random
    }
    #expect(Set(starts).count == 10)
  }

  @Test("The loop and the visitors' list have separate keys for shuffling")
  func shuffled() {
    var options = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
    options.apply(PlayedLists(name: nil, loop: [], visitors: [], shufflesVisitors: true))
    #expect(options.shuffle(forVisitors: true) == options.seed && options.shuffle(forVisitors: false) == nil)
    options.apply(PlayedLists(name: nil, loop: [], visitors: [], shufflesLoop: true))
    #expect(options.shuffle(forVisitors: true) == nil && options.makeMachine().queue.shuffle == options.seed)
  }

  @Test("A visitors' list in the options changes the interaction settings")
  func visitors() {
    var options = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
    #expect(!options.interactionNow.attract.hasInteractiveList)
    options.visitorsQueue = [MediaItem(uri: "file:///a.mp4", kind: .file)]
    #expect(options.interactionNow.attract.hasInteractiveList)
  }
}
