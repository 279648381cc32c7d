internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// What frames need before a kmssink shows them well. On its pad, on the output's streaming thread.
///
/// kmssink makes the framebuffers into which it copies frames of plain memory as large as the first of them, and throws each
/// away after its use where that one had padding that a framebuffer hasn't: docs/decisions/0106-kmssink-frames.md.
final class PlaneFrames: Sendable {
  private let sink: Element
  private let state = Locked(State())

  private struct State: Sendable {
    /// Of what comes.
    var caps: Caps?
    /// Whether the sink has had a frame of plain memory since then.
    var hasFitted = false
    /// Whether the frame before was in a dmabuf, and may still be on the screen.
    var wasShared = false
    /// Bytes of a framebuffer, by caps.
    var sizes: [String: gsize] = [:]
  }

  /// Sizes of so many caps are kept; a list has a few kinds of film.
  private static let sizesKept = 16

  init(sink: Element) { self.sink = sink }

  func attach() {
    guard let pad = sink.staticPad("sink") else { return }
    pad.observeEvents { [weak self] event in
      guard let self, vit_event_type(event) == GST_EVENT_CAPS else { return }
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &caps)
      guard let caps else { return }
      state.withLock { state in
        state.caps = Caps(borrowing: caps)
        state.hasFitted = false
      }
    }
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] info in
      self?.fit(info)
      return GST_PAD_PROBE_OK
    }
  }

  /// Has the first frame of plain memory be as long as a framebuffer.
  private func fit(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard let frame = gst_pad_probe_info_get_buffer(info) else { return }
    let isShared = vit_buffer_is_dmabuf(frame) != 0
    let (caps, wasShared): (Caps?, Bool) = state.withLock { state in
      defer { state.wasShared = isShared }
      guard !isShared, !state.hasFitted else { return (nil, state.wasShared) }
      state.hasFitted = true
      return (state.caps, state.wasShared)
    }
    guard let caps else { return }
    let size = framebufferSize(caps, maySink: !wasShared)
    guard vit_buffer_size(frame) != max(size, caps.frameSize),
      let packed = vit_buffer_packed(frame, caps.pointer, size)
    else { return }
    vit_replace_buffer(info, packed)
  }

  /// - Parameter maySink: whether the sink can be asked. While it shows a frame out of a dmabuf, a question has it copy that
  ///   one and wait for the screen.
  /// - Returns: 0 where it isn't known.
  private func framebufferSize(_ caps: Caps, maySink: Bool) -> gsize {
    let text = caps.text
    if let known = state.withLock({ $0.sizes[text] }) { return known }
    guard maySink else { return 0 }
    let size = vit_sink_frame_size(sink.pointer, caps.pointer)
    state.withLock { state in
      if state.sizes.count >= Self.sizesKept { state.sizes = [:] }
      state.sizes[text] = size
    }
    return size
  }
}
