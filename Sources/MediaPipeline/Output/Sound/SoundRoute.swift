internal import Glibc
internal import PlaybackCore

/// One device that can be tried: a sink and what it is told.
struct SoundRoute: Hashable, Sendable {
  /// `pulse`, `pipewire` or `alsa`, with or without a name.
  var device: SoundDevice
  var pulseServer: String?

  /// - Throws: 7202 where the sink's plugin is missing.
  func makeSink() throws(VitrineError) -> Element {
    switch device {
    case .pulse(let name):
      let sink = try Element.make("pulsesink", name: "loudspeaker")
      if let name { sink.set("device", name) }
      if let pulseServer { sink.set("server", pulseServer) }
      return sink
    case .pipewire(let name):
      let sink = try Element.make("pipewiresink", name: "loudspeaker")
      if let name { sink.set("target-object", name) }
      return sink
    case .alsa(let name):
      let sink = try Element.make("alsasink", name: "loudspeaker")
      if let name { sink.set("device", name) }
      return sink
    case .auto, .connector:
      // No route is made of these: they stand for others.
      throw SoundErrors.cannotOpen(device.description, detail: "")
    }
  }

  /// What to try, in order; and what is wrong where there should be something and isn't.
  static func routes(for settings: SoundSettings, target: VideoTarget) -> (routes: [SoundRoute], problem: VitrineError?)
  {
    switch settings.device {
    case .auto:
      return (answering(settings).map { SoundRoute(device: $0, pulseServer: settings.pulseServer) }, nil)
    case .connector:
      let hardware = SoundHardware.read()
      guard case .drmPlane(let plane) = target, let connector = hardware.connector(id: plane.connectorID) else {
        return ([], SoundErrors.noDevice(ofConnector: ""))
      }
      guard let pcm = hardware.device(for: connector) else {
        return ([], SoundErrors.noDevice(ofConnector: connector.name))
      }
      return ([SoundRoute(device: .alsa(pcm: pcm))], nil)
    case .pulse, .pipewire, .alsa:
      return ([SoundRoute(device: settings.device, pulseServer: settings.pulseServer)], nil)
    }
  }

  /// Sound systems that answer, servers before the bare device: where a server runs, it holds the device.
  private static func answering(_ settings: SoundSettings) -> [SoundDevice] {
    var found: [SoundDevice] = []
    if settings.pulseServer != nil || environment("PULSE_SERVER") != nil || runtimeFileExists("pulse/native") {
      found.append(.pulse(sink: nil))
    }
    if runtimeFileExists("pipewire-0"), Element.exists("pipewiresink") { found.append(.pipewire(node: nil)) }
    // A playback device is named pcmC<card>D<device>p.
    if Directory.names(in: "/dev/snd").contains(where: { $0.hasPrefix("pcm") && $0.hasSuffix("p") }) {
      found.append(.alsa(pcm: nil))
    }
    return found
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func runtimeFileExists(_ name: String) -> Bool {
    guard let directory = environment("XDG_RUNTIME_DIR") else { return false }
    return access("\(directory)/\(name)", F_OK) == 0
  }
}
