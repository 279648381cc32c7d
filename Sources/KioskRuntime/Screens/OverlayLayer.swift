internal import InteractionCore
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore

/// The overlay of one screen: its renderer, and the image that is shown.
struct OverlayLayer {
  private(set) var renderer: OverlayRenderer
  private var theme: Theme
  /// Whether the overlay may have to be drawn again.
  var isStale = false
  var onScreen: OverlayImage?
  /// When the running timer tells the interaction machine that time has passed; nil without a timer.
  var interactionDue: Instant?
  /// The pointer's picture, and the screen size that it was made for.
  private var pointer: (screen: PixelSize, picture: PointerPicture)?

  init(_ look: OverlayLook, _ texts: VisitorTexts) {
    theme = Theme(look, texts: texts)
    renderer = OverlayRenderer(theme: theme)
  }

  /// - Parameter wanted: the language that a visitor has chosen. Where there are no texts in it, the configured one stays.
  mutating func setLook(_ look: OverlayLook, _ texts: VisitorTexts, in wanted: LanguageTag?) {
    let chosen = texts.texts(in: wanted)
    var look = look
    if chosen.language != texts.language { look.language = chosen.language }
    theme = Theme(look, texts: chosen)
    renderer = OverlayRenderer(theme: theme)
  }

  mutating func pointer(on screen: PixelSize) -> PointerPicture? {
    if pointer?.screen != screen { pointer = PointerPicture(screen: screen).map { (screen, $0) } }
    return pointer?.picture
  }

  /// Paints the card for an item without a picture, in the overlay's look.
  var cardPainter: CardPainter {
    let theme = theme
    return { card, cover, screen in
      SoundCardPicture.render(card, cover: cover, screen: screen, theme: theme)?.pixels
    }
  }
}
