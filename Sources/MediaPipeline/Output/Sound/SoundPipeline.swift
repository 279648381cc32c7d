internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// One open sound device: `appsrc ! audioconvert ! audioresample ! sink`, on the output's clock.
///
/// The device runs on a clock of its own. The sink gets the sound by the device's time, and reports how the two clocks
/// differ (`deviceAhead`); the sound is adapted by its producer (docs/decisions/0099-sound-keeps-time.md).
final class SoundPipeline: Sendable {
  /// The caps of every deck's sound: one format, so that nothing is negotiated at a seam.
  static let capsText =
    "audio/x-raw,format=S16LE,layout=interleaved,rate=\(SoundFormat.framesPerSecond),channels=\(SoundFormat.channels)"

  /// The device's name as the settings give it.
  let name: String
  private let pipeline: Element
  private let source: Element
  private let sink: Element
  private let base: Instant
  private let clock: MediaClock
  private let deviceClock = DeviceClock()

  private struct Start: Sendable {
    var isPlaying = false
    var fault: String?
  }

  /// Opens the device and waits until it plays. The wait is `SoundTiming.openDeadline` at most, but the device itself
  /// may block for longer.
  ///
  /// - Parameters:
  ///   - clock: the clock of the output.
  ///   - failed: called when the device fails later, on any thread.
  /// - Throws: 5302, 7202, 7203, 7204.
  init(
    _ route: SoundRoute, clock: MediaClock, failed: @escaping @Sendable (String) -> Void
  ) throws(VitrineError) {
    self.clock = clock
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
    deviceClock.watch(sink)
    // The stream has no gaps, so a deviation beyond this is a real jump.
    sink.set("alignment-threshold", uint64: UInt64(SoundTiming.alignment.wholeNanoseconds))
    sink.set("discont-wait", uint64: 0)
    sink.set("buffer-time", int64: SoundTiming.deviceBuffer.wholeNanoseconds / 1000)
    sink.set("latency-time", int64: SoundTiming.devicePeriod.wholeNanoseconds / 1000)
    pipeline.add(source, convert, resample, sink)
    try source.link(to: convert)
    try convert.link(to: resample)
    try resample.link(to: sink)
    pipeline.useClock(clock)
    // Sound plays at its own time, as frames are shown at theirs: no latency is added.
    gst_pipeline_set_latency(UnsafeMutableRawPointer(pipeline.pointer).assumingMemoryBound(to: GstPipeline.self), 0)
    base = clock.now
    pipeline.setBaseTime(base)
    let start = Locked(Start())
    let alarm = Alarm()
    Bus.receiveMessages(from: pipeline) { message in
      switch message {
      case .error(let fault):
        let detail = [fault.message, fault.debug].filter { !$0.isEmpty }.joined(separator: " | ")
        let wasPlaying = start.withLock { start in
          if start.fault == nil { start.fault = detail }
          return start.isPlaying
        }
        if wasPlaying { failed(detail) } else { alarm.wake() }
      // The sound's thread reopens a failed device, and the new pipeline has the system's clock.
      case .clockLost: if start.withLock({ $0.isPlaying }) { failed("its clock is lost") }
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
      // A sink reports PLAYING only after its first data, when the device has been opened in our format.
      let silence = [Int16](repeating: 0, count: SoundTiming.stretchFrames * SoundFormat.channels)
      push(silence, at: clock.now + SoundTiming.feedLead)
      while start.withLock({ !$0.isPlaying && $0.fault == nil }), Instant.monotonicNow < deadline {
        alarm.sleep(until: deadline.nanoseconds)
      }
      isRefused = start.withLock { !$0.isPlaying || $0.fault != nil }
    }
    guard isRefused else { return }
    close()
    throw SoundErrors.cannotOpen(name, detail: start.withLock { $0.fault } ?? "it didn't start in time")
  }

  /// By how much the device's clock was ahead of the output's when it was last read; nil where no new reading has come,
  /// and for sinks that keep time themselves.
  func deviceAhead() -> Duration? { deviceClock.consumeAhead() }

  /// - Parameters:
  ///   - samples: left and right in turn.
  ///   - due: when the first sample is to be heard, by the device's clock.
  func push(_ samples: [Int16], at due: Instant) {
    let pts = UInt64(max(0, (due - base).wholeNanoseconds))
    let length = UInt64(SoundFormat.duration(ofFrames: samples.count / SoundFormat.channels).wholeNanoseconds)
    samples.withUnsafeBytes { bytes in
      guard let memory = bytes.baseAddress else { return }
      vit_push_bytes(source.pointer, memory, gsize(bytes.count), pts, length)
    }
  }

  /// The length of the sound that waits in front of the device's own buffer.
  var queued: Duration {
    let source = UnsafeMutableRawPointer(source.pointer).assumingMemoryBound(to: GstAppSrc.self)
    return .nanoseconds(Int64(clamping: gst_app_src_get_current_level_time(source)))
  }

  /// Closes the device. Blocks for as long as the device takes.
  func close() {
    Bus.release(pipeline)
    _ = pipeline.setState(GST_STATE_NULL)
  }
}

/// The latest reading of a device's clock, from its sink.
private final class DeviceClock: Sendable {
  private let ahead = Locked<Duration?>(nil)

  func watch(_ sink: Element) {
    let told: vit_device_clock_func = { data, device, ours in
      let ahead = Duration.nanoseconds(Int64(clamping: device) - Int64(clamping: ours))
      Unmanaged<DeviceClock>.fromOpaque(data).takeUnretainedValue().ahead.withLock { $0 = ahead }
    }
    let retained = Unmanaged.passRetained(self)
    let isWatched = vit_watch_device_clock(sink.pointer, told, retained.toOpaque()) { data in
      if let data { Unmanaged<DeviceClock>.fromOpaque(data).release() }
    }
    if isWatched == 0 { retained.release() }
  }

  func consumeAhead() -> Duration? {
    ahead.withLock { ahead in
      defer { ahead = nil }
      return ahead
    }
  }
}
