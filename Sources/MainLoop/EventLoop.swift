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

  /// Calls `handler` once after `delay`, unless the source is cancelled (or let go) before.
  public func after(_ delay: Duration, _ handler: @escaping () -> Void) -> EventSource {
    attach(vit_timer_source_new(delay.microseconds, 0), handler)
  }

  /// Calls `handler` every `interval`, first after one interval. A late call doesn't shift the later ones.
  public func every(_ interval: Duration, _ handler: @escaping () -> Void) -> EventSource {
    let period = max(1, interval.microseconds)
    return attach(vit_timer_source_new(period, period), handler)
  }

  /// Calls `handler` for each SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2 or SIGWINCH, outside of signal context.
  /// The signal's default action is off for the whole process while the source lives.
  public func onSignal(_ number: Int32, _ handler: @escaping () -> Void) -> EventSource {
    attach(g_unix_signal_source_new(number), handler)
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
    g_source_attach(source, executor.context)
    return EventSource(source)
  }
}

/// A source that lives as long as this object, or until `cancel`.
public final class EventSource {
  private var source: UnsafeMutablePointer<GSource>?

  init(_ source: UnsafeMutablePointer<GSource>?) { self.source = source }

  deinit { cancel() }

  /// No handler is called after this. Cancelling twice is harmless.
  public func cancel() {
    guard let source else { return }
    self.source = nil
    g_source_destroy(source)
    g_source_unref(source)
  }
}

/// What a file descriptor is, or should be, ready for.
public struct FileEvents: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let readable = FileEvents(rawValue: G_IO_IN.rawValue)
  public static let writable = FileEvents(rawValue: G_IO_OUT.rawValue)
  public static let failed = FileEvents(rawValue: G_IO_ERR.rawValue)
  public static let hungUp = FileEvents(rawValue: G_IO_HUP.rawValue)
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
