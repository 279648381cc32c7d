internal import PlaybackCore

/// In which size a deck has to deliver its frames.
enum FrameShape: Hashable, Sendable {
  /// As they come: the sink scales.
  case asDecoded
  /// Fitted to the screen before they reach the output, because the plane can't scale.
  case fitted(screen: PixelSize, pixelAspect: Ratio)
  /// Fitted only where the picture's pixels have another shape than the screen's: kmssink scales to the display's
  /// aspect but reads the source rectangle in those scaled pixels, so that it fails for such frames.
  case fittedIfAnamorphic(screen: PixelSize, pixelAspect: Ratio)

  /// Of the screen's size, with borders beside the picture, because the plane has to cover the screen.
  case covering(screen: PixelSize, pixelAspect: Ratio)

  /// Whether borders belong into the frames.
  var hasBorders: Bool { if case .covering = self { true } else { false } }

  /// The size that frames of `picture` are to have, or nil to leave them alone.
  func size(for picture: PresentationSize) -> (size: PixelSize, pixelAspect: Ratio)? {
    switch self {
    case .asDecoded: return nil
    case .fittedIfAnamorphic(let screen, let aspect):
      guard picture.pixelAspect != aspect else { return nil }
      return Self.fit(picture, screen, aspect)
    case .covering(let screen, let aspect): return (screen, aspect)
    case .fitted(let screen, let aspect):
      return Self.fit(picture, screen, aspect)
    }
  }

  /// Even sizes, for formats with halved chroma.
  private static func fit(_ picture: PresentationSize, _ screen: PixelSize, _ aspect: Ratio) -> (PixelSize, Ratio) {
    (PictureFit.contain(picture, in: screen, screenPixelAspect: aspect, multiple: 2).size, aspect)
  }
}
