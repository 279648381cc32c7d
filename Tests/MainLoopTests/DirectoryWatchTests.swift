import Foundation
import KioskTestSupport
import Testing

@testable import MainLoop

private actor Watcher {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var watch: DirectoryWatch?
  private(set) var written = 0
  private(set) var settled: [String] = []
  /// Turns of the loop in which events came.
  private(set) var turns = 0
  private var isTurnCounted = false

  init() throws { executor = try GLibExecutor(name: "watch") }

  func begin(_ folder: String) {
    watch = DirectoryWatch([folder], on: EventLoop(executor: executor)) { [weak self] event in
      self?.assumeIsolated { $0.record(event) }
    }
  }

  private func record(_ event: DirectoryWatch.Event) {
    if !isTurnCounted {
      isTurnCounted = true
      turns += 1
      // Runs in the loop's next turn.
      Task { isTurnCounted = false }
    }
    switch event {
    case .writing: written += 1
    case .settled(let path): settled.append(path)
    }
  }
}

@Suite("Watching the files of a folder")
struct DirectoryWatchTests {
  @Test("A file under constant writing leaves the loop time for other work, and its end is reported")
  func writer() async throws {
    let folder = try TemporaryDirectory()
    let watcher = try Watcher()
    await watcher.begin(folder.url.path)
    let path = folder.path("large")
    let begun = ContinuousClock.now
    // Writes a byte at a time until the limit ends it.
    let writer = try await Tool.run("sh", ["-c", "while :; do echo; done > '\(path)'"], limit: 2)
    let (written, turns) = await (watcher.written, watcher.turns)
    #expect(writer.wasKilled && written > 0)
    // How many events a turn has depends on the machine: one read takes all that come while it runs.
    #expect(Double(turns) <= (ContinuousClock.now - begun) / DirectoryWatch.rest + 2)
    try await eventually("its end is told") { await watcher.settled.last == path }
  }
}
