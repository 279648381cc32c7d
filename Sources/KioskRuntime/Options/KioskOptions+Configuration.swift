internal import InteractionCore
internal import PlaybackCore
public import PlaylistConfig

extension Configuration {
  /// Puts the settings in place of the program's own. The queue isn't among them: a schedule may choose another one.
  ///
  /// - Parameter memory: bytes that the machine has; nil where the kernel doesn't say.
  public func apply(to options: inout KioskOptions, memory: Int?) {
    options.output = display.output.kind.map { .fixed($0) } ?? .auto
    options.card = display.card ?? "auto"
    options.connector = display.connector ?? "auto"
    options.builtInPanelsFirst = display.builtInPanels == .first
    options.mode = display.mode
    options.matchHold = display.matchHold
    options.background = display.background
    options.rotation = display.rotation
    options.hdr = display.hdr
    options.cec = display.cec
    options.keepsLastFrame = display.keepsLastFrame
    options.goesOnUnplugged = display.unplugged == .play
    options.splashPath = display.splash.map { path($0, writtenAt: display.splashPosition) }
    options.loops = playback.loop
    options.resume = playback.resume
    options.policy.pictureDuration = playback.pictureDuration
    options.dip = playback.transition == .dip ? SeamDip(length: playback.transitionDuration) : nil
    options.policy.buffering = BufferingPolicy(memory: memory)
    network.apply(to: &options.policy)
    options.access = network.access
    options.sound = audio.settings
    options.overlay = overlay.osd
    options.look = overlay.look
    options.control.isEnabled = control.isEnabled
    options.control.path = control.socket
    options.telemetry = TelemetryOptions(telemetry)
    options.interaction = interaction { path($0, writtenAt: $1) }
  }

  /// A path in a file starts at the file's folder; an address is one from anywhere.
  private func path(_ path: String, writtenAt position: TOMLPosition?) -> String {
    guard !path.hasPrefix("/"), !path.contains("://") else { return path }
    let index = position?.file ?? 0
    guard sources.indices.contains(index), let slash = sources[index].lastIndex(of: "/") else { return path }
    return sources[index][...slash] + path
  }
}
