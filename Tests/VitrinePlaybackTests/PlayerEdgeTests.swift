import Foundation
import KioskTestSupport
import Testing

@testable import PlaybackCore
@testable import VitrinePlayback

@Suite("Player, real files: the ends of items, queues and players", .serialized)
struct PlayerEdgeTests {
  @Test("A seek to the end shows the last frame, a step back the one before it, and no step leads past either end")
  func steps() async throws {
    let player = try makePlayer(try await clip(twoSeconds))
    _ = try await player.ready()
    _ = await player.seek(to: .seconds(2))
    #expect(frameNumber(await player.captureFrame()) == 59)
    for (step, frame) in [(-1, 58), (1, 59), (1, 59), (Int.max, 59), (-2, 57), (Int.min, 0), (-1, 0), (1, 1)] {
      _ = await player.step(by: step)
      #expect(frameNumber(await player.captureFrame()) == frame, "after \(step)")
    }
    await player.stop()
  }

  @Test("A seek in an empty queue fails at once with 4105")
  func empty() async throws {
    let player = try Player(
      configuration: PlayerConfiguration(
        items: [], output: .memory(size: PixelSize(width: 64, height: 36)), wantsSound: false))
    let outcome = try await inTime("an answer") { await player.seek(to: .seconds(1)) }
    #expect(outcome == .failed(SeekErrors.nothingThere))
    await player.stop()
  }

  @Test("Each player has its own random seed, so that many players don't ask a server in step")
  func seeds() async throws {
    var starts: Set<SplitMix64?> = []
    for _ in 0..<3 {
      let player = try Player(
        configuration: PlayerConfiguration(
          items: [], output: .memory(size: PixelSize(width: 64, height: 36)), wantsSound: false))
      await player.prepare()
      starts.insert(await player.random)
      await player.stop()
    }
    #expect(starts.count == 3 && !starts.contains(nil))
  }

  @Test("A stopped player keeps its queue, and edits have no effect")
  func stopped() async throws {
    let (first, second) = (try await clip(twoSeconds), try await clip(minute))
    let player = try makePlayer(first)
    _ = try await player.ready()
    let entry = try #require(await player.append(second))
    await player.stop()
    #expect(await player.items == [first, second])
    #expect(await player.append(first) == nil)
    #expect(await player.insert(first, after: nil) == nil)
    #expect(await player.remove(entry) == false)
    #expect(await player.select(index: 0) == false)
    #expect(await player.move(entry, after: nil) == false)
    await player.removeAll()
    #expect(await player.items == [first, second])
    #expect(!player.status.canPlayReverse && !player.status.canSeek)
  }

  @Test("At the end of the queue a new forward rate is refused and causes no event")
  func rateAtEnd() async throws {
    let player = try makePlayer(try await clip(twoSeconds))
    let events = player.events()
    await player.play()
    _ = try await player.reaches("the end") { $0.isAtEnd }
    #expect(await player.setRate(2) == false)
    #expect(await player.setRate(1) == false)
    #expect(player.status.rate == 1)
    await player.stop()
    let ends = try await events.all().filter { $0 == .endOfQueue || $0 == .itemStarted(entry(0)) }
    #expect(ends == [.itemStarted(entry(0)), .endOfQueue])
  }

  @Test("Periodic times report the end once")
  func periodic() async throws {
    let player = try makePlayer(try await clip(twoSeconds))
    let times = player.periodicTimes(every: .milliseconds(500))
    await player.play()
    _ = try await player.reaches("the end") { $0.isAtEnd }
    await player.stop()
    let told = try await times.all()
    #expect(told.filter { $0 == .seconds(2) }.count == 1, "\(told)")
  }

  @Test("Negative times of items count as zero; an item that begins behind its end fails with 4106")
  func itemTimes() async throws {
    var early = try await clip(twoSeconds)
    early.start = .seconds(-3)
    early.end = .seconds(-3)
    early.pictureDuration = .seconds(-2)
    #expect(early.start == .zero && early.end == .zero && early.pictureDuration == nil)
    let same = MediaItem(uri: early.uri, kind: .file, start: .seconds(-3), end: .seconds(-3), pictureDuration: .zero)
    #expect(same.start == .zero && same.end == .zero && same.pictureDuration == nil)
    var late = try await clip(twoSeconds)
    late.start = .seconds(5)
    let good = try await clip(twoSeconds)
    for bad in [early, late] {
      let player = try makePlayer(bad, good)
      let events = player.events()
      await player.play()
      let told = try await events.until(.itemStarted(entry(1)))
      let failures = told.filter {
        if case .itemFailed(entry(0), let error) = $0 { error.number == 4106 } else { false }
      }
      #expect(failures.count == 1, "\(told)")
      await player.stop()
    }
  }

  @Test("Two entries of the same film: each has a status of its own")
  func twins() async throws {
    let film = try await clip(minute)
    let player = try makePlayer(film, film)
    _ = try await player.ready()
    #expect(await player.itemStatus(at: 0) == .readyToPlay)
    #expect(await player.itemStatus(at: 1) == .unknown)
    await player.stop()
  }
}

extension VitrinePlayback.Player {
  fileprivate var random: SplitMix64? { engine?.machine.recovery.random }
}
