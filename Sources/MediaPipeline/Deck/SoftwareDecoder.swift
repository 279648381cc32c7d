internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

// Makes software decoders reach the target of a seek sooner: docs/decisions/0173-exact-seeks.md.

extension Element {
  /// Prepares a software decoder of video before it runs: drops frames before a seek's target that no other frame
  /// refers to, and has the thread that feeds the decoder scheduled ahead of the decoder's own threads, whose frames
  /// would otherwise wait for it. Does nothing to other elements.
  func easeDecoding() {
    guard isSoftwareDecoder, let pad = staticPad("sink") else { return }
    // Captured as an address: the pad owns the closure, and a strong reference would be a cycle.
    let address = UInt(bitPattern: pad.pointer)
    let hasBegun = Locked(false)
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
      guard let pad = UnsafeMutablePointer<GstPad>(bitPattern: address),
        let buffer = gst_pad_probe_info_get_buffer(info)
      else { return GST_PAD_PROBE_OK }
      // The decoder made its threads when the caps came, with the scheduling policy that this thread had then.
      let isFirst = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return !hasBegun
      }
      if isFirst { ThreadPriority.handOut() }
      return isForNobody(buffer, at: pad) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }
}

/// Whether a decoder gets this frame only because the seek began at a key frame, and no other frame refers to it.
private func isForNobody(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) -> Bool {
  guard vit_is_before_segment(pad, buffer) != 0 else { return false }
  let prefix = Int(vit_h264_prefix(pad))
  var map = GstMapInfo()
  guard prefix != VIT_NO_H264, gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return false }
  defer { gst_buffer_unmap(buffer, &map) }
  let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bytes
  return H264Picture.isDisposable(bytes, prefix == 0 ? .startCodes : .lengths(prefix))
}
