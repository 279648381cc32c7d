internal import CGStreamer
internal import CGStreamerShims
internal import PlaybackCore

/// Takes the subtitles of a deck and passes them on as cues in the item's time.
final class TextGate: Sendable {
  /// Formats that the gate accepts. Only texts become cues; bitmap subtitles are thrown away.
  static let caps =
    "text/x-raw,format={utf8,pango-markup};subpicture/x-dvd;subpicture/x-dvb;subpicture/x-pgs"

  private let start: MediaStart
  private let post: @Sendable (SubtitleCue) -> Void

  /// - Parameter start: converts the texts' times into the item's time.
  init(start: MediaStart = MediaStart(), post: @escaping @Sendable (SubtitleCue) -> Void) {
    self.start = start
    self.post = post
  }

  /// Connects the gate to the appsink whose samples it takes. The appsink keeps the gate alive.
  func attach(to sink: Element) {
    // A held deck delivers only the first text after a seek.
    sink.giveSamples(first: { self.handleSample($0) }, each: { self.handleSample($0) })
  }

  private func handleSample(_ sample: OpaquePointer) -> GstFlowReturn {
    if let cue = cue(of: sample) { post(cue) }
    return GST_FLOW_OK
  }

  /// Nil for what is no text.
  private func cue(of sample: OpaquePointer) -> SubtitleCue? {
    guard let caps = gst_sample_get_caps(sample), let format = gst_caps_get_structure(caps, 0),
      gst_structure_has_name(format, "text/x-raw") != 0
    else { return nil }
    guard let buffer = gst_sample_get_buffer(sample), let segment = gst_sample_get_segment(sample),
      let start = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, vit_buffer_pts(buffer)).duration
    else { return nil }
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { gst_buffer_unmap(buffer, &map) }
    guard let data = map.data else { return nil }
    let bytes = UnsafeBufferPointer(start: data, count: Int(map.size))
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    // A text without an end stays for a few seconds, which is enough to read it.
    let length = vit_buffer_duration(buffer).duration ?? .seconds(5)
    let from = self.start.inItem(start)
    return SubtitleCue(markup: text, from: from, to: from + length)
  }
}
