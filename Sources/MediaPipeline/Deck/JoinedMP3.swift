internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// Has MP3s that were joined played to their end: GStreamer's parser believes the header of the first one. What hides that header is at
/// the parser's door: the bytes of its name become zeros, and the frame that it stands in is one of silence.
enum JoinedMP3 {
  /// - Parameter isJoined: asked for the file's first bytes.
  static func watch(_ pipeline: Element, isJoined: Locked<Bool>) {
    pipeline.observeParts { element in
      guard element.factory == "mpegaudioparse", let pad = element.staticPad("sink") else { return }
      pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
        guard isJoined.withLock({ $0 }) else { return GST_PAD_PROBE_REMOVE }
        guard let buffer = gst_pad_probe_info_get_buffer(info), buffer.pointee.offset == 0 else {
          return GST_PAD_PROBE_OK
        }
        hideHeader(info, buffer)
        return GST_PAD_PROBE_OK
      }
    }
  }

  private static func hideHeader(
    _ info: UnsafeMutablePointer<GstPadProbeInfo>, _ buffer: UnsafeMutablePointer<GstBuffer>
  ) {
    var start = [UInt8](repeating: 0, count: 256)
    let count = Int(gst_buffer_extract(buffer, 0, &start, gsize(start.count)))
    guard let header = JoinedSound.header(in: start.prefix(count)) else { return }
    vit_overwrite(info, gsize(header.place), 4)
  }
}
