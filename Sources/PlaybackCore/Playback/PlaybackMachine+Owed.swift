/// What is to be seen to go on at one moment, so that its absence is a fault of ours or of the board's. For whoever watches the whole process;
/// the machine's own watches are in `PlaybackMachine+Recovery`.
public enum OwedProgress: Hashable, Sendable {
  /// Nothing, for as long as it likes: a pause, a finger, a picture that is up, an end, no item that could be played.
  case nothing
  /// Nothing yet, and nobody here says until when: a network, or frames that don't say how long they stay.
  case later
  /// Nothing yet, and the machine has deadlines of its own: a first frame, a seek.
  case soon
  /// A frame, from then on. `isRemote`: a link may hold it up.
  case frame(from: Instant, isRemote: Bool)
  /// The output is to be there.
  case output
}

extension PlaybackMachine {
  /// - Parameters:
  ///   - stays: how long the frame on the screen says that it stays, at the item's own speed; nil where it doesn't. Of films without a
  ///     fixed rate that is the usual time, and the next frame may be due much later: it has come by then, and waits.
  ///   - time: this moment.
  public func owedProgress(stays: Duration?, at time: Instant) -> OwedProgress {
    guard hasStarted, !isFinished, wantsToPlay, !isAtEnd else { return .nothing }
    switch waitingReason {
    case .noOutput: return .output
    case .noItem, .allItemsFailed, .screenOff, .scrubbing: return .nothing
    case .buffering, .reconnecting: return .later
    case .preparing, .seeking: return .soon
    case nil: break
    }
    guard let deck = current, suppressions.isEmpty else { return .nothing }
    guard case .playing(let base) = deck.phase else { return .soon }
    return owed(by: deck, base: base, stays: stays, at: time)
  }

  /// Whether the picture that is up is the one that should be up, although no other has come for a while: a film of slides shows one for
  /// minutes, and the last frame of a film stays while its sound goes on. What waits for data or for a first frame isn't on time.
  ///
  /// - Parameters:
  ///   - stays: as for `owedProgress`.
  ///   - time: this moment.
  public func isPictureOnTime(stays: Duration?, at time: Instant) -> Bool {
    guard hasStarted, waitingReason == nil, let deck = current, let base = deck.base else { return false }
    if deck.isPicture { return true }
    guard deck.hasShownFrames, let last = deck.lastFrameAt else { return false }
    switch owedProgress(stays: stays, at: time) {
    case .frame(let due, _): return time < due
    // Frames that don't say how long they stay: the next one may have come, and wait.
    case .later: return deck.leadingEnd != nil || time < deck.nextFrameDue(base: base, after: last)
    case .nothing, .soon, .output: return false
    }
  }

  private func owed(by deck: PlaybackDeck, base: Instant, stays: Duration?, at time: Instant) -> OwedProgress {
    // What is heard of an item is watched by the output, and its card is up.
    guard deck.readiness.hasVideo else { return .nothing }
    guard deck.hasShownFrames else {
      let first = base + deck.readiness.firstRunningTime
      return .frame(from: deck.nextFrameDue(base: base, after: first), isRemote: deck.media.isRemote)
    }
    if deck.isPicture { return .nothing }
    guard let last = deck.lastFrameAt, let stays, deck.rate != 0 else { return .later }
    let scaled = max(stays, stays / abs(deck.rate))
    if let end = deck.leadingEnd {
      // The last frame may stay for as long as there is sound.
      let shownUntil = (deck.position - deck.origin) / deck.rate + scaled
      if shownUntil + Self.lastFrameTrust >= end { return .later }
      // The last ones were too late to be shown, and the sound goes on.
      if time >= base + end { return .later }
    }
    let from = max(last + scaled, deck.nextFrameDue(base: base, after: last))
    return .frame(from: from, isRemote: deck.media.isRemote)
  }

  /// The end of a stream and the end of its last frame may be so far apart: a frame of film, twice.
  private static let lastFrameTrust: Duration = .milliseconds(100)
}
