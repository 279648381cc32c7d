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
      self?.assumeIsolated { $0.note(event) }
    }
  }

  private func note(_ event: DirectoryWatch.Event) {
    switch event {
    case .writing: written += 1
    case .settled(let path): settled.append(path)
    }
  }
}

@Suite("What happens to the files of a folder")
struct DirectoryWatchTests {
  @Test("A file that is written without a pause leaves the loop its time, and its end is told")
  func writer() async throws {
    let folder = try TemporaryDirectory()
    let watcher = try Watcher()
    await watcher.begin(folder.url.path)
    let path = folder.path("large")
    let begun = ContinuousClock.now
    // A byte at a time, for as long as it may.
    let writer = try await Tool.run("sh", ["-c", "while :; do echo; done > '\(path)'"], limit: 2)
    let written = await watcher.written
    #expect(writer.wasKilled && written > 0)
    // Of what is said again and again the kernel keeps one, so that a read has hardly more; and those of the beginning.
    let batches = (ContinuousClock.now - begun) / DirectoryWatch.rest + 2
    #expect(Double(written) <= batches * Double(DirectoryWatch.readsPerTurn + 4))
    try await eventually("its end is told", within: 20) { await watcher.settled.last == path }
  }
}
