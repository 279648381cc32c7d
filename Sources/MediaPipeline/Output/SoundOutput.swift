internal import CGStreamer
internal import Glibc
internal import MainLoop
internal import PlaybackCore

/// The sound device: one pipeline that is never stopped between items.
///
/// It runs on the system clock and skips or repeats a sample now and then to follow it, so that the device can't stop the
/// picture. When it fails it is dropped and tried again after a while; the picture goes on.
final class SoundOutput: SampleDestination {
  /// What every deck delivers: one format, so that nothing is negotiated at a seam.
  static let capsText = "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=2"
  /// A device that failed is tried again after this: long enough not to flood its server, short enough for a visitor.
  static let retryInterval: Duration = .seconds(5)

  private struct Running: Sendable {
    var pipeline: Element
    var source: AppSource
    var device: String
  }
  private let running = Locked<Running?>(nil)
  private let tell: @Sendable (OutputEvent) -> Void

  init(tell: @escaping @Sendable (OutputEvent) -> Void) { self.tell = tell }

  /// Whether any sound system answers: a PulseAudio or PipeWire socket, or an ALSA card.
  static var isAvailable: Bool { !candidates().isEmpty }

  func push(_ sample: OpaquePointer, at due: Instant, tag: FrameTag) -> GstFlowReturn {
    guard let source = running.withLock({ $0?.source }) else { return GST_FLOW_OK }
    return source.push(sample, at: due, tag: tag)
  }

  // MARK: On the worker

  /// Opens the first device that works. True when sound is on.
  func open() -> Bool {
    for device in Self.candidates() {
      if let started = start(device) {
        running.withLock { $0 = started }
        return true
      }
    }
    return false
  }

  func close() {
    guard
      let old = running.withLock({ value in
        defer { value = nil }
        return value
      })
    else { return }
    old.source.close()
    Bus.release(old.pipeline)
    _ = old.pipeline.setState(GST_STATE_NULL)
  }

  /// The name of the sink in use, for the log.
  var device: String? { running.withLock { $0?.device } }

  private func start(_ device: String) -> Running? {
    do {
      let pipeline = try Element.pipeline(name: "sound-output")
      let source = try AppSource(name: "sound-source", maxBuffers: 0)
      let queue = try Element.make("queue")
      let convert = try Element.make("audioconvert")
      let resample = try Element.make("audioresample")
      let sink = try Element.make(device)
      sink.set("provide-clock", false)
      // Not resampling: with that, a PulseAudio sink falls silent after 0.3 s (docs/decisions/0011-sound-output.md).
      sink.set("slave-method", nick: "skew")
      // Decks deliver `DeckTiming.soundLead` ahead; the device's buffer has to be shorter than that.
      sink.set("buffer-time", int64: 40_000)
      sink.set("latency-time", int64: 10_000)
      if let caps = Caps(Self.capsText) { source.element.set("caps", caps) }
      pipeline.add(source.element, queue, convert, resample, sink)
      try source.element.link(to: queue)
      try queue.link(to: convert)
      try convert.link(to: resample)
      try resample.link(to: sink)
      pipeline.useSystemClock()
      // Sound sounds at its own time, as frames show at theirs: no latency is added on top.
      gst_pipeline_set_latency(UnsafeMutableRawPointer(pipeline.pointer).assumingMemoryBound(to: GstPipeline.self), 0)
      let base = Instant.monotonicNow
      source.setBase(base)
      pipeline.setBaseTime(base)
      let tell = tell
      Bus.receive(from: pipeline) { message in
        guard case .error(let fault) = message else { return }
        tell(
          .soundFailed(
            VitrineError(
              5301, subject: device, message: "the sound device failed",
              remedy: "check the device; the picture goes on and sound is tried again", detail: fault.message)))
      }
      guard pipeline.setState(GST_STATE_READY) != GST_STATE_CHANGE_FAILURE,
        pipeline.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE
      else {
        Bus.release(pipeline)
        _ = pipeline.setState(GST_STATE_NULL)
        return nil
      }
      return Running(pipeline: pipeline, source: source, device: device)
    } catch {
      return nil
    }
  }

  /// Sinks by what answers, the sound server before the bare device.
  private static func candidates() -> [String] {
    var found: [String] = []
    if environment("PULSE_SERVER") != nil || runtimeSocketExists("pulse/native") { found.append("pulsesink") }
    if runtimeSocketExists("pipewire-0"), Element.exists("pipewiresink") { found.append("pipewiresink") }
    if hasALSACard() { found.append("alsasink") }
    return found
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func runtimeSocketExists(_ name: String) -> Bool {
    guard let directory = environment("XDG_RUNTIME_DIR") else { return false }
    return access("\(directory)/\(name)", F_OK) == 0
  }

  /// A playback device is named pcmC<card>D<device>p.
  private static func hasALSACard() -> Bool {
    guard let directory = opendir("/dev/snd") else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("pcm"), name.hasSuffix("p") { return true }
    }
    return false
  }
}
