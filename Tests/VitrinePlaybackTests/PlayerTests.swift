import Foundation
import MainLoop
import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Player, real files: play, pause, status, queue", .serialized)
struct PlayerTests {
  @Test("Status: unknown, ready, playing, paused, with size, duration and abilities (S3, S5, S17, S25)")
  func statuses() async throws {
    let player = try makePlayer(try await clip(minute))
    #expect(player.status.itemStatus == .unknown && !player.status.canPlay)
    #expect(player.status.timeText == " -- / -- ")
    let ready = try await player.ready()
    #expect(ready.timeControlStatus == .paused && ready.canPlay && ready.canSeek)
    #expect(ready.itemIndex == 0 && ready.duration == .seconds(60))
    #expect(ready.timeText == "00:00:00 / 00:01:00")
    let displayed = try await player.reaches("the first frame") { $0.isReadyForDisplay }
    #expect(displayed.timeControlStatus == .paused && displayed.position == .zero)

    await player.play()
    let playing = try await player.reaches("a frame") { $0.isReadyForDisplay }
    #expect(playing.timeControlStatus == .playing)
    #expect(playing.presentationSize?.pixels == PixelSize(width: 640, height: 360))
    let later = try await player.reaches("progress") { $0.position >= .milliseconds(500) }
    #expect(later.progress.map { $0 > 0.008 && $0 < 0.1 } == true)

    await player.pause()
    let paused = player.status
    #expect(paused.timeControlStatus == .paused && paused.isReadyForDisplay)
    await player.stop()
    #expect(player.status.isAtEnd)
  }

