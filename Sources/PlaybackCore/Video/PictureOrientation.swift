/// How a picture has to be turned to be upright: mirrored left to right first where it says so, then turned clockwise.
///
/// Eight ways, which can be done one after the other and undone: cameras name one of them, a screen that hangs turned adds
/// its own.
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

  /// By the name that files give it through GStreamer: `rotate-90`, `flip-rotate-270`; nil for other words.
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

  /// This and then `next`.
  public func then(_ next: PictureOrientation) -> PictureOrientation {
    // What is mirrored after it was turned was turned the other way round.
    PictureOrientation(
      isMirrored: isMirrored != next.isMirrored,
      rotation: (next.isMirrored ? rotation.inverse : rotation).plus(next.rotation))
  }

  /// What undoes this.
  public var inverse: PictureOrientation {
    isMirrored ? self : PictureOrientation(rotation: rotation.inverse)
  }

  /// The size of a picture once it is turned; its pixels are turned with it.
  public func turned(_ size: PresentationSize) -> PresentationSize {
    guard swapsSides else { return size }
    return PresentationSize(
      pixels: rotation.turned(size.pixels),
      pixelAspect: Ratio(numerator: size.pixelAspect.denominator, denominator: size.pixelAspect.numerator))
  }

  /// Where a part of a picture is once the picture is turned.
  ///
  /// - Parameter picture: size of the whole picture before.
  public func turned(_ rect: PixelRect, in picture: PixelSize) -> PixelRect {
    let mirrored = PixelRect(
      x: isMirrored ? picture.width - rect.x - rect.width : rect.x, y: rect.y, width: rect.width, height: rect.height)
    return rotation.panelRect(of: mirrored, view: picture)
  }
}
