import Glibc
import MainLoop
import Testing

/// An actor on a GLib executor, as the runtime's actors are.
private actor LoopActor {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var sources: [EventSource] = []
  private(set) var count = 0

  init(_ executor: GLibExecutor) { self.executor = executor }

  func add() { count += 1 }

  func timers(_ delays: [Duration]) async -> [Int] {
    await withCheckedContinuation { done in
      let loop = EventLoop(executor: executor)
      var order: [Int] = []
      for (index, delay) in delays.enumerated() {
        sources.append(
          loop.after(delay) {
            order.append(index)
            if order.count == delays.count { done.resume(returning: order) }
          })
      }
    }
  }

  func signal(_ number: Int32) async {
    await withCheckedContinuation { done in
      let loop = EventLoop(executor: executor)
      sources.append(loop.onSignal(number) { done.resume() })
      kill(getpid(), number)
    }
    sources = []
  }

  func readable(_ fileDescriptor: Int32) async -> FileEvents {
    let events = await withCheckedContinuation { done in
      let loop = EventLoop(executor: executor)
      var source: EventSource?
      source = loop.watch(fileDescriptor: fileDescriptor, for: .readable) { events in
        source?.cancel()
        done.resume(returning: events)
      }
    }
    return events
  }
}

@Suite("Main loop")
struct MainLoopTests {
  @Test("Jobs of an actor on the loop don't interleave")
  func actorJobs() async throws {
    let actor = LoopActor(try GLibExecutor())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { await actor.add() } }
      }
    }
    #expect(await actor.count == 4000)
  }

  @Test("Timers fire in the order of their due times, not of their making")
  func timers() async throws {
    let actor = LoopActor(try GLibExecutor())
    let order = await actor.timers([.milliseconds(30), .milliseconds(1), .milliseconds(15)])
    #expect(order == [1, 2, 0])
  }

  @Test("A Unix signal arrives on the loop")
  func signals() async throws {
    let actor = LoopActor(try GLibExecutor())
    await actor.signal(SIGUSR2)
  }

  @Test("A descriptor that can be read is told")
  func descriptors() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { _ = close($0) } }
    write(ends[1], "x", 1)
    let actor = LoopActor(try GLibExecutor())
    #expect(await actor.readable(ends[0]).contains(.readable))
  }

  @Test("The mailbox keeps the order of posts")
  func mailbox() async throws {
    let executor = try GLibExecutor()
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let mailbox = Mailbox<Int>(executor: executor) { continuation.yield($0) }
    for value in 0..<100 { mailbox.post(value) }
    var received: [Int] = []
    for await value in stream {
      received.append(value)
      if received.count == 100 { break }
    }
    #expect(received == Array(0..<100))
  }

  @Test("A worker runs its work in order, off the loop, and ends after the last of it")
  func worker() async {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let worker = BlockingWorker()
    for value in 0..<10 { worker.submit { continuation.yield(value) } }
    worker.submit { continuation.finish() }
    worker.finish()
    var received: [Int] = []
    for await value in stream { received.append(value) }
    #expect(received == Array(0..<10))
  }
}
