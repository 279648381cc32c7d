import InteractionCore
import MainLoop
import PlaybackCore

/// The plane that a screen has for a pointer, and what is to be shown on it.
///
/// Moved by the old calls, which wait for no vblank and take no frame from the video, where a commit would (0006). They may
/// wait for the kernel's lock on the screen, which the video sink holds for up to a frame, and so they run on a thread of
/// their own. Confined to the loop's thread.
final class CursorPlane {
  /// What is to be shown; nil while the newest is shown or on its way. Newer replaces older.
  private let wanted = Locked<Update?>(nil)
  private let painter: Locked<CursorPainter?>
  private let worker = BlockingWorker()
  private let failures: Mailbox<DRMFailure>

  private enum Update: Sendable {
    case show(OverlayImage)
    case hide
  }

  /// - Parameter onFailure: called on the loop when the pointer couldn't be shown; it isn't tried again.
  /// - Returns: nil where the screen has no such plane.
  init?(
    card: Card, planes: [PlaneSnapshot], crtc: (id: UInt32, index: Int), loop: EventLoop,
    onFailure: @escaping @Sendable (DRMFailure) -> Void
  ) {
    guard planes.contains(where: { $0.kind == .cursor && $0.possibleCRTCs.hasBit(crtc.index) }) else { return nil }
    painter = Locked(CursorPainter(card: card, crtc: crtc.id))
    failures = Mailbox(executor: loop.executor, handler: onFailure)
  }

  /// - Parameter image: its frame begins where the pointer is, on the panel; it may reach beyond. Nil hides it.
  func show(_ image: OverlayImage?) {
    let update = image.map { Update.show($0) } ?? .hide
    let isQueued = wanted.withLock { wanted in
      defer { wanted = update }
      return wanted != nil
    }
    if isQueued { return }
    worker.submit { [wanted, painter, failures] in
      painter.withLock { painter in
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
          painter = nil
          failures.post(error)
        }
      }
    }
  }

  /// Takes it off the screen. Waits for a call that is under way.
  func stop() {
    failures.close()
    wanted.withLock { $0 = nil }
    worker.finish()
    painter.withLock { painter in
      try? painter?.hide()
      painter = nil
    }
  }
}

/// Writes the picture once and moves it then.
///
/// `@unchecked Sendable` holds because it is a part of `CursorPlane`, which reaches it only under a lock.
final class CursorPainter: @unchecked Sendable {
  private let card: Card
  private let crtc: UInt32
  private var framebuffer: DumbFramebuffer?
  private var pixels: [UInt32] = []
  private var isShown = false

  init(card: Card, crtc: UInt32) {
    self.card = card
    self.crtc = crtc
  }

  func show(_ image: OverlayImage) throws(DRMFailure) {
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
    guard isShown else { return }
    isShown = false
    try card.setCursor(nil, on: crtc)
  }
}
