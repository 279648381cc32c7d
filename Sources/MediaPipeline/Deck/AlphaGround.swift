internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop

/// Puts the background behind a film that lets something shine through, such as a logo in WebM: converters leave the alpha channel out, and
/// the colours under it would show. The processor does it, for such films alone.
enum AlphaGround {
  /// - Parameters:
  ///   - pad: where decoded frames come in.
  ///   - background: 0xRRGGBB.
  static func attach(to pad: Pad, background: UInt32) {
    let hasAlpha = Locked(false)
    // An address: the pad owns what is called, and a reference would keep it for ever.
    let address = UInt(bitPattern: pad.pointer)
    pad.observeEvents { event in
      guard vit_event_type(event) == GST_EVENT_CAPS else { return }
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &caps)
      if let caps { hasAlpha.withLock { $0 = vit_has_plain_alpha(caps) != 0 } }
    }
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
      guard hasAlpha.withLock({ $0 }), let pad = UnsafeMutablePointer<GstPad>(bitPattern: address) else {
        return GST_PAD_PROBE_OK
      }
      vit_fill_behind(info, pad, background)
      return GST_PAD_PROBE_OK
    }
  }
}
