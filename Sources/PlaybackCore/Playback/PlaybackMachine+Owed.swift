/// The progress that the screen must show at one moment, so that its absence is a fault of the player or of the board.
/// For a watchdog of the whole process; the machine's own watches are in `PlaybackMachine+Recovery`.
public enum OwedProgress: Hashable, Sendable {
  /// No progress, for as long as it takes: a pause, a drag, a still picture, an end, no playable item.
  case nothing
  /// No progress yet, and its time is unknown: a network, or frames that don't state their duration.
  case later
  /// No progress yet, and the machine has its own deadline: a first frame, a seek.
  case soon
  /// A frame, from that time on. `isRemote`: a link may delay it.
  case frame(from: Instant, isRemote: Bool)
  /// A working output.
  case output
}

extension PlaybackMachine {
  /// - Parameters:
  ///   - stays: stated duration of the frame on the screen, at the item's own rate; nil where it states none. For films
  ///     without a fixed rate that is the usual duration, and the next frame may be due much later: it has come by
  ///     then, and waits.
  ///   - time: this moment.
  public func owedProgress(stays: Duration?, at time: Instant) -> OwedProgress {
    guard isRunning, intent.wantsToPlay, !isAtEnd else { return .nothing }
    switch waitingReason {
    case .noOutput: return .output
    case .noItem, .allItemsFailed, .screenOff, .scrubbing: return .nothing
    case .buffering, .reconnecting: return .later
    case .preparing, .seeking: return .soon
    case nil: break
    }
    guard let deck = current, intent.suppressions.isEmpty else { return .nothing }
    guard case .playing(let base, _) = deck.phase else { return .soon }
    return deck.owed(base: base, stays: stays, at: time)
  }

  /// Whether the picture on the screen is the right one, although no other has come for a while: a slide show keeps one
  /// up for minutes, and the last frame of a film stays while its sound goes on. False while playback waits for data or
  /// for a first frame.
  ///
  /// - Parameters:
  ///   - stays: as for `owedProgress`.
  ///   - time: this moment.
  public func isPictureOnTime(stays: Duration?, at time: Instant) -> Bool {
    guard isRunning, waitingReason == nil, let deck = current, let base = deck.base else { return false }
    if deck.isPicture { return true }
    guard deck.hasShownFrames, let last = deck.shown.lastAt else { return false }
    switch owedProgress(stays: stays, at: time) {
    case .frame(let due, _): return time < due
    // Frames without a stated duration: the next one may have come, and wait.
    case .later: return deck.leadingEnd != nil || time < deck.nextFrameDue(base: base, after: last)
    case .nothing, .soon, .output: return false
    }
  }
}
