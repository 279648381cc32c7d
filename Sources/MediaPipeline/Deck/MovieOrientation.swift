internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// Finds the orientation of an MP4 from a network where GStreamer doesn't report it: of a matrix that mirrors.
///
/// GStreamer 1.22 only: its demultiplexer reports matrices that turn, but none that mirror.
///
/// The demultiplexer receives the film's header, the box `moov`, from the box's first byte: the header is at the film's
/// start, or is fetched next. The matrix of the first track lies within the header's first kilobyte.
enum MovieOrientation {
  /// The most buffers that are searched: those of the film's start, of skipped boxes, and of the header.
  private static let patience = 64
  /// The most bytes of a buffer that are searched.
  private static let span = 16 * 1024

  static func watch(_ pipeline: Element, for chain: VideoChain) {
    // Weak: the pipeline owns the closure, and the chain knows its pipeline; a strong reference would be a cycle.
    pipeline.observeParts { [weak chain] element in
      guard element.factory == "qtdemux", let pad = element.staticPad("sink") else { return }
      let left = Locked(patience)
      pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { [weak chain] info in
        guard let buffer = gst_pad_probe_info_get_buffer(info) else { return GST_PAD_PROBE_OK }
        if let orientation = orientation(in: buffer) {
          chain?.assume(orientation)
          return GST_PAD_PROBE_REMOVE
        }
        let isOver = left.withLock { left in
          left -= 1
          return left <= 0
        }
        return isOver ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
      }
    }
  }

  private static func orientation(in buffer: UnsafeMutablePointer<GstBuffer>) -> PictureOrientation? {
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { gst_buffer_unmap(buffer, &map) }
    let bytes = UnsafeRawBufferPointer(start: map.data, count: min(Int(map.size), span))
    return MP4Orientation.find { place, count in
      guard let start = Int(exactly: place), count <= bytes.count, start <= bytes.count - count else { return nil }
      return Array(bytes[start..<(start + count)])
    }
  }
}
