import CGLib
import CGLibShims

/// Carries events from any thread to the loop, in the order in which they were posted.
///
/// It is the only queue for answers: streaming threads, workers and sources post events, and one handler on the loop
/// takes them.
public final class Mailbox<Event: Sendable>: Sendable {
  private let box: MailboxQueue<Event>
  private let wake: LoopSource

  /// Makes a mailbox whose events are handed to `handler` on the loop's thread.
  ///
  /// - Parameter handler: called on the thread of `executor`; may enter an actor of that executor by
  ///   `assumeIsolated`. It is kept until `close`.
  public init(executor: GLibExecutor, handler: @escaping @Sendable (Event) -> Void) {
    let box = MailboxQueue<Event>(handler: handler)
    self.box = box
    // The source's C callback can't be generic, so it finds the queue behind a class that isn't.
    let source = vit_wake_source_new(
      Int32(G_PRIORITY_DEFAULT),
      { data in
        Unmanaged<Drain>.fromOpaque(data).takeUnretainedValue().run()
        return 1
      }, Unmanaged.passRetained(Drain { box.deliver() }).toOpaque(),
      { data in if let data { Unmanaged<Drain>.fromOpaque(data).release() } })
    wake = LoopSource(source, attachedTo: executor.context)
  }

  /// Appends an event. Any thread; never blocks for longer than another post.
  public func post(_ event: Event) {
    if box.append(event) { wake.wake() }
  }

  /// Delivers no more events and releases the handler.
  public func close() { box.close() }
}

private final class MailboxQueue<Event: Sendable>: Sendable {
  private struct State: Sendable {
    var events: [Event] = []
    var handler: (@Sendable (Event) -> Void)?
  }
  private let state: Locked<State>

  init(handler: @escaping @Sendable (Event) -> Void) { state = Locked(State(handler: handler)) }

  /// Returns true when the queue was empty, so that the loop has to be woken.
  func append(_ event: Event) -> Bool {
    state.withLock { state in
      state.events.append(event)
      return state.events.count == 1
    }
  }

  func deliver() {
    let events = state.withLock { state in
      let events = state.events
      state.events.removeAll(keepingCapacity: true)
      return events
    }
    for event in events {
      // The handler is fetched for each event, because it may close the mailbox.
      guard let handler = state.withLock({ $0.handler }) else { return }
      handler(event)
    }
  }

  func close() {
    state.withLock { state in
      state.handler = nil
      state.events = []
    }
  }
}

private final class Drain: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
