internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// Draws the overlay into the frames of an output, where the screen has no plane for it.
///
/// Frames pass unchanged while there is no overlay. GStreamer's element converts RGB to YUV with one matrix for all
/// video, so the overlay is given to it in the frame's own colours.
struct OverlayBlender: Sendable {
  let element: Element
  private let state: BlendState

  /// - Throws: 7202 where the plugin is missing.
  init() throws(VitrineError) {
    element = try Element.make("overlaycomposition", name: "overlay")
    let state = BlendState()
    self.state = state
    let draw: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> OpaquePointer? = { _, sample, data in
      guard let sample, let data else { return nil }
      return Unmanaged<BlendState>.fromOpaque(data).takeUnretainedValue().composition(for: sample)
    }
    g_signal_connect_data(
      element.pointer, "draw", unsafeBitCast(draw, to: GCallback.self), Unmanaged.passRetained(state).toOpaque(),
      { data, _ in if let data { Unmanaged<BlendState>.fromOpaque(data).release() } }, GConnectFlags(0))
  }

  /// Sets the overlay of the frames from now on; nil draws none. Any thread.
  func show(_ overlay: OverlayPixels?) { state.show(overlay) }
}

private final class BlendState: Sendable {
  private struct Value: Sendable {
    var overlay: OverlayPixels?
    /// The composition, made for the first frame after a change and kept for the others.
    var made: Made?
  }
  private struct Made: Sendable {
    var composition: Composition
    /// The colours that the composition was made for; nil for RGB frames.
    var colour: VideoColour?
  }
  private let value = Locked(Value())

  func show(_ overlay: OverlayPixels?) {
    value.withLock { $0 = Value(overlay: overlay) }
  }

  /// The overlay for a frame, as a new reference that the caller owns; nil draws none. Streaming thread.
  func composition(for sample: OpaquePointer) -> OpaquePointer? {
    guard let caps = gst_sample_get_caps(sample) else { return nil }
    let colour = vit_caps_are_yuv(caps) != 0 ? Caps(borrowing: caps).video?.colour : nil
    return value.withLock { value in
      guard let overlay = value.overlay else { return nil }
      if value.made == nil || value.made?.colour != colour {
        value.made = Composition(overlay, colour).map { Made(composition: $0, colour: colour) }
      }
      return (value.made?.composition.pointer).map { vit_composition_ref($0) }
    }
  }
}

/// An overlay in GStreamer's form, with one reference held.
///
/// `@unchecked Sendable` holds because a composition isn't changed after it was made, and its reference count is
/// atomic.
private final class Composition: @unchecked Sendable {
  let pointer: OpaquePointer

  init?(_ overlay: OverlayPixels, _ colour: VideoColour?) {
    let frame = overlay.frame
    func make(_ bytes: UnsafeRawBufferPointer, isYUV: Bool) -> OpaquePointer? {
      guard let start = bytes.baseAddress else { return nil }
      return vit_composition_new(
        start, gint(frame.x), gint(frame.y), guint(frame.width), guint(frame.height), isYUV ? 1 : 0)
    }
    let made =
      if let colour {
        overlay.ayuv(colour).withUnsafeBytes { make($0, isYUV: true) }
      } else {
        overlay.pixels.withUnsafeBytes { make($0, isYUV: false) }
      }
    guard let made else { return nil }
    pointer = made
  }

  deinit { vit_composition_unref(pointer) }
}
