internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// Drops the samples before the target of a seek that began earlier, so that a held deck's first sample is the one at
/// the target.
///
/// In a film whose pictures last differently long, decoders don't know how long each lasts, and throw away the one that
/// covers the target: what comes first lies behind the target. The trimmer notices that, and a seek from the key frame
/// before shows what had been thrown away.
final class SeekTrimmer: Sendable {
  /// What the trimmer does with the samples of one seek.
  struct Aim: Hashable, Sendable {
    /// In the pipeline's time.
    var target: Duration
    /// The last sample before the target is shown from the target on, where nothing else covers that.
    var keepsLast = false
  }

  private struct State: Sendable {
    /// The aim from the next flush on.
    var next: Aim?
    /// Samples that end before its target are dropped. Nil lets all pass: none is armed, or a sample has passed.
    var aim: Aim?
    /// The duration of a sample that has none of its own.
    var usual: Duration = .zero
    var kept: KeptBuffer?
    var hasMissed = false
  }
  private let state = Locked(State())

  /// Sums of rounded times may be too late by this much.
  private static let rounding: Duration = .microseconds(1)
  /// A sample that begins this long after the target has missed it. A frame of the slowest films lasts 42 ms, and
  /// containers round to a millisecond.
  static let miss: Duration = .milliseconds(50)

  /// Whether the first sample since the last flush lies far behind the target.
  var hasMissed: Bool { state.withLock { $0.hasMissed } }

  /// - Parameters:
  ///   - aim: nil for a seek that begins where it will.
  ///   - usual: the duration of a sample that has none of its own.
  func arm(_ aim: Aim?, usual: Duration? = nil) {
    state.withLock { state in
      state.next = aim
      state.usual = usual ?? .zero
    }
  }

  /// The pad has been flushed: samples from now on belong to the new seek.
  func flushed() {
    state.withLock { state in
      state.aim = state.next
      state.next = nil
      state.kept = nil
      state.hasMissed = false
    }
  }

  func attach(to pad: Pad) {
    // Captured as an address: the pad owns the closure, and a strong reference would be a cycle.
    let address = UInt(bitPattern: pad.pointer)
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { [self] info in
      let (armed, usual) = state.withLock { ($0.aim, $0.usual) }
      guard let pad = UnsafeMutablePointer<GstPad>(bitPattern: address), let aim = armed,
        let buffer = gst_pad_probe_info_get_buffer(info), let time = vit_stream_time(pad, buffer).duration
      else { return GST_PAD_PROBE_OK }
      let end = time + (vit_buffer_duration(buffer).duration ?? usual)
      if time < aim.target, end <= aim.target + Self.rounding {
        if aim.keepsLast { state.withLock { $0.kept = KeptBuffer(buffer, at: time) } }
        return GST_PAD_PROBE_DROP
      }
      let kept = state.withLock { state in
        defer { state.kept = nil }
        state.aim = nil
        state.hasMissed = state.kept == nil && time > aim.target + Self.miss
        return state.kept
      }
      if let kept, time > aim.target { kept.pass(to: pad, at: aim.target, until: time) }
      return GST_PAD_PROBE_OK
    }
  }
}

/// A buffer that was dropped and may be wanted after all.
///
/// `@unchecked Sendable` holds because a GstBuffer counts its references atomically and nothing changes it while there
/// is more than one.
private final class KeptBuffer: @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<GstBuffer>
  private let time: Duration

  init(_ buffer: UnsafeMutablePointer<GstBuffer>, at time: Duration) {
    pointer = gst_buffer_ref(buffer)
    self.time = time
  }
  deinit { gst_buffer_unref(pointer) }

  func pass(to pad: UnsafeMutablePointer<GstPad>, at target: Duration, until end: Duration) {
    vit_pass_later(
      pad, pointer, GstClockTime((target - time).wholeNanoseconds), GstClockTime((end - target).wholeNanoseconds))
  }
}
