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
    /// Of the sample that was pushed last.
    var newestTag: FrameTag?
    var base = Instant(nanoseconds: 0)
    var isOpen = true
    /// How many samples have come; with `keepsLast` the newest is kept.
    var count: UInt64 = 0
    var last: KeptSample?
  }

  /// A sample that may have to be pushed again. `@unchecked Sendable` holds because samples are immutable once pushed,
  /// and counted atomically.
  private final class KeptSample: @unchecked Sendable {
    let sample: OpaquePointer
    let tag: FrameTag
    init(adopting sample: OpaquePointer, _ tag: FrameTag) {
      self.sample = sample
      self.tag = tag
    }
    deinit { vit_sample_unref(sample) }
  }

  private let keepsLast: Bool

  /// - Parameter maxBuffers: how many samples may wait; when more come the oldest goes, so that the newest wins.
  /// - Parameter keepsLast: whether the newest sample is kept for `repeatLast`.
  init(name: String, maxBuffers: UInt64, keepsLast: Bool = false) throws(VitrineError) {
    self.keepsLast = keepsLast
    element = try Element.make("appsrc", name: name)
    state = Locked(State())
    element.set("is-live", true)
    element.set("format", nick: "time")
    element.set("min-latency", int64: 0)
    element.set("max-bytes", uint64: 0)
    element.set("max-buffers", uint64: maxBuffers)
    element.set("leaky-type", nick: "downstream")
  }

  /// When running time zero of the output is.
  func setBase(_ base: Instant) { state.withLock { $0.base = base } }
  func close() {
    state.withLock {
      $0.isOpen = false
      $0.last = nil
    }
  }

  /// Which sample came last.
  var newestTag: FrameTag? { state.withLock { $0.newestTag } }

  /// How many samples have come so far.
  var count: UInt64 { state.withLock { $0.count } }

  /// Pushes the newest sample once more, due now, unless others have come since there were `count`.
  func repeatLast(ifStillAt count: UInt64) {
    let found = state.withLock { state in
      state.count == count ? state.last.map { ($0, Instant.monotonicNow - state.base) } : nil
    }
    guard let (last, now) = found else { return }
    var tag = last.tag
    tag.isRepeat = true
    let pts = UInt64(max(0, now.wholeNanoseconds))
    guard let stamped = vit_sample_restamped(last.sample, pts, tag.offset, tag.offsetEnd) else { return }
    defer { vit_sample_unref(stamped) }
    _ = gst_app_src_push_sample(
      UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstAppSrc.self), stamped)
  }

  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
    let tag = stamp.tag
    let pts: Int64? = state.withLock { state in
      guard state.isOpen, tag.deck >= state.newest else { return nil }
      state.newest = tag.deck
      state.newestTag = tag
      return (stamp.due - state.base).wholeNanoseconds
    }
    guard let pts, let stamped = vit_sample_restamped(sample, UInt64(max(0, pts)), tag.offset, tag.offsetEnd) else {
      return GST_FLOW_OK
    }
    defer { vit_sample_unref(stamped) }
    if keepsLast, let copy = vit_sample_restamped(sample, UInt64(max(0, pts)), tag.offset, tag.offsetEnd) {
      state.withLock {
        $0.count += 1
        $0.last = KeptSample(adopting: copy, tag)
      }
    }
    let source = UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstAppSrc.self)
    let flow = gst_app_src_push_sample(source, stamped)
    // An output that is being rebuilt flushes; that is no reason for the deck to stop.
    return flow == GST_FLOW_FLUSHING || flow == GST_FLOW_EOS ? GST_FLOW_OK : flow
  }
}
