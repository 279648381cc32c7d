import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Player, real files: seeking", .serialized)
struct PlayerSeekTests {
  @Test("A seek during a pause shows its frame and reports its time (S19)")
  func paused() async throws {
    let player = try makePlayer(try await clip(minute))
    _ = try await player.ready()
    let outcome = await player.seek(to: .milliseconds(12_345))
    #expect(outcome.isFinished(near: .milliseconds(12_345)))
    #expect(player.status.position == .milliseconds(12_345))
    #expect(player.status.isReadyForDisplay && player.status.timeControlStatus == .paused)
    // Key frames are a second apart.
    let rough = await player.seek(to: .milliseconds(20_400), tolerance: .nearestKeyframe)
    #expect(rough.isFinished(near: .seconds(20)))
    #expect(isClose(player.status.position, .seconds(20)))
    await player.stop()
  }

  @Test("A finished seek reports the time of the shown frame, not its target (25 and 30 frames a second)")
  func shownAt() async throws {
    for (name, rate) in [(minute, 30.0), ("h264-aac-640x360-30.mp4", 30), ("tracks-320x240-25.mkv", 25)] {
      let player = try makePlayer(try await clip(name))
      let ready = try await player.ready()
      let length = try #require(ready.duration)
      for target in [Duration.milliseconds(333), .milliseconds(1010), .seconds(1), .milliseconds(1990)]
      where target < length {
        guard case .finished(let shownAt) = await player.seek(to: target) else {
          Issue.record("\(name): not finished")
          continue
        }
        let number = Int((target.inSeconds * rate + 1e-6).rounded(.down))
        let begin = Duration.seconds(Double(number) / rate)
        #expect(isClose(shownAt, begin, .milliseconds(2)), "\(name) at \(target): \(shownAt), not \(begin)")
        if name == minute {
          let shown = frameNumber(await player.captureFrame())
          #expect(shown == number, "\(target)")
        }
        #expect(player.status.position == target)
      }
      await player.stop()
    }
  }

  @Test("In a burst of 20 seeks all but the last are superseded, and the position ends there (S11)")
  func burst() async throws {
    let player = try makePlayer(try await clip(minute))
    _ = try await player.ready()
    let outcomes = try await inTime("the seeks") { await player.seekAtOnce((1...20).map { .seconds($0) }) }
    #expect(outcomes.dropLast() == Array(repeating: .superseded, count: 19)[...])
    #expect(outcomes.last?.isFinished(near: .seconds(20)) == true)
    #expect(player.status.position == .seconds(20))
    await player.stop()
  }

  @Test("A seek before the item is ready is kept until it is (S11)")
  func kept() async throws {
    let player = try makePlayer(try await clip(minute))
    #expect(player.status.itemStatus == .unknown)
    #expect(await player.seek(to: .seconds(33)).isFinished(near: .seconds(33)))
    #expect(player.status.position == .seconds(33))
    await player.stop()
  }

  @Test("During a seek the position is its target, and afterwards never an older one (S6)")
  func position() async throws {
    let player = try makePlayer(try await clip(minute))
    let statuses = player.statuses(buffering: 10_000)
    await player.play()
    _ = try await player.reaches("progress") { $0.position > .milliseconds(300) }
    #expect(await player.seek(to: .seconds(40)).isFinished(near: .seconds(40)))
    _ = try await player.reaches("progress") { $0.position > .milliseconds(40_500) }
    await player.stop()
    let positions = try await statuses.all().map(\.position)
    let jump = try #require(positions.firstIndex { $0 >= .seconds(40) })
    #expect(positions[..<jump].allSatisfy { $0 < .seconds(5) })
    #expect(positions[jump...].allSatisfy { $0 >= .seconds(40) })
    #expect(zip(positions[jump...], positions[jump...].dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("A seek in a picture fails with 4103; a seek in an item that fails gets the item's error")
  func impossible() async throws {
    let player = try makePlayer(try await clip("picture-640x480.jpg", kind: .picture))
    let ready = try await player.ready()
    #expect(!ready.canSeek)
    guard case .failed(let error) = await player.seek(to: .seconds(1)) else {
      Issue.record("it didn't fail")
      return
    }
    #expect(error.number == 4103)
    await player.stop()

    let failing = try makePlayer(try await clip("text.mp4"))
    guard case .failed(let reason) = await failing.seek(to: .seconds(1)) else {
      Issue.record("it didn't fail")
      return
    }
    #expect(reason.number == 3001)
    await failing.stop()
  }

  @Test("A seek past the end leads to the end, and playback goes on from there to the next item")
  func pastTheEnd() async throws {
    let player = try makePlayer(try await clip(twoSeconds), try await clip(minute))
    let events = player.events()
    await player.play()
    _ = try await events.until(.itemStarted(entry(0)))
    guard case .finished = await player.seek(to: .seconds(100)) else {
      Issue.record("not finished")
      return
    }
    _ = try await events.until(.itemStarted(entry(1)))
    await player.stop()
  }
}

extension Player {
  /// Requests all seeks, in order, before any of them is done: tasks of an actor's method start on the actor.
  func seekAtOnce(_ targets: [Duration]) async -> [SeekOutcome] {
    let seeks = targets.map { target in Task { await self.seek(to: target) } }
    var outcomes: [SeekOutcome] = []
    for seek in seeks { outcomes.append(await seek.value) }
    return outcomes
  }
}
