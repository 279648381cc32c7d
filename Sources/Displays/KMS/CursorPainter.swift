import InteractionCore
import PlaybackCore

/// A pointer on the plane that the screen has for one: writes the picture once and moves it then.
///
/// By the old calls, which wait for no vblank and take no frame from the video, where a commit would (0006).
///
/// `@unchecked Sendable` holds because it is a part of `PlaneUpdates`, which reaches it only under a lock and hands it
/// out only after the last use there.
final class CursorPainter: PlanePainter, @unchecked Sendable {
  private let card: Card
  private let crtc: UInt32
  private var framebuffer: DumbFramebuffer?
  private var pixels: [UInt32] = []
  private(set) var isShown = false
  /// It isn't tried again.
  private var hasFailed = false

  /// - Returns: nil where the screen has no such plane.
  init?(card: Card, planes: [PlaneSnapshot], crtc: (id: UInt32, index: Int)) {
    guard planes.contains(where: { $0.kind == .cursor && $0.possibleCRTCs.hasBit(crtc.index) }) else { return nil }
    self.card = card
    self.crtc = crtc.id
  }

  /// - Parameter image: its frame begins where the pointer is, on the panel; it may reach beyond.
  func show(_ image: OverlayImage) throws(DRMFailure) {
    guard !hasFailed else { return }
    do throws(DRMFailure) {
      try place(image)
    } catch {
      hasFailed = true
      throw error
    }
  }

  private func place(_ image: OverlayImage) throws(DRMFailure) {
    try card.moveCursor(on: crtc, x: image.frame.x, y: image.frame.y)
    if framebuffer?.size != image.frame.size || pixels != image.pixels {
      let new = try DumbFramebuffer(card, size: image.frame.size, format: .argb8888)
      try new.write(image.pixels)
      try card.setCursor(new, on: crtc)
      // The one before goes when it isn't shown any more.
      framebuffer = new
      pixels = image.pixels
    } else if !isShown, let framebuffer {
      try card.setCursor(framebuffer, on: crtc)
    }
    isShown = true
  }

  func hide() throws(DRMFailure) {
    guard isShown, !hasFailed else { return }
    isShown = false
    try card.setCursor(nil, on: crtc)
  }
}
