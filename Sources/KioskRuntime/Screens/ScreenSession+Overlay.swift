internal import Displays
internal import InteractionCore
internal import KioskCore
internal import MainLoop
internal import PlaybackCore
internal import VitrinePlayback

// What stands above the video.

extension ScreenSession {
  /// Shows what is to be above the picture now. Cheap when nothing has changed.
  func drawOverlay() {
    overlay.isStale = false
    guard !hasEnded, let display = output.display else { return }
    let presentation = interaction.overlay(overlayScene, at: now)
    if presentation.isChanged {
      let begin = now
      showOverlay(on: display)
      interaction.overlayDrawn(in: now - begin)
    }
    startTimer(.overlay, at: presentation.nextRefresh) { [weak self] in self?.overlayChanged() }
  }

  /// Pixels in a millimetre of the glass; nil where nobody knows.
  func density(of display: any Display) -> Double? {
    let size = display.target.size
    return ScreenDensity.pixelsInMillimetre(size, millimetres: display.millimetres)
      ?? ScreenDensity.pixelsInMillimetre(size, millimetres: options.panelMillimetres.map(options.rotation.turned))
  }

  /// Draws the model for this screen and shows it there.
  func showOverlay(on display: any Display) {
    let target = display.target
    let image = overlay.render(interaction.model, screen: target.size, density: density(of: display))
    display.cardChanged(isShown: content.card != nil)
    display.showOverlay(image)
    engine.watchOutput()
    guard target.drawsOverlay else { return }
    engine.drawOverlay(
      image.flatMap { OverlayPixels(frame: $0.frame, pixels: $0.pixels)?.turned(target.rotation, view: target.size) })
  }

  private var overlayScene: OverlayScene {
    var scene = OverlayScene(playback: machine)
    if let deck = machine.current?.id {
      scene.metadata = engine.metadata(of: deck) ?? MediaMetadata()
      scene.ranges = engine.ranges(of: deck)
    }
    scene.subtitles = content.subtitles
    scene.card = content.card
    scene.message = content.message
    if interaction.isStatusShown { scene.status = owner?.screenAsksForStatus().card(for: status) }
    scene.buttons = options.look.buttons
    scene.isSoundEnabled = options.sound.isEnabled
    scene.dip = options.dip
    scene.background = options.background
    return scene
  }
}
