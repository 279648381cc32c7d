import CGStreamer
import Foundation
import MainLoop
import Testing

@testable import MediaPipeline

/// GStreamer's own lines: which are told, and how often.
@Suite("GStreamer's own log", .serialized)
struct LibraryLogTests {
  /// Says something in GStreamer's name, from a place in its source.
  private func say(_ level: GstDebugLevel, _ text: String, line: Int32) {
    gst_debug_log_literal(Self.category, level, Self.file, Self.function, line, nil, text)
  }

  // Literals that stay, as GStreamer's do: a place is told by its address.
  private nonisolated(unsafe) static let category = _gst_debug_category_new("vitrinetest", 0, "for a test")
  private nonisolated(unsafe) static let file = strdup("place.c")
  private nonisolated(unsafe) static let function = strdup("f")

  @Test(
    "A thousand errors of one place are one line; another place has its own; warnings only where they are asked for")
  func lines() async throws {
    try GStreamerLibrary.start()
    let executor = try GLibExecutor(name: "library-log")
    let told = Locked<[LibraryLog.Line]>([])
    func follow(warnings: Bool) throws -> LibraryLog {
      try #require(
        LibraryLog(on: executor, warnings: warnings) { line in
          // Other suites play at the same time.
          if line.category == "vitrinetest" { told.withLock { $0.append(line) } }
        })
    }
    /// All that was posted before has been handed over.
    func settle() async {
      // Kept until it has been heard: one that is let go hands nothing over.
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

  @Test("A line says how many were held back before it")
  func text() {
    let line = LibraryLog.Line(isError: true, category: "qtdemux", object: "qtdemux0", message: "bad atom", heldBack: 7)
    #expect(line.text == "GStreamer, qtdemux (qtdemux0): bad atom (7 more of these since the last)")
  }
}
