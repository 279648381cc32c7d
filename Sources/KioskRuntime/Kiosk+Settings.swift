internal import Displays
internal import InteractionCore
internal import KioskCore
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore
internal import VitrinePlayback

// Settings that change while the player runs: those of the picture, of the sound and of input.

extension KioskOptions {
  /// What is heeded, with the lists that there are now.
  var interactionNow: InteractionSettings {
    var settings = interaction
    settings.attract.hasInteractiveList = !visitorsQueue.isEmpty
    return settings
  }
}

extension Kiosk {
  /// `options` are new: puts in place what needs no new item and no new screen.
  func applySettings(after old: KioskOptions) {
    // What counts is the screen that is open: settings that came and went before the next item change nothing.
    feed(.settingsChanged)
    // What a visitor has turned down stays so, unless the configuration itself says another volume.
    if old.sound.volume != options.sound.volume || old.sound.isMuted != options.sound.isMuted { resetVolume() }
    presenter.mode = options.overlay
    refresh.hold = options.matchHold
    presenter.barStay = options.interaction.barStay
    if old.look != options.look { applyLook() }
    if old.access != options.access { GStreamerLibrary.configure(options.access) }
    if input.settings != options.interactionNow { applyInteraction() }
  }

  private func applyLook() {
    renderer = OverlayRenderer(theme: Theme(options.look))
    engine?.cardPainter = cardPainter
    input.measured = nil
    if let display, overlayModel != .nothing { showOverlay(on: display) }
  }

  /// What fingers were about to do is let go, since it may mean something else now.
  private func applyInteraction() {
    letGoOfInput()
    let devices = input.settings.devices
    input.apply(options.interactionNow)
    guard devices != input.settings.devices, input.devices != nil else { return }
    closeDevices()
    if let display { listen(to: display) }
  }
}
