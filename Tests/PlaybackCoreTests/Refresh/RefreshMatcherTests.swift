import PlaybackCore
import Testing

@Suite("Refresh rate over a list")
struct RefreshMatcherTests {
  private var screen = ScreenRefresh(rates: [24_000, 25_000, 50_000, 60_000], preferred: 60_000, current: 60_000)
  private var matcher = RefreshMatcher()

  private func queue(_ count: Int, _ mode: RepeatMode = .all) -> PlayQueue {
    PlayQueue((0..<count).map { MediaItem(uri: "file:///\($0)", kind: .file) }, repeatMode: mode)
  }

  private func film(_ rate: Double, _ seconds: Int = 10) -> RefreshItem {
    RefreshItem(wish: .frames(perSecond: rate), duration: .seconds(seconds))
  }

  /// Plays an item; gives the new rate, if it changed.
  private mutating func play(_ item: ItemID, _ facts: RefreshItem, in queue: PlayQueue, isCurrent: Bool = false) -> Int?
  {
    matcher.itemPreparing()
    matcher.itemReady(item, facts, isCurrent: isCurrent, in: queue, on: screen)
    let wanted = matcher.wanted
    if let wanted {
      screen.current = wanted
      matcher.rateChanged(isDone: true)
    }
    matcher.itemStarted(item)
    return wanted
  }

  @Test("The first item gets its rate at once; a list of short films is learnt in its first round")
  mutating func learns() {
    let queue = queue(3)
    let ids = queue.entries.map(\.id)
    let picture = RefreshItem(wish: RefreshWish.none, duration: .seconds(10))
    #expect(play(ids[0], picture, in: queue, isCurrent: true) == nil)
    #expect(play(ids[1], film(25), in: queue) == nil, "the third may want another")
    #expect(play(ids[2], film(50), in: queue) == 50_000, "known to the end, and from the beginning")
    for _ in 0..<3 {
      #expect(play(ids[0], picture, in: queue) == nil)
      #expect(play(ids[1], film(25), in: queue) == nil)
      #expect(play(ids[2], film(50), in: queue) == nil)
    }
    #expect(matcher.matched == 50_000)
    // Another screen, before its first item.
    matcher.screenOpened()
    screen.current = 60_000
    #expect(play(ids[1], film(25, 3), in: self.queue(3, .none), isCurrent: true) == 50_000)
  }

  @Test("An item reopened during playback keeps its rate; one that follows itself may change it")
  mutating func again() {
    let queue = queue(1)
    let id = queue.entries[0].id
    _ = play(id, RefreshItem(wish: .unknown, duration: .seconds(10)), in: queue, isCurrent: true)
    matcher.itemReady(id, film(25), isCurrent: true, in: queue, on: screen)
    #expect(matcher.wanted == nil)
    matcher.itemReady(id, film(25), isCurrent: false, in: queue, on: screen)
    #expect(matcher.wanted == 50_000)
    // Another item was selected meanwhile.
    matcher.itemPreparing()
    #expect(matcher.wanted == nil)
  }

  @Test("A rate that the driver doesn't set is requested once; without a choice nothing is requested")
  mutating func refused() {
    let queue = queue(1)
    let id = queue.entries[0].id
    matcher.itemReady(id, film(25), isCurrent: true, in: queue, on: screen)
    #expect(matcher.wanted == 50_000)
    matcher.rateChanged(isDone: false)
    #expect(matcher.wanted == nil && matcher.matched == nil)
    matcher.itemStarted(id)
    matcher.itemReady(id, film(25), isCurrent: false, in: queue, on: screen)
    #expect(matcher.wanted == 25_000)
    matcher.itemReady(id, film(25), isCurrent: false, in: queue, on: nil)
    #expect(matcher.wanted == nil)
  }

  @Test("The matcher forgets items that left the list, and takes an unlisted item by itself")
  mutating func forgets() {
    var queue = queue(2)
    let ids = queue.entries.map(\.id)
    _ = play(ids[0], film(30), in: queue, isCurrent: true)
    _ = play(ids[1], film(30), in: queue)
    queue.remove(ids[1])
    let other = queue.append(MediaItem(uri: "file:///other", kind: .file))
    matcher.itemReady(other, film(25), isCurrent: false, in: queue, on: screen)
    #expect(matcher.wanted == nil, "the item of 30 fps comes after it")
    matcher.itemReady(ItemID(rawValue: 99), film(25, 70), isCurrent: true, in: queue, on: screen)
    #expect(matcher.wanted == 50_000)
  }
}
