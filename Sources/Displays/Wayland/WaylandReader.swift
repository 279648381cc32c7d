import CWaylandClient
import MainLoop

/// Reads the connection on the loop, beside other threads that read the same descriptor.
///
/// libwayland lets one thread read for all: a thread announces itself (`prepare_read`), waits on the descriptor, and
/// then either reads or steps back; the read happens when everybody announced has decided, and puts each event into
/// its own queue, whoever reads. A plain "descriptor is readable" handler would miss events: the sink's thread may
/// have read ours already, the descriptor is then quiet, and nothing would wake the loop. Announcing before the
/// loop's wait and deciding right after it closes the gap. `prepare_read` succeeds only while our queue is empty,
/// and from then on nobody can put an event into it before we have decided; so if there are events for us while the
/// loop waits, the descriptor is still readable, and the loop wakes.
///
/// While we are announced another reader has to wait for us, so nothing may come between the wait and the decision:
/// the loop gives poll participants the highest priority, and no other handler runs in between.
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
      // Events are in our queue already: there is nothing to wait for.
      guard wl_display_prepare_read(connection.display) == 0 else { return nil }
      isAnnounced = true
    }
    // All requests of this turn go out here, before the wait; nobody else has to flush. A full socket is no reason to
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
    // Waits only for threads that are announced too: the readable descriptor has woken them as well. What went wrong
    // is found by `dispatched`.
    wl_display_read_events(connection.display)
    return true
  }

  func dispatch() {
    connection.dispatchPending()
    dispatched()
  }
}
