import CGStreamer
import Foundation
import MainLoop
import Testing

@testable import MediaPipeline

/// GStreamer's own log lines: which are passed on, and how often.
@Suite("GStreamer's own log", .serialized)
struct LibraryLogTests {
  /// Logs a line in GStreamer's name, from a place in its source.
  private func say(_ level: GstDebugLevel, _ text: String, line: Int32) {
    gst_debug_log_literal(Self.category, level, Self.file, Self.function, line, nil, text)
  }

  // Literals that stay, as GStreamer's do: a place is recognised by its address.
  private nonisolated(unsafe) static let category = _gst_debug_category_new("vitrinetest", 0, "for a test")
  private nonisolated(unsafe) static let file = strdup("place.c")
  private nonisolated(unsafe) static let function = strdup("f")

  @Test(
    "A thousand errors from one place become one line; another place has its own; warnings come only on request")
  func lines() async throws {
    try GStreamerLibrary.start()
    let executor = try GLibExecutor(name: "library-log")
    let told = Locked<[LibraryLog.Line]>([])
    func follow(warnings: Bool) throws -> LibraryLog {
      try #require(
        LibraryLog(on: executor, warnings: warnings) { line in
          // Other suites run pipelines at the same time.
          if line.category == "vitrinetest" { told.withLock { $0.append(line) } }
        })
    }
    /// Waits until all lines so far have been handed over.
    func settle() async {
      // Kept alive until its message has come: a mailbox that is released delivers none.
      var kept: Mailbox<Void>?
      await withCheckedContinuation { done in
        let reached = Mailbox<Void>(executor: executor) { _ in done.resume() }
        kept = reached
        reached.post(())
      }
      kept?.close()
    }

    var log: LibraryLog? = try follow(warnings: false)
    for number in 0..<1000 { say(GST_LEVEL_ERROR, "no frame \(number)", line: 1) }
    say(GST_LEVEL_ERROR, "no sound", line: 2)
    say(GST_LEVEL_WARNING, "odd", line: 3)
    await settle()
    #expect(told.withLock { $0.map(\.message) } == ["no frame 0", "no sound"])
    #expect(told.withLock { $0.allSatisfy(\.isError) })

    log = try follow(warnings: true)
    say(GST_LEVEL_WARNING, "odd", line: 4)
    say(GST_LEVEL_INFO, "usual", line: 5)
    await settle()
    #expect(told.withLock { $0.last?.message } == "odd" && told.withLock { $0.count } == 3)
    #expect(told.withLock { $0.last?.text } == "GStreamer, vitrinetest: odd")

    log = nil
    say(GST_LEVEL_ERROR, "later", line: 6)
    await settle()
    #expect(told.withLock { $0.count } == 3)
    _ = log
  }

  @Test("A line states how many lines were held back before it")
  func text() {
    let line = LibraryLog.Line(isError: true, category: "qtdemux", object: "qtdemux0", message: "bad atom", heldBack: 7)
    #expect(line.text == "GStreamer, qtdemux (qtdemux0): bad atom (7 more of these since the last)")
  }
}
