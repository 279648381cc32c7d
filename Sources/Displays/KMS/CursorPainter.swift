import InteractionCore
import PlaybackCore

/// Shows a pointer on the CRTC's cursor plane: writes the picture once, and then only moves it.
///
/// Uses the legacy calls: unlike a commit, they wait for no vblank and cost the video no frame (0006).
///
/// `@unchecked Sendable` holds because it is a part of `PlaneUpdates`, which reaches it only under a lock and hands it
/// out only after the last use there.
final class CursorPainter: PlanePainter, @unchecked Sendable {
  private let card: Card
  private let crtc: UInt32
  private var framebuffer: DumbFramebuffer?
  private var pixels: [UInt32] = []
  private(set) var isShown = false
  /// Whether a call has failed; the pointer isn't tried again then.
  private var hasFailed = false

  /// - Returns: nil if the CRTC has no cursor plane.
  init?(card: Card, planes: [PlaneSnapshot], crtc: (id: UInt32, index: Int)) {
    guard planes.contains(where: { $0.kind == .cursor && $0.possibleCRTCs.hasBit(crtc.index) }) else { return nil }
    self.card = card
    self.crtc = crtc.id
  }

  /// - Parameter image: the frame's origin is the pointer's place on the panel; it may lie beyond.
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
      // The old framebuffer is released only now that it is no longer shown.
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
