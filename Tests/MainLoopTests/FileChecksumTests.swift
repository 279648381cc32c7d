import Foundation
import KioskTestSupport
import Testing

@testable import MainLoop

@Suite("Checksums of files")
struct FileChecksumTests {
  /// A sparse file of a terabyte: reading it takes an hour.
  private func endless(in directory: TemporaryDirectory) throws -> URL {
    let file = URL(filePath: try directory.write("", as: "large.mp4"))
    try FileHandle(forWritingTo: file).truncate(atOffset: 1 << 40)
    return file
  }

  @Test("A file that takes an hour delays no other one, and its reading can be cancelled")
  func calledOff() async throws {
    let directory = try TemporaryDirectory()
    let large = try endless(in: directory)
    let small = URL(filePath: try directory.write("abc", as: "small.mp4"))
    let checksums = FileChecksums()
    let (sums, tell) = AsyncStream<String>.makeStream()
    let reading = FileCheck(of: large.absoluteString, in: checksums) { tell.yield("large: \($0 ?? "none")") }
    let other = FileCheck(of: small.absoluteString, in: checksums) { tell.yield("small: \($0?.prefix(8) ?? "none")") }
    #expect(try await first(of: sums) { $0 } == "small: ba7816bf")
    reading.cancel()
    #expect(try await first(of: sums) { $0 } == "large: none")
    other.cancel()
  }

  @Test("The number of hanging reads is limited, and one that ends makes room")
  func hanging() async throws {
    let directory = try TemporaryDirectory()
    let large = try endless(in: directory)
    let small = URL(filePath: try directory.write("abc", as: "small.mp4"))
    let checksums = FileChecksums()
    let (sums, tell) = AsyncStream<String>.makeStream()
    let readings = (0..<FileChecksums.mostReadings).map { _ in
      FileCheck(of: large.absoluteString, in: checksums) { tell.yield("large: \($0 ?? "none")") }
    }
    let isRefused = Locked(false)
    _ = FileCheck(of: small.absoluteString, in: checksums) { sum in isRefused.withLock { $0 = sum == nil } }
    #expect(isRefused.withLock { $0 })
    readings.forEach { $0.cancel() }
    #expect(try await first(of: sums) { $0 } == "large: none")
    _ = FileCheck(of: small.absoluteString, in: checksums) { tell.yield("small: \($0?.prefix(8) ?? "none")") }
    #expect(try await first(of: sums) { $0.hasPrefix("small") ? $0 : nil } == "small: ba7816bf")
  }

  @Test("Without a free thread the work waits, and never runs on the submitting one")
  func noThread() async throws {
    let hasThreads = Locked(false)
    let worker = BlockingWorker { work in
      guard hasThreads.withLock({ $0 }) else { throw MainLoopError.noThread(code: EAGAIN) }
      try MainLoop.Thread.start(work)
    }
    let (words, tell) = AsyncStream<String>.makeStream()
    let hasRun = Locked(false)
    let isTaken = worker.canSubmit {
      hasRun.withLock { $0 = true }
      tell.yield("first")
    }
    #expect(!isTaken && !hasRun.withLock { $0 })
    hasThreads.withLock { $0 = true }
    #expect(worker.canSubmit { tell.yield("second") })
    #expect(try await first(of: words) { $0 } == "first")
    #expect(try await first(of: words) { $0 } == "second")
    worker.finish()
  }

  @Test("MD5 of a text, as the specification of PJLink has it")
  func md5() {
    #expect(TextChecksum.md5(Array("498e4a67JBMIAProjectorLink".utf8)) == "5d8409bc1c3fa39749434aa3a5c38682")
    #expect(TextChecksum.md5([]) == "d41d8cd98f00b204e9800998ecf8427e")
  }
}
