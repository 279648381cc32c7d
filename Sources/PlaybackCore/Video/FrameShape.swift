/// In which size a deck has to deliver its frames.
public enum FrameShape: Hashable, Sendable {
  /// As they come: the sink scales.
  case asDecoded
  /// Fitted to the screen before they reach the output, because the plane can't scale.
  case fitted(screen: PixelSize, pixelAspect: Ratio)
  /// As they come: the plane cuts and scales (`PlanePlacement`).
  case placed(screen: PixelSize, fit: ScreenFit)

  /// Of the screen's size, with borders beside the picture, because the plane has to cover the screen.
  case covering(screen: PixelSize, pixelAspect: Ratio)

  /// Of the screen's size: all of it, or as much as gives the screen's aspect.
  case filling(screen: PixelSize, pixelAspect: Ratio, isCropped: Bool)

  /// For a plane of a card with what it can, unless an item wants it otherwise.
  ///
  /// - Parameter screen: its size before the frames are turned for the panel, in pixels: frames are fitted before.
  public static func onPlane(coversScreen: Bool, scales: Bool, screen: PixelSize) -> FrameShape {
    if coversScreen { return .covering(screen: screen, pixelAspect: .one) }
    if scales { return .placed(screen: screen, fit: .contain) }
    return .fitted(screen: screen, pixelAspect: .one)
  }

  /// The shape for an item that is brought to the screen in its own way.
  public func fitting(_ fit: ScreenFit, screen: PixelSize) -> FrameShape {
    if case .placed(let screen, _) = self { return .placed(screen: screen, fit: fit) }
    guard fit != .contain else { return self }
    let aspect: Ratio =
      switch self {
      case .asDecoded, .placed: .one
      case .fitted(_, let aspect), .covering(_, let aspect), .filling(_, let aspect, _): aspect
      }
    return .filling(screen: screen, pixelAspect: aspect, isCropped: fit == .cover)
  }

  /// The shape of frames for a plane that does not, this time, what it should do.
  public var withoutPlane: FrameShape {
    guard case .placed(let screen, let fit) = self else { return self }
    return FrameShape.fitted(screen: screen, pixelAspect: .one).fitting(fit, screen: screen)
  }

  /// The part of a picture that is used, in its pixels; nil for all of it.
  public func crop(of picture: PresentationSize) -> PixelRect? {
    guard case .filling(let screen, let aspect, true) = self else { return nil }
    return PictureFit.cover(picture, of: screen, screenPixelAspect: aspect)
  }

  /// Whether the plane does what is to be done.
  public var isPlaced: Bool { if case .placed = self { true } else { false } }

  /// The shortest side of a frame that is fitted, in pixels. Drivers refuse smaller ones (the kernel's own virtual card below
  /// 10), and what has been fitted to a screen and is shorter is a ribbon: what it lacks is made up by borders.
  public static let shortestSide = 16

  /// Whether borders belong into frames of `picture`.
  public func hasBorders(_ picture: PresentationSize) -> Bool {
    switch self {
    case .covering: return true
    case .asDecoded, .filling, .placed: return false
    case .fitted(let screen, let aspect):
      let size = Self.contained(picture, screen, aspect)
      return min(size.width, size.height) < Self.shortestSide
    }
  }

  /// The size that frames of `picture` are to have, or nil to leave them alone.
  public func size(for picture: PresentationSize) -> PresentationSize? {
    switch self {
    case .asDecoded, .placed: return nil
    case .covering(let screen, let aspect), .filling(let screen, let aspect, _):
      return PresentationSize(pixels: screen, pixelAspect: aspect)
    case .fitted(let screen, let aspect): return Self.fit(picture, screen, aspect)
    }
  }

  /// Even sizes, for formats with halved chroma.
  private static func fit(_ picture: PresentationSize, _ screen: PixelSize, _ aspect: Ratio) -> PresentationSize {
    let size = contained(picture, screen, aspect)
    return PresentationSize(
      pixels: PixelSize(width: max(size.width, shortestSide), height: max(size.height, shortestSide)),
      pixelAspect: aspect)
  }

  private static func contained(_ picture: PresentationSize, _ screen: PixelSize, _ aspect: Ratio) -> PixelSize {
    PictureFit.contain(picture, in: screen, screenPixelAspect: aspect, multiple: 2).size
  }
}
