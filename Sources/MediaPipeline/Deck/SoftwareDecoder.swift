internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

// What makes decoders that work by the processor come to the frame that was sought sooner: docs/decisions/0173-exact-seeks.md.

extension Element {
  /// A decoder of video by the processor gets no frame that nobody sees and no other is made from, and what its threads have decoded
  /// doesn't wait for the thread that feeds them. Nothing is done to other elements. Before it works.
  func easeDecoding() {
    guard isSoftwareDecoder, let pad = staticPad("sink") else { return }
    // An address: the pad owns what is called, and a reference would keep it for ever.
    let address = UInt(bitPattern: pad.pointer)
    let hasBegun = Locked(false)
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
      guard let pad = UnsafeMutablePointer<GstPad>(bitPattern: address),
        let buffer = gst_pad_probe_info_get_buffer(info)
      else { return GST_PAD_PROBE_OK }
      // Its threads are there since the caps came, and go on as this one was then.
      let isFirst = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return !hasBegun
      }
      if isFirst { ThreadPriority.handOut() }
      return isForNobody(buffer, at: pad) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }
}

/// Whether a decoder is given this only because a seek begins at a key frame, and no other frame is made from it.
private func isForNobody(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) -> Bool {
  guard vit_is_before_segment(pad, buffer) != 0 else { return false }
  let prefix = Int(vit_h264_prefix(pad))
  var map = GstMapInfo()
  guard prefix != VIT_NO_H264, gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return false }
  defer { gst_buffer_unmap(buffer, &map) }
  let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bytes
  return H264Picture.isDisposable(bytes, prefix == 0 ? .startCodes : .lengths(prefix))
}
