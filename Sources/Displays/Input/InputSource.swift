public import InteractionCore
internal import MainLoop
public import PlaybackCore

/// Where fingers and keys come from: libinput, or a compositor's seat. Confined to the loop's thread.
public protocol InputSource: AnyObject {
  /// Called on the loop with all events that have come together, in their order and never none, so that what follows from
  /// them is drawn once. Each has the time at which it happened, on the loop's clock as far as the device's stamps allow.
  /// Events from before it was set are kept for it.
  var onInput: (([(event: InputEvent, time: Instant)]) -> Void)? { get set }
}

extension Instant {
  /// For what devices put no stamp on.
  static var loopNow: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }
}
