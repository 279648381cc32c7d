/// The transformation that brings a picture upright: mirrored left to right first if `isMirrored`, then rotated
/// clockwise.
///
/// There are eight of them, and they can be combined and undone: a camera names one, and a rotated screen adds its own.
public struct PictureOrientation: Hashable, Sendable {
  public var isMirrored: Bool
  public var rotation: ScreenRotation

  public static let upright = PictureOrientation(isMirrored: false, rotation: .none)
  public static let all = [false, true].flatMap { isMirrored in
    ScreenRotation.allCases.map { PictureOrientation(isMirrored: isMirrored, rotation: $0) }
  }

  public init(isMirrored: Bool = false, rotation: ScreenRotation) {
    self.isMirrored = isMirrored
    self.rotation = rotation
  }

  /// The orientation by GStreamer's name: `rotate-90`, `flip-rotate-270`; nil for other words.
  public init?(name: String) {
    var name = Substring(name)
    isMirrored = name.hasPrefix("flip-")
    if isMirrored { name = name.dropFirst("flip-".count) }
    guard name.hasPrefix("rotate-"), let degrees = Int(name.dropFirst("rotate-".count)),
      let rotation = ScreenRotation(rawValue: degrees)
    else { return nil }
    self.rotation = rotation
  }

  public var swapsSides: Bool { rotation.swapsSides }

  /// This orientation followed by `next`.
  public func then(_ next: PictureOrientation) -> PictureOrientation {
    // A rotation before mirroring equals the inverse rotation after it.
    PictureOrientation(
      isMirrored: isMirrored != next.isMirrored,
      rotation: (next.isMirrored ? rotation.inverse : rotation).plus(next.rotation))
  }

  /// The orientation that undoes this one.
  public var inverse: PictureOrientation {
    isMirrored ? self : PictureOrientation(rotation: rotation.inverse)
  }

  /// The size of a picture once it is turned; the shape of its pixels turns with it.
  public func turned(_ size: PresentationSize) -> PresentationSize {
    guard swapsSides else { return size }
    return PresentationSize(
      pixels: rotation.turned(size.pixels),
      pixelAspect: Ratio(numerator: size.pixelAspect.denominator, denominator: size.pixelAspect.numerator))
  }

  /// The rectangle that a part of a picture becomes when the picture is turned.
  ///
  /// - Parameter picture: size of the whole picture before turning.
  public func turned(_ rect: PixelRect, in picture: PixelSize) -> PixelRect {
    let mirrored = PixelRect(
      x: isMirrored ? picture.width - rect.x - rect.width : rect.x, y: rect.y, width: rect.width, height: rect.height)
    return rotation.panelRect(of: mirrored, view: picture)
  }
}
