internal import Glibc
internal import PlaybackCore

/// What a film's file says of how to turn it, where GStreamer doesn't tell.
enum FileOrientation {
  /// Blocks for as long as the item's disk takes. Nil for what isn't a film in a file, and where nothing is said.
  static func read(_ item: MediaItem) -> PictureOrientation? {
    guard item.kind == .file, let path = TextFile.path(of: item.uri) else { return nil }
    // A pipe would wait for somebody to write into it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return MP4Orientation.find { place, count in
      guard let offset = off_t(exactly: place) else { return nil }
      var bytes = [UInt8](repeating: 0, count: count)
      return pread(descriptor, &bytes, count, offset) == count ? bytes : nil
    }
  }
}
