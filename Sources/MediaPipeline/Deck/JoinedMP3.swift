internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// Plays joined MP3s to their end: GStreamer's parser believes the header of the first one, which gives that one's
/// length alone. This hides the header before the parser sees it: the bytes of its name become zeros, and the frame
/// around it is one of silence.
enum JoinedMP3 {
  /// - Parameter film: asked for the file's first bytes.
  static func watch(_ pipeline: Element, _ film: Locked<FilmFile>) {
    pipeline.observeParts { element in
      guard element.factory == "mpegaudioparse", let pad = element.staticPad("sink") else { return }
      pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
        guard film.withLock({ $0.isJoined }) else { return GST_PAD_PROBE_REMOVE }
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
