internal import InteractionCore
internal import PlaybackCore

extension OverlayImage {
  /// The image turned for the panel of a rotated screen.
  func turned(_ rotation: ScreenRotation, view: PixelSize) -> OverlayImage {
    guard rotation != .none else { return self }
    return OverlayImage(
      frame: rotation.panelRect(of: frame, view: view), pixels: rotation.turn(pixels, size: frame.size))
  }
}
