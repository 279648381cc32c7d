internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// One open sound device: `appsrc ! audioconvert ! audioresample ! sink`, on the system clock.
///
/// The device's own clock is not the system's; the sink skips or repeats a little now and then to follow (see
/// docs/decisions/0011-sound-output.md).
final class SoundPipeline: Sendable {
  /// What every deck delivers: one format, so that nothing is negotiated at a seam.
  static let capsText =
    "audio/x-raw,format=S16LE,layout=interleaved,rate=\(SoundFormat.framesPerSecond),channels=\(SoundFormat.channels)"

  /// As settings name it.
  let name: String
  private let pipeline: Element
  private let source: Element
  private let sink: Element
  private let base: Instant

  private struct Start: Sendable {
    var isPlaying = false
    var fault: String?
  }

  /// Opens the device and waits until it takes sound. Blocks, for `SoundTiming.openDeadline` at most where the device
  /// itself doesn't.
  ///
  /// - Parameter failed: called once on any thread when the device fails later.
  /// - Throws: 5302, 7202, 7203, 7204.
  init(_ route: SoundRoute, failed: @escaping @Sendable (String) -> Void) throws(VitrineError) {
    name = route.device.description
    pipeline = try Element.pipeline(name: "sound-output")
    source = try Element.make("appsrc", name: "sound-source")
    let convert = try Element.make("audioconvert")
    let resample = try Element.make("audioresample")
    sink = try route.makeSink()
    source.set("is-live", true)
    source.set("format", nick: "time")
    source.set("min-latency", int64: 0)
    source.set("max-bytes", uint64: 0)
    if let caps = Caps(Self.capsText) { source.set("caps", caps) }
    sink.set("provide-clock", false)
    // Not resampling: with that, a PulseAudio sink falls silent (docs/decisions/0011-sound-output.md).
    sink.set("slave-method", nick: "skew")
    sink.set("buffer-time", int64: SoundTiming.deviceBuffer.wholeNanoseconds / 1000)
    sink.set("latency-time", int64: SoundTiming.devicePeriod.wholeNanoseconds / 1000)
    pipeline.add(source, convert, resample, sink)
    try source.link(to: convert)
    try convert.link(to: resample)
    try resample.link(to: sink)
    pipeline.useSystemClock()
    // Sound sounds at its own time, as frames show at theirs: no latency is added on top.
    gst_pipeline_set_latency(UnsafeMutableRawPointer(pipeline.pointer).assumingMemoryBound(to: GstPipeline.self), 0)
    base = Instant.monotonicNow
    pipeline.setBaseTime(base)
    setTolerance(SoundTiming.settlingTolerance)
    let start = Locked(Start())
    let alarm = Alarm()
    Bus.receive(from: pipeline) { message in
      switch message {
      case .error(let fault):
        let detail = [fault.message, fault.debug].filter { !$0.isEmpty }.joined(separator: " | ")
        let wasPlaying = start.withLock { start in
          if start.fault == nil { start.fault = detail }
          return start.isPlaying
        }
        if wasPlaying { failed(detail) } else { alarm.wake() }
      case .stateChanged(GST_STATE_PLAYING):
        start.withLock { $0.isPlaying = true }
        alarm.wake()
      default: break
      }
    }
    try begin(start, alarm)
  }

  private func begin(_ start: Locked<Start>, _ alarm: Alarm) throws(VitrineError) {
    let deadline = Instant.monotonicNow + SoundTiming.openDeadline
    var isRefused =
      pipeline.setState(GST_STATE_READY) == GST_STATE_CHANGE_FAILURE
      || pipeline.setState(GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE
    if !isRefused {
      // A sink says that it plays once it has got something, and only then has the device been opened in our format.
      let silence = [Int16](repeating: 0, count: SoundTiming.stretchFrames * SoundFormat.channels)
      push(silence, at: Instant.monotonicNow + SoundTiming.feedLead)
      while start.withLock({ !$0.isPlaying && $0.fault == nil }), Instant.monotonicNow < deadline {
        alarm.sleep(until: deadline.nanoseconds)
      }
      isRefused = start.withLock { !$0.isPlaying || $0.fault != nil }
    }
    guard isRefused else { return }
    close()
    throw SoundErrors.cannotOpen(name, detail: start.withLock { $0.fault } ?? "it didn't start in time")
  }

  /// How far the device may be out of step before the sink skips or repeats as much.
  func setTolerance(_ tolerance: Duration) {
    sink.set("drift-tolerance", int64: tolerance.wholeNanoseconds / 1000)
    // A block that belongs elsewhere by less is joined to the one before all the same.
    sink.set("alignment-threshold", uint64: UInt64(tolerance.wholeNanoseconds))
  }

  /// - Parameters:
  ///   - samples: left and right in turn.
  ///   - due: when the first is to be heard.
  func push(_ samples: [Int16], at due: Instant) {
    let pts = UInt64(max(0, (due - base).wholeNanoseconds))
    let length = UInt64(SoundFormat.duration(ofFrames: samples.count / SoundFormat.channels).wholeNanoseconds)
    samples.withUnsafeBytes { bytes in
      guard let memory = bytes.baseAddress else { return }
      vit_push_bytes(source.pointer, memory, gsize(bytes.count), pts, length)
    }
  }

  /// How much waits before the device's own buffer.
  var queued: Duration {
    let source = UnsafeMutableRawPointer(source.pointer).assumingMemoryBound(to: GstAppSrc.self)
    return .nanoseconds(Int64(clamping: gst_app_src_get_current_level_time(source)))
  }

  /// Blocks for as long as the device likes.
  func close() {
    Bus.release(pipeline)
    _ = pipeline.setState(GST_STATE_NULL)
  }
}
