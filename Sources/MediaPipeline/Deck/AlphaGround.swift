internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop

/// Fills in the background behind a film with an alpha channel, such as a logo in WebM: converters drop the alpha
/// channel, and the colours of transparent pixels would show. The processor does the work, for such films only.
enum AlphaGround {
  /// - Parameters:
  ///   - pad: decoded frames arrive at it.
  ///   - background: 0xRRGGBB.
  static func attach(to pad: Pad, background: UInt32) {
    let hasAlpha = Locked(false)
    // Captured as an address: the pad owns the closure, and a strong reference would be a cycle.
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
