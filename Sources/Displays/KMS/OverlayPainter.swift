import InteractionCore
import PlaybackCore

/// The cost of an overlay.
public struct OverlayWork: Hashable, Sendable {
  public var commits = 0
  /// Images written over the shown one without a commit.
  public var rewrites = 0
  /// Bytes written to buffers.
  public var bytes = 0
}

/// Copies images into buffers and commits them: one buffer is on the screen, the other is written.
///
/// Every commit costs a video at the screen's own rate one frame, measured: the video sink waits for it. So an image
/// with the place and size of the one before is written over it, changed rows only, and nothing is committed. It is
/// written at once: waiting for the next blank after each image would show the following image a frame late. The price
/// is that a part of the old image may stay for one frame. Drivers that copy the picture to the screen need to know
/// what has changed; they have a property for it, and with them every image is committed.
///
/// `@unchecked Sendable` holds because it is a part of `PlaneUpdates`, which reaches it only under a lock and hands it
/// out only after the last use there.
final class OverlayPainter: PlanePainter, @unchecked Sendable {
  private let card: Card
  private let plane: PlaneSnapshot
  private let crtc: (id: UInt32, index: Int)
  private(set) var work = OverlayWork()
  private let zpos: UInt64?
  private let writesInPlace: Bool
  private var shown: (buffer: DumbFramebuffer, image: OverlayImage)?
  private var spare: DumbFramebuffer?
  var isShown: Bool { shown != nil }

  init(card: Card, plane: PlaneSnapshot, crtc: (id: UInt32, index: Int), zpos: UInt64?) {
    self.card = card
    self.plane = plane
    self.crtc = crtc
    self.zpos = zpos
    writesInPlace = plane.properties["FB_DAMAGE_CLIPS"] == nil
  }

  func show(_ image: OverlayImage) throws(DRMFailure) {
    if writesInPlace, let shown, shown.image.frame == image.frame {
      let bytes = try shown.buffer.write(image.pixels, over: shown.image.pixels)
      self.shown?.image = image
      guard bytes > 0 else { return }
      shown.buffer.flush()
      work.rewrites += 1
      work.bytes += bytes
      return
    }
    let size = image.frame.size
    if spare?.size != size { spare = nil }
    let buffer =
      if let spare { spare } else { try DumbFramebuffer(card, size: size, format: .argb8888) }
    spare = buffer
    work.bytes += try buffer.write(image.pixels)
    var change = AtomicChange()
    change.light(plane, crtc: crtc.id, framebuffer: buffer.id, source: size, on: image.frame, zpos: zpos)
    // Once this returns the screen shows the new buffer, and the old one is free.
    try card.commit(change, .blocking)
    work.commits += 1
    spare = shown?.buffer.size == size ? shown?.buffer : nil
    shown = (buffer, image)
  }

  func hide() throws(DRMFailure) {
    guard let shown else { return }
    var change = AtomicChange()
    change.disable(plane)
    try card.commit(change, .blocking)
    work.commits += 1
    // One buffer is kept: the seek bar comes again in the same size.
    spare = shown.buffer
    self.shown = nil
  }
}
