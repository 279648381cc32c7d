internal import CGStreamer
internal import CGStreamerShims

extension Element {
  /// Calls `observe` with each element that is added to this pipeline or bin, at any depth, on the thread that adds it
  /// and before the element runs.
  func observeParts(_ observe: @escaping @Sendable (Element) -> Void) {
    let callback:
      @Sendable @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void = {
        _, _, made, data in
        guard let made, let data else { return }
        Unmanaged<PartObserver>.fromOpaque(data).takeUnretainedValue().observe(Element(sinking: made))
      }
    g_signal_connect_data(
      pointer, "deep-element-added", unsafeBitCast(callback, to: GCallback.self),
      Unmanaged.passRetained(PartObserver(observe)).toOpaque(),
      { data, _ in if let data { Unmanaged<PartObserver>.fromOpaque(data).release() } }, GConnectFlags(0))
  }

  /// Calls `observe` with each pad that is added to the element from now on.
  func observePads(_ observe: @escaping @Sendable (Pad) -> Void) {
    let callback: @Sendable @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = {
      _, pad, data in
      guard let pad, let data, let held = gst_object_ref(pad) else { return }
      let made = Pad(adopting: held.assumingMemoryBound(to: GstPad.self))
      Unmanaged<NewPadObserver>.fromOpaque(data).takeUnretainedValue().observe(made)
    }
    g_signal_connect_data(
      pointer, "pad-added", unsafeBitCast(callback, to: GCallback.self),
      Unmanaged.passRetained(NewPadObserver(observe)).toOpaque(),
      { data, _ in if let data { Unmanaged<NewPadObserver>.fromOpaque(data).release() } }, GConnectFlags(0))
  }
}

private final class PartObserver: Sendable {
  let observe: @Sendable (Element) -> Void
  init(_ observe: @escaping @Sendable (Element) -> Void) { self.observe = observe }
}

private final class NewPadObserver: Sendable {
  let observe: @Sendable (Pad) -> Void
  init(_ observe: @escaping @Sendable (Pad) -> Void) { self.observe = observe }
}
