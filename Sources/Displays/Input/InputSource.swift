public import InteractionCore
internal import MainLoop
public import PlaybackCore

/// A source of touches and keys: libinput, or a compositor's seat. Confined to the loop's thread.
public protocol InputSource: AnyObject {
  /// Called on the loop with all events that are waiting, in their order and at least one, so that their results are
  /// drawn once. Each has the time at which it happened, on the loop's clock as far as the device's stamps allow.
  /// Events are kept until this is set.
  var onInput: (([(event: InputEvent, time: Instant)]) -> Void)? { get set }
}

extension Instant {
  /// The loop's time, for events without a time stamp.
  static var loopNow: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }
}
