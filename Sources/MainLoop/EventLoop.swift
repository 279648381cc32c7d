import CGLib
import CGLibShims
import Glibc

/// The sources of one executor: file descriptors, timers, Unix signals.
///
/// Confined to the loop's thread: make it there (in a method of an actor on the executor) and keep it there. Handlers
/// run on that thread, one at a time, and may cancel any source, their own included.
public final class EventLoop {
  public let executor: GLibExecutor

  /// - Precondition: the caller runs on `executor`.
  public init(executor: GLibExecutor) {
    executor.checkIsolated()
    self.executor = executor
  }

  /// CLOCK_MONOTONIC in nanoseconds: the same clock as GStreamer's system clock.
  public static func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Calls `handler` with what the descriptor is ready for, until the source is cancelled. The descriptor stays the
  /// caller's and must outlive the source.
  public func watch(fileDescriptor: Int32, for events: FileEvents, _ handler: @escaping (FileEvents) -> Void)
    -> EventSource
  {
    let source = g_unix_fd_source_new(fileDescriptor, GIOCondition(events.rawValue))
    let box = Unmanaged.passRetained(Handler<FileEvents>(handler))
    let callback: GUnixFDSourceFunc = { _, condition, data in
      guard let data else { return 0 }
      Unmanaged<Handler<FileEvents>>.fromOpaque(data).takeUnretainedValue().call(
        FileEvents(rawValue: condition.rawValue))
      return 1
    }
    return attach(source, unsafeBitCast(callback, to: GSourceFunc.self), box.toOpaque()) { data in
      if let data { Unmanaged<Handler<FileEvents>>.fromOpaque(data).release() }
    }
  }

  /// Lets `participant` work right before and right after each wait of the loop, until the source is cancelled. The
  /// descriptor stays the caller's and must outlive the source. The source keeps `participant` alive.
  ///
  /// The source has the highest priority on the loop. GLib leaves the checks of lower ones out of a turn in which a
  /// higher one is ready, and so `didPoll` could be kept waiting for as long as some other handler runs.
  public func join(fileDescriptor: Int32, _ participant: any PollParticipant) -> EventSource {
    let box = Unmanaged.passRetained(Participation(participant))
    let source = vit_poll_source_new(
      fileDescriptor, Int32(G_PRIORITY_HIGH),
      { data in
        Unmanaged<Participation>.fromOpaque(data).takeUnretainedValue().participant.willPoll()?.rawValue ?? 0
      },
      { data, ready in
        let participant = Unmanaged<Participation>.fromOpaque(data).takeUnretainedValue().participant
        return participant.didPoll(FileEvents(rawValue: ready)) ? 1 : 0
      }, box.toOpaque())
    return attach(
      source,
      { data in
        guard let data else { return 0 }
        Unmanaged<Participation>.fromOpaque(data).takeUnretainedValue().participant.dispatch()
        return 1
      }, box.toOpaque()
    ) { data in
      if let data { Unmanaged<Participation>.fromOpaque(data).release() }
    }
  }

  /// Calls `handler` once after `delay`, unless the source is cancelled (or let go) before.
  public func after(_ delay: Duration, _ handler: @escaping () -> Void) -> EventSource {
    attach(vit_timer_source_new(delay.microseconds, 0), handler)
  }

  /// Calls `handler` every `interval`, first after one interval. A late call doesn't shift the later ones.
  ///
  /// - Parameter isAligned: at whole multiples of the interval, first after less than one, so that those of the same
  ///   interval wake the process together.
  public func every(_ interval: Duration, isAligned: Bool = false, _ handler: @escaping () -> Void) -> EventSource {
    let period = max(1, interval.microseconds)
    let first = isAligned ? period - Int64(g_get_monotonic_time()) % period : period
    return attach(vit_timer_source_new(first, period), handler)
  }

  /// Calls `handler` for each SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2 or SIGWINCH, outside of signal context.
  /// The signal's default action is off for the whole process while the source lives. The program's starter may have
  /// blocked the signal in all threads: the calling thread unblocks it.
  public func onSignal(_ number: Int32, _ handler: @escaping () -> Void) -> EventSource {
    let source = attach(g_unix_signal_source_new(number), handler)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    return source
  }

  /// Attaches a source that GLib or another library made; takes over the reference. `handler` is called through a
  /// `GSourceFunc` and can't be used for sources whose callback has another shape.
  private func attach(_ source: UnsafeMutablePointer<GSource>?, _ handler: @escaping () -> Void) -> EventSource {
    let box = Unmanaged.passRetained(Handler<Void>(handler))
    return attach(
      source,
      { data in
        guard let data else { return 0 }
        Unmanaged<Handler<Void>>.fromOpaque(data).takeUnretainedValue().call(())
        return 1
      }, box.toOpaque()
    ) { data in
      if let data { Unmanaged<Handler<Void>>.fromOpaque(data).release() }
    }
  }

  private func attach(
    _ source: UnsafeMutablePointer<GSource>?, _ callback: GSourceFunc, _ data: UnsafeMutableRawPointer,
    _ destroy: @escaping GDestroyNotify
  ) -> EventSource {
    g_source_set_callback(source, callback, data, destroy)
    return EventSource(LoopSource(source, attachedTo: executor.context))
  }
}

/// A source that lives as long as this object, or until `cancel`.
public final class EventSource {
  private var source: LoopSource?

  init(_ source: LoopSource) { self.source = source }

  /// No handler is called after this. Cancelling twice is harmless.
  public func cancel() {
    // Not by the assignment: what the source keeps alive may call `cancel` once more when it is released.
    let held = source
    source = nil
    withExtendedLifetime(held) {}
  }
}

/// The conditions that a file descriptor is waited for, or has become ready for.
public struct FileEvents: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let readable = FileEvents(rawValue: G_IO_IN.rawValue)
  public static let writable = FileEvents(rawValue: G_IO_OUT.rawValue)
  /// POLLPRI; its meaning depends on the kind of device.
  public static let urgent = FileEvents(rawValue: G_IO_PRI.rawValue)
  public static let failed = FileEvents(rawValue: G_IO_ERR.rawValue)
  public static let hungUp = FileEvents(rawValue: G_IO_HUP.rawValue)
}

/// Takes part in the loop's waiting. For a connection that several threads read, and that therefore wants to know
/// when a wait begins and ends. Called on the loop's thread.
public protocol PollParticipant: AnyObject {
  /// The loop is about to wait. Returns what to wait for, or nil (or an empty set) to skip `didPoll` and be dispatched
  /// in this turn without waiting.
  func willPoll() -> FileEvents?
  /// The wait is over; comes after each `willPoll` that asked for one. Returns whether to dispatch in this turn.
  func didPoll(_ ready: FileEvents) -> Bool
  /// Called in a turn that was asked for. It may cancel the source or call other objects.
  func dispatch()
}

private final class Participation {
  let participant: any PollParticipant
  init(_ participant: any PollParticipant) { self.participant = participant }
}

private final class Handler<Argument> {
  let call: (Argument) -> Void
  init(_ call: @escaping (Argument) -> Void) { self.call = call }
}

extension Duration {
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