  @Test("Events come in order; `initialised` and `endOfQueue` once each (S2, S24)")
  func events() async throws {
    let player = try makePlayer(try await clip("vp8-vorbis-320x240-25.webm"), try await clip(twoSeconds))
    let events = player.events()
    await player.play()
    _ = await player.seek(to: .milliseconds(2500))
    let told = try await events.until(.endOfQueue)
    await player.stop()
    let rest = try await events.all()
    let quiet = (told + rest).filter {
      switch $0 {
      case .waitingChanged, .seekEnded: false
      default: true
      }
    }
    #expect(
      quiet == [
        .initialised, .itemReady(entry(0)), .itemStarted(entry(0)), .itemEnded(entry(0), .playedOut),
        .itemReady(entry(1)),
        .itemStarted(entry(1)), .itemEnded(entry(1), .playedOut),
        .endOfQueue,
      ])
  }

  @Test("At the end of the queue the position is the duration, and play has no effect (S24)")
  func end() async throws {
    let player = try makePlayer(try await clip(twoSeconds))
    let events = player.events()
    await player.play()
    _ = await player.seek(to: .milliseconds(1700))
    _ = try await events.until(.endOfQueue)
    await player.play()
    #expect(player.status.isAtEnd && player.status.timeControlStatus == .paused)
    #expect(player.status.position == .seconds(2))
    #expect(await player.captureFrame() != nil, "the last frame stays")
    // After a seek back it plays and ends once more.
    #expect(await player.seek(to: .milliseconds(1500)).isFinished(near: .milliseconds(1500)))
    #expect(!player.status.isAtEnd && player.status.timeControlStatus == .paused)
    await player.play()
    let again = try await events.until(.endOfQueue)
    let played: [PlayerEvent] = [.itemStarted(entry(0)), .itemEnded(entry(0), .playedOut)]
    #expect(again.filter(played.contains) == played)
    await player.stop()
    #expect(await player.captureFrame() == nil)
    #expect(await player.report()?.items.first?.status == "played")
  }

  @Test("A failing item reports its error number and is marked; the next one plays (S15, S17)")
  func failing() async throws {
    let player = try makePlayer(try await clip("text.mp4"), try await clip(twoSeconds))
    let events = player.events()
    await player.play()
    let told = try await events.until(.itemStarted(entry(1)))
    let numbers = told.compactMap { event in
      if case .itemFailed(entry(0), let error) = event { error.number } else { nil }
    }
    #expect(numbers == [3001])
    guard case .failed(let error) = await player.itemStatus(at: 0) else {
      Issue.record("not marked")
      return
    }
    #expect(error.number == 3001)
    #expect(player.status.itemIndex == 1 && player.status.itemStatus == .readyToPlay)
    #expect(player.status.problem == nil, "an item plays: the message goes")
    await player.stop()
  }

  @Test("When the only item fails, its status and the message say so (S17)")
  func onlyItemFails() async throws {
    let player = try makePlayer(try await clip("text.mp4"))
    let events = player.events()
    await player.play()
    let told = try await events.until(.endOfQueue)
    #expect(told.contains(.allItemsFailed(retryIn: nil)))
    guard case .failed(let error) = player.status.itemStatus else {
      Issue.record("\(player.status)")
      return
    }
    #expect(player.status.message == error.line && !player.status.canPlay)
    await player.stop()
  }

  @Test("Next leaves the item; a replaced queue keeps the playing item if it still lists it")
  func nextAndReplace() async throws {
    let (first, second) = (try await clip(minute), try await clip(withSound))
    let player = try makePlayer(first, second)
    let events = player.events()
    await player.play()
    _ = try await events.until(.itemStarted(entry(0)))
    await player.next()
    let told = try await events.until(.itemStarted(entry(1)))
    #expect(told.contains(.itemEnded(entry(0), .skipped)))
    await player.replaceItems([second, first])
    #expect(player.status.itemIndex == 0 && player.status.item == second)
    #expect(await player.items == [second, first])
    await player.replaceItems([])
    _ = try await events.until(.itemEnded(entry(1), .removed))
    #expect(player.status.position < .seconds(4), "it wasn't played to its end")
    #expect(player.status.timeControlStatus == .waiting(.noItem))
    await player.replaceItems([first])
    _ = try await events.until(.itemStarted(entry(2)))
    await player.stop()
  }

  @Test("A picture's position moves without frames")
  func picture() async throws {
    var item = try await clip("picture-640x480.jpg", kind: .picture)
    item.pictureDuration = .milliseconds(900)
    let player = try makePlayer(item)
    let (events, times) = (player.events(), player.periodicTimes(every: .milliseconds(250)))
    await player.play()
    _ = try await events.until(.endOfQueue)
    await player.stop()
    let steps = Set(try await times.all().map { Int(($0 + .milliseconds(2)).inSeconds / 0.25) })
    #expect(steps.isSuperset(of: [0, 1, 2, 3]))
  }

  @Test("Two players play the same media at once, on one loop and on two (S21)", arguments: [true, false])
  func twoPlayers(isShared: Bool) async throws {
    let executor = isShared ? try GLibExecutor() : nil
    let item = try await clip(minute)
    let (a, b) = (try makePlayer(item, executor: executor), try makePlayer(item, executor: executor))
    await a.play()
    await b.play()
    async let inA = a.seek(to: .seconds(10))
    async let inB = b.seek(to: .seconds(40))
    #expect(await inA.isFinished(near: .seconds(10)))
    #expect(await inB.isFinished(near: .seconds(40)))
    _ = try await a.reaches("progress") { $0.position > .milliseconds(10300) }
    _ = try await b.reaches("progress") { $0.position > .milliseconds(40300) }
    #expect(a.status.position < .seconds(30), "each has a position of its own")
    await a.stop()
    let before = b.status.position
    _ = try await b.reaches("more progress") { $0.position > before + .milliseconds(300) }
    await b.stop()
  }

  @Test("Sequences end when a player stops during preparation, stops twice, or stops without a start (S2)")
  func stopping() async throws {
    let player = try makePlayer(try await clip(minute))
    let events = player.events()
    await player.play()
    async let first: Void = player.stop()
    async let second: Void = player.stop()
    _ = await (first, second)
    await player.stop()
    let told = try await events.all()
    #expect(!told.contains(.endOfQueue), "a stop is no end")
    #expect(try await player.events().all().isEmpty)
    await player.play()
    #expect(await player.seek(to: .zero) == .failed(SeekErrors.playerEnded))

    let unused = try makePlayer(try await clip(minute))
    await unused.stop()
    #expect(unused.status.isAtEnd)
  }

  @Test("A player that is released without a stop leaves no pipeline behind (S2)")
  func letGo() async throws {
    // GStreamer names its threads after elements and pads; each of the player's has to end.
    let before = try Set(taskIDs())
    var player: Player? = try makePlayer(try await clip(minute))
    let events = try #require(player?.events())
    await player?.play()
    _ = try await events.until(.itemStarted(entry(0)))
    let during = try taskIDs().filter { !before.contains($0) && (try? isStreaming($0)) == true }
    #expect(!during.isEmpty, "the pipeline has threads of its own while it plays")
    player = nil
    // The sequence ends with the player.
    _ = try await events.all()
    let deadline = ContinuousClock.now + patience
    while try taskIDs().contains(where: during.contains), ContinuousClock.now < deadline {
      // There is no notification when a thread of another library has ended.
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try taskIDs().filter(during.contains).isEmpty)
  }

  private func taskIDs() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") }

  private func isStreaming(_ task: String) throws -> Bool {
    try String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8).contains(":")
  }
}

extension SeekOutcome {
  func isFinished(near time: Duration, _ reach: Duration = .milliseconds(34)) -> Bool {
    if case .finished(let shownAt) = self { return isClose(shownAt, time, reach) }
    return false
  }
}
