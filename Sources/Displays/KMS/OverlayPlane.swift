import InteractionCore
import MainLoop
import PlaybackCore

/// The plane above the video, and what is to be shown on it.
///
/// Commits run on a thread of their own. The video sink sets its plane by the old blocking call, which keeps the
/// kernel's lock on the screen until the frame shows; even a commit that is marked as non-blocking waits for that
/// lock, measured up to two frames for a video at the screen's own rate. The loop must not. As a thread of its own may
/// as well wait for its commit to show, there is no busy screen to be retried, and no event is needed to know when a
/// buffer is free.
///
/// Confined to the loop's thread.
final class OverlayPlane {
  /// What the next commit shows; nil while the newest is shown or being committed. Newer replaces older.
  private let wanted = Locked<Update?>(nil)
  /// Held during a commit; only `stop` waits for it.
  private let painter: Locked<OverlayPainter?>
  private let worker = BlockingWorker()
  private let failures: Mailbox<DRMFailure>

  private enum Update: Sendable {
    case show(OverlayImage)
    case hide
  }

  /// - Parameter onFailure: called on the loop when an update couldn't be shown; the update is given up.
  init(
    card: Card, plane: PlaneSnapshot, crtc: (id: UInt32, index: Int), zpos: UInt64?, loop: EventLoop,
    onFailure: @escaping @Sendable (DRMFailure) -> Void
  ) {
    painter = Locked(OverlayPainter(card: card, plane: plane, crtc: crtc, zpos: zpos))
    failures = Mailbox(executor: loop.executor, handler: onFailure)
  }

  /// What was done so far. Waits for a commit that is under way.
  var work: OverlayWork { painter.withLock { $0?.work } ?? OverlayWork() }

  func show(_ image: OverlayImage?) {
    let update = image.map { Update.show($0) } ?? .hide
    let isQueued = wanted.withLock { wanted in
      defer { wanted = update }
      return wanted != nil
    }
    if isQueued { return }
    worker.submit { [wanted, painter, failures] in
      painter.withLock { painter in
        // Taken only now, with the screen ours: a newer image may have come while the last one was waiting.
        let update = wanted.withLock { wanted in
          defer { wanted = nil }
          return wanted
        }
        do throws(DRMFailure) {
          switch update {
          case .show(let image): try painter?.show(image)
          case .hide: try painter?.hide()
          case nil: break
          }
        } catch {
          failures.post(error)
        }
      }
    }
  }

  /// Nothing is committed after this; what is shown stays until the caller switches the plane off. Waits for a commit
  /// that is under way, a frame or two.
  ///
  /// - Returns: the buffers, to be let go when the plane is off.
  func stop() -> OverlayPainter? {
    failures.close()
    wanted.withLock { $0 = nil }
    worker.finish()
    return painter.withLock { painter in
      defer { painter = nil }
      return painter
    }
  }
}

/// What an overlay has cost.
public struct OverlayWork: Hashable, Sendable {
  public var commits = 0
  /// Images written over the one that was shown, without a commit.
  public var rewrites = 0
  /// Written to buffers.
  public var bytes = 0
}

/// Copies images into buffers and commits them: one buffer is on the screen, the other is written.
///
/// Every commit takes the video a frame at the screen's own rate, measured: the video sink waits for it. So an image
/// that has the place and size of the one before is written over it, changed rows only, and nothing is committed. It is
/// written at once: waiting for the next blank after each image would have the one that comes meanwhile shown a frame
/// late. The price is that for one frame a part of the old image may be left. Drivers that have to be told of damage, because
/// they copy the picture to the screen, say so by a property, and with those every image is committed.
///
/// `@unchecked Sendable` holds because it is a part of `OverlayPlane`, which reaches it only under a lock and hands it
/// out only after the last use there.
final class OverlayPainter: @unchecked Sendable {
  private let card: Card
  private let plane: PlaneSnapshot
  private let crtc: (id: UInt32, index: Int)
  private(set) var work = OverlayWork()
  private let zpos: UInt64?
  private let writesInPlace: Bool
  private var shown: (buffer: DumbFramebuffer, image: OverlayImage)?
  private var spare: DumbFramebuffer?

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
    // One is kept: the seek bar comes again in the same size.
    spare = shown.buffer
    self.shown = nil
  }
}
