internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop

/// Plays PCM in MP4 as cameras and FFmpeg 6 write it (ISO 23003-5).
///
/// GStreamer 1.22 only: its demultiplexer knows PCM by QuickTime's names alone.
enum PCMInMP4 {
  /// The most buffers that are searched in a film whose header comes in pieces or stands at its end.
  private static let patience = 64

  static func watch(_ pipeline: Element) {
    pipeline.observeParts { element in
      guard element.factory == "qtdemux", let pad = element.staticPad("sink") else { return }
      let left = Locked(patience)
      let isSwapped = Locked(false)
      pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
        var swaps: gboolean = 0
        let isFound = vit_name_pcm(info, &swaps) != 0
        if swaps != 0 { isSwapped.withLock { $0 = true } }
        let isOver = left.withLock { left in
          left -= 1
          return isFound || left <= 0
        }
        return isOver ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
      }
      element.observePads { swap(on: $0, isSwapped) }
    }
  }

  private static func swap(on pad: Pad, _ isSwapped: Locked<Bool>) {
    // Captured as an address: the pad owns the closure, and a strong reference would be a cycle.
    let address = UInt(bitPattern: pad.pointer)
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
      guard isSwapped.withLock({ $0 }), let pad = UnsafeMutablePointer<GstPad>(bitPattern: address) else {
        return GST_PAD_PROBE_REMOVE
      }
      vit_swap_samples(info, pad)
      return GST_PAD_PROBE_OK
    }
  }
}
