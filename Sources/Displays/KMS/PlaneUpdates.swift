import InteractionCore
import MainLoop
import PlaybackCore

/// Shows pictures on a plane of its own, by calls that may block.
protocol PlanePainter: AnyObject, Sendable {
  func show(_ image: OverlayImage) throws(DRMFailure)
  func hide() throws(DRMFailure)
}

/// Updates one plane above the video: shows the newest picture from a thread of its own.
///
/// The video sink sets its plane by the legacy blocking call, which holds the kernel's lock on the screen until the
/// frame shows. Even a commit marked as non-blocking waits for that lock: up to two frames, measured, for a video at
/// the screen's own rate. The loop must not wait. A thread of its own may: it needs no retry for a busy screen, and no
/// event to know when a buffer is free.
///
/// Confined to the loop's thread.
final class PlaneUpdates<Painter: PlanePainter> {
  /// The next picture; nil while the newest is shown or being shown. A newer picture replaces it.
  private let wanted = Locked<Update?>(nil)
  /// Held during a call; only `stop` and `withPainter` wait for it.
  private let painter: Locked<Painter?>
  private let worker = BlockingWorker()
  /// The start of the current call, by the monotonic clock.
  private let begun = Locked<Int64?>(nil)
  private let failures: Mailbox<DRMFailure>

  private enum Update: Sendable {
    case show(OverlayImage)
    case hide
  }

  /// - Parameter onFailure: called on the loop when an update couldn't be shown; the update is given up.
  init(_ painter: Painter, loop: EventLoop, onFailure: @escaping @Sendable (DRMFailure) -> Void) {
    self.painter = Locked(painter)
    failures = Mailbox(executor: loop.executor, handler: onFailure)
  }

  /// Calls `body` with the painter. Waits for a call that is under way; returns nil after `stop`.
  func withPainter<R>(_ body: (Painter) -> R) -> R? { painter.withLock { $0.map(body) } }

  func show(_ image: OverlayImage?) {
    let update = image.map { Update.show($0) } ?? .hide
    let isQueued = wanted.withLock { wanted in
      defer { wanted = update }
      return wanted != nil
    }
    if isQueued { return }
    worker.submit { [wanted, painter, failures, begun] in
      painter.withLock { painter in
        begun.withLock { $0 = EventLoop.monotonicNanoseconds() }
        defer { begun.withLock { $0 = nil } }
        // The update is read only now that the screen is free: a newer image may have replaced it during the wait.
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

  /// The start of the kernel call that hasn't returned yet. Doesn't wait for it.
  var busySince: Instant? { begun.withLock { $0.map(Instant.init(nanoseconds:)) } }

  /// Ends the updates; the picture stays until the caller removes it. Waits for a call that is under way, a frame or
  /// two.
  ///
  /// - Returns: the painter with its buffers, for the caller to keep until they aren't shown any more.
  func stop() -> Painter? {
    failures.close()
    wanted.withLock { $0 = nil }
    worker.finish()
    return painter.withLock { painter in
      defer { painter = nil }
      return painter
    }
  }
}
