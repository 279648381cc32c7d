import CGStreamer
import PlaybackCore

/// Reads the starts of an item's chapters from its table of contents.
enum Chapters {
  /// More chapters than can be told apart on any bar.
  private static let limit = 200
  /// Editions hold chapters, which may hold chapters of their own; only the first level is marked.
  private static let deepestEdition = 4

  /// - Parameter toc: remains owned by the caller.
  static func starts(of toc: OpaquePointer) -> [Duration] {
    Array(Set(starts(in: gst_toc_get_entries(toc), depth: 0)).sorted().prefix(limit))
  }

  private static func starts(in list: UnsafeMutablePointer<GList>?, depth: Int) -> [Duration] {
    var found: [Duration] = []
    var next = list
    while let node = next {
      next = node.pointee.next
      guard let entry = node.pointee.data.map({ OpaquePointer($0) }) else { continue }
      if gst_toc_entry_is_sequence(entry) != 0 {
        var start: gint64 = 0
        if gst_toc_entry_get_start_stop_times(entry, &start, nil) != 0, start >= 0 {
          found.append(.nanoseconds(Int64(start)))
        }
      } else if depth < deepestEdition {
        found += starts(in: gst_toc_entry_get_sub_entries(entry), depth: depth + 1)
      }
    }
    return found
  }
}
