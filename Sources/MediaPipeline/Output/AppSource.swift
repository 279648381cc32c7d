internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// The appsrc at the head of an output pipeline.
///
/// Frames of several decks meet here. Once a newer deck has pushed, an older one's samples are refused: that is what
/// keeps the tail of one item out of the next.
final class AppSource: SampleDestination {
  let element: Element
  private let state: Locked<State>

  private struct State: Sendable {
    var newest = DeckID(generation: 0)
    var base = Instant(nanoseconds: 0)
    var isOpen = true
  }

  /// - Parameter maxBuffers: how many samples may wait; when more come the oldest goes, so that the newest wins. Zero
  ///   keeps all of them.
  init(name: String, maxBuffers: UInt64) throws(VitrineError) {
    element = try Element.make("appsrc", name: name)
    state = Locked(State())
    element.set("is-live", true)
    element.set("format", nick: "time")
    element.set("min-latency", int64: 0)
    element.set("max-bytes", uint64: 0)
    element.set("max-buffers", uint64: maxBuffers)
    if maxBuffers > 0 { element.set("leaky-type", nick: "downstream") }
  }

  /// When running time zero of the output is.
  func setBase(_ base: Instant) { state.withLock { $0.base = base } }
  func close() { state.withLock { $0.isOpen = false } }

  func push(_ sample: OpaquePointer, at due: Instant, tag: FrameTag) -> GstFlowReturn {
    let pts: Int64? = state.withLock { state in
      guard state.isOpen, tag.deck >= state.newest else { return nil }
      state.newest = tag.deck
      return (due - state.base).wholeNanoseconds
    }
    guard let pts, let stamped = vit_sample_restamped(sample, UInt64(max(0, pts)), tag.offset, tag.offsetEnd) else {
      return GST_FLOW_OK
    }
    defer { vit_sample_unref(stamped) }
    let source = UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstAppSrc.self)
    let flow = gst_app_src_push_sample(source, stamped)
    // An output that is being rebuilt flushes; that is no reason for the deck to stop.
    return flow == GST_FLOW_FLUSHING || flow == GST_FLOW_EOS ? GST_FLOW_OK : flow
  }
}
