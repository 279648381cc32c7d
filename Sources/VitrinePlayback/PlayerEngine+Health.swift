internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// Whether the output shows what it gets: it is looked at while it should, and `OutputHealth` says what follows.

extension PlayerEngine {
  /// What is known of the output beside what it tells.
  struct Watch {
    var health = OutputHealth()
    /// Since when the output is being opened; nil when it is ready, or has said that it can't be.
    var openingSince: Instant?
    var timer: (any EngineTimer)?
    /// Whether that timer is for when a picture's time is over, and not for the next look.
    var isAtRest = false
    /// Asks the owner of the screen since when a picture above the video is on its way there.
    var busySince: (() -> Instant?)?
  }

  /// Something is to be shown from now on.
  package func watchOutput() {
    guard watch.timer == nil || watch.isAtRest, output != nil, ending == nil else { return }
    watch.isAtRest = false
    watch.timer = clock.after(watch.health.policy.interval) { [weak self] in self?.lookAtOutput() }
  }

  /// A picture is up, and nothing is on its way to the screen: nobody looks until its time is over, or something else is to be shown. A
  /// board that shows one picture all day has nothing to do.
  private func restsWithPicture(on output: any EngineOutput) -> Bool {
    guard let deck = machine.current, deck.media.kind == .picture, deck.hasShownFrames, !watch.health.isWatching,
      output.activity.waitingSince == nil, let frame = newestFrame, frame.deck == deck.id, let stays = frame.stays,
      stays > watch.health.policy.interval * 2
    else { return false }
    let left = max(.zero, frame.at + stays - now)
    guard left > watch.health.policy.interval else { return false }
    watch.isAtRest = true
    watch.timer = clock.after(left) { [weak self] in self?.lookAtOutput() }
    return true
  }

  /// - Parameter busySince: since when a picture above the video is on its way to the screen; it must not wait for that.
  package func watchOverlay(_ busySince: @escaping () -> Instant?) { watch.busySince = busySince }

  /// There is another output, or none.
  func outputChanged(isOpening: Bool) {
    watch.health.outputChanged()
    watch.openingSince = isOpening ? now : nil
    watch.timer = nil
    watch.isAtRest = false
    if isOpening { watchOutput() }
  }

  private func lookAtOutput() {
    watch.timer = nil
    watch.isAtRest = false
    guard let output, ending == nil else { return }
    let effects = watch.health.look(sight(of: output), at: now)
    for effect in effects { carryOut(effect) }
    if watch.busySince?() == nil, watch.openingSince == nil, restsWithPicture(on: output) { return }
    // Held or at its end nothing comes that could be waited for; the next command to play begins anew.
    if watch.health.isWatching || watch.busySince?() != nil || watch.openingSince != nil || machine.current?.base != nil
    {
      watchOutput()
    }
  }

  private func sight(of output: any EngineOutput) -> OutputHealth.Sight {
    // A frame or two is usual; the sink may hold the kernel's lock for so long.
    if let since = watch.busySince?(), now - since >= watch.health.policy.interval {
      return OutputHealth.Sight(waitingSince: since, fault: .overlayBlocks)
    }
    if let since = watch.openingSince { return OutputHealth.Sight(waitingSince: since, fault: .doesNotOpen) }
    let activity = output.activity
    // Frames of a deck that has been left say nothing: nobody waits for them.
    guard let deck = machine.current, deck.id == activity.deck else {
      return OutputHealth.Sight(waitingSince: activity.waitingSince)
    }
    return OutputHealth.Sight(
      waitingSince: activity.waitingSince, fault: activity.dropped > 0 ? .drops : .blocks, item: deck.item,
      hasAlternative: machine.hasAlternative(to: deck.item))
  }

  private func carryOut(_ effect: OutputHealth.Effect) {
    switch effect {
    case .passOver(let item, let fault):
      guard let deck = machine.current, deck.item == item else { return }
      // A sink that has no hand free is rebuilt along with it, and that is what is told.
      if fault == .drops {
        ledger.outputFault()
        owner?.engine(self, outputIsStuck: .passOver, PlaybackErrors.outputIsStuck(fault, .passOver))
      }
      feed(.unshown(deck.id))
    case .take(let step, let fault):
      ledger.outputFault()
      owner?.engine(self, outputIsStuck: step, PlaybackErrors.outputIsStuck(fault, step))
    case .blame(let item):
      guard let uri = machine.queue.entry(item)?.item.uri else { return }
      feed(.itemBlamed(item, PlaybackErrors.isNotShown(uri: uri)))
    case .recovered(let step): owner?.engine(self, outputRecoveredBy: step)
    }
  }
}

extension PlayerEngineOwner {
  package func engine(_ engine: PlayerEngine, outputIsStuck step: OutputHealth.Step, _ error: VitrineError) {}
  package func engine(_ engine: PlayerEngine, outputRecoveredBy step: OutputHealth.Step) {}
}
