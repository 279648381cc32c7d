import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Player, real files: the queue (S16)", .serialized)
struct PlayerQueueTests {
  @Test("Insert, append, move and remove don't disturb the playing item, unless it is removed")
  func edits() async throws {
    let (first, second, third) = (try await clip(minute), try await clip(withSound), try await clip(twoSeconds))
    let player = try makePlayer(first)
    let events = player.events()
    await player.play()
    _ = try await events.until(.itemStarted(entry(0)))
    let shown = try #require(await player.queue.entries.first?.id)
    #expect(await player.canInsert(second, after: shown))
    let inserted = try #require(await player.insert(second, after: shown))
    let appended = try #require(await player.append(third))
    #expect(await player.items == [first, second, third])
    #expect(await player.move(appended, after: shown))
    #expect(await player.items == [first, third, second])
    #expect(await player.move(shown, after: nil))
    #expect(player.status.itemIndex == 2)
    #expect(await player.remove(inserted))
    #expect(await player.remove(inserted) == false)
    #expect(await player.insert(second, after: inserted) == nil)
    let frames = try #require(await player.report()?.framesRendered)
    let position = player.status.position
    _ = try await player.reaches("progress") { $0.position > position + .milliseconds(500) }
    #expect(try #require(await player.report()?.framesRendered) > frames)
    #expect(player.status.item == first && player.status.timeControlStatus == .playing)
    let told = await player.remove(shown)
    #expect(told)
    _ = try await events.until(.itemStarted(appended))
    #expect(player.status.item == third)
    await player.removeAll()
    let empty = player.status
    #expect(empty.timeControlStatus == .paused && empty.item == nil && empty.itemIndex == nil)
    #expect(!empty.canPlay && !empty.canSeek && !empty.canPlayReverse && empty.position == .zero)
    #expect(await player.seek(to: .seconds(1)) == .failed(SeekErrors.nothingThere))
    // An added item waits for `play`.
    let again = try #require(await player.append(third))
    _ = try await player.reaches("the new item") { $0.itemStatus == .readyToPlay }
    #expect(player.status.timeControlStatus == .paused && player.status.itemIndex == 0)
    #expect(await player.itemStatus(of: again) == .readyToPlay)
    await player.stop()
  }

  @Test("Next, previous and select start their items; next at the last one ends the queue")
  func skipping() async throws {
    let player = try makePlayer(try await clip(minute), try await clip(withSound), try await clip(twoSeconds))
    let events = player.events()
    await player.play()
    _ = try await events.until(.itemStarted(entry(0)))
    await player.next()
    _ = try await events.until(.itemStarted(entry(1)))
    #expect(await player.select(index: 2))
    _ = try await events.until(.itemStarted(entry(2)))
    #expect(await player.select(index: 3) == false)
    await player.previous()
    _ = try await events.until(.itemStarted(entry(1)))
    #expect(await player.select(index: 2))
    _ = try await events.until(.itemStarted(entry(2)))
    await player.next()
    _ = try await events.until(.endOfQueue)
    #expect(player.status.isAtEnd && player.status.itemIndex == 2)
    // From the end one can go back; the item is paused then.
    await player.previous()
    await player.play()
    _ = try await events.until(.itemStarted(entry(1)))
    await player.stop()
  }

  @Test("Repeat one replays the item, repeat all begins again after the last; shuffling plays each once per round")
  func orders() async throws {
    var pictures: [MediaItem] = []
    for _ in 0..<3 {
      var picture = try await clip("picture-640x480.jpg", kind: .picture)
      picture.pictureDuration = .milliseconds(150)
      pictures.append(picture)
    }
    func starts(_ count: Int, _ prepare: (Player) async -> Void) async throws -> [Int] {
      let player = try makePlayer(pictures[0], pictures[1], pictures[2])
      let events = player.events(buffering: 1000)
      await prepare(player)
      await player.play()
      var started: [Int] = []
      while started.count < count {
        let told = try await events.until("a start") { if case .itemStarted = $0 { true } else { false } }
        if case .itemStarted(let item) = told.last { started.append(Int(item.rawValue) - 1) }
      }
      await player.stop()
      return started
    }
    #expect(try await starts(3) { await $0.setRepeatMode(.one) } == [0, 0, 0])
    #expect(try await starts(4) { await $0.setRepeatMode(.all) } == [0, 1, 2, 0])
    let shuffled = try await starts(6) {
      await $0.setRepeatMode(.all)
      await $0.setShuffle(seed: 7)
    }
    #expect(Set(shuffled[0..<3]) == [0, 1, 2] && Set(shuffled[3..<6]) == [0, 1, 2])
    #expect(zip(shuffled, shuffled.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test("An item chosen during a pause shows its first frame and stays paused (S25)")
  func selectPaused() async throws {
    let player = try makePlayer(try await clip(minute), try await clip(withSound))
    _ = try await player.ready()
    _ = try await player.reaches("its frame") { $0.isReadyForDisplay }
    await player.next()
    _ = try await player.reaches("the other's frame") { $0.itemIndex == 1 && $0.isReadyForDisplay }
    #expect(player.status.timeControlStatus == .paused && player.status.position == .zero)
    await player.stop()
  }
}
