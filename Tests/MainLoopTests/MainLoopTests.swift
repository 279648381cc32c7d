import Dispatch
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

  func run(_ body: @Sendable (EventLoop) -> Void) { body(EventLoop(executor: executor)) }

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

  /// Whether the loop unblocks a signal that all threads had blocked, as the parent process may have left it.
  func isHeardThoughBlocked(_ number: Int32) -> Bool {
    var (signals, mask) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let loop = EventLoop(executor: executor)
    let source = loop.onSignal(number) {}
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    source.cancel()
    return sigismember(&mask, number) == 0
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
  @Test("The loop hears a signal that the parent process had blocked")
  func blockedSignal() async throws {
    #expect(await LoopActor(try GLibExecutor(name: "test-signals")).isHeardThoughBlocked(SIGUSR2))
  }

  @Test("A thread that must answer at once gets real-time priority where that is allowed; its children don't")
  func answersAtOnce() async {
    let policies = await withCheckedContinuation { done in
      BlockingWorker().submit {
        let isAllowed = ThreadPriority.answerAtOnce()
        let own = sched_getscheduler(0)
        BlockingWorker().submit { done.resume(returning: (isAllowed, own, sched_getscheduler(0))) }
      }
    }
    // The policy includes SCHED_RESET_ON_FORK.
    #expect(policies.1 & 0xff == (policies.0 ? SCHED_RR : SCHED_OTHER))
    #expect(policies.2 == SCHED_OTHER)
  }

  @Test("A thread that computes in bulk lets others run first, as do its children, until it is switched back")
  func computesInBulk() async {
    let batch: Int32 = 3
    let policies: [Int32] = await withCheckedContinuation { done in
      BlockingWorker().submit {
        ThreadPriority.compute(inBulk: true)
        let own = sched_getscheduler(0)
        BlockingWorker().submit {
          let inherited = sched_getscheduler(0)
          ThreadPriority.compute(inBulk: false)
          done.resume(returning: [own, inherited, sched_getscheduler(0)])
        }
      }
    }
    #expect(policies == [batch, batch, SCHED_OTHER])
  }

  @Test("A scheduling policy chosen outside the program stays")
  func chosenPolicy() async {
    let idle: Int32 = 5
    let policies: [Int32] = await withCheckedContinuation { done in
      BlockingWorker().submit {
        var parameters = sched_param()
        sched_setscheduler(0, idle, &parameters)
        ThreadPriority.compute(inBulk: true)
        let policy = sched_getscheduler(0)
        ThreadPriority.compute(inBulk: false)
        done.resume(returning: [policy, sched_getscheduler(0)])
      }
    }
    #expect(policies == [idle, idle])
  }

  @Test("Real-time priority goes to a library's threads of the given name, and to no others")
  func answersAtOnceByName() async {
    func thread(_ name: String, then: @escaping @Sendable () -> Void = {}) async -> (BlockingWorker, pid_t) {
      await withCheckedContinuation { done in
        let worker = BlockingWorker()
        worker.submit {
          if let comm = fopen("/proc/thread-self/comm", "w") {
            fputs(name, comm)
            fclose(comm)
          }
          then()
          // PROCESS/task/THREAD
          var link = [CChar](repeating: 0, count: 64)
          let count = readlink("/proc/thread-self", &link, link.count)
          let path = String(decoding: link.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
          let number = path.split(separator: "/").last
          done.resume(returning: (worker, number.flatMap { pid_t($0) } ?? -1))
        }
      }
    }
    let (reader, readerThread) = await thread("touch-reader")
    let (decoder, decoderThread) = await thread("decoder") {
      ThreadPriority.answerAtOnce(threadsNamed: "touch-reader")
    }
    let (allowed, allowedThread) = await thread("allowed") { ThreadPriority.answerAtOnce() }
    #expect(sched_getscheduler(readerThread) == sched_getscheduler(allowedThread))
    #expect(sched_getscheduler(decoderThread) == SCHED_OTHER)
    for worker in [reader, decoder, allowed] { worker.finish() }
  }

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

  @Test("Timers fire in the order of their due times, not of their creation")
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

  @Test("A readable descriptor wakes its watch")
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

  /// The number of this process's threads with that name.
  private func threads(named name: String) -> Int {
    guard let tasks = opendir("/proc/self/task") else { return 0 }
    defer { closedir(tasks) }
    var count = 0
    while let entry = readdir(tasks) {
      let id = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      guard let file = fopen("/proc/self/task/\(id)/comm", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 32)
      guard fgets(&line, 32, file) != nil else { continue }
      let words = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
      if String(decoding: words, as: UTF8.self) == name { count += 1 }
    }
    return count
  }

  private final class Held: Sendable {}

  /// A source that outlives its loop. Only one thread uses it at a time.
  private final class Outliving: @unchecked Sendable {
    var source: EventSource?
    weak var handler: Held?
  }

  /// A source whose context was freed while another thread woke or destroyed it locked a mutex in freed memory. The
  /// handler shows that the context still exists: a freed context releases it.
  @Test("A source that outlives the loop's thread keeps what it needs until it is released")
  func sourceOutlivesLoop() async throws {
    let name = "vt-outlived"
    let outliving = Outliving()
    do {
      let actor = LoopActor(try GLibExecutor(name: name))
      await actor.run { loop in
        let held = Held()
        outliving.handler = held
        outliving.source = loop.after(.seconds(3600)) { withExtendedLifetime(held) {} }
      }
      #expect(threads(named: name) == 1)
    }
    while threads(named: name) > 0 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(outliving.handler != nil)
    outliving.source = nil
    #expect(outliving.handler == nil)
  }

  @Test("A worker runs its jobs in order, off the loop, and ends after the last one")
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

  @Test("A worker runs named work once for all who asked before it began, and again for those who ask from then on")
  func namedWork() async {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let worker = BlockingWorker()
    let mayBegin = DispatchSemaphore(value: 0)
    worker.submit { mayBegin.wait() }
    for name in ["ranges", "tracks", "ranges"] {
      worker.submitOnce(name) {
        continuation.yield(name)
        if name == "tracks" { worker.submitOnce(name) { continuation.yield("tracks again") } }
      }
    }
    worker.submit { worker.submit { continuation.finish() } }
    mayBegin.signal()
    var received: [String] = []
    for await name in stream { received.append(name) }
    #expect(received == ["ranges", "tracks", "tracks again"])
    worker.finish()
  }
}
