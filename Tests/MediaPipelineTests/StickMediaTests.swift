import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Files on a stick whose content isn't what their names suggest.
@Suite("Media of a USB stick", .serialized)
struct StickMediaTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// An HLS list that names a film on the board, after the tag of a song, so that the first bytes don't show the list.
  private func hiddenManifest(naming film: String) throws -> String {
    let list = "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:2.0,\nfile://\(film)\n#EXT-X-ENDLIST\n"
    let title = Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 0, 0x78]
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(title.count)] + title
    let url = directory.url.appending(path: "song.mp3")
    try Data(tag + Array(list.utf8)).write(to: url)
    return url.absoluteString
  }

  /// Opens an item: nil when it is ready to play, else the error's number.
  private func open(_ item: MediaItem) async throws -> Int? {
    let rig = try await Rig()
    let deck = try rig.deck(1, item)
    defer { deck.drop() }
    return try await rig.next {
      switch $0 {
      case .deck(_, .ready): .some(nil)
      case .deck(_, .failed(let error)): error.number
      default: nil
      }
    }
  }

  @Test("An HLS list that is hidden in another file opens no file of the board")
  func hiddenManifest() async throws {
    var item = MediaItem(
      uri: try hiddenManifest(naming: try await Media.path("interlaced-320x192-25.ts")), kind: .file)
    #expect(try await open(item) == nil, "without that, GStreamer plays it")
    let plain = item
    #expect(throws: Never.self) { try MediaProbe.open(plain) }
    item.isOfStick = true
    #expect(try await open(item) == 3001)
    // Nor does a probe before playback.
    let ofStick = item
    #expect(throws: VitrineError.self) { try MediaProbe.open(ofStick) }
    // The same holds for the store's copies, and for files with a checksum.
    item.isOfStick = nil
    item.isCopy = true
    #expect(try await open(item) == 3001)
    item.isCopy = nil
    item.sha256 = String(repeating: "0", count: 64)
    #expect(try await open(item) == 3001)
  }

  @Test("A film on a stick plays like any other")
  func film() async throws {
    let path = try await Media.path("h264-640x360-30-2s.mp4")
    var item = MediaItem(uri: URL(filePath: path).absoluteString, kind: .file)
    item.isOfStick = true
    #expect(try await open(item) == nil)
  }
}
