internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop

/// Disables seeking in DASH with several periods.
///
/// GStreamer 1.22 only: the demultiplexer looks up segments of a later period as if that period began with the first
/// segment, and a seek into another period may make it read through a null pointer, which ends the process. Such an
/// item reports that it can't be sought, and plays from its start to its end.
enum DASHPeriods {
  static func watch(_ pipeline: Element) {
    pipeline.observeParts { element in
      guard element.factory == "dashdemux", let input = element.staticPad("sink") else { return }
      let counter = Locked(PeriodCounter())
      input.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
        if let buffer = gst_pad_probe_info_get_buffer(info) { count(buffer, counter) }
        return GST_PAD_PROBE_OK
      }
      element.observePads { pad in
        pad.intercept(GST_PAD_PROBE_TYPE_QUERY_UPSTREAM) { info in
          guard let query = gst_pad_probe_info_get_query(info), vit_query_type(query) == GST_QUERY_SEEKING,
            counter.withLock({ $0.isSeveral })
          else { return GST_PAD_PROBE_OK }
          var format = GST_FORMAT_TIME
          gst_query_parse_seeking(query, &format, nil, nil, nil)
          gst_query_set_seeking(query, format, 0, 0, -1)
          return GST_PAD_PROBE_HANDLED
        }
        // An element that asked first doesn't seek; the seek of one that didn't ask is dropped.
        pad.intercept(GST_PAD_PROBE_TYPE_EVENT_UPSTREAM) { info in
          guard let event = gst_pad_probe_info_get_event(info), vit_event_type(event) == GST_EVENT_SEEK,
            counter.withLock({ $0.isSeveral })
          else { return GST_PAD_PROBE_OK }
          return GST_PAD_PROBE_DROP
        }
      }
    }
  }

  private static func count(_ buffer: UnsafeMutablePointer<GstBuffer>, _ counter: Locked<PeriodCounter>) {
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
    defer { gst_buffer_unmap(buffer, &map) }
    let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
    counter.withLock { counter in for byte in bytes { counter.scanByte(byte) } }
  }
}

/// Counts the tags `<Period` of a manifest that comes in pieces.
struct PeriodCounter: Sendable {
  private static let tag = Array("<Period".utf8)
  private var matched = 0
  private var count = 0

  var isSeveral: Bool { count > 1 }

  mutating func scanByte(_ byte: UInt8) {
    if matched == Self.tag.count {
      // Not the start of another name.
      if byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { count = min(count + 1, 2) }
      matched = 0
    }
    matched = byte == Self.tag[matched] ? matched + 1 : byte == Self.tag[0] ? 1 : 0
  }
}
