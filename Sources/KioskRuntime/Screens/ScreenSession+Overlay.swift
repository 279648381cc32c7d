internal import Displays
internal import InteractionCore
internal import KioskCore
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// The overlay above the video.

extension ScreenSession {
  /// Draws the overlay if it has changed; cheap if it hasn't.
  func drawOverlay() {
    overlay.isStale = false
    guard !hasEnded, let display = output.display else { return }
    let presentation = interaction.overlay(overlayScene(on: display), at: now)
    if presentation.isChanged {
      let begin = now
      showOverlay(on: display)
      interaction.overlayDrawn(in: now - begin)
    }
    startTimer(.overlay, at: presentation.nextRefresh) { [weak self] in self?.overlayChanged() }
  }

  /// More is known of the films that visitors choose from.
  func filmsChanged() {
    content.tiles.filmsChanged()
    if interaction.tiles.isShown { overlayChanged() }
  }

  /// Draws in the configured look, in the language that a visitor has chosen.
  func applyLook() {
    overlay.setLook(options.settings.overlay.look, options.visitorTexts, in: engine.trackWish.language)
    engine.cardPainter = overlay.cardPainter
    interaction.forgetMeasuredBar()
    if let display = output.display, !interaction.model.isEmpty { showOverlay(on: display) }
  }

  /// Draws the model for this screen and shows it there.
  func showOverlay(on display: any Display) {
    let target = display.target
    let image = overlay.renderer.render(
      interaction.model, screen: target.size, density: options.density(of: display))
    overlay.onScreen = image
    if interaction.model.bar != nil { measureBar() }
    display.cardChanged(isShown: content.card != nil)
    display.showOverlay(image)
    recordAlerts(interaction.model.alerts)
    engine.watchOutput()
    guard target.drawsOverlay else { return }
    engine.drawOverlay(
      image.flatMap { OverlayPixels(frame: $0.frame, pixels: $0.pixels)?.turned(target.rotation, view: target.size) })
  }

  private func overlayScene(on display: any Display) -> OverlayScene {
    var scene = OverlayScene(playback: machine)
    if let deck = machine.current {
      scene.metadata = engine.metadata(of: deck.id) ?? MediaMetadata()
      scene.ranges = engine.ranges(of: deck.id)
      scene.tracks = deck.media.tracks(with: engine.tracks(of: deck.id))
    }
    scene.subtitles = content.subtitles
    scene.card = content.card
    scene.message = content.message
    scene.alerts = content.alerts
    if interaction.isStatusShown { scene.status = owner?.screenAsksForStatus().card(for: status) }
    scene.language = options.settings.overlay.look.language ?? options.visitorTexts.language
    scene.buttons = options.settings.overlay.look.buttons
    scene.isSoundEnabled = options.settings.audio.isEnabled
    if interaction.tiles.isShown {
      let view = TileContent.View(
        screen: display.target.size, density: options.density(of: display),
        language: engine.trackWish.language ?? scene.language, page: interaction.tiles.scroll.page)
      scene.tiles = content.tiles.sheet(of: options.visitorsQueue, view, overlay.renderer)
    }
    if interaction.showsChoices {
      scene.choices = overlay.renderer.choiceGrid(screen: display.target.size, density: options.density(of: display))
    }
    scene.hasHighContrast = options.settings.overlay.look.contrast == .high
    scene.dip = options.settings.playback.dip
    scene.background = options.settings.display.background
    return scene
  }
}

extension KioskOptions {
  /// Pixels in a millimetre of the glass; nil where it isn't known.
  func density(of display: any Display) -> Double? {
    let size = display.target.size
    return ScreenDensity.pixelsInMillimetre(size, millimetres: display.millimetres)
      ?? ScreenDensity.pixelsInMillimetre(
        size, millimetres: panelMillimetres.map(settings.display.rotation.turned))
  }
}
