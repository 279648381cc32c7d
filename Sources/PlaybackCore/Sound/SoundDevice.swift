/// The destination of sound, as files and options name it.
public enum SoundDevice: Hashable, Sendable {
  /// The sound server that answers, else the default device of ALSA.
  case auto
  /// A PulseAudio server (or PipeWire in its place); nil is its default sink.
  case pulse(sink: String?)
  /// A PipeWire server; nil is its default node.
  case pipewire(node: String?)
  /// A PCM of ALSA, such as `hdmi:CARD=vc4hdmi0,DEV=0`; nil is `default`.
  case alsa(pcm: String?)
  /// The ALSA device of the connector that the picture is on.
  case connector

  /// Reads `auto`, `connector`, `pulse`, `pulse:SINK`, `pipewire`, `pipewire:NODE`, `alsa` or `alsa:PCM`; nil for
  /// anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.count == 2 ? String(parts[1]) : nil
    // A name is missing after the colon.
    if let name, name.isEmpty || name.contains(where: \.isNewline) { return nil }
    switch (parts[0], name) {
    case ("auto", nil): self = .auto
    case ("connector", nil): self = .connector
    case ("pulse", _): self = .pulse(sink: name)
    case ("pipewire", _): self = .pipewire(node: name)
    case ("alsa", _): self = .alsa(pcm: name)
    default: return nil
    }
  }

  /// The allowed forms, for error lines.
  public static let allowed = "auto, connector, pulse[:SINK], pipewire[:NODE] or alsa[:PCM]"
}

extension SoundDevice: CustomStringConvertible {
  /// The form that `init(_:)` reads.
  public var description: String {
    func named(_ system: String, _ name: String?) -> String { name.map { "\(system):\($0)" } ?? system }
    return switch self {
    case .auto: "auto"
    case .connector: "connector"
    case .pulse(let sink): named("pulse", sink)
    case .pipewire(let node): named("pipewire", node)
    case .alsa(let pcm): named("alsa", pcm)
    }
  }
}
