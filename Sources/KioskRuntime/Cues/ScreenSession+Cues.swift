internal import InteractionCore
internal import KioskCore
internal import MediaPipeline
internal import PlaybackCore

// Tells the cues what is shown.

extension ScreenSession {
  func followCues(_ notice: PlaybackNotice) {
    guard let cues else { return }
    switch notice {
    case .itemStarted(let item, let deck, _, _):
      guard let entry = machine.queue.entry(item), let current = machine.current, current.id == deck else { return }
      // A clip, and what visitors choose, aren't of the list that is scheduled.
      let isListed = content.attractLoop == nil && interaction.clip != item
      cues.handle(
        .started(
          .init(
            item, entry.item, list: isListed ? options.listName : nil, deck: deck, isForward: current.rate > 0,
            isShown: current.hasShownFrames)), on: name)
    case .itemEnded(let item, let deck): cues.handle(.ended(item, deck), on: name)
    case .itemFailed(let item, _):
      if let entry = machine.queue.entry(item) { cues.handle(.failed(item, entry.item), on: name) }
    case .seekStarted(let number, let target, _):
      let isForward = (machine.current?.rate ?? 1) > 0
      cues.handle(.sought(FrameEpoch(seek: number), to: target, isForward: isForward), on: name)
    case .queueEnded, .stoppedAtEnd, .roundFailed: cues.handle(.stays, on: name)
    default: break
    }
  }

  /// Follows a frame that was shown, or a sound that was heard. Called for each: without a cue that depends on it, it
  /// costs a look into a dictionary.
  func followCues(_ deck: DeckID, _ epoch: FrameEpoch, at position: Duration, isSound: Bool) {
    guard let cues, cues.followsFrames(of: name) else { return }
    let current = machine.current.flatMap { $0.id == deck ? $0 : nil }
    // An item without a picture is followed by its sound; its card has no time.
    if !isSound, current?.isSoundOnly == true { return }
    let isRunning = machine.wantsToPlay && machine.suppressions.isEmpty
    cues.handle(
      .shown(.init(deck, item: current?.item, epoch: epoch, at: position, isRunning: isRunning)), on: name)
  }
}
