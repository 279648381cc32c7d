/// The size in which a deck has to deliver its frames.
public enum FrameShape: Hashable, Sendable {
  /// The decoded size: the sink scales.
  case asDecoded
  /// Fitted to the screen by the deck, because the plane can't scale.
  case fitted(screen: PixelSize, pixelAspect: Ratio)
  /// The decoded size: the plane crops and scales (`PlanePlacement`).
  case placed(screen: PixelSize, fit: ScreenFit)

  /// The screen's size, with borders beside the picture, because the plane has to cover the screen.
  case covering(screen: PixelSize, pixelAspect: Ratio)

  /// The screen's size: filled by the whole picture, or by the part of it with the screen's aspect.
  case filling(screen: PixelSize, pixelAspect: Ratio, isCropped: Bool)

  /// The shape for a plane of a card with these abilities, unless an item has its own.
  ///
  /// - Parameter screen: its size in pixels before frames are rotated for the panel: frames are fitted before that.
  public static func onPlane(coversScreen: Bool, scales: Bool, screen: PixelSize) -> FrameShape {
    if coversScreen { return .covering(screen: screen, pixelAspect: .one) }
    if scales { return .placed(screen: screen, fit: .contain) }
    return .fitted(screen: screen, pixelAspect: .one)
  }

  /// The shape for an item with its own fit.
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

  /// The shape of frames for a plane that has refused to scale this time.
  public var withoutPlane: FrameShape {
    guard case .placed(let screen, let fit) = self else { return self }
    return FrameShape.fitted(screen: screen, pixelAspect: .one).fitting(fit, screen: screen)
  }

  /// The part of a picture that is used, in its pixels; nil for the whole.
  public func crop(of picture: PresentationSize) -> PixelRect? {
    guard case .filling(let screen, let aspect, true) = self else { return nil }
    return PictureFit.cover(picture, of: screen, screenPixelAspect: aspect)
  }

  /// Whether the plane crops and scales.
  public var isPlaced: Bool { if case .placed = self { true } else { false } }

  /// The shortest side of a fitted frame, in pixels. Drivers refuse smaller ones (the kernel's own virtual card below
  /// 10), and a fitted picture that is shorter is a ribbon: borders fill the rest.
  public static let shortestSide = 16

  /// Whether frames of `picture` need borders.
  public func hasBorders(_ picture: PresentationSize) -> Bool {
    switch self {
    case .covering: return true
    case .asDecoded, .filling, .placed: return false
    case .fitted(let screen, let aspect):
      let size = Self.contained(picture, screen, aspect)
      return min(size.width, size.height) < Self.shortestSide
    }
  }

  /// The size that frames of `picture` need; nil leaves them alone.
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
