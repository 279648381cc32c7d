import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Metadata of items, real files", .serialized)
struct ItemFactsTests {
  @Test(
    "The title, the artist and the album of a clip are reported (S20)",
    arguments: ["tagged-320x240-25.mp4", "tagged.mp3", "tagged.ogg"])
  func metadata(clip: String) async throws {
    let item = MediaItem(uri: URL(filePath: try await Media.path(clip)).absoluteString, kind: .file)
    let witnessed = try WitnessedDeck(item)
    let whole = try await witnessed.next {
      if case .metadata(let metadata) = $0, !metadata.album.isEmpty { metadata } else { nil }
    }
    #expect(whole == MediaMetadata(title: "Harbour", artist: "Nobody", album: "Clips"))
    witnessed.deck.drop()
  }

  @Test("A title of half a megabyte is cut to a readable length")
  func longTitle() async throws {
    let directory = try TemporaryDirectory()
    let facts = try directory.write(
      ";FFMETADATA1\ntitle=\(String(repeating: "e\u{301}", count: 200_000))\nalbum=Clips\n", as: "facts")
    let made = try await Tool.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", try await Media.path("tagged.mp3"), "-i", facts, "-map", "0:a"]
        + ["-map_metadata", "1", "-c", "copy", directory.path("long.mp3")])
    try #require(made.status == 0, "\(made.errors)")
    let witnessed = try WitnessedDeck(
      MediaItem(uri: URL(filePath: directory.path("long.mp3")).absoluteString, kind: .file))
    let whole = try await witnessed.next {
      if case .metadata(let metadata) = $0, !metadata.album.isEmpty { metadata } else { nil }
    }
    #expect(whole.title.unicodeScalars.count == longestTag && whole.title.hasPrefix("e\u{301}"))
    witnessed.deck.drop()
  }
}
