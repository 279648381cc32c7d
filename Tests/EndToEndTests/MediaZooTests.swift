import Foundation
import KioskTestSupport
import Testing

/// Files as people have them: a few of the 250 kinds that Tests/Tools/media-zoo makes, each compared with FFmpeg's own decode.
/// All of them: make test-zoo.
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
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct MediaZooBoardTests {
  @Test("Frames, colours, shape and length are right, by writeback")
  func board() async throws {
    try await TestTool.expectPass("media-zoo", ["--few", "--player", "board"], limit: 300)
  }

  @Test("Of forty damaged files each is played or told with its number; none ends or hangs the player")
  func damaged() async throws {
    try await TestTool.expectPass("media-zoo", ["--damaged", "40"], limit: 300)
  }
}
