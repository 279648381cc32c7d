import InteractionCore
import MainLoop
import PlaybackCore

/// Shows pictures on a plane of its own, by calls that may block.
protocol PlanePainter: AnyObject, Sendable {
  func show(_ image: OverlayImage) throws(DRMFailure)
  func hide() throws(DRMFailure)
}

/// What is to be shown on one plane above the video: the newest picture, shown on a thread of its own.
///
/// The video sink sets its plane by the old blocking call, which keeps the kernel's lock on the screen until the frame shows; even
/// a commit that is marked as non-blocking waits for that lock, measured up to two frames for a video at the screen's own rate. The
/// loop must not. As a thread of its own may as well wait for its commit to show, there is no busy screen to be retried, and no
/// event is needed to know when a buffer is free.
///
/// Confined to the loop's thread.
final class PlaneUpdates<Painter: PlanePainter> {
  /// What is shown next; nil while the newest is shown or on its way. Newer replaces older.
  private let wanted = Locked<Update?>(nil)
  /// Held during a call; only `stop` and `withPainter` wait for it.
  private let painter: Locked<Painter?>
  private let worker = BlockingWorker()
  /// When the call began that is under way, by the monotonic clock.
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

  /// What the painter says. Waits for a call that is under way; nil after `stop`.
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

  /// Since when the kernel has had a picture and hasn't come back. Doesn't wait for it.
  var busySince: Instant? { begun.withLock { $0.map(Instant.init(nanoseconds:)) } }

  /// Nothing is shown after this; what is there stays until the caller takes it away. Waits for a call that is under way, a frame or
  /// two.
  ///
  /// - Returns: the painter with its buffers, to be let go when they aren't shown any more.
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
