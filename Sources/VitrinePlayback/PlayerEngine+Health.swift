internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// Watches whether the output shows the frames that it gets; `OutputHealth` decides what to do.

extension PlayerEngine {
  /// State of the watch on the output.
  struct Watch {
    var health = OutputHealth()
    /// When the opening of the output began; nil once it is ready, or has failed.
    var openingSince: Instant?
    var timer: (any EngineTimer)?
    /// Whether the timer waits for the end of a picture, rather than for the next look.
    var isAtRest = false
    /// Asks the screen's owner since when a picture above the video has been on its way to the screen; nil for none.
    var busySince: (() -> Instant?)?
  }

  /// Starts the watch: frames are expected from now on.
  package func watchOutput() {
    guard watch.timer == nil || watch.isAtRest, output != nil, ending == nil else { return }
    watch.isAtRest = false
    watch.timer = clock.after(watch.health.policy.interval) { [weak self] in self?.checkOutput() }
  }

  /// Suspends the watch while a picture is up and nothing is on its way to the screen: the next look is at the
  /// picture's end, or when playback is commanded. So a board that shows one picture all day stays idle.
  private func restsWithPicture(on output: any EngineOutput) -> Bool {
    guard let deck = machine.current, deck.media.kind == .picture, deck.hasShownFrames, !watch.health.isWatching,
      output.activity.waitingSince == nil, let frame = newestFrame, frame.deck == deck.id, let stays = frame.stays,
      stays > watch.health.policy.interval * 2
    else { return false }
    let left = max(.zero, frame.at + stays - now)
    guard left > watch.health.policy.interval else { return false }
    watch.isAtRest = true
    watch.timer = clock.after(left) { [weak self] in self?.checkOutput() }
    return true
  }

  /// - Parameter busySince: since when a picture above the video has been on its way to the screen. It must return at
  ///   once.
  package func watchOverlay(_ busySince: @escaping () -> Instant?) { watch.busySince = busySince }

  /// Restarts the watch for another output, or for none.
  func outputChanged(isOpening: Bool) {
    watch.health.outputChanged()
    watch.openingSince = isOpening ? now : nil
    watch.timer = nil
    watch.isAtRest = false
    if isOpening { watchOutput() }
  }

  private func checkOutput() {
    watch.timer = nil
    watch.isAtRest = false
    guard let output, ending == nil else { return }
    let actions = watch.health.evaluate(sight(of: output), at: now)
    for action in actions { carryOut(action) }
    if watch.busySince?() == nil, watch.openingSince == nil, restsWithPicture(on: output) { return }
    // While playback is held or at its end no frame is expected; the next command to play starts the watch again.
    if watch.health.isWatching || watch.busySince?() != nil || watch.openingSince != nil || machine.current?.base != nil
    {
      watchOutput()
    }
  }

  private func sight(of output: any EngineOutput) -> OutputHealth.Sight {
    // A frame or two is usual: the sink may hold the kernel's lock for that long.
    if let since = watch.busySince?(), now - since >= watch.health.policy.interval {
      return OutputHealth.Sight(waitingSince: since, fault: .overlayBlocks)
    }
    if let since = watch.openingSince { return OutputHealth.Sight(waitingSince: since, fault: .doesNotOpen) }
    let activity = output.activity
    // Frames of a deck that was left don't count: it isn't waited for.
    guard let deck = machine.current, deck.id == activity.deck else {
      return OutputHealth.Sight(waitingSince: activity.waitingSince)
    }
    return OutputHealth.Sight(
      waitingSince: activity.waitingSince, fault: activity.dropped > 0 ? .drops : .blocks, item: deck.item,
      hasAlternative: machine.hasAlternative(to: deck.item))
  }

  /// Counts a failure of an open sink. If it keeps failing with one item, the item's format may be the cause.
  func openOutputFailed() {
    guard let deck = machine.current, deck.base != nil, !deck.hasShownFrames else { return }
    for action in watch.health.failed(deck.item, hasAlternative: machine.hasAlternative(to: deck.item)) {
      carryOut(action)
    }
  }

  private func carryOut(_ action: OutputHealth.Action) {
    switch action {
    case .passOver(let item, let fault):
      guard let deck = machine.current, deck.item == item else { return }
      // A blocked sink is also rebuilt, and that step is reported.
      if fault == .drops || fault == .fails {
        ledger.count(.outputFaults)
        tell(.outputStuck(.passOver, PlaybackErrors.outputIsStuck(fault, .passOver)))
      }
      feed(.unshown(deck.id))
    case .take(let step, let fault):
      ledger.count(.outputFaults)
      tell(.outputStuck(step, PlaybackErrors.outputIsStuck(fault, step)))
    case .blame(let item):
      guard let uri = machine.queue.entry(item)?.item.uri else { return }
      feed(.itemBlamed(item, PlaybackErrors.isNotShown(uri: uri)))
    case .recovered(let step): tell(.outputRecovered(by: step))
    }
  }
}
