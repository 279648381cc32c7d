import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Player, real files: observation (S23)", .serialized)
struct PlayerObservationTests {
  @Test("Periodic times come in steps of media time, at the jump, and at the stop")
  func periodic() async throws {
    let player = try makePlayer(try await clip(minute))
    let times = player.periodicTimes(every: .milliseconds(200), buffering: 1000)
    await player.play()
    _ = try await times.until("0.8 s") { $0 >= .milliseconds(800) }
    // Paused, so that the time stays what it was at the jump until a busy machine comes to tell it.
    await player.pause()
    _ = await player.seek(to: .seconds(30))
    let jumped = try await times.until("the jump") { $0 >= .seconds(30) }
    #expect(jumped.last.map { isClose($0, .seconds(30), .milliseconds(1)) } == true, "\(jumped.suffix(3))")
    await player.play()
    _ = try await times.until("31 s") { $0 >= .seconds(31) }
    await player.pause()
    let position = player.status.position
    await player.stop()
    let last = try #require(try await times.all().last)
    #expect(isClose(last, position, .milliseconds(250)))
  }

  @Test("Each multiple of the interval comes once while playback goes on")
  func cadence() async throws {
    let player = try makePlayer(try await clip(minute))
    await player.play()
    _ = try await player.reaches("frames") { $0.position > .milliseconds(100) }
    let times = player.periodicTimes(every: .milliseconds(100), buffering: 1000)
    let told = try await times.until("2 s") { $0 >= .seconds(2) }
    await player.stop()
    let steps = told.map { Int(($0.inSeconds + 0.002) / 0.1) }
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 }, "\(told)")
    // A loaded machine may skip some steps, but not most of them.
    #expect(steps.count >= 10)
  }

  @Test("Boundary times come once each as playback passes them, and again after a jump back")
  func boundaries() async throws {
    let player = try makePlayer(try await clip(twoSeconds))
    let wanted: [Duration] = [.milliseconds(700), .milliseconds(400), .seconds(2)]
    let times = player.boundaryTimes(wanted)
    let events = player.events()
    await player.play()
    var told = try await times.until(.milliseconds(700))
    _ = await player.seek(to: .milliseconds(500))
    _ = try await events.until(.endOfQueue)
    await player.stop()
    told += try await times.all()
    #expect(told == [.milliseconds(400), .milliseconds(700), .milliseconds(700), .seconds(2)])
  }

  @Test("A slow consumer delays no other: it gets the newest elements and the number of those it missed")
  func slowConsumer() async throws {
    let player = try makePlayer(try await clip(minute))
    let slow = player.periodicTimes(every: .milliseconds(20), buffering: 2)
    let fast = player.periodicTimes(every: .milliseconds(20), buffering: 1000)
    await player.play()
    _ = try await fast.until("1 s") { $0 >= .seconds(1) }
    await player.stop()
    let rest = try await slow.all()
    #expect(rest.count == 2 && rest.allSatisfy { $0 > .milliseconds(800) }, "\(rest)")
    #expect(slow.droppedCount > 10 && fast.droppedCount == 0)
  }

  @Test("Releasing a sequence removes its observer, and so does cancelling its consumer")
  func removal() async throws {
    let player = try makePlayer(try await clip(twoSeconds))
    #expect(player.observerCount == 0)
    do {
      let sequences = (player.events(), player.statuses(), player.periodicTimes(every: .seconds(1)))
      let boundary = player.boundaryTimes([.seconds(1)])
      #expect(player.observerCount == 4)
      withExtendedLifetime((sequences, boundary)) {}
    }
    #expect(player.observerCount == 0)
    let events = player.events()
    let consumer = Task { for await _ in events {} }
    #expect(player.observerCount == 1)
    consumer.cancel()
    await consumer.value
    #expect(player.observerCount == 0)
    #expect(await player.isWatchedByNobody, "the schedule has forgotten them too")
    await player.stop()
  }

  @Test("A new observer of the status gets the present one first")
  func firstStatus() async throws {
    let player = try makePlayer(try await clip(twoSeconds))
    _ = try await player.ready()
    _ = try await player.reaches("its frame") { $0.isReadyForDisplay }
    var iterator = player.statuses().makeAsyncIterator()
    // The loaded range may have grown since, so that the status needn't equal the one seen before.
    #expect(await iterator.next()?.isReadyForDisplay == true)
    await player.stop()
  }
}

extension Player {
  /// Whether the schedule has no observer any more, or loses its last one in time. It is told of a removal later than
  /// the registry, and sends no event for it.
  var isWatchedByNobody: Bool {
    get async {
      let deadline = ContinuousClock.now + patience
      while !schedule.isEmpty, ContinuousClock.now < deadline { await Task.yield() }
      return schedule.isEmpty
    }
  }
}
