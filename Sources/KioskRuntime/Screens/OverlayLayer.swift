internal import InteractionCore
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore

/// What draws above the picture of one screen, and what it has drawn.
struct OverlayLayer {
  private(set) var renderer: OverlayRenderer
  private var theme: Theme
  /// What is above the picture may be another thing than what is drawn.
  var isStale = false
  var onScreen: OverlayImage?
  /// When the interaction machine is to be told that time has passed, as far as a timer runs for it.
  var interactionDue: Instant?
  /// Made for screens of that size.
  private var pointer: (screen: PixelSize, picture: PointerPicture)?

  init(_ look: OverlayLook) {
    theme = Theme(look)
    renderer = OverlayRenderer(theme: theme)
  }

  mutating func setLook(_ look: OverlayLook) {
    theme = Theme(look)
    renderer = OverlayRenderer(theme: theme)
  }

  /// - Parameter density: pixels in a millimetre of the glass; nil where nobody knows.
  mutating func render(_ model: OverlayModel, screen: PixelSize, density: Double?) -> OverlayImage? {
    onScreen = renderer.render(model, screen: screen, density: density)
    return onScreen
  }

  mutating func pointer(on screen: PixelSize) -> PointerPicture? {
    if pointer?.screen != screen { pointer = PointerPicture(screen: screen).map { (screen, $0) } }
    return pointer?.picture
  }

  /// What stands on the screen while an item plays that has no picture, in the look of the overlay.
  var cardPainter: CardPainter {
    let theme = theme
    return { card, cover, screen in
      SoundCardPicture.render(card, cover: cover, screen: screen, theme: theme)?.pixels
    }
  }
}
