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

  init() throws { executor = try GLibExecutor(name: "watch") }

  func begin(_ folder: String) {
    watch = DirectoryWatch([folder], on: EventLoop(executor: executor)) { [weak self] event in
      self?.assumeIsolated { $0.record(event) }
    }
  }

  private func record(_ event: DirectoryWatch.Event) {
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
    let written = await watcher.written
    #expect(writer.wasKilled && written > 0)
    // The kernel merges repeated events, so each read has few of them, besides those of the beginning.
    let batches = (ContinuousClock.now - begun) / DirectoryWatch.rest + 2
    #expect(Double(written) <= batches * Double(DirectoryWatch.readsPerTurn + 4))
    try await eventually("its end is told") { await watcher.settled.last == path }
  }
}
