internal import CGStreamer
internal import CGStreamerShims

extension Element {
  /// Has an appsink give its samples to these, on its streaming thread. It keeps them for as long as it lives.
  ///
  /// - Parameters:
  ///   - first: takes the sample with which a held pipeline is ready, and after each seek; nil where it isn't wanted.
  ///   - each: takes the samples of a pipeline that plays.
  func giveSamples(
    first: (@Sendable (OpaquePointer) -> GstFlowReturn)? = nil,
    each: @escaping @Sendable (OpaquePointer) -> GstFlowReturn
  ) {
    var callbacks = GstAppSinkCallbacks()
    if first != nil {
      callbacks.new_preroll = { appsink, data in
        guard let data, let sample = gst_app_sink_pull_preroll(appsink) else { return GST_FLOW_EOS }
        defer { vit_sample_unref(sample) }
        return Unmanaged<SampleReceiver>.fromOpaque(data).takeUnretainedValue().first?(sample) ?? GST_FLOW_OK
      }
    }
    callbacks.new_sample = { appsink, data in
      guard let data, let sample = gst_app_sink_pull_sample(appsink) else { return GST_FLOW_EOS }
      defer { vit_sample_unref(sample) }
      return Unmanaged<SampleReceiver>.fromOpaque(data).takeUnretainedValue().each(sample)
    }
    gst_app_sink_set_callbacks(
      UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstAppSink.self), &callbacks,
      Unmanaged.passRetained(SampleReceiver(first: first, each: each)).toOpaque(),
      { data in if let data { Unmanaged<SampleReceiver>.fromOpaque(data).release() } })
  }
}

private final class SampleReceiver: Sendable {
  let first: (@Sendable (OpaquePointer) -> GstFlowReturn)?
  let each: @Sendable (OpaquePointer) -> GstFlowReturn

  init(
    first: (@Sendable (OpaquePointer) -> GstFlowReturn)?, each: @escaping @Sendable (OpaquePointer) -> GstFlowReturn
  ) {
    self.first = first
    self.each = each
  }
}
