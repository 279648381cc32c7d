internal import CGStreamer
internal import CGStreamerShims
internal import PlaybackCore

/// The most of a text that is kept, in Unicode scalars: a film may hold a title of megabytes, which would be laid out
/// for each draw.
let longestTag = 500

/// Reads a text from a tag list, cut to `longestTag` Unicode scalars.
func tag(_ name: String, of tags: UnsafePointer<GstTagList>) -> String? {
  guard let text = vit_tag_string(tags, name) else { return nil }
  defer { g_free(text) }
  var scalars = String.UnicodeScalarView()
  scalars.append(contentsOf: String(cString: text).unicodeScalars.prefix(longestTag))
  return String(scalars)
}

extension MediaMetadata {
  init(_ tags: UnsafePointer<GstTagList>) {
    self.init(
      title: tag("title", of: tags) ?? "", artist: tag("artist", of: tags) ?? "", album: tag("album", of: tags) ?? "",
      station: tag("organization", of: tags) ?? "")
  }
}

/// Pictures in tags: embedded files, mostly JPEGs.
enum CoverTag {
  /// The largest cover: shops sell them up to 3000 pixels wide, which is 2 MB.
  static let mostBytes = 8 << 20
  /// The most pictures that are read: files sometimes hold a whole booklet.
  private static let mostPictures: UInt32 = 16

  /// The front cover, or the first picture where none is marked as the front cover.
  static func best(of tags: UnsafePointer<GstTagList>) -> (bytes: [UInt8], isFront: Bool)? {
    var first: [UInt8]?
    for name in ["image", "preview-image"] {
      for index in 0..<min(gst_tag_list_get_tag_size(tags, name), mostPictures) {
        var sample: OpaquePointer?
        guard gst_tag_list_get_sample_index(tags, name, index, &sample) != 0, let sample else { continue }
        defer { vit_sample_unref(sample) }
        let isFront = isFrontCover(sample)
        guard isFront || first == nil, let bytes = bytes(of: sample) else { continue }
        if isFront { return (bytes, true) }
        first = bytes
      }
    }
    return first.map { ($0, false) }
  }

  private static func isFrontCover(_ sample: OpaquePointer) -> Bool {
    guard let info = gst_sample_get_info(sample), let value = gst_structure_get_value(info, "image-type") else {
      return false
    }
    // GST_TAG_IMAGE_TYPE_FRONT_COVER, of a library that isn't linked for this one constant.
    return g_value_get_enum(value) == 1
  }

  private static func bytes(of sample: OpaquePointer) -> [UInt8]? {
    guard let buffer = gst_sample_get_buffer(sample) else { return nil }
    let size = gst_buffer_get_size(buffer)
    guard size > 0, size <= mostBytes else { return nil }
    return [UInt8](unsafeUninitializedCapacity: Int(size)) { memory, count in
      count = Int(gst_buffer_extract(buffer, 0, memory.baseAddress, size))
    }
  }
}
