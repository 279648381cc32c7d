import Foundation
import KioskTestSupport
import Testing

/// Compares a few of the 250 kinds of files that Tests/Tools/media-zoo makes with FFmpeg's decode of them. `make
/// test-zoo` takes all of them.
@Suite(
  "Files of all kinds", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "FFmpeg is not installed (make setup)"))
struct MediaZooTests {
  @Test("Frames, colours, shape and length are right, headless")
  func headless() async throws {
    try await TestTool.expectPass("media-zoo", ["--few", "--player", "headless"], limit: 300)
  }
}

@Suite(
  "Files of all kinds, on a plane", .serialized,
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct MediaZooBoardTests {
  @Test("Frames, colours, shape and length are right, by writeback")
  func board() async throws {
    try await TestTool.expectPass("media-zoo", ["--few", "--player", "board"], limit: 300)
  }

  @Test("The player plays each of forty damaged files or reports its error number, without an end or a hang")
  func damaged() async throws {
    try await TestTool.expectPass("media-zoo", ["--damaged", "40"], limit: 300)
  }
}
