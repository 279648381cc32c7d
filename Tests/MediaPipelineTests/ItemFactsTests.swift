import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("What items tell of themselves, real files", .serialized)
struct ItemFactsTests {
  @Test(
    "The title, the artist and the album that a clip carries are told (S20)",
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
}
