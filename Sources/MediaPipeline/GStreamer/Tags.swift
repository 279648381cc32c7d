internal import CGStreamer
internal import CGStreamerShims
internal import PlaybackCore

/// Tag lists, read.
func tag(_ name: String, of tags: UnsafePointer<GstTagList>) -> String? {
  guard let text = vit_tag_string(tags, name) else { return nil }
  defer { g_free(text) }
  return String(cString: text)
}

extension MediaMetadata {
  init(_ tags: UnsafePointer<GstTagList>) {
    self.init(
      title: tag("title", of: tags) ?? "", artist: tag("artist", of: tags) ?? "", album: tag("album", of: tags) ?? "")
  }
}
