import Foundation
import Glibc
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Facts of a film's file")
struct FilmFileTests {
  @Test("A pipe on a stick gives no facts, and reading it doesn't block", .timeLimit(.minutes(10)))
  func pipe() throws {
    let directory = try TemporaryDirectory()
    try #require(mkfifo(directory.path("film.ts"), 0o600) == 0)
    let item = MediaItem(uri: URL(filePath: directory.path("film.ts")).absoluteString, kind: .file)
    let film = FilmFile.read(item)
    #expect(film.length == nil && film.orientation == nil)
  }
}
