import Foundation
import KioskTestSupport
import PlaybackCore

// Apart from the other helpers, because KioskTestSupport has a Player too.

func clip(_ name: String, kind: MediaKind = .file) async throws -> MediaItem {
  MediaItem(uri: URL(filePath: try await Media.path(name)).absoluteString, kind: kind)
}
