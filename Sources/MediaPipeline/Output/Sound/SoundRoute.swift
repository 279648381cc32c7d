internal import FileSystem
internal import Glibc
internal import PlaybackCore
internal import ScreenModel

/// One device to try: a sink and its settings.
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
      // `routes` replaces these two by real devices.
      throw SoundErrors.cannotOpen(device.description, detail: "")
    }
  }

  /// The devices to try, in order; and the fault where the named device isn't there.
  static func routes(for settings: SoundSettings, target: VideoTarget) -> (routes: [SoundRoute], problem: VitrineError?)
  {
    switch settings.device {
    case .auto:
      let servers = answeringServers(settings)
      let devices = automatic(
        servers: servers, hasHardware: hasHardware, ofConnector: servers.isEmpty ? deviceOfConnector(target) : nil)
      return (devices.map { SoundRoute(device: $0, pulseServer: settings.pulseServer) }, nil)
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

  /// The devices to try where none is named: servers before bare devices, because a running server holds the device; of
  /// bare devices that of the screen's own connector before the first one, which on most boards is another connector,
  /// or an unused jack.
  ///
  /// - Parameter ofConnector: ALSA's name of the device behind the screen; nil for a screen without one.
  static func automatic(servers: [SoundDevice], hasHardware: Bool, ofConnector: String?) -> [SoundDevice] {
    servers + (ofConnector.map { [.alsa(pcm: $0)] } ?? []) + (hasHardware ? [.alsa(pcm: nil)] : [])
  }

  private static func deviceOfConnector(_ target: VideoTarget) -> String? {
    guard case .drmPlane(let plane) = target else { return nil }
    let hardware = SoundHardware.read()
    return hardware.connector(id: plane.connectorID).flatMap(hardware.device(for:))
  }

  /// A playback device is named pcmC<card>D<device>p.
  private static var hasHardware: Bool {
    SmallFile.names(in: "/dev/snd").contains { $0.hasPrefix("pcm") && $0.hasSuffix("p") }
  }

  private static func answeringServers(_ settings: SoundSettings) -> [SoundDevice] {
    var found: [SoundDevice] = []
    if settings.pulseServer != nil || environment("PULSE_SERVER") != nil || runtimeFileExists("pulse/native") {
      found.append(.pulse(sink: nil))
    }
    if runtimeFileExists("pipewire-0"), Element.exists("pipewiresink") { found.append(.pipewire(node: nil)) }
    return found
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func runtimeFileExists(_ name: String) -> Bool {
    guard let directory = environment("XDG_RUNTIME_DIR") else { return false }
    return FileTree.isThere("\(directory)/\(name)")
  }
}
