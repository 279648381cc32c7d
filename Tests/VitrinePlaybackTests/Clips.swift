import Foundation
import KioskTestSupport
import PlaybackCore

// Apart from the other helpers, because KioskTestSupport has a Player too.

func clip(_ name: String, kind: MediaKind = .file) async throws -> MediaItem {
  MediaItem(uri: URL(filePath: try await Media.path(name)).absoluteString, kind: kind)
}

/// A folder of its own with a film in it and a subtitle file beside it.
struct FilmWithSubtitles: Sendable {
  let item: MediaItem
  private let folder: TemporaryDirectory

  init(_ name: String, subtitles: String, as suffix: String) async throws {
    folder = try TemporaryDirectory()
    let film = folder.path("film.mp4")
    try FileManager.default.createSymbolicLink(atPath: film, withDestinationPath: try await Media.path(name))
    _ = try folder.write(subtitles, as: "film\(suffix)")
    item = MediaItem(uri: URL(filePath: film).absoluteString, kind: .file)
  }
}
