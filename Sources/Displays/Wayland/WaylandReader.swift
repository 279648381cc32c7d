import CWaylandClient
import MainLoop

/// Reads the connection on the loop, beside other threads that read the same descriptor.
///
/// libwayland lets one thread read for all. A thread announces itself (`prepare_read`), waits on the descriptor, and
/// then either reads or steps back. The read happens when all announced threads have decided; it puts each event into
/// its own queue, whichever thread reads. A plain "descriptor is readable" handler would miss events: if the sink's
/// thread has read this queue's events already, the descriptor is quiet, and nothing wakes the loop. Announcing before
/// the loop's wait and deciding right after it closes the gap. `prepare_read` succeeds only while this queue is empty,
/// and from then on no thread can put an event into it before this one has decided. So if events come during the wait,
/// the descriptor is still readable, and the loop wakes.
///
/// While this thread is announced, other readers have to wait for it, so nothing may come between the wait and the
/// decision: the loop gives poll participants the highest priority, and no other handler runs in between.
final class WaylandReader: PollParticipant {
  private let connection: WaylandConnection
  private let dispatched: () -> Void
  private var isAnnounced = false

  /// - Parameter dispatched: called on the loop after events have been dispatched, or when the connection failed.
  init(_ connection: WaylandConnection, dispatched: @escaping () -> Void) {
    self.connection = connection
    self.dispatched = dispatched
  }

  deinit {
    if isAnnounced { wl_display_cancel_read(connection.display) }
  }

  func willPoll() -> FileEvents? {
    if !isAnnounced {
      // Events are in the queue already: there is nothing to wait for.
      guard wl_display_prepare_read(connection.display) == 0 else { return nil }
      isAnnounced = true
    }
    // All requests of this turn are flushed here, before the wait; no other code has to flush. A full socket doesn't
    // block: the loop wakes when it drains, and the next turn flushes again.
    return connection.flush() ? .readable : [.readable, .writable]
  }

  func didPoll(_ ready: FileEvents) -> Bool {
    guard isAnnounced else { return false }
    isAnnounced = false
    guard !ready.isDisjoint(with: [.readable, .failed, .hungUp]) else {
      wl_display_cancel_read(connection.display)
      return false
    }
    // Waits only for other announced threads: the readable descriptor has woken them too. `dispatched` finds an error.
    wl_display_read_events(connection.display)
    return true
  }

  func dispatch() {
    connection.dispatchPending()
    dispatched()
  }
}
